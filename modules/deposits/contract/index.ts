import { declareContract } from '#kit/contract/module-contract.ts'
import * as choices from './choices.ts'
import * as deposit from './deposit.ts'

export const contract = declareContract(choices, deposit)
