import { bill, billAdjust, billRun } from './bill.ts'
import * as choices from './choices.ts'
import { feeNotice } from './notice.ts'

export const contract = {
  calls: [],
  entities: [bill, billAdjust, billRun, feeNotice],
  choices: Object.values(choices),
}
