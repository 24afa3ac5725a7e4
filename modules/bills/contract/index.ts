import { bill, billAdjust, billRun } from './bill.ts'
import * as choices from './choices.ts'
import { feeNotice } from './notice.ts'
import { importBills } from './import.ts'
import { poolCalls } from './pool.ts'
import { runCalls } from './run.ts'
import { temporaryCalls } from './temporary.ts'

export const contract = {
  calls: [...runCalls, ...temporaryCalls, ...poolCalls, ...importBills.calls],
  entities: [bill, billAdjust, billRun, feeNotice],
  choices: Object.values(choices),
}
