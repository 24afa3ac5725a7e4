import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { code } from '#kit/server/sql.ts'
import { residencyStatus } from '#modules/residents/contract/labels.ts'
import { relation, type Relation } from '#modules/residents/contract/relation.ts'
import { activities, type Activity } from '../contract/activity.ts'
import { cancelSign } from '../contract/sign.ts'
import { projectCode } from './activities.fixtures.ts'
import { openFeeFixture, type FeeFixture } from './activity-fees.fixtures.ts'

let f: FeeFixture
let t: FeeFixture['t']
let me: FeeFixture['me']

beforeAll(async () => {
  f = await openFeeFixture(20)
  ;({ t, me } = f)
})

afterAll(() => f?.close())

const minute = 60_000
const person = (i: number) => f.person(i)
const publish = (values: Partial<Activity> = {}) =>
  f.publish({ quota: 1, maxPersons: 1, fee: asFen(3333), ...values })
const join = (i: number, id: Id, personCount?: number) => f.join(i, id, personCount)
const leave = (i: number, id: Id) => f.leave(i, id)
const see = (i: number, id: Id) => f.see(i, id)
const get = (id: Id) => t.call(activities.get, { id }, me)
const signOf = (i: number, id: Id) => f.signOf(i, id)
const cancelByStaff = async (i: number, id: Id) =>
  t.call(cancelSign, { id: (await signOf(i, id)).id, reason: '本人来电' }, me)

const billedRooms = async (id: Id): Promise<string[]> => {
  const rows = await t.database.reader(t.ownerId).rows<{ sourceCode: string }>(sql`
    select b.source_code
    from bill b
    join activity_sign s on s.owner_id = ${t.ownerId} and s.id = b.ref_id and s.activity_id = ${id}
    where b.owner_id = ${t.ownerId} and b.ref_type = 'activitySign' and b.state = 20
    order by b.id
  `)
  return rows.map(({ sourceCode }) => sourceCode)
}

const messagesTo = (id: Id, i: number) =>
  t.database.reader(t.ownerId).rows<{ content: string }>(sql`
    select content
    from outgoing_message
    where owner_id = ${t.ownerId} and source = 'activity' and biz_id = ${id} and receiver_id = ${person(i).id}
    order by id
  `)

const setResidency = (i: number, values: { readonly isLeft?: boolean; readonly relation?: Relation }) =>
  t.database.tx(t.ownerId, tx =>
    tx.execute(sql`
      update user_room
      set status = ${values.isLeft ? code(residencyStatus, 'left') : code(residencyStatus, 'living')},
        relation = ${values.relation ? relation.rows[values.relation][0] : relation.rows.owner[0]}
      where owner_id = ${t.ownerId} and user_id = ${person(i).id} and delete_tag = 0
    `),
  )

/** Another room of the project, and the resident's only home from now on. */
async function changeRoom(i: number): Promise<string> {
  const moved = await t.database.tx(t.ownerId, tx =>
    tx.one<{ code: string }>(sql`
      with other as (
        select r.id, r.code
        from room r
        where r.owner_id = ${t.ownerId}
          and r.project_code = ${projectCode}
          and r.delete_tag = 0
          and not exists (
            select 1 from user_room l where l.owner_id = ${t.ownerId} and l.room_id = r.id and l.delete_tag = 0
          )
        order by r.id
        limit 1
      ), moved as (
        update user_room l
        set room_id = o.id
        from other o
        where l.owner_id = ${t.ownerId} and l.user_id = ${person(i).id} and l.delete_tag = 0
      )
      select code from other
    `),
  )
  return defined(moved).code
}

