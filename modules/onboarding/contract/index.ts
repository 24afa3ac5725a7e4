import { declareContract } from '#kit/contract/module-contract.ts'
import * as guide from './guide.ts'
import * as sample from './sample.ts'

export const contract = declareContract(guide, sample)
