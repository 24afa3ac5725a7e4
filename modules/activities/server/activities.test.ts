import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { refusalMessageOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { openHome } from '#modules/resident-page/contract/home.ts'
import { activities, cancelActivity, getPlaceCode, pinActivity, type Activity } from '../contract/activity.ts'
import {
  cancelOwnSign,
  checkInAtPlace,
  listHomeActivities,
  openHomeActivity,
  openPlace,
  signUp,
} from '../contract/home.ts'
import { activitySigns, addSign, cancelSign, checkIn, checkInByCode, undoCheckIn } from '../contract/sign.ts'
import { findPeople, projectCode, publishOne, type Person } from './activities.fixtures.ts'
import { inCompany } from './context.ts'
import { endActivities } from './end-activities.ts'
import { cancelOne, findOwnSign, signUpFor } from './sign-up.ts'
import { lockActivity } from './places.ts'

let t: GoldenApp
let me: CallOptions
let people: Person[]

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.signedInAs(golden.first.owner, projectCode)
  people = await findPeople(t, 40)
})

afterAll(() => t?.close())

const person = (i: number): Person => defined(people[i])
const get = (id: Id): Promise<Activity> => t.call(activities.get, { id }, me)
const join = (i: number, id: Id, personCount = 1) =>
  t.call(signUp, { token: person(i).token, id, personCount })
const leave = (i: number, id: Id) => t.call(cancelOwnSign, { token: person(i).token, id })
const see = (i: number, id: Id) => t.call(openHomeActivity, { token: person(i).token, id })

const messagesTo = (id: Id) =>
  t.database.reader(t.ownerId).rows<{ content: string; receiverId: Id }>(sql`
    select m.content, m.receiver_id
    from outgoing_message m
    where m.owner_id = ${t.ownerId} and m.source = 'activity' and m.biz_id = ${id}
    order by m.id
  `)

it('moves those who wait up in order when somebody cancels, and notifies them (NOT-2)', async () => {
  const { id } = await publishOne(t, me)
  expect(await join(0, id)).toMatchObject({ ownState: 'signed', willWait: false })
  expect(await join(1, id)).toMatchObject({ ownState: 'signed', willWait: true })
  expect(await join(2, id, 2)).toMatchObject({ ownState: 'waiting', waitingBefore: 0 })
  expect(await join(3, id)).toMatchObject({ ownState: 'waiting', waitingBefore: 2 })
  expect(await refusalMessageOf(join(0, id))).toBe('已报名该活动，无需重复报名')
  // One place: two persons do not fit, and who is behind them does not overtake.
  await leave(0, id)
  expect(await see(3, id)).toMatchObject({ ownState: 'waiting' })
  await leave(1, id)
  expect(await see(2, id)).toMatchObject({ ownState: 'signed' })
  expect(await see(3, id)).toMatchObject({ ownState: 'waiting', waitingBefore: 0 })
  expect(await get(id)).toMatchObject({ signCount: 2, waitCount: 1 })
  const sent = await messagesTo(id)
  expect(sent.map(({ receiverId }) => receiverId)).toEqual([person(2).id])
  expect(sent[0]?.content).toContain('递补成功')
  // A larger quota is for those who wait.
  const { version: _version, ...draft } = await get(id)
  await t.call(activities.edit, { ...draft, quota: 3 }, me)
  expect(await see(3, id)).toMatchObject({ ownState: 'signed' })
  const { version: _later, ...lower } = await get(id)
  expect(await refusalTextOf(t.call(activities.edit, { ...lower, quota: 2 }, me))).toContain('已报名 3 人')
})

it('gives 30 places to 30 of 500 who sign up at once, and queues the others in order (NOT-2)', async () => {
  const { id } = await publishOne(t, me, { quota: 30, maxPersons: 1 })
  const users = await t.database.tx(t.ownerId, tx =>
    tx.rows<{ id: Id }>(sql`
      insert into resident (owner_id, home_project, name, state, user_type, source)
      select ${t.ownerId}, ${projectCode}, '抢报' || n, 10, 10, 10
      from generate_series(1, 500) n
      returning id
    `),
  )
  const waiting = [...users]
  const signUpOthers = async (): Promise<void> => {
    for (let user = waiting.pop(); user; user = waiting.pop()) {
      const asked = { activityId: id, userId: user.id, personCount: 1 }
      await inCompany(t.app, t.ownerId, '住户', c => signUpFor(c, asked))
    }
  }
  // As many at once as the server has connections; the others wait for one.
  await Promise.all(Array.from({ length: 40 }, signUpOthers))
  const counted = await t.database.reader(t.ownerId).one(sql`
    select count(*) filter (where state = 10)::integer as signed,
      count(distinct wait_no)::integer as numbers, max(wait_no)::integer as last
    from activity_sign
    where owner_id = ${t.ownerId} and activity_id = ${id}
  `)
  expect(counted).toEqual({ signed: 30, numbers: 470, last: 470 })
  expect(await get(id)).toMatchObject({ signCount: 30, waitCount: 470 })
})

