import { bill, billAdjust, billRun } from './bill.ts'
import * as choices from './choices.ts'
import { feeNotice } from './notice.ts'
import { runCalls } from './run.ts'

export const contract = {
  calls: [...runCalls],
  entities: [bill, billAdjust, billRun, feeNotice],
  choices: Object.values(choices),
}
