import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays } from '#kit/domain/day.ts'
import { addMinutes, dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { defined } from '#kit/domain/defined.ts'
import { doorways } from '#modules/access/contract/doorway.ts'
import { listDoorwayAlarms } from '#modules/access/contract/doorway-alarm.ts'
import { doorwayGroups } from '#modules/access/contract/group.ts'
import { DoorwaySite, secondsAgo } from '#modules/access/server/passage.fixtures.ts'
import { DeviceServers, type Clerk } from '#modules/devices/server/device-servers.fixtures.ts'
import {
  addInvitation,
  cancelInvitation,
  getInvitation,
  type InvitationDetail,
} from '../contract/invitations.ts'
import { inviteRules } from '../contract/rule.ts'
import { listValidations, listVisits } from '../contract/visit.ts'
import { getVisitStatistics } from '../contract/visit-statistics.ts'

const projectCode = 'GOLD0001'
let s: DeviceServers
let me: Clerk
let site: DoorwaySite
let made = 0

beforeAll(async () => {
  s = await DeviceServers.open()
  me = await s.signIn()
  site = await DoorwaySite.open(s, me)
})

afterAll(async () => {
  site?.close()
  await s?.close()
})

/** A visit that is going on, of one or several people. */
async function invite(maxTimes: number, names: readonly string[] = ['王五']): Promise<InvitationDetail> {
  const doorwayIds = [String(site.doorway.id)]
  const groupName = `访客${++made}`
  const group = { projectCode, groupName, doorwayIds, scopeType: 'manual', state: 'on' } as const
  const { id } = await s.call(doorwayGroups.add, group, me)
  const rule = await s.call(
    inviteRules.add,
    {
      projectCode,
      ruleName: `门禁规则${made}`,
      hostTypes: ['staff'],
      advanceDays: 7,
      maxHours: 24,
      maxTimes,
      maxPersons: 10,
      needsCert: false,
      needsFace: false,
      allowsCar: true,
      checkType: 'exempt',
      doorwayGroupIds: [String(id)],
      state: 'on',
    },
    me,
  )
  const now = fromInstant(s.now())
  return s.call(
    addInvitation,
    {
      projectCode,
      hostType: 'staff',
      visitorKind: 'friend',
      ruleId: rule.id,
      personCount: names.length,
      beginTime: addMinutes(now, -60),
      endTime: addMinutes(now, 60),
      visitors: names.map((visitorName, i) => ({ visitorName, mobile: `1360000${made}${i}00` })),
    },
    me,
  )
}

const codeOf = ({ visitors }: InvitationDetail, i = 0): string => `qr:${defined(visitors[i]?.inviteNo)}`
const reload = ({ id }: InvitationDetail) => s.call(getInvitation, { id }, me)
const recordsOf = async ({ visitors }: InvitationDetail) =>
  (await s.call(listVisits, { projectCode, visitorId: defined(visitors[0]?.id) }, me)).rows

let records = 0
const opening = (item: string, seconds: number, direction: 1 | 2 = 1) => ({
  key: `v${++records}`,
  item,
  method: 3,
  result: 1,
  direction,
  at: secondsAgo(seconds),
})

it('a code that a door lets in is used, and its visitor has arrived and is in the book (VIS-2, VIS-5)', async () => {
  const visit = await invite(1)
  await site.report([opening(codeOf(visit), 60)])
  const arrived = await reload(visit)
  expect(arrived).toMatchObject({
    state: 'arrived',
    visitors: [{ usedTimes: 1, exitTimes: 0, state: 'arrived' }],
  })
  expect(await recordsOf(visit)).toMatchObject([{ state: 'inside', personCount: 1, inGuardName: '门禁设备' }])
  await site.report([opening(codeOf(visit), 40, 2)])
  expect(await reload(visit)).toMatchObject({
    state: 'left',
    visitors: [{ usedTimes: 1, exitTimes: 1, state: 'left' }],
  })
  expect(await recordsOf(visit)).toMatchObject([{ state: 'left', outGuardName: '门禁设备' }])
})

it('openings of an entrance count one by one, never more than the code allows (VIS-2)', async () => {
  const shut = await s.call(doorways.edit, { ...site.doorway, direction: 'entrance' }, me)
  const visit = await invite(2, ['甲', '乙'])
  await site.report([
    opening(codeOf(visit), 50),
    opening(codeOf(visit), 40),
    opening(codeOf(visit), 30),
    opening(codeOf(visit, 1), 35),
  ])
  const { visitors } = await reload(visit)
  expect(visitors.map(({ usedTimes }) => usedTimes)).toEqual([2, 1])
  await s.call(doorways.edit, { ...shut, direction: 'both' }, me)
})

it('a door that lets in more than a code allows is on record, in the figures and an alarm (VIS-2, VIS-8)', async () => {
  const visit = await invite(1)
  const day = dayOfMoment(fromInstant(s.now()))
  const overused = async () =>
    (await s.call(getVisitStatistics, { projectCode, from: addDays(day, -1), to: day }, me)).overused
  const before = await overused()
  await site.report([opening(codeOf(visit), 8)])
  // The other gate had not heard of it yet.
  await site.report([opening(codeOf(visit), 4)])
  const visitorId = [String(defined(visit.visitors[0]?.id))]
  expect((await s.call(listValidations, { projectCode, visitorId }, me)).rows).toMatchObject([
    { result: 'overused', direction: 'in', doorwayId: site.doorway.id, visitorName: '王五' },
  ])
  expect(await overused()).toBe(before + 1)
  const { rows } = await s.call(listDoorwayAlarms, { projectCode }, me)
  expect(rows.map(({ title }) => title)).toContainEqual(expect.stringContaining('超次通行'))
  expect(await reload(visit)).toMatchObject({ state: 'arrived', visitors: [{ usedTimes: 1 }] })
})

it('an entry through several doors for both directions counts once (VIS-2, VIS-5)', async () => {
  const visit = await invite(3)
  await site.report([opening(codeOf(visit), 50), opening(codeOf(visit), 40)])
  await site.report([opening(codeOf(visit), 30)])
  expect(await reload(visit)).toMatchObject({ state: 'arrived', visitors: [{ usedTimes: 1, exitTimes: 0 }] })
  expect(await recordsOf(visit)).toHaveLength(1)
})

it('a refusal at a door uses nothing up, nor does an exit of somebody who is not inside (VIS-2)', async () => {
  const visit = await invite(1)
  await site.report([{ ...opening(codeOf(visit), 20), result: 0 }, opening(codeOf(visit), 10, 2)])
  expect(await reload(visit)).toMatchObject({
    state: 'passed',
    visitors: [{ usedTimes: 0, exitTimes: 0, state: 'passed' }],
  })
  expect(await recordsOf(visit)).toEqual([])
})

it('a code that the device of another door takes for a card is the visitor’s, in no list in full (ACS-1)', async () => {
  const other = await DoorwaySite.open(s, me)
  await s.call(doorways.edit, { ...other.doorway, isPublic: false }, me)
  const code = codeOf(await invite(1, ['赵六'])).slice('qr:'.length)
  await other.report([
    { key: 'x1', at: secondsAgo(9), card: code, method: 1, result: 0, direction: 1, reason: '卡号未登记' },
  ])
  const rows = await other.passages()
  other.close()
  expect(rows).toMatchObject([
    { openMethod: 'qr', personKind: 'visitor', personName: '赵六', cardNo: `******${code.slice(-2)}` },
  ])
  expect(rows[0]?.reason).toBe('无此门的权限')
  expect(JSON.stringify(rows)).not.toContain(code)
})

it('at a way out, too, a code that has not arrived yet is refused as such (ACS-5)', async () => {
  const code = codeOf(await invite(1)).slice('qr:'.length)
  const unknown = { card: code, method: 1, result: 0, reason: '卡号未登记' }
  await site.report([{ ...unknown, key: 'u1', at: secondsAgo(9), direction: 2 }])
  const stored = (await site.passages()).find(({ recordKey }) => recordKey === 'u1')
  expect(stored?.reason).toBe('凭证尚未下发到设备')
})

it('a code that a door refuses is a validation that was not passed; a door without a right is none (VIS-8)', async () => {
  const visit = await invite(1)
  const code = codeOf(visit).slice('qr:'.length)
  const visitorId = [String(defined(visit.visitors[0]?.id))]
  const validations = async () => (await s.call(listValidations, { projectCode, visitorId }, me)).rows
  const unknown = { card: code, method: 1, result: 0, direction: 1, reason: '卡号未登记' }
  await site.report([{ ...unknown, key: 'refused1', at: secondsAgo(8) }])
  expect(await validations()).toEqual([])
  await s.call(cancelInvitation, { id: visit.id, reason: '临时有事' }, me)
  await site.report([{ ...unknown, key: 'refused2', at: secondsAgo(2) }])
  expect(await validations()).toMatchObject([
    { result: 'invalid', direction: 'in', doorwayId: site.doorway.id, guardName: '门禁设备' },
  ])
  expect((await validations())[0]?.reason).toContain('已取消')
})
