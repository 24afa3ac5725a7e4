import { declareContract } from '#kit/contract/module-contract.ts'
import * as location from './location.ts'
import * as template from './template.ts'
import * as work from './work.ts'

export const contract = declareContract(template, location, work)
