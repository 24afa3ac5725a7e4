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
      .map(p => ({
        productId: p.id,
        productName: p.productName,
        edition: defined(p.edition),
        intro: p.intro,
        price: defined(p.price),
        canChoose: !isPermanent && canChooseEdition(defined(p.edition), own.edition, own.expireDate, today),
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
    const o = await requireById(tx, productOrder, scope, id, { lock: true })
    if (orderStateMachine.checkTransition(o.state, 'paid')) return refuse(describeOrderEnd(o))
    const transactionId = `YE${o.orderNo}`
    const isPaid = await debitBalance(tx, scope, {
      type: 'pay',
      amount: o.amount,
      orderNo: o.orderNo,
      transactionId,
      remark: o.productName,
    })
    if (!isPaid) {
      const balance = formatYuan(await loadBalance(tx, scope.ownerId), { thousands: true })
      return refuse(`余额不足：余额 ${balance} 元，订单 ${formatYuan(o.amount, { thousands: true })} 元`)
    }
    await applyOrderPayment(c, { orderNo: o.orderNo, amount: o.amount, method: 'balance', transactionId })
    return requireById(tx, productOrder, scope, id)
  }),
]
