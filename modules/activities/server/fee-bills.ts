import { refuse } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findByIds, requireById } from '#kit/server/table.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import { feeItem, type FeeItem } from '#modules/fees/contract/item.ts'
import { loadSources, sourceKey } from '#modules/fees/server/public.ts'
import {
  abolishByIds,
  findBillsOfOrders,
  issueBatch,
  payableBills,
  type OrderBill,
  type PayableBill,
} from '#modules/bills/server/public.ts'
import { maskName } from '#modules/residents/server/public.ts'
import { activity, type Activity } from '../contract/activity.ts'
import { signPayState, type cancelSource } from '../contract/choices.ts'
import { activitySign, type ActivitySign } from '../contract/sign.ts'
import { cancelRefusal, feeOf, hasFee, type StoppedBy } from '../domain/fee.ts'
import { ownScope, type ActivityContext } from './context.ts'
import { activityFeeRef } from './fee-ref.ts'

export const hasMoney = ({ row }: Pick<PayableBill, 'row'>): boolean =>
  row.paidPrincipal > 0 || row.lateFeePaid > 0

const sourceOf = ({ roomCode = '' }: ActivitySign) => ({ sourceType: 'room', sourceCode: roomCode }) as const

type BillingContext = Pick<ActivityContext, 'tx' | 'scope' | 'today'>

/** The bills of sign-ups, of the room of each and owed by who signed up; those without a room have none. */
async function planBills(
  { tx, today }: BillingContext,
  of: Activity,
  {
    signs,
    item,
    ownerId,
  }: { readonly signs: readonly ActivitySign[]; readonly item: FeeItem; readonly ownerId: Id },
) {
  const { title, projectCode, beginTime } = of
  const sources = await loadSources(tx, ownerId, projectCode, signs.map(sourceOf), today)
  const beginDay = dayOfMoment(beginTime)
  return signs.flatMap(sign => {
    const source = sourceOf(sign)
    const located = sources.get(sourceKey(source))
    if (!located) return []
    return {
      ...source,
      sourceName: located.name,
      buildCode: located.buildCode,
      payer: sign.userId,
      item,
      begin: today,
      end: today,
      amount: feeOf(of, sign.personCount),
      // Paid before it begins.
      dueDate: beginDay > today ? beginDay : today,
      canOverlap: true,
      order: { type: activityFeeRef, id: sign.id },
      remark: `活动「${title}」${sign.personCount} 人`,
    }
  })
}

/**
 * One bill for each of these sign-ups, which have their places since this transaction, in the state that
 * the project gives new bills (GEN-8). Returns those that have none, as their room is not there any more. The
 * activity is locked.
 */
export async function billSigns(
  c: BillingContext,
  activityId: Id,
  ids: readonly Id[],
): Promise<readonly Id[]> {
  const { tx, today } = c
  const own = ownScope(c.scope)
  const { ownerId } = own
  const of = await requireById(tx, activity, own, activityId)
  if (!hasFee(of) || !ids.length) return []
  const [item] = await findByIds(tx, feeItem, own, [of.feeItemId ?? 0])
  if (!item) return refuse('活动的收费项目已删除，请物业重新选择收费项目')
  const signs = await findByIds(tx, activitySign, own, ids)
  const drafts = await planBills(c, of, { signs, item, ownerId })
  const billed = drafts.map(({ order }) => order.id)
  if (drafts.length) {
    await issueBatch(tx, own, { project: of.projectCode, source: 'temporary' }, 'temporary', drafts, today, {
      message: `活动 ${of.title}`.slice(0, 100),
    })
    await tx.execute(sql`
      update activity_sign t
      set pay_state = ${code(signPayState, 'unpaid')}, fee_amount = a.fee * t.person_count
      from activity a
      where t.owner_id = ${ownerId}
        and t.id = any(${billed}::bigint[])
        and a.owner_id = ${ownerId}
        and a.id = t.activity_id
    `)
  }
  return ids.filter(id => !billed.includes(id))
}

/** Whose bills stop a cancellation, named as on the pages of residents. */
async function findStopped(
  { tx, now }: ActivityContext,
  own: Scope,
  found: readonly OrderBill[],
  bills: readonly PayableBill[],
): Promise<StoppedBy> {
  const signOf = new Map(found.map(({ id, orderId }) => [id, orderId]))
  const signsOf = (stops: (bill: PayableBill) => boolean): ReadonlySet<Id | undefined> =>
    new Set(bills.filter(stops).map(({ row }) => signOf.get(row.id)))
  const paying = signsOf(({ row }) => row.lockUntil !== undefined && row.lockUntil > now)
  const partly = signsOf(bill => hasMoney(bill) && bill.row.payState !== 'paid')
  const ids = [...new Set([...paying, ...partly])].filter(id => id !== undefined)
  const signs = await findByIds(tx, activitySign, own, ids)
  const namesOf = (stopped: ReadonlySet<Id | undefined>): readonly string[] =>
    signs.filter(({ id }) => stopped.has(id)).map(({ userName = '住户' }) => maskName(userName))
  return { paying: namesOf(paying), partlyPaid: namesOf(partly) }
}

/**
 * Before sign-ups end: what nobody has paid is not owed any more. What is paid stays so until it is refunded.
 * The activity is locked, the sign-ups are not: a payment locks the bill first.
 */
export async function abolishBills(
  c: ActivityContext,
  signIds: readonly Id[],
  { by, reason }: { readonly by: ChoiceOf<typeof cancelSource>; readonly reason: string },
): Promise<void> {
  const { tx, now, today } = c
  const own = ownScope(c.scope)
  const found = await findBillsOfOrders(tx, own.ownerId, activityFeeRef, signIds)
  if (!found.length) return
  const ids = found.map(({ id }) => id)
  const bills = await payableBills(tx, own, ids, today, { lock: true })
  const refusal = cancelRefusal(by, await findStopped(c, own, found, bills))
  if (refusal !== undefined) refuse(refusal)
  const free = bills.filter(bill => !hasMoney(bill)).map(({ row }) => row.id)
  const context = { scope: own, today, now, reason: reason.slice(0, 200), periodAfter: 'waived' } as const
  const { success, rows } = await abolishByIds(tx, context, free)
  if (success < free.length) refuse(`不能取消：${defined(rows[0]).reason}`)
}
