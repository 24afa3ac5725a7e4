import { declareContract } from '#kit/contract/module-contract.ts'
import * as greenArea from './green-area.ts'
import * as plant from './plant.ts'
import * as template from './template.ts'

export const contract = declareContract(plant, greenArea, template)
