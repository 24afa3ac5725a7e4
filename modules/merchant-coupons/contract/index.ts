import { declareContract } from '#kit/contract/module-contract.ts'
import * as choices from './choices.ts'
import * as claim from './claim.ts'
import * as code from './code.ts'
import * as coupon from './coupon.ts'
import * as orderPayment from './order-payment.ts'
import * as orderReturn from './order-return.ts'
import * as order from './order.ts'
import * as settlement from './settlement.ts'
import * as shop from './shop.ts'
import * as stock from './stock.ts'
import * as ticket from './ticket.ts'

export const contract = {
  base: 'merchant/v1',
  ...declareContract(
    choices,
    coupon,
    order,
    orderPayment,
    orderReturn,
    stock,
    ticket,
    code,
    settlement,
    claim,
    shop,
  ),
}
