import { declareContract } from '#kit/contract/module-contract.ts'
import * as area from './area.ts'
import * as choices from './choices.ts'
import * as device from './device.ts'
import * as drawing from './drawing.ts'
import * as plan from './plan.ts'
import * as point from './point.ts'
import * as rates from './rates.ts'
import * as road from './road.ts'
import * as round from './round.ts'
import * as task from './task.ts'
import * as template from './template.ts'

export const contract = declareContract(
  choices,
  area,
  template,
  point,
  device,
  drawing,
  road,
  plan,
  task,
  round,
  rates,
)
