import { refuse } from '#kit/contract/wire.ts'
import { dayOfMoment } from '#kit/domain/moment.ts'
import { writes } from '#kit/server/handle.ts'
import { need } from '#kit/server/table.ts'
import { property } from '#modules/accounts/contract/company.ts'
import { declareSubject, startOrder } from '#modules/payments/server/public.ts'
import { payOnline, productOrder, topUpBalance } from '../contract/order.ts'
import { menu } from '../module.ts'
import { credit } from './balance.ts'
import { orderPaid } from './settle.ts'

const platform = '安居平台'

// RENEW-3: what came too late, twice or in another amount stands in the company's balance. A top-up of the
// balance is nothing else than that.
declareSubject('renewal', {
  needs: menu.order.may.pay,
  paid: async ({ tx, world, scope, now }, o, about, came) => {
    const { amount, transactionId } = came
    const orderNo = about.orderNo as string | undefined
    if (orderNo === undefined) {
      await credit(tx, scope, { type: 'topUp', amount, transactionId, remark: `在线充值 ${o.orderNo}` })
    } else if (came.why === 'odd') {
      await credit(tx, scope, {
        type: 'late',
        amount,
        orderNo,
        transactionId,
        remark: `订单 ${orderNo} 付款金额不符，款项转入余额`,
      })
    } else {
      await orderPaid(
        { tx, world, scope, now, today: dayOfMoment(now) },
        {
          orderNo,
          amount,
          method: came.method === 'wechat' || came.method === 'alipay' ? came.method : 'other',
          transactionId,
        },
      )
    }
    return undefined
  },
})

export const onlineHandlers = [
  writes(payOnline, async ({ id }, c) => {
    // The order's row is held: two who pay at once get one and the same pay order.
    const o = await need(c.tx, productOrder, c.scope, id, true)
    const own = await need(c.tx, property, c.scope, c.scope.ownerId)
    if (o.state !== 'pending')
      return refuse(
        `订单 ${o.orderNo} ${o.state === 'paid' ? '已经支付' : o.state === 'closed' ? '已超过支付时间关闭，请重新下单' : '已经取消'}`,
      )
    return startOrder(c, {
      type: 'renewal',
      amount: o.amount,
      object: own.companyName,
      body: `${o.productName}，订单 ${o.orderNo}`,
      main: platform,
      payer: { name: c.scope.name },
      ref: { type: productOrder.name, id: o.id },
      about: { orderNo: o.orderNo },
      once: true,
    })
  }),
  writes(topUpBalance, async ({ amount }, c) => {
    const own = await need(c.tx, property, c.scope, c.scope.ownerId)
    return startOrder(c, {
      type: 'renewal',
      amount,
      object: own.companyName,
      body: '账户余额充值',
      main: platform,
      payer: { name: c.scope.name },
      ref: { type: property.name, id: own.id },
    })
  }),
]
