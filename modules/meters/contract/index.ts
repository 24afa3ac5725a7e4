import { declareContract } from '#kit/contract/module-contract.ts'
import * as choices from './choices.ts'
import * as meterCalls from './meter-calls.ts'
import * as meter from './meter.ts'
import * as monthGrid from './month-grid.ts'
import * as plan from './plan.ts'
import * as reading from './reading.ts'
import * as report from './report.ts'
import * as smart from './smart.ts'
import * as transfer from './transfer.ts'

export const contract = declareContract(
  choices,
  meterCalls,
  meter,
  monthGrid,
  plan,
  reading,
  report,
  smart,
  transfer,
)
