import { declareContract } from '#kit/contract/module-contract.ts'
import * as actions from './actions.ts'
import * as adjustments from './adjustments.ts'
import * as billDetail from './bill-detail.ts'
import * as bill from './bill.ts'
import * as choices from './choices.ts'
import * as debtor from './debtor.ts'
import * as followUp from './follow-up.ts'
import * as gaps from './gaps.ts'
import * as imports from './import.ts'
import * as list from './list.ts'
import * as meterFee from './meter-fee.ts'
import * as notice from './notice.ts'
import * as pool from './pool.ts'
import * as reminder from './reminder.ts'
import * as reprice from './reprice.ts'
import * as run from './run.ts'
import * as sharePool from './share-pool.ts'
import * as temporary from './temporary.ts'

export const contract = {
  base: 'finance/v1',
  ...declareContract(
    actions,
    adjustments,
    billDetail,
    bill,
    choices,
    debtor,
    followUp,
    gaps,
    imports,
    list,
    meterFee,
    notice,
    pool,
    reminder,
    reprice,
    run,
    sharePool,
    temporary,
  ),
}
