import { actionCalls, discountKind, lateKind } from './actions.ts'
import { bill, billAdjust, billRun } from './bill.ts'
import * as choices from './choices.ts'
import { listCalls } from './list.ts'
import { feeNotice } from './notice.ts'
import { importBills } from './import.ts'
import { meterFeeBatch } from './meter-fee.ts'
import { poolCalls } from './pool.ts'
import { urgeCalls } from './urge.ts'
import { repriceCalls } from './reprice.ts'
import { runCalls } from './run.ts'
import { temporaryCalls } from './temporary.ts'

export const contract = {
  calls: [
    ...listCalls,
    ...actionCalls,
    ...urgeCalls,
    ...runCalls,
    ...repriceCalls,
    ...temporaryCalls,
    ...poolCalls,
    ...importBills.calls,
    meterFeeBatch,
  ],
  entities: [bill, billAdjust, billRun, feeNotice],
  choices: [...Object.values(choices), discountKind, lateKind],
}