/** The same kept by hand: who has places, who waits, in order. */
class PlainQueue {
  readonly signed = new Map<Id, number>()
  waiting: [Id, number][] = []
  readonly quota: number
  constructor(quota: number) {
    this.quota = quota
  }
  taken(): number {
    return [...this.signed.values()].reduce((sum, n) => sum + n, 0)
  }
  join(user: Id, persons: number): void {
    if (this.signed.has(user) || this.waiting.some(([id]) => id === user)) return
    if (!this.waiting.length && this.taken() + persons <= this.quota) {
      this.signed.set(user, persons)
    } else {
      this.waiting.push([user, persons])
    }
  }
  leave(user: Id): void {
    this.signed.delete(user)
    this.waiting = this.waiting.filter(([id]) => id !== user)
    for (let next = this.waiting[0]; next; next = this.waiting[0]) {
      if (this.taken() + next[1] > this.quota) return
      this.signed.set(next[0], next[1])
      this.waiting.shift()
    }
  }
}

it('agrees with a plain count after any sequence of sign-ups and cancellations', async () => {
  let seed = 20261130
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed % below
  }
  const { id } = await publishOne(t, me, { quota: 7, maxPersons: 3 })
  const plain = new PlainQueue(7)
  for (let step = 0; step < 80; step++) {
    const { id: userId } = person(random(12))
    const personCount = 1 + random(3)
    const isJoining = random(5) < 3
    await inCompany(t.app, t.ownerId, '住户', async c => {
      if (isJoining) {
        await signUpFor(c, { activityId: id, userId, personCount })
        return
      }
      const of = await lockActivity(c, id)
      const own = await findOwnSign(c, id, userId)
      if (own) {
        await cancelOne(c, of, own, { by: 'resident', reason: '本人取消' })
      }
    }).catch((error: unknown) => expect(String(error)).toContain('已报名'))
    if (isJoining) {
      plain.join(userId, personCount)
    } else {
      plain.leave(userId)
    }
  }
  const rows = await t.database.reader(t.ownerId).rows<{
    userId: Id
    state: number
    personCount: number
  }>(sql`
    select user_id, state, person_count
    from activity_sign
    where owner_id = ${t.ownerId} and activity_id = ${id} and state <> 30
    order by wait_no, id
  `)
  const waiting = rows.filter(({ state }) => state === 40)
  expect(waiting.map(row => [row.userId, row.personCount])).toEqual(plain.waiting)
  const signed = new Map(rows.filter(({ state }) => state === 10).map(row => [row.userId, row.personCount]))
  expect(signed).toEqual(plain.signed)
  expect(await get(id)).toMatchObject({
    signCount: plain.taken(),
    waitCount: plain.waiting.reduce((sum, [, n]) => sum + n, 0),
  })
})

it('is not for a building that is not there', async () => {
  const made = publishOne(t, me, { buildCodes: ['NOPE'] })
  expect(await refusalTextOf(made)).toContain('楼栋「NOPE」不存在')
})

it('edits by the call that adds where an activity is named (G-2)', async () => {
  const { version: _version, ...made } = await publishOne(t, me)
  const edited = await t.call(activities.add, { ...made, title: '改期运动会' }, me)
  expect(edited).toMatchObject({ id: made.id, title: '改期运动会', state: 'published' })
})

it('shows a resident what is for their building, and nothing of other companies', async () => {
  const [first] = people
  const other = defined(people.find(each => each.buildCode !== first?.buildCode))
  const { id } = await publishOne(t, me, { title: '楼栋茶话会', buildCodes: [defined(first).buildCode] })
  const seenBy = async (token: string) =>
    (await t.call(listHomeActivities, { token })).activities.map(each => each.id)
  expect(await seenBy(defined(first).token)).toContain(id)
  expect(await seenBy(other.token)).not.toContain(id)
  expect(await refusalMessageOf(t.call(signUp, { token: other.token, id, personCount: 1 }))).toContain(
    '不存在',
  )
  const home = await t.call(openHome, { token: defined(first).token })
  expect(home.parts.find(part => part.key === 'activities')?.count).toBeGreaterThan(0)
  const stranger = await t.signedInAs(golden.second.owner)
  expect(await refusalMessageOf(t.call(activities.get, { id }, stranger))).toContain('不存在')
})

