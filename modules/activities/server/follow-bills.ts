import { codeOf } from '#kit/contract/field.ts'
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
  onBillsChanged,
} from '#modules/bills/server/public.ts'
import { onPaid } from '#modules/payments/server/public.ts'
import { signPayState } from '../contract/choices.ts'
import { activitySign, type ActivitySign } from '../contract/sign.ts'
import { moneyOfSign, type SignMoney } from '../domain/fee.ts'
import { ownScope } from './context.ts'
import { activityFeeRef } from './fee-ref.ts'

type Followed = SignMoney & Pick<ActivitySign, 'id' | 'recordId'>

/** The payment that a sign-up was paid by; none while it is owed. */
const recordOf = (sign: ActivitySign, { payState }: SignMoney, paidBy: Id | undefined): Id | undefined =>
  payState === 'unpaid' ? undefined : (paidBy ?? sign.recordId)

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

/** A bill that a refund or an undone payment left owed, of a sign-up that was cancelled before. */
async function abolishLeftOver(tx: Tx, own: Scope, ids: readonly Id[]): Promise<void> {
  const signs = await findByIds(tx, activitySign, own, ids)
  const cancelled = signs.filter(({ state }) => state === 'cancelled').map(({ id }) => id)
  const bills = await findBillsOfOrders(tx, own.ownerId, activityFeeRef, cancelled)
  const owed = bills.filter(({ isPaid, paid }) => !isPaid && paid === 0).map(({ id }) => id)
  if (!owed.length) return
  const now = fromInstant(Date.parse(own.time))
  const today = dayOfMoment(now)
  await abolishByIds(tx, { scope: own, today, now, reason: '报名已取消', periodAfter: 'waived' }, owed)
}

/**
 * Sign-ups are what their bills say, in the transaction that changes either (PAY-4). The bills are locked
 * before the sign-ups.
 */
export async function followBills(tx: Tx, scope: Scope, ids: readonly Id[], paidBy?: Id): Promise<void> {
  const own = ownScope(scope)
  const signs = await findByIds(tx, activitySign, own, ids, { lock: true })
  const bills = Map.groupBy(
    await findBillsOfOrders(tx, own.ownerId, activityFeeRef, ids),
    ({ orderId }) => orderId,
  )
  const followed = signs.map(sign => {
    const money = moneyOfSign(sign, bills.get(sign.id) ?? [])
    return { sign, next: { ...money, id: sign.id, recordId: recordOf(sign, money, paidBy) } }
  })
  await writeMoney(
    tx,
    own,
    followed.filter(({ sign, next }) => !isSame(sign, next)).map(({ next }) => next),
  )
}

const findSigns = async (tx: Tx, ownerId: Id, billIds: readonly Id[]): Promise<Id[]> =>
  (await findOrdersOfBills(tx, ownerId, activityFeeRef, billIds)).map(({ id }) => id)

onPaid(async (tx, scope, { billIds, kind, recordId, refTypes }) => {
  if (!billIds.length || refTypes?.has(activityFeeRef) === false) return
  const ids = await findSigns(tx, scope.ownerId, billIds)
  if (!ids.length) return
  if (kind !== 'paid') {
    await abolishLeftOver(tx, ownScope(scope), ids)
  }
  await followBills(tx, scope, ids, kind === 'paid' ? recordId : undefined)
})

onBillsChanged(async (tx, scope, { bills }) => {
  const changed = bills.filter(bill => bill.refType === activityFeeRef).map(({ id }) => id)
  if (!changed.length) return
  await followBills(tx, scope, await findSigns(tx, scope.ownerId, changed))
})
