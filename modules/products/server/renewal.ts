import { defined } from '#kit/domain/defined.ts'
import { refuse } from '#kit/contract/wire.ts'
import { formatYuan } from '#kit/domain/money.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { requireById, findPage } from '#kit/server/table.ts'
import { property } from '#modules/accounts/contract/company.ts'
import {
  accountEntry,
  listAccountEntries,
  payByBalance,
  productOrder,
  getRenewal,
} from '../contract/order.ts'
import { canChooseEdition, orderStateMachine } from '../domain/subscription.ts'
import { loadBalance, debitBalance } from './balance.ts'
import { loadChargedEstates, loadCatalogue } from './catalogue.ts'
import { describeOrderEnd, findPendingOrder } from './order.ts'
import { applyOrderPayment } from './order-payment.ts'

export const renewalHandlers = [
  reads(getRenewal, async (_, { db, scope, today }) => {
    const own = await requireById(db, property, scope, scope.ownerId)
    const estates = await loadChargedEstates(db, scope)
    const balance = await loadBalance(db, scope.ownerId)
    const pendingOrder = await findPendingOrder(db, scope, { kind: 'edition' })
    const isPermanent = own.edition !== 'trial' && own.expireDate === undefined
    const options = (await loadCatalogue(db))
      .filter(p => p.kind === 'edition')
      .map(product => ({
        productId: product.id,
        productName: product.productName,
        edition: defined(product.edition),
        intro: product.intro,
        price: defined(product.price),
        canChoose:
          !isPermanent && canChooseEdition(defined(product.edition), own.edition, own.expireDate, today),
      }))
    return {
      edition: own.edition,
      state: own.state,
      ...(own.expireDate === undefined ? {} : { expireDate: own.expireDate }),
      estates,
      balance,
      options,
      ...(pendingOrder ? { orderNo: pendingOrder } : {}),
    }
  }),
  reads(listAccountEntries, (q, { db, scope }) =>
    findPage(db, accountEntry, scope, q, { filters: listAccountEntries.input.filters ?? [] }),
  ),

  writes(payByBalance, async ({ id }, c) => {
    const { tx, scope } = c
    const order = await requireById(tx, productOrder, scope, id, { lock: true })
    if (orderStateMachine.checkTransition(order.state, 'paid')) return refuse(describeOrderEnd(order))
    const transactionId = `YE${order.orderNo}`
    const isPaid = await debitBalance(tx, scope, {
      type: 'pay',
      amount: order.amount,
      orderNo: order.orderNo,
      transactionId,
      remark: order.productName,
    })
    if (!isPaid) {
      const balance = formatYuan(await loadBalance(tx, scope.ownerId), { thousands: true })
      return refuse(`余额不足：余额 ${balance} 元，订单 ${formatYuan(order.amount, { thousands: true })} 元`)
    }
    await applyOrderPayment(c, {
      orderNo: order.orderNo,
      amount: order.amount,
      method: 'balance',
      transactionId,
    })
    return requireById(tx, productOrder, scope, id)
  }),
]