it('checks in once, by the code of the resident, at the place, or by hand (NOT-2)', async () => {
  const now = fromInstant(t.app.clock())
  const soon = { beginTime: addMinutes(now, 30), endTime: addMinutes(now, 90), signEnd: addMinutes(now, 60) }
  const { id } = await publishOne(t, me, { ...soon, quota: 3 })
  const other = await publishOne(t, me, { ...soon, title: '另一活动' })
  const code = defined((await join(10, id)).checkInCode)
  await join(11, id)
  await join(12, id)
  expect(await refusalMessageOf(t.call(checkInByCode, { activityId: other.id, code }, me))).toContain(
    '亲子运动会',
  )
  expect(await t.call(checkInByCode, { activityId: id, code }, me)).toMatchObject({ state: 'checkedIn' })
  expect(await refusalMessageOf(t.call(checkInByCode, { activityId: id, code }, me))).toContain('已签到')
  const { url } = await t.call(getPlaceCode, { id }, me)
  const placeCode = defined(new URL(url, 'http://here').searchParams.get('c'))
  expect(await t.call(openPlace, { code: placeCode })).toMatchObject({
    id,
    signInUrl: expect.stringContaining('/home?e='),
  })
  const atPlace = (i: number) => t.call(checkInAtPlace, { token: person(i).token, code: placeCode })
  expect(await atPlace(11)).toMatchObject({ ownState: 'checkedIn' })
  expect(await refusalMessageOf(atPlace(13))).toContain('未报名')
  const signs = await t.call(activitySigns.list, { activityId: [String(id)], state: ['signed'] }, me)
  const byHand = defined(signs.rows[0]).id
  await t.call(checkIn, { id: byHand }, me)
  expect(await get(id)).toMatchObject({ checkInCount: 3, signCount: 3 })
  await t.call(undoCheckIn, { id: byHand }, me)
  expect(await get(id)).toMatchObject({ checkInCount: 2 })
  expect(await refusalMessageOf(leave(11, id))).toContain('已签到，不能取消')
})

it('lets staff sign up and cancel, and notifies the resident', async () => {
  const { id } = await publishOne(t, me)
  const user = person(20)
  const sign = await t.call(
    addSign,
    { activityId: id, userId: user.id, personCount: 2, remark: '电话报名' },
    me,
  )
  expect(sign).toMatchObject({ state: 'signed', userName: user.name })
  await t.call(cancelSign, { id: sign.id, reason: '本人来电' }, me)
  expect(await see(20, id)).toMatchObject({ ownState: 'cancelled', cancelReason: '本人来电' })
  expect((await messagesTo(id)).map(({ content }) => content).join()).toContain('本人来电')
  expect((await join(20, id)).ownState).toBe('signed')
})

it('cancels with a reason that all hear of, and is deleted only then (NOT-2)', async () => {
  const { id } = await publishOne(t, me, { quota: 1, maxPersons: 1 })
  await join(30, id)
  await join(31, id)
  const remove = () => t.call(activities.delete, { ids: [String(id)], reason: '不再需要' }, me)
  expect(JSON.stringify(await remove().catch((error: unknown) => String(error)))).toContain('先取消')
  await t.call(cancelActivity, { id, reason: '天气原因' }, me)
  expect(await see(30, id)).toMatchObject({ stageText: '活动已取消', cancelReason: '天气原因' })
  const sent = await messagesTo(id)
  expect(new Set(sent.map(({ receiverId }) => receiverId))).toEqual(new Set([person(30).id, person(31).id]))
  expect(await refusalMessageOf(join(32, id))).toBe('活动已取消')
  expect((await remove()).success).toBe(1)
})

it('pins three of a project at most, however many at once, and ends with the activity (NOT-2)', async () => {
  const seeded = (await t.call(activities.list, { projectCode }, me)).rows.filter(row => row.topSort > 0)
  for (const row of seeded) {
    await t.call(pinActivity, { id: row.id, isPinned: false }, me)
  }
  const made = []
  for (let i = 0; i < 5; i++) {
    made.push(await publishOne(t, me, { title: `置顶活动 ${i}` }))
  }
  const outcomes = await Promise.allSettled(made.map(({ id }) => t.call(pinActivity, { id }, me)))
  const pinned = made.filter((_, i) => outcomes[i]?.status === 'fulfilled')
  expect(pinned).toHaveLength(3)
  const last = defined(made.find((_, i) => outcomes[i]?.status === 'rejected'))
  expect(await refusalMessageOf(t.call(pinActivity, { id: last.id }, me))).toContain('最多置顶 3 个')
  await t.call(pinActivity, { id: defined(pinned[0]).id, isPinned: false }, me)
  await t.call(pinActivity, { id: last.id }, me)
  const [top] = (await t.call(activities.list, { projectCode }, me)).rows
  expect(top?.id).toBe(last.id)
  t.advanceClock(2 * 86_400_000)
  await endActivities(t.app)
  const ended = await t.database.reader(t.ownerId).one(sql`
    select state, top_sort from activity where owner_id = ${t.ownerId} and id = ${last.id}
  `)
  expect(ended).toEqual({ state: 50, topSort: 0 })
})
