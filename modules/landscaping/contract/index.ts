import { declareContract } from '#kit/contract/module-contract.ts'
import * as greenArea from './green-area.ts'
import * as plant from './plant.ts'
import * as template from './template.ts'
import * as work from './work.ts'

export const contract = declareContract(plant, greenArea, template, work)