it('after the end nobody moves up or is billed, before it is marked as over (NOT-2, PAY-4)', async () => {
  const now = fromInstant(t.app.clock())
  const { id } = await publish({
    signEnd: addMinutes(now, 60),
    beginTime: addMinutes(now, 30),
    endTime: addMinutes(now, 60),
  })
  await join(0, id)
  expect(await join(1, id)).toMatchObject({ ownState: 'waiting', waitingBefore: 0 })
  t.advanceClock(61 * minute)
  await cancelByStaff(0, id)
  expect(await get(id)).toMatchObject({ state: 'published', signCount: 0, waitCount: 1 })
  expect(await signOf(1, id)).toMatchObject({ state: 'waiting', feeAmount: 0 })
  expect(await billedRooms(id)).toEqual([])
  expect(await messagesTo(id, 1)).toEqual([])
})

it('who moved up after the deadline cancels until it begins; from then on nobody moves up (NOT-2)', async () => {
  const now = fromInstant(t.app.clock())
  const { id } = await publish({
    signEnd: addMinutes(now, 10),
    beginTime: addMinutes(now, 60),
    endTime: addMinutes(now, 120),
  })
  for (const i of [0, 1, 2]) {
    await join(i, id)
  }
  t.advanceClock(20 * minute)
  expect(await see(0, id)).toMatchObject({ canCancel: false })
  await cancelByStaff(0, id)
  expect(await see(1, id)).toMatchObject({ ownState: 'signed', payState: 'unpaid', canCancel: true })
  await leave(1, id)
  expect(await see(2, id)).toMatchObject({ ownState: 'signed', canCancel: true })
  expect(await billedRooms(id)).toHaveLength(1)
  await cancelByStaff(2, id)
  const { version: _version, ...draft } = await get(id)
  const later = await publish({ signEnd: addMinutes(now, 30), beginTime: draft.beginTime })
  await join(3, later.id)
  await join(4, later.id)
  t.advanceClock(45 * minute)
  await cancelByStaff(3, later.id)
  const { version: _later, ...running } = await get(later.id)
  await t.call(activities.edit, { ...running, quota: 5 }, me)
  const waiting = await see(4, later.id)
  expect(waiting).toMatchObject({ ownState: 'waiting', canCancel: false })
  expect(waiting.waitingBefore).toBeUndefined()
  expect(await refusalMessageOf(leave(4, later.id))).toContain('报名已截止')
  expect(await billedRooms(later.id)).toEqual([])
})

it('who has moved out is not moved up and not billed: the wait ends with the reason (PAY-4)', async () => {
  const { id } = await publish({ quota: 2, maxPersons: 2 })
  await join(5, id, 2)
  await join(6, id, 2)
  await join(7, id)
  await setResidency(6, { isLeft: true })
  await leave(5, id)
  expect(await signOf(6, id)).toMatchObject({ state: 'cancelled', cancelReason: '已迁出', feeAmount: 0 })
  expect(await signOf(7, id)).toMatchObject({ state: 'signed', payState: 'unpaid' })
  expect(await get(id)).toMatchObject({ signCount: 1, waitCount: 0 })
  expect(await billedRooms(id)).toEqual([(await signOf(7, id)).roomCode])
  expect(await messagesTo(id, 6)).toEqual([])
})

it('who is of the audience no longer waits no longer, and hears of it (NOT-2)', async () => {
  await setResidency(8, { relation: 'owner' })
  await setResidency(2, { relation: 'owner' })
  const { id } = await publish({ relations: ['owner'] })
  await join(8, id)
  await join(2, id)
  await setResidency(2, { relation: 'tenant' })
  await leave(8, id)
  const ended = { state: 'cancelled', cancelReason: '已不在活动的参加范围内' }
  expect(await signOf(2, id)).toMatchObject(ended)
  expect((await messagesTo(id, 2)).map(({ content }) => content)).toEqual([
    expect.stringContaining('已由物业取消报名：已不在活动的参加范围内'),
  ])
  expect(await get(id)).toMatchObject({ signCount: 0, waitCount: 0 })
})

it('who lives in another room of the project now is billed for that one (PAY-4)', async () => {
  const { id } = await publish()
  await join(10, id)
  await join(11, id)
  const roomCode = await changeRoom(11)
  await leave(10, id)
  expect(await signOf(11, id)).toMatchObject({ state: 'signed', roomCode })
  expect(await billedRooms(id)).toEqual([roomCode])
})
