import { refuse } from '#kit/contract/wire.ts'
import { dayOfMoment } from '#kit/domain/moment.ts'
import { writes } from '#kit/server/handler.ts'
import { requireById } from '#kit/server/table.ts'
import { property } from '#modules/accounts/contract/company.ts'
import { registerOrderSubject, startOrder } from '#modules/payments/server/public.ts'
import { payOnline, productOrder, topUpBalance } from '../contract/order.ts'
import { menu } from '../module.ts'
import { creditBalance } from './balance.ts'
import { describeOrderEnd } from './order.ts'
import { applyOrderPayment } from './order-payment.ts'

const platformName = '安居平台'

// RENEW-3: a payment that came too late, twice or in another amount is added to the company's balance. A
// top-up
// is a payment without an order.
registerOrderSubject('renewal', {
  needs: menu.order.permissions.pay,
  paid: async ({ tx, app, scope, now }, payOrder, subject, payment) => {
    const { amount, transactionId } = payment
    const { orderNo } = subject
    if (typeof orderNo !== 'string') {
      await creditBalance(tx, scope, {
        type: 'topUp',
        amount,
        transactionId,
        remark: `在线充值 ${payOrder.orderNo}`,
      })
    } else if (payment.outcome === 'odd') {
      await creditBalance(tx, scope, {
        type: 'late',
        amount,
        orderNo,
        transactionId,
        remark: `订单 ${orderNo} 付款金额不符，款项转入余额`,
      })
    } else {
      await applyOrderPayment(
        { tx, app, scope, now, today: dayOfMoment(now) },
        {
          orderNo,
          amount,
          method: payment.method === 'wechat' || payment.method === 'alipay' ? payment.method : 'other',
          transactionId,
        },
      )
    }
    return undefined
  },
})

export const onlinePaymentHandlers = [
  writes(payOnline, async ({ id }, c) => {
    // The order's row is locked: two that pay at once get the same pay order.
    const order = await requireById(c.tx, productOrder, c.scope, id, { lock: true })
    const own = await requireById(c.tx, property, c.scope, c.scope.ownerId)
    if (order.state !== 'pending') return refuse(describeOrderEnd(order))
    return startOrder(c, {
      type: 'renewal',
      amount: order.amount,
      object: own.companyName,
      body: `${order.productName}，订单 ${order.orderNo}`,
      main: platformName,
      payer: { name: c.scope.name },
      ref: { type: productOrder.name, id: order.id },
      subjectData: { orderNo: order.orderNo },
      shouldReuseWaiting: true,
    })
  }),
  writes(topUpBalance, async ({ amount }, c) => {
    const own = await requireById(c.tx, property, c.scope, c.scope.ownerId)
    return startOrder(c, {
      type: 'renewal',
      amount,
      object: own.companyName,
      body: '账户余额充值',
      main: platformName,
      payer: { name: c.scope.name },
      ref: { type: property.name, id: own.id },
    })
  }),
]
