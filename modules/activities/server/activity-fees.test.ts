import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen, sumFen } from '#kit/domain/money.ts'
import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { faultTextsOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { abolishBills, recoverBills } from '#modules/bills/contract/actions.ts'
import { setDiscount } from '#modules/bills/contract/adjustments.ts'
import { listBills } from '#modules/bills/contract/list.ts'
import { deleteItems } from '#modules/fees/contract/item.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { voidRecord } from '#modules/payments/contract/record.ts'
import { saveRetention } from '#modules/personal-data/contract/retention.ts'
import { runRetention } from '#modules/personal-data/server/public.ts'
import {
  cancelResidentOrder,
  listResidentBills,
  payResidentBills,
} from '#modules/resident-bills/contract/bills.ts'
import { activities, cancelActivity, type Activity } from '../contract/activity.ts'
import { activitySigns, addSign, cancelSign, checkIn, type ActivitySign } from '../contract/sign.ts'
import { feeOf } from '../domain/fee.ts'
import { projectCode } from './activities.fixtures.ts'
import { fee, openFeeFixture, type FeeFixture } from './activity-fees.fixtures.ts'
import { inCompany } from './context.ts'
import { signUpFor } from './sign-up.ts'

let f: FeeFixture
let t: FeeFixture['t']
let me: FeeFixture['me']
let feeItemId: Id

beforeAll(async () => {
  f = await openFeeFixture()
  ;({ t, me, feeItemId } = f)
})

afterAll(() => f?.close())

const person = (i: number) => f.person(i)
const publish = (values?: Partial<Activity>) => f.publish(values)
const join = (i: number, id: Id, personCount?: number) => f.join(i, id, personCount)
const leave = (i: number, id: Id) => f.leave(i, id)
const see = (i: number, id: Id) => f.see(i, id)
const signsOf = (id: Id) => f.signsOf(id)
const signOf = (i: number, id: Id) => f.signOf(i, id)
const billsOf = (id: Id) => f.billsOf(id)
const effectiveOf = (id: Id) => f.effectiveOf(id)
const pay = (id: Id, i: number) => f.pay(id, i)
const refund = (recordId: Id, billAfter?: 'abolished' | 'owed') => f.refund(recordId, billAfter)
const oweOf = ({ state, payState, feeAmount }: ActivitySign) => [state, payState, feeAmount]
const expectSoundBooks = async (): Promise<void> => expect(await f.violations()).toEqual([])

it('a sign-up with a place makes one bill of its room, which the resident pays (NOT-2)', async () => {
  const { id } = await publish()
  expect(await join(0, id, 2)).toMatchObject({ fee, payState: 'unpaid', feeAmount: 4000 })
  expect(await billsOf(id)).toMatchObject([{ fen: 4000, state: 20, payerId: person(0).id }])
  const [{ id: billId }] = [defined((await billsOf(id))[0])]
  const shown = await t.call(listResidentBills, { token: person(0).token })
  expect(shown.bills.find(line => line.billId === billId)).toMatchObject({ total: 4000 })
  const { rows } = await t.call(listBills, { projectCode, size: 200 }, me)
  expect(rows.find(row => row.id === billId)).toMatchObject({ sourceType: 'room', feeItemName: '活动费' })
  const recordId = await pay(id, 0)
  expect(await signOf(0, id)).toMatchObject({ payState: 'paid', feeAmount: 4000, paidAmount: 4000, recordId })
  expect(await see(0, id)).toMatchObject({ payState: 'paid' })
  // The payment undone, it is owed again.
  await t.call(voidRecord, { id: recordId, reason: '录错' }, me)
  expect(await signOf(0, id)).toMatchObject({ payState: 'unpaid', paidAmount: 0 })
  expect((await signOf(0, id)).recordId).toBeUndefined()
  await expectSoundBooks()
})

it('what is free makes no bill, and has no item', async () => {
  const { id, feeItemId: item } = await publish({ fee: asFen(0) })
  expect(item).toBeUndefined()
  expect((await join(0, id)).payState).toBeUndefined()
  expect(await billsOf(id)).toEqual([])
  expect(oweOf(await signOf(0, id))).toEqual(['signed', undefined, 0])
})

it('a fee has an item that is charged once, and neither changes after the first sign-up', async () => {
  const cyclic = await t.addFeeItem('HDW', { name: '物业费测试' })
  expect((await faultTextsOf(publish({ feeItemId: undefined }))).FeeItemID).toContain('请选择收费项目')
  expect((await faultTextsOf(publish({ feeItemId: cyclic }))).FeeItemID).toContain('临时类')
  const { id } = await publish()
  const edit = async (values: Partial<Activity>) => {
    const { version: _version, ...draft } = await t.call(activities.get, { id }, me)
    return t.call(activities.edit, { ...draft, ...values }, me)
  }
  expect(await edit({ fee: asFen(1500) })).toMatchObject({ fee: 1500, feeItemName: '活动费' })
  await join(1, id)
  expect((await faultTextsOf(edit({ fee }))).Fee).toContain('恢复为 15.00 元')
  const other = await t.addFeeItem('HDX', { name: '另一活动费', feeType: 'temporary' })
  expect((await faultTextsOf(edit({ feeItemId: other }))).FeeItemID).toContain('不能修改')
  expect(await edit({ title: '改名运动会' })).toMatchObject({ fee: 1500 })
  const removing = t.call(deleteItems, { ids: [String(feeItemId)], reason: '不再使用' }, me)
  expect(await refusalMessageOf(removing)).toContain('活动')
})

it('50 at once for 10 places make 10 bills, and who moves up gets theirs (NOT-2)', async () => {
  const { id } = await publish({ quota: 10, maxPersons: 1 })
  const homes = await t.database.reader(t.ownerId).rows<{ userId: Id; roomId: Id }>(sql`
    select distinct on (l.user_id) l.user_id, l.room_id
    from user_room l
    join resident p on p.owner_id = ${t.ownerId} and p.id = l.user_id and p.delete_tag = 0
    where l.owner_id = ${t.ownerId} and l.project_code = ${projectCode} and l.status = 20 and l.delete_tag = 0
    order by l.user_id
    limit 50
  `)
  expect(homes.length).toBe(50)
  await Promise.all(
    homes.map(({ userId, roomId }) =>
      inCompany(t.app, t.ownerId, '住户', c =>
        signUpFor(c, { activityId: id, userId, roomId, personCount: 1 }),
      ),
    ),
  )
  const bills = await billsOf(id)
  expect(bills).toHaveLength(10)
  expect(new Set(bills.map(({ payerId }) => payerId)).size).toBe(10)
  const { rows } = await signsOf(id)
  const owing = rows.filter(({ payState }) => payState === 'unpaid').map(({ userId }) => userId)
  expect(new Set(owing)).toEqual(new Set(bills.map(({ payerId }) => payerId)))
  const first = defined(rows.find(({ waitNo }) => waitNo === 1))
  expect(oweOf(first)).toEqual(['waiting', undefined, 0])
  const leaving = defined(rows.find(({ state }) => state === 'signed'))
  await t.call(cancelSign, { id: leaving.id, reason: '本人来电' }, me)
  const moved = defined((await signsOf(id)).rows.find(row => row.id === first.id))
  expect(moved).toMatchObject({ state: 'signed', payState: 'unpaid', feeAmount: fee })
  expect(await effectiveOf(id)).toHaveLength(10)
  await expectSoundBooks()
})

it('the message to who moves up names the fee of all their persons', async () => {
  const { id } = await publish({ quota: 2, maxPersons: 2 })
  await join(1, id)
  expect(await join(2, id, 2)).toMatchObject({ ownState: 'waiting' })
  await leave(1, id)
  expect(await see(2, id)).toMatchObject({ ownState: 'signed', payState: 'unpaid', feeAmount: 4000 })
  const sent = await t.database.reader(t.ownerId).rows<{ content: string }>(sql`
    select content
    from outgoing_message
    where owner_id = ${t.ownerId} and source = 'activity' and biz_id = ${id}
  `)
  expect(sent.map(({ content }) => content)).toEqual([
    expect.stringContaining('费用 40.00 元（2 人），请在「我的账单」缴纳'),
  ])
})

it('cancelled unpaid, the bill goes with the reason; signed up again, there is a new one', async () => {
  const { id } = await publish()
  await join(2, id)
  await leave(2, id)
  expect(oweOf(await signOf(2, id))).toEqual(['cancelled', undefined, 0])
  const reasons = await t.database.reader(t.ownerId).rows<{ abolishReason: string }>(sql`
    select abolish_reason from bill where owner_id = ${t.ownerId} and id = ${defined((await billsOf(id))[0]).id}
  `)
  expect(reasons).toEqual([{ abolishReason: '报名已取消：本人取消' }])
  await join(2, id)
  expect((await billsOf(id)).map(({ state }) => state)).toEqual([30, 20])
})

it('while a payment of the fee is under way nobody cancels (PAY-1)', async () => {
  const { id } = await publish()
  await join(3, id)
  const { token } = person(3)
  const bill = defined((await billsOf(id))[0])
  const { orderNo } = await t.call(payResidentBills, {
    token,
    billIds: [String(bill.id)],
    amount: asFen(bill.fen),
  })
  expect(await refusalMessageOf(leave(3, id))).toContain('在「我的账单」取消支付后再取消报名')
  const { id: signId } = await signOf(3, id)
  expect(await refusalMessageOf(t.call(cancelSign, { id: signId, reason: '重复' }, me))).toContain(
    '关闭支付单',
  )
  expect(await refusalMessageOf(t.call(cancelActivity, { id, reason: '下雨' }, me))).toContain('取消活动')
  expect(await signOf(3, id)).toMatchObject({ state: 'signed', payState: 'unpaid' })
  await t.call(cancelResidentOrder, { token, orderNo })
  await leave(3, id)
  expect(await effectiveOf(id)).toEqual([])
})

it('paid in part, nobody cancels before the rest is in or all has gone back (PAY-12)', async () => {
  const { id } = await publish()
  await join(13, id)
  const bill = defined((await billsOf(id))[0])
  const methods = [{ method: 'cash' as const, amount: asFen(500) }]
  const part = { projectCode, billIds: [String(bill.id)], expectAmount: asFen(bill.fen), methods }
  const { recordId } = await t.call(payBills, part, me)
  expect(await signOf(13, id)).toMatchObject({ payState: 'unpaid', feeAmount: 2000, paidAmount: 500 })
  expect(await refusalMessageOf(leave(13, id))).toContain('只缴了一部分')
  await refund(recordId, 'owed')
  await leave(13, id)
  expect(await effectiveOf(id)).toEqual([])
})

it('paid, then cancelled: it goes back by a refund of the payment (REF-2)', async () => {
  const { id } = await publish()
  await join(4, id, 2)
  await join(5, id)
  const records = [await pay(id, 4), await pay(id, 5)] as const
  await leave(4, id)
  expect(await signOf(4, id)).toMatchObject({
    state: 'cancelled',
    payState: 'refundDue',
    feeAmount: 0,
    paidAmount: 4000,
    refundDue: 4000,
    recordId: records[0],
  })
  expect(await see(4, id)).toMatchObject({ ownState: 'cancelled', payState: 'refundDue', refundDue: 4000 })
  expect((await signsOf(id)).sum).toMatchObject({ feeAmount: 2000, paidAmount: 6000, refundDue: 4000 })
  const due = await t.call(activitySigns.list, { activityId: [String(id)], payState: ['refundDue'] }, me)
  expect(due.rows.map(({ userId }) => userId)).toEqual([person(4).id])
  await refund(records[0])
  expect(await signOf(4, id)).toMatchObject({ payState: 'refunded', paidAmount: 0, refundDue: 0 })
  await t.call(cancelActivity, { id, reason: '场地原因' }, me)
  expect(await signOf(5, id)).toMatchObject({ state: 'cancelled', payState: 'refundDue', refundDue: 2000 })
  const remove = () => t.call(activities.delete, { ids: [String(id)], reason: '不再需要' }, me)
  expect(JSON.stringify(await remove().catch((error: unknown) => String(error)))).toContain('1 个报名')
  // Refunded so that it would be owed again: who cancelled owes nothing.
  await refund(records[1], 'owed')
  expect(await signOf(5, id)).toMatchObject({ payState: 'refunded', refundDue: 0 })
  expect(await effectiveOf(id)).toEqual([])
  expect((await remove()).success).toBe(1)
  await expectSoundBooks()
})

it('the whole activity cancelled: unpaid bills go, paid ones wait for their refund', async () => {
  const { id } = await publish({ quota: 3 })
  for (const i of [6, 7, 8, 9]) {
    await join(i, id)
  }
  await pay(id, 6)
  await t.call(cancelActivity, { id, reason: '天气原因' }, me)
  const { rows, sum } = await signsOf(id)
  expect(rows.map(({ payState }) => payState).filter(Boolean)).toEqual(['refundDue'])
  expect(sum).toMatchObject({ feeAmount: 0, paidAmount: 2000, refundDue: 2000 })
  expect(await effectiveOf(id)).toMatchObject([{ paid: 2000, payerId: person(6).id }])
})

it('a sign-up follows what is done to its bill', async () => {
  const { id } = await publish()
  await join(10, id, 2)
  const ids = [String(defined((await billsOf(id))[0]).id)]
  await t.call(setDiscount, { ids, kind: 'amount', amount: asFen(1000), reason: '优惠' }, me)
  expect(await signOf(10, id)).toMatchObject({ payState: 'unpaid', feeAmount: 3000 })
  await t.call(abolishBills, { ids, reason: '免费邀请' }, me)
  expect(oweOf(await signOf(10, id))).toEqual(['signed', undefined, 0])
  await t.call(recoverBills, { ids }, me)
  expect(await signOf(10, id)).toMatchObject({ payState: 'unpaid', feeAmount: 3000 })
})

it('who has not paid is let in, and staff see it', async () => {
  const now = fromInstant(t.app.clock())
  const soon = { beginTime: addMinutes(now, 30), endTime: addMinutes(now, 90), signEnd: addMinutes(now, 60) }
  const { id } = await publish(soon)
  await join(11, id)
  const { id: signId } = await signOf(11, id)
  expect(await t.call(checkIn, { id: signId }, me)).toMatchObject({ state: 'checkedIn', payState: 'unpaid' })
  await pay(id, 11)
  expect(await signOf(11, id)).toMatchObject({ state: 'checkedIn', payState: 'paid' })
})

it('without a room nobody signs up for what is charged', async () => {
  const { id } = await publish()
  const [{ id: worker }] = [
    defined(
      await t.database.tx(t.ownerId, tx =>
        tx.one<{ id: Id }>(sql`
          insert into resident (owner_id, home_project, name, state, user_type, source)
          values (${t.ownerId}, ${projectCode}, '无房住户', 10, 10, 10)
          returning id
        `),
      ),
    ),
  ]
  const signing = inCompany(t.app, t.ownerId, '住户', c =>
    signUpFor(c, { activityId: id, userId: worker, personCount: 1 }),
  )
  expect(await refusalMessageOf(signing)).toContain('以房屋报名')
  const full = await publish({ quota: 1, maxPersons: 1 })
  await join(12, full.id)
  const waiting = inCompany(t.app, t.ownerId, '住户', c =>
    signUpFor(c, { activityId: full.id, userId: worker, personCount: 1 }),
  )
  expect(await refusalMessageOf(waiting)).toContain('以房屋报名')
  expect(await t.call(activities.get, { id }, me)).toMatchObject({ signCount: 0 })
  const sign = await t.call(addSign, { activityId: id, userId: person(12).id, personCount: 1 }, me)
  expect(sign).toMatchObject({ payState: 'unpaid', feeAmount: fee })
})

it('after any sequence of steps the bills are the fee of who comes and what is to go back', async () => {
  let seed = 20261201
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed % below
  }
  const { id } = await publish({ quota: 7 })
  for (let step = 0; step < 60; step++) {
    const i = 15 + random(10)
    const persons = 1 + random(3)
    const chance = random(8)
    const doing = chance < 4 ? join(i, id, persons) : chance < 6 ? leave(i, id) : pay(id, i)
    await doing.catch(() => undefined)
    t.advanceClock(30_000)
    const { rows, sum } = await signsOf(id)
    const coming = rows.filter(({ state }) => state === 'signed')
    const asked = sumFen(coming.map(({ personCount }) => feeOf({ fee }, personCount)))
    const bills = await effectiveOf(id)
    expect(sumFen(bills.map(({ fen }) => asFen(fen)))).toBe(asked + Number(sum?.refundDue))
    expect(sum).toMatchObject({
      feeAmount: asked,
      paidAmount: sumFen(bills.map(({ paid }) => asFen(paid))),
    })
  }
  await expectSoundBooks()
})

it('a sign-up is kept beyond its period while money is to come or to go back', async () => {
  const ids: Id[] = []
  for (const i of [30, 31, 32]) {
    const { id } = await publish()
    await join(i, id)
    ids.push(id)
  }
  const [owed, paid, due] = ids
  await pay(defined(paid), 31)
  await pay(defined(due), 32)
  await leave(32, defined(due))
  await t.call(saveRetention, { isOn: true, periods: [], version: 0 }, me)
  t.advanceClock(800 * 86_400_000)
  await runRetention(t.app, t.ownerId)
  const kept = await t.database.reader(t.ownerId).rows<{ activityId: Id }>(sql`
    select activity_id
    from activity_sign
    where owner_id = ${t.ownerId} and activity_id = any(${ids}::bigint[])
    order by id
  `)
  expect(kept.map(({ activityId }) => activityId)).toEqual([owed, due])
})
