import './dependents.ts'
import './follow-bills.ts'
import './personal-data.ts'
import './stay-coupons.ts'
import { joinServers } from '#kit/server/crud.ts'
import { claimHandlers } from './claim.ts'
import { codeHandlers, codeServer } from './codes.ts'
import { companyData } from './company-data.ts'
import { couponServer } from './coupons.ts'
import { expiryCron } from './expiry.ts'
import { orderMoneyHandlers, unpaidMerchantOrdersCron } from './order-money.ts'
import { refundHandlers } from './order-refund.ts'
import { returnHandlers } from './order-returns.ts'
import { orderHandlers, orderServer } from './orders.ts'
import { presentHandlers } from './present.ts'
import { settlementServer } from './settlement.ts'
import { shopHandlers } from './shop.ts'
import { stockServer } from './stock.ts'
import { ticketHandlers, ticketServer } from './tickets.ts'

export const server = joinServers(
  couponServer,
  orderServer,
  stockServer,
  ticketServer,
  codeServer,
  settlementServer,
  {
    companyData,
    crons: [expiryCron, unpaidMerchantOrdersCron],
    handlers: [
      ...orderHandlers,
      ...orderMoneyHandlers,
      ...refundHandlers,
      ...returnHandlers,
      ...presentHandlers,
      ...ticketHandlers,
      ...codeHandlers,
      ...claimHandlers,
      ...shopHandlers,
    ],
  },
)
