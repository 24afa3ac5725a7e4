import { codeOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { formatYuan } from '#kit/domain/money.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import type { Scope } from '#kit/server/scope.ts'
import { touch } from '#kit/server/sql.ts'
import { findByIds } from '#kit/server/table.ts'
import {
  abolishByIds,
  findBillsOfOrders,
  findOrdersOfBills,
  findRefundedOrders,
  letOffRest,
  onBillsChanged,
  payableBills,
  registerOrderRefusals,
  type PayableBill,
} from '#modules/bills/server/public.ts'
import { findNewestPayments, onPaid } from '#modules/payments/server/public.ts'
import { signPayState } from '../contract/choices.ts'
import { activitySign, type ActivitySign } from '../contract/sign.ts'
import { endedRefusal, moneyOfSign, type SignMoney } from '../domain/fee.ts'
import { ownScope } from './context.ts'
import { hasMoney } from './fee-bills.ts'
import { activityFeeRef } from './fee-ref.ts'

type Followed = SignMoney & Pick<ActivitySign, 'id' | 'recordId'>

const isSame = (sign: ActivitySign, next: Followed): boolean =>
  sign.payState === next.payState &&
  sign.feeAmount === next.feeAmount &&
  sign.paidAmount === next.paidAmount &&
  sign.refundDue === next.refundDue &&
  sign.recordId === next.recordId

async function writeMoney(tx: Tx, own: Scope, changed: readonly Followed[]): Promise<void> {
  if (!changed.length) return
  const rows = changed.map(next => ({
    id: next.id,
    pay_state: next.payState === undefined ? null : codeOf(signPayState, next.payState),
    fee_amount: formatYuan(next.feeAmount),
    paid_amount: formatYuan(next.paidAmount),
    refund_due: formatYuan(next.refundDue),
    record_id: next.recordId ?? null,
  }))
  await tx.execute(sql`
    update activity_sign t
    set pay_state = r.pay_state, fee_amount = r.fee_amount, paid_amount = r.paid_amount,
      refund_due = r.refund_due, record_id = r.record_id, ${touch(own, 't')}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(
      id bigint, pay_state smallint, fee_amount numeric, paid_amount numeric, refund_due numeric,
      record_id bigint
    )
    where t.owner_id = ${own.ownerId} and t.id = r.id
  `)
  const ids = changed.map(({ id }) => id)
  publishRecordsWritten(tx, own.ownerId, { entity: activitySign.name, action: 'update', ids })
}

/**
 * What a refund, an undone payment or another change of bills left owed of sign-ups that were cancelled
 * before is owed no more: what has no money is abolished, of the rest what is owed is let off (REF-2).
 */
async function endDebts(tx: Tx, own: Scope, ids: readonly Id[]): Promise<void> {
  const signs = await findByIds(tx, activitySign, own, ids)
  const cancelled = signs.filter(({ state }) => state === 'cancelled').map(({ id }) => id)
  const found = await findBillsOfOrders(tx, own.ownerId, activityFeeRef, cancelled)
  const owedIds = found.filter(({ isPaid }) => !isPaid).map(({ id }) => id)
  if (!owedIds.length) return
  const now = fromInstant(Date.parse(own.time))
  const today = dayOfMoment(now)
  const bills = await payableBills(tx, own, owedIds, today, { lock: true })
  const idsOf = (list: readonly PayableBill[]): Id[] => list.map(({ row }) => row.id)
  const context = { scope: own, today, now, reason: '报名已取消，不再收费', periodAfter: 'waived' } as const
  const left = [
    await abolishByIds(tx, context, idsOf(bills.filter(bill => !hasMoney(bill)))),
    await letOffRest(tx, context, idsOf(bills.filter(hasMoney))),
  ].flatMap(({ rows }) => rows)
  const [first] = left
  if (first) refuse(`报名已取消，不再收费，账单 ${first.code ?? ''} 不能办理：${first.reason}`)
}

/**
 * Sign-ups are what their bills say, in the transaction that changes either (PAY-4). The bills are locked
 * before the sign-ups.
 */
export async function followBills(tx: Tx, scope: Scope, ids: readonly Id[]): Promise<void> {
  const own = ownScope(scope)
  const { ownerId } = own
  await endDebts(tx, own, ids)
  const signs = await findByIds(tx, activitySign, own, ids, { lock: true })
  const found = await findBillsOfOrders(tx, ownerId, activityFeeRef, ids)
  const refunded = await findRefundedOrders(tx, ownerId, activityFeeRef, ids)
  const payments = await findNewestPayments(
    tx,
    ownerId,
    found.map(({ id }) => id),
  )
  const billsOf = Map.groupBy(found, ({ orderId }) => orderId)
  const followed = signs.map(sign => {
    const bills = billsOf.get(sign.id) ?? []
    const money = moneyOfSign(sign, { bills, hasRefund: refunded.has(sign.id) })
    const records = bills.flatMap(({ id }) => payments.get(id) ?? [])
    // Of one that was refunded, what it was paid by.
    const recordId = records.length
      ? records.reduce((newest, id) => (id > newest ? id : newest))
      : money.payState === 'refunded'
        ? sign.recordId
        : undefined
    return { sign, next: { ...money, id: sign.id, recordId } }
  })
  await writeMoney(
    tx,
    own,
    followed.filter(({ sign, next }) => !isSame(sign, next)).map(({ next }) => next),
  )
}

const findSigns = async (tx: Tx, ownerId: Id, billIds: readonly Id[]): Promise<Id[]> =>
  (await findOrdersOfBills(tx, ownerId, activityFeeRef, billIds)).map(({ id }) => id)

onPaid(async (tx, scope, { billIds, refTypes }) => {
  if (!billIds.length || refTypes?.has(activityFeeRef) === false) return
  const ids = await findSigns(tx, scope.ownerId, billIds)
  if (!ids.length) return
  await followBills(tx, scope, ids)
})

onBillsChanged(async (tx, scope, { bills }) => {
  const changed = bills.filter(bill => bill.refType === activityFeeRef).map(({ id }) => id)
  if (!changed.length) return
  await followBills(tx, scope, await findSigns(tx, scope.ownerId, changed))
})

// A bill of a sign-up that ended is not made effective again.
registerOrderRefusals(activityFeeRef, async (tx, scope, ids) => {
  const signs = await findByIds(tx, activitySign, ownScope(scope), ids)
  const byId = new Map(signs.map(sign => [sign.id, sign]))
  return new Map(
    ids.flatMap(id => {
      const refusal = endedRefusal(byId.get(id))
      return refusal === undefined ? [] : [[id, refusal] as const]
    }),
  )
})
