import { actionCalls } from './actions.ts'
import { discountKind, lateFeeKind, adjustmentCalls } from './adjustments.ts'
import { bill, billAdjust, billRun } from './bill.ts'
import * as choices from './choices.ts'
import { exportDebtors, listDebtors } from './debtor.ts'
import { listCalls } from './list.ts'
import { feeNotice } from './notice.ts'
import { billFollowUp, followUpCalls } from './follow-up.ts'
import { gapCalls } from './gaps.ts'
import { importBills } from './import.ts'
import { generateMeterBills, generateSmartMeterBills } from './meter-fee.ts'
import { poolCalls } from './pool.ts'
import { reminderCalls } from './reminder.ts'
import { repriceCalls } from './reprice.ts'
import { runCalls } from './run.ts'
import { sharePool } from './share-pool.ts'
import { temporaryCalls } from './temporary.ts'
import { billDetailCalls } from './bill-detail.ts'

export const contract = {
  base: 'finance/v1',
  calls: [
    ...listCalls,
    listDebtors,
    ...exportDebtors.calls,
    ...billDetailCalls,
    ...actionCalls,
    ...adjustmentCalls,
    ...reminderCalls,
    ...runCalls,
    ...repriceCalls,
    ...followUpCalls,
    ...gapCalls,
    ...temporaryCalls,
    ...poolCalls,
    ...importBills.calls,
    generateMeterBills,
    generateSmartMeterBills,
  ],
  entities: [bill, billAdjust, billFollowUp, billRun, feeNotice, sharePool],
  choices: [...Object.values(choices), discountKind, lateFeeKind],
}
