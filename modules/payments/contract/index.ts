import * as choices from './choices.ts'
import { cashierHandover, dayClose } from './close.ts'
import { payOrder } from './order.ts'
import { payBills, quoteBills } from './pay.ts'
import { payDetail, payRecord } from './record.ts'
import { feeRefund } from './refund.ts'

export const contract = {
  calls: [quoteBills, payBills],
  entities: [payOrder, payRecord, payDetail, feeRefund, cashierHandover, dayClose],
  choices: Object.values(choices).filter(c => 'rows' in c),
}
