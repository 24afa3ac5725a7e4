import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { faultTextsOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { listResidentBills } from '#modules/resident-bills/contract/bills.ts'
import { openHome } from '#modules/resident-page/contract/home.ts'
import { residentPageUrl } from '#modules/resident-page/server/public.ts'
import { cancelActivity, type Activity } from '../contract/activity.ts'
import { listHomeActivities, openHomeActivity, signUp } from '../contract/home.ts'
import { addSign, cancelSign, checkIn, type ActivitySign } from '../contract/sign.ts'
import { residentRoomRefusal } from '../domain/audience.ts'
import { projectCode } from './activities.fixtures.ts'
import { openFeeFixture, type FeeFixture } from './activity-fees.fixtures.ts'

let f: FeeFixture
let t: FeeFixture['t']
let me: FeeFixture['me']

beforeAll(async () => {
  f = await openFeeFixture(20, { late: true })
  ;({ t, me } = f)
})

afterAll(() => f?.close())

const person = (i: number) => f.person(i)
const publish = (values: Partial<Activity> = {}) => f.publish({ fee: asFen(3333), ...values })
const join = (i: number, id: Id, personCount?: number) => f.join(i, id, personCount)
const see = (i: number, id: Id) => f.see(i, id)
const signOf = (i: number, id: Id) => f.signOf(i, id)

const billOf = async (sign: ActivitySign): Promise<Id> => {
  const found = await t.database.reader(t.ownerId).one<{ id: Id }>(sql`
    select id
    from bill
    where owner_id = ${t.ownerId} and ref_type = 'activitySign' and ref_id = ${sign.id} and state = 20
  `)
  return defined(found).id
}

/** What 我的账单 asks of a resident for a bill. */
const askedOf = async (i: number, billId: Id) => {
  const { bills } = await t.call(listResidentBills, { token: person(i).token })
  return bills.find(line => line.billId === billId)
}

const pay = (billId: Id, expectAmount: Fen, amount?: Fen) => f.payBill(billId, expectAmount, amount)
const refundOwed = (recordId: Id, principal: Fen) => f.refund(recordId, 'owed', principal)

const messagesTo = async (id: Id, i: number): Promise<string> => {
  const rows = await t.database.reader(t.ownerId).rows<{ content: string }>(sql`
    select content
    from outgoing_message
    where owner_id = ${t.ownerId} and source = 'activity' and biz_id = ${id} and receiver_id = ${person(i).id}
    order by id
  `)
  return rows.map(({ content }) => content).join('\n')
}

it('the page of an activity asks for what the bill still owes: 66.66 less 10.00 (PAY-4)', async () => {
  const { id } = await publish()
  expect(await join(0, id, 2)).toMatchObject({ feeAmount: 6666, owedAmount: 6666 })
  const billId = await billOf(await signOf(0, id))
  await pay(billId, asFen(6666), asFen(1000))
  expect(await see(0, id)).toMatchObject({ payState: 'unpaid', feeAmount: 6666, owedAmount: 5666 })
  expect(await askedOf(0, billId)).toMatchObject({ total: 5666 })
})

it('paid, and 1.00 refunded to be owed again, the page asks for 1.00 (REF-2)', async () => {
  const { id } = await publish()
  await join(1, id)
  const billId = await billOf(await signOf(1, id))
  const recordId = await pay(billId, asFen(3333))
  expect((await see(1, id)).owedAmount).toBeUndefined()
  await refundOwed(recordId, asFen(100))
  expect(await see(1, id)).toMatchObject({ payState: 'unpaid', owedAmount: 100 })
  expect(await askedOf(1, billId)).toMatchObject({ total: 100 })
})

it('a worker without a room sees beforehand that what is charged is for homes (PAY-4)', async () => {
  const userId = await t.database.tx(t.ownerId, async tx => {
    const added = await tx.one<{ userId: Id }>(sql`
      with person as (
        insert into resident (owner_id, home_project, name, state, user_type, source)
        values (${t.ownerId}, ${projectCode}, '企业员工甲', 10, 10, 10)
        returning id
      ), firm as (
        insert into company (owner_id, project_code, name, state)
        values (${t.ownerId}, ${projectCode}, '活动测试公司', 10)
        returning id
      )
      insert into company_worker (owner_id, project_code, company_id, user_id, name, state)
      select ${t.ownerId}, ${projectCode}, firm.id, person.id, '企业员工甲', 10
      from firm, person
      returning user_id
    `)
    return defined(added).userId
  })
  const url = defined(await residentPageUrl(t.app, t.ownerId, userId))
  const token = defined(new URL(url, 'http://here').searchParams.get('t'))
  const charged = await publish()
  const free = await publish({ fee: asFen(0) })
  const countOf = async () =>
    (await t.call(openHome, { token })).parts.find(({ key }) => key === 'activities')?.count ?? 0
  expect(await t.call(openHomeActivity, { token, id: charged.id })).toMatchObject({
    refusal: residentRoomRefusal,
  })
  expect((await t.call(openHomeActivity, { token, id: free.id })).refusal).toBeUndefined()
  const { activities } = await t.call(listHomeActivities, { token })
  expect(activities.find(card => card.id === charged.id)?.stageText).toBe('限有房屋的住户报名')
  const signing = t.call(signUp, { token, id: charged.id, personCount: 1 })
  expect(await refusalMessageOf(signing)).toBe(residentRoomRefusal)
  const before = await countOf()
  await publish()
  expect(await countOf()).toBe(before)
  const adding = (activityId: Id) => t.call(addSign, { activityId, userId, personCount: 1 }, me)
  expect((await faultTextsOf(adding(charged.id))).UserID).toContain('请先办理入住再报名')
  expect(await adding(free.id)).toMatchObject({ state: 'signed' })
})

it('who paid nothing reads nothing of money that goes back (NOT-2)', async () => {
  const { id } = await publish()
  await join(3, id)
  await join(10, id)
  await pay(await billOf(await signOf(10, id)), asFen(3333))
  await t.call(cancelActivity, { id, reason: '下雨' }, me)
  expect(await messagesTo(id, 3)).not.toContain('退回')
  expect(await messagesTo(id, 10)).toContain('已缴的费用由物业退回')
  const other = await publish()
  await join(3, other.id)
  await join(10, other.id)
  await pay(await billOf(await signOf(10, other.id)), asFen(3333))
  for (const i of [3, 10]) {
    await t.call(cancelSign, { id: (await signOf(i, other.id)).id, reason: '重复报名' }, me)
  }
  expect(await messagesTo(other.id, 3)).toMatch(/重复报名。$/)
  expect(await messagesTo(other.id, 10)).toContain('已缴的费用由物业退回')
})

it('who has checked in is cancelled only after the check-in is undone (NOT-2)', async () => {
  const now = fromInstant(t.app.clock())
  const soon = { signEnd: addMinutes(now, 20), beginTime: addMinutes(now, 30), endTime: addMinutes(now, 90) }
  const { id } = await publish(soon)
  await join(4, id)
  const sign = await signOf(4, id)
  await t.call(checkIn, { id: sign.id }, me)
  const cancelling = t.call(cancelSign, { id: sign.id, reason: '重复报名' }, me)
  expect(await refusalMessageOf(cancelling)).toBe('已签到，请先撤销签到，再取消报名')
})

it('overdue, the page asks for the late fee as well (LATE-1)', async () => {
  const { id } = await publish()
  await join(2, id)
  const billId = await billOf(await signOf(2, id))
  // Staff would have to sign in again; residents need not.
  t.advanceClock(20 * 86_400_000)
  const asked = defined(await askedOf(2, billId))
  expect(asked.late).toBeGreaterThan(0)
  expect(await see(2, id)).toMatchObject({ owedAmount: asked.total })
})
