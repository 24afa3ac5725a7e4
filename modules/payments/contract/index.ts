import { declareContract } from '#kit/contract/module-contract.ts'
import * as cashier from './cashier.ts'
import * as channel from './channel.ts'
import * as choices from './choices.ts'
import * as dayClose from './day-close.ts'
import * as endingCredit from './ended-charge-credit.ts'
import * as importExport from './import-export.ts'
import * as order from './order.ts'
import * as otherIncome from './other-income.ts'
import * as payment from './payment.ts'
import * as receipt from './receipt.ts'
import * as record from './record.ts'
import * as refund from './refund.ts'
import * as terminal from './terminal.ts'

export const contract = {
  base: 'finance/v1',
  ...declareContract(
    cashier,
    channel,
    choices,
    dayClose,
    endingCredit,
    importExport,
    order,
    otherIncome,
    payment,
    receipt,
    record,
    refund,
    terminal,
  ),
}
