import type { Id } from '#kit/domain/id.ts'
import { addMinutes, dayOfMoment, momentAt, type Moment } from '#kit/domain/moment.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, insertAll } from '#kit/server/table.ts'
import { activity } from '#modules/activities/contract/activity.ts'
import { activitySign } from '#modules/activities/contract/sign.ts'
import { billSigns } from '#modules/activities/server/fee-bills.ts'
import '#modules/activities/server/follow-bills.ts'
import { activityFeeRef } from '#modules/activities/server/fee-ref.ts'
import { findBillsOfOrders, payableBills } from '#modules/bills/server/public.ts'
import { feeItem } from '#modules/fees/contract/item.ts'
import { settle } from '#modules/payments/server/public.ts'
import { lastHomes } from './activities.ts'

interface FeeSeed {
  readonly projectCode: string
  readonly now: Moment
}

const day = 1440

const seedItem = (tx: Tx, scope: Scope): Promise<{ id: Id }> =>
  insert(tx, feeItem, scope, {
    code: 'HDF',
    name: '社区活动费',
    feeType: 'temporary',
    category: 'other',
    incomeKind: 'own',
    inRate: false,
    billMode: 'manual',
    scene: 'roomShop',
    allowMulti: true,
    allowOnline: true,
    autoDeduct: false,
    principalSettles: false,
    lateFeeSwitch: false,
    taxRate: '0.06',
    sort: 96,
    state: 'on',
  })

/** What some of those who signed up paid at the counter. */
async function payFirst(
  tx: Tx,
  scope: Scope,
  { projectCode, now }: FeeSeed,
  signIds: readonly Id[],
): Promise<void> {
  for (const { id } of await findBillsOfOrders(tx, scope.ownerId, activityFeeRef, signIds)) {
    const bills = await payableBills(tx, scope, [id], dayOfMoment(now), { lock: true })
    await settle(tx, scope, {
      projectCode,
      type: 'payment',
      bills,
      allocations: bills.map(({ owed }) => ({ billId: id, principal: owed.principal, late: owed.late })),
      tenders: bills.map(({ owed }) => ({ method: 'transfer' as const, amount: owed.principal })),
      change: 0,
      toPrestore: 0,
      payer: {},
      at: now,
      cashier: { id: scope.operatorId, name: scope.name },
    })
  }
}

/** An activity that costs something, with sign-ups of which some are paid. */
export async function seedActivityFees(tx: Tx, scope: Scope, seed: FeeSeed): Promise<void> {
  const { projectCode, now } = seed
  const today = dayOfMoment(now)
  const { id: feeItemId } = await seedItem(tx, scope)
  const people = await lastHomes(tx, scope.ownerId, projectCode, 24)
  // One of each home: all of a home see its bills.
  const homes = [...Map.groupBy(people, ({ roomId }) => roomId).values()]
    .flatMap(([first]) => first ?? [])
    .slice(0, 6)
  const morning = momentAt(today, '09:00')
  const personCount = 2
  const { id: activityId } = await insert(tx, activity, scope, {
    projectCode,
    title: '周末亲子采摘',
    address: '城郊果园，小区东门乘车',
    content: '<p>费用含往返车费与采摘一篮，请提前 15 分钟到达。</p>',
    contentFiles: [],
    beginTime: addMinutes(morning, day * 5),
    endTime: addMinutes(morning, day * 5 + 420),
    signBegin: addMinutes(morning, -day),
    signEnd: addMinutes(morning, day * 4),
    quota: 40,
    maxPersons: 3,
    hasWaiting: true,
    fee: asFen(5800),
    feeItemId,
    signCount: homes.length * personCount,
    waitCount: 0,
    checkInCount: 0,
    topSort: 0,
    state: 'published',
    publishTime: addMinutes(morning, -day),
    publisherName: '客服中心',
  })
  await insertAll(
    tx,
    activitySign,
    scope,
    homes.map(({ userId, roomId }, i) => ({
      projectCode,
      activityId,
      userId,
      roomId,
      personCount,
      state: 'signed' as const,
      signTime: addMinutes(now, i - 300),
    })),
  )
  const signs = await tx.rows<{ id: Id }>(sql`
    select id from activity_sign where owner_id = ${scope.ownerId} and activity_id = ${activityId} order by id
  `)
  const ids = signs.map(({ id }) => id)
  await billSigns({ tx, scope, today }, activityId, ids)
  await payFirst(tx, scope, seed, ids.slice(0, 3))
}
