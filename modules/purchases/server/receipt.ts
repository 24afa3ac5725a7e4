import { asId, type Id } from '#kit/domain/id.ts'
import { negateFen } from '#kit/domain/money.ts'
import { invalidField, invalidInput, refuse } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { insert, requireById } from '#kit/server/table.ts'
import type { PurchaseOrder } from '../contract/order.ts'
import {
  exportReceipts,
  purchaseReceipt,
  purchaseReceipts,
  receiveOrder,
  reverseReceipt,
  type PurchaseReceipt,
} from '../contract/receipt.ts'
import { amountOf, totalOf } from '../domain/amounts.ts'
import { arrivalFaults } from '../domain/faults.ts'
import { receiptLimitFaults } from '../domain/limits.ts'
import { reverseLines } from '../domain/progress.ts'
import { actionRefusal, orderRefusal } from '../domain/states.ts'
import { notifyApplicant } from './notices.ts'
import { lockOrder } from './order.ts'
import { markReversed, ordersOf, settle } from './progress.ts'
import { assertNamed, loadSetting } from './setting.ts'

const receiptPrefix = 'RK'

type Arrived = NonNullable<typeof receiveOrder.input.T>

function receiptLines(sent: Arrived['lines'], { lines }: PurchaseOrder): PurchaseReceipt['lines'] {
  return sent.flatMap(({ lineNo, quantity, price, priceReason }) => {
    const line = lines.find(each => each.lineNo === lineNo)
    if (!line) return []
    const { itemName, spec, unit } = line
    return [{ lineNo, itemName, spec, unit, quantity, price, priceReason, amount: amountOf(quantity, price) }]
  })
}

async function receive(input: Arrived, c: WriteContext): Promise<PurchaseReceipt> {
  const { tx, scope, today } = c
  const { orderId, lines: sent, ...fields } = input
  const { order, locked } = await lockOrder(c, asId(orderId))
  const setting = await loadSetting(tx, scope)
  assertNamed(setting.receiverIds, scope.operatorId, '收货')
  if (setting.separatesReceiver && order.buyerId === scope.operatorId) refuse('下单人不能收货，请由他人收货')
  const refusal =
    actionRefusal('receive', locked.state, { ...locked, allowsAhead: setting.allowsAhead }) ??
    orderRefusal('收货', order.state)
  if (refusal) refuse(refusal)
  if (fields.receiveDate > today) throw invalidField('ReceiveDate', '收货日期不能晚于今天')
  if (fields.receiveDate < order.orderDate) throw invalidField('ReceiveDate', '收货日期不能早于下单日期')
  const faults = arrivalFaults(sent, order.lines, setting.tolerance)
  if (faults.length) throw invalidInput(faults)
  const bound = { ...locked, orders: await ordersOf(tx, scope, locked.id) }
  const beyond = receiptLimitFaults(sent, order.id, bound, setting.orderTolerance)
  if (beyond.length) throw invalidInput(beyond)
  const lines = receiptLines(sent, order)
  const added = await insert(tx, purchaseReceipt, scope, {
    ...fields,
    projectCode: order.projectCode,
    receiptNo: await tx.numbers.next(scope.ownerId, receiptPrefix, today),
    kind: 'receipt',
    purchaseId: order.purchaseId,
    orderId: order.id,
    supplierId: order.supplierId,
    receiverId: scope.operatorId,
    receiverName: scope.name,
    lines,
    amount: totalOf(lines),
  })
  const settled = await settle(tx, scope, locked)
  await notifyApplicant(c, settled, 'arrived', {
    title: `采购${settled.state === 'done' ? '已全部' : '部分'}到货：${settled.title}`,
    text: `${added.receiptNo} · ${order.supplierName ?? ''}`,
  })
  return added
}

async function reverse(id: Id, reason: string, c: WriteContext): Promise<PurchaseReceipt> {
  const { tx, scope, today } = c
  const before = await requireById(tx, purchaseReceipt, scope, id)
  const { locked } = await lockOrder(c, before.orderId)
  const [receipt = before] = await markReversed(tx, scope, [before])
  if (receipt.kind === 'reversal') refuse('冲销单不能再冲销')
  if (receipt.isReversed) refuse(`收货单 ${receipt.receiptNo} 已冲销`)
  const { projectCode, purchaseId, orderId, supplierId, deliveryNo, lines, amount } = receipt
  const added = await insert(tx, purchaseReceipt, scope, {
    projectCode,
    purchaseId,
    orderId,
    supplierId,
    deliveryNo,
    receiptNo: await tx.numbers.next(scope.ownerId, receiptPrefix, today),
    kind: 'reversal',
    receiveDate: today,
    receiverId: scope.operatorId,
    receiverName: scope.name,
    lines: reverseLines(lines),
    amount: negateFen(amount),
    remark: reason,
    reverseOf: receipt.id,
  })
  await settle(tx, scope, locked, {}, reason)
  return added
}

export const receiptServer = crudHandlers(purchaseReceipts, {
  export: exportReceipts,
  enrich: (rows, { db, scope }) => markReversed(db, scope, rows),
  unique: { purchase_receipt_reversal: '该收货单已冲销' },
})

export const receiptHandlers = [
  writes(receiveOrder, receive),
  writes(reverseReceipt, ({ id, reason }, c) => reverse(asId(id), reason, c)),
]
