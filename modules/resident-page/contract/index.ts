import { declareContract } from '#kit/contract/module-contract.ts'
import * as choices from './choices.ts'
import * as codes from './codes.ts'
import * as home from './home.ts'

export const contract = declareContract(choices, codes, home)
