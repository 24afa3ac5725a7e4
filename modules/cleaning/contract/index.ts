import { declareContract } from '#kit/contract/module-contract.ts'
import * as location from './location.ts'
import * as template from './template.ts'

export const contract = declareContract(template, location)
