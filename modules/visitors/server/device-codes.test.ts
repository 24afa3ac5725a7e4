import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { addDoorway, addDoorwayDevice, addGroup, bindDevice } from '#modules/access/server/access.fixtures.ts'
import type { Doorway } from '#modules/access/contract/doorway.ts'
import { checkRight } from '#modules/access/contract/reach.ts'
import { planChanged } from '#modules/access/server/sync/jobs.ts'
import { itemAction } from '#modules/devices/contract/choices.ts'
import { editDevice, getDevice } from '#modules/devices/contract/device.ts'
import { addResidentBlock, deleteResidentBlocks } from '#modules/residents/contract/block.ts'
import { visitorBlocks } from '../contract/block.ts'
import { passCode } from '../contract/check.ts'
import { completeGuest, openGuest, uploadGuestFace } from '../contract/guest.ts'
import { cancelInvitation, getInvitation, type InvitationDetail } from '../contract/invitations.ts'
import { inviteRules } from '../contract/rule.ts'
import { getInvitationPicture } from '../contract/template.ts'
import { faultTextsOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { turnCodes } from './code-hours.ts'
import { addRule, inviteOne, projectCode } from './visitors.fixtures.ts'

let t: GoldenApp
let me: CallOptions
let entrance: Site
let exit: Site
let both: Site
let groupId: string
let mobiles = 13_500_000_000

interface Site {
  readonly doorway: Doorway
  readonly deviceId: number
}

const now = () => fromInstant(t.app.clock())
const minute = 60_000

async function site(direction: Doorway['direction'], values: Partial<Doorway> = {}): Promise<Site> {
  const doorway = await addDoorway(t, me, { direction, ...values })
  const { id } = await addDoorwayDevice(t, me)
  await bindDevice(t, me, doorway, id)
  return { doorway, deviceId: id }
}

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.signedInAs(golden.first.owner)
  entrance = await site('entrance')
  exit = await site('exit')
  both = await site('both')
  const group = await addGroup(t, me, [entrance.doorway, exit.doorway, both.doorway])
  groupId = String(group.id)
})

afterAll(() => t?.close())

/** At which of the doors the devices are to hold the code. */
async function heldAt({ inviteNo }: { readonly inviteNo?: string | undefined }): Promise<string[]> {
  await planChanged(t.app)
  const rows = await t.database.reader(t.ownerId).rows<{ deviceId: number }>(sql`
    select device_id
    from device_item
    where owner_id = ${t.ownerId} and item_key = ${`qr:${inviteNo}`} and action = ${code(itemAction, 'put')}
  `)
  const ids = new Set(rows.map(({ deviceId }) => deviceId))
  return Object.entries({ entrance, exit, both }).flatMap(([name, { deviceId }]) =>
    ids.has(deviceId) ? [name] : [],
  )
}

/** What the device of a door for both ways has: rights of its own, those to leave, those to enter. */
async function rightsAtBoth({ inviteNo }: { readonly inviteNo?: string | undefined }, { deviceId } = both) {
  await planChanged(t.app)
  const item = await t.database.reader(t.ownerId).one<{
    runData: { rights: []; exitRights?: []; countedRights?: [] }
  }>(sql`
    select run_data
    from device_item
    where owner_id = ${t.ownerId} and item_key = ${`qr:${inviteNo}`} and device_id = ${deviceId}
  `)
  const { rights, exitRights, countedRights } = defined(item).runData
  return [rights.length, exitRights?.length, countedRights?.length]
}

/** For the next hour, unless a test asks for another time; the rule is the only one. */
async function visit(
  rule: Parameters<typeof addRule>[2] = {},
  values: object = {},
): Promise<InvitationDetail> {
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`update invite_rule set state = 20 where owner_id = ${t.ownerId}`),
  )
  await addRule(t, me, { doorwayGroupIds: [groupId], ...rule })
  return inviteOne(t, me, {
    beginTime: now(),
    endTime: addMinutes(now(), 60),
    visitors: [{ visitorName: '王五', mobile: String(mobiles++) }],
    ...values,
  })
}

const only = ({ visitors }: InvitationDetail) => defined(visitors[0])

it('devices hold a code within its hours alone (VIS-2)', async () => {
  const begin = addMinutes(now(), 30)
  const guest = only(await visit({}, { beginTime: begin, endTime: addMinutes(begin, 60) }))
  await turnCodes(t.app)
  expect(await heldAt(guest)).toEqual([])
  t.advanceClock(30 * minute)
  await turnCodes(t.app)
  expect(await heldAt(guest)).toEqual(['entrance', 'exit', 'both'])
  const item = await t.database.reader(t.ownerId).one<{ endTime: string }>(sql`
    select distinct run_data->>'endTime' as end_time
    from device_item
    where owner_id = ${t.ownerId} and item_key = ${`qr:${guest.inviteNo}`}
  `)
  expect(defined(item).endTime).toBe(addMinutes(begin, 60).replace(' ', 'T'))
  t.advanceClock(60 * minute)
  await turnCodes(t.app)
  expect(await heldAt(guest)).toEqual(['entrance', 'exit', 'both'])
  t.advanceClock(minute)
  await turnCodes(t.app)
  expect(await heldAt(guest)).toEqual([])
})

it('a code that is used up leads out alone, and nowhere once it has (VIS-2)', async () => {
  const guest = only(await visit())
  const pass = (direction: 'in' | 'out') =>
    t.call(passCode, { projectCode, inviteNo: defined(guest.inviteNo), direction }, me)
  // Nobody is let in before it is counted.
  expect(await rightsAtBoth(guest)).toEqual([0, 1, 1])
  expect(await rightsAtBoth(guest, entrance)).toEqual([0, undefined, 1])
  expect(await rightsAtBoth(guest, exit)).toEqual([1, undefined, undefined])
  await pass('in')
  expect(await heldAt(guest)).toEqual(['exit', 'both'])
  // Of its two readers the one within alone.
  expect(await rightsAtBoth(guest)).toEqual([0, 1, undefined])
  t.advanceClock(61 * minute)
  await turnCodes(t.app)
  expect(await heldAt(guest)).toEqual(['exit', 'both'])
  expect(await rightsAtBoth(guest)).toEqual([0, 1, undefined])
  await pass('out')
  expect(await heldAt(guest)).toEqual([])
})

it('a code that is used up leads on through the doors of buildings until the visit ends (VIS-2, VIS-5)', async () => {
  const lobby = await site('both', { buildCode: 'B1' })
  const group = await addGroup(t, me, [both.doorway, lobby.doorway])
  const guest = only(await visit({ doorwayGroupIds: [String(group.id)] }))
  const inviteNo = defined(guest.inviteNo)
  const atLobby = async () => {
    await planChanged(t.app)
    return t.database.reader(t.ownerId).one(sql`
      select 1 as found
      from device_item
      where owner_id = ${t.ownerId} and device_id = ${lobby.deviceId} and item_key = ${`qr:${inviteNo}`}
        and action = ${code(itemAction, 'put')}
    `)
  }
  const check = async ({ doorway }: Site) =>
    (await t.call(checkRight, { doorwayId: doorway.id, cardNo: inviteNo }, me)).isAllowed
  await t.call(passCode, { projectCode, inviteNo, direction: 'in' }, me)
  expect(await heldAt(guest)).toEqual(['both'])
  expect(await rightsAtBoth(guest)).toEqual([0, 1, undefined])
  expect(await rightsAtBoth(guest, lobby)).toEqual([1, undefined, undefined])
  expect([await check(both), await check(lobby)]).toEqual([false, true])
  t.advanceClock(61 * minute)
  await turnCodes(t.app)
  // Out of the building as well.
  expect(await rightsAtBoth(guest, lobby)).toEqual([0, 1, undefined])
  await t.call(passCode, { projectCode, inviteNo, direction: 'out' }, me)
  expect(await atLobby()).toBeUndefined()
})

it('a door for one way is asked about that way (VIS-2)', async () => {
  const inviteNo = defined(only(await visit()).inviteNo)
  const check = async ({ doorway }: Site) =>
    t.call(checkRight, { doorwayId: doorway.id, cardNo: inviteNo }, me)
  expect((await check(exit)).isAllowed).toBe(false)
  await t.call(passCode, { projectCode, inviteNo, direction: 'in' }, me)
  expect((await check(exit)).isAllowed).toBe(true)
  expect((await check(entrance)).reason).toContain('次数')
})

it('a door gives the true reason of a code that is known: not begun, not entered, cancelled (VIS-2)', async () => {
  const reasonAt = async ({ doorway }: Site, { inviteNo }: { readonly inviteNo?: string | undefined }) =>
    (await t.call(checkRight, { doorwayId: doorway.id, cardNo: defined(inviteNo) }, me)).reason
  const beginTime = addMinutes(now(), 30)
  const later = only(await visit({}, { beginTime, endTime: addMinutes(beginTime, 60) }))
  expect(await reasonAt(entrance, later)).toContain('未到来访时间')
  expect(await reasonAt(exit, later)).toContain('未到来访时间')
  const cancelled = await visit()
  expect(await reasonAt(exit, only(cancelled))).toContain('没有进入后未离开的登记')
  await t.call(cancelInvitation, { id: cancelled.id, reason: '临时有事' }, me)
  for (const each of [entrance, exit, both]) {
    expect(await reasonAt(each, only(cancelled))).toContain('邀请为「已取消」')
  }
})

it('what a rule asks for later withdraws its codes until it is there (VIS-1)', async () => {
  const made = await visit()
  expect(await heldAt(only(made))).toHaveLength(3)
  const rule = await t.call(inviteRules.get, { id: made.ruleId }, me)
  await t.call(inviteRules.edit, { ...rule, needsCert: true }, me)
  expect(await heldAt(only(made))).toEqual([])
})

it('a black list withdraws a code at once, and gives it back when it is lifted (VIS-4, BASE-15)', async () => {
  const mobile = String(mobiles++)
  const guest = only(await visit({}, { visitors: [{ visitorName: '黑五', mobile }] }))
  const everywhere = ['entrance', 'exit', 'both']
  expect(await heldAt(guest)).toEqual(everywhere)
  const block = { projectCode, name: '黑五', mobile, reason: '滋事' }
  const blocked = await t.call(visitorBlocks.add, block, me)
  expect(await heldAt(guest)).toEqual([])
  await t.call(visitorBlocks.edit, { ...blocked, mobile: '13500999999' }, me)
  expect(await heldAt(guest)).toEqual(everywhere)
  const resident = await t.call(addResidentBlock, { ...block, scope: ['visit'] }, me)
  expect(await heldAt(guest)).toEqual([])
  await t.call(deleteResidentBlocks, { ids: [String(resident.id)], reason: '录入有误' }, me)
  expect(await heldAt(guest)).toEqual(everywhere)
})

/** As much of a picture as names its size. */
async function uploadFace(token: string, side: number) {
  const bytes = Buffer.alloc(64)
  bytes.write('\x89PNG', 'latin1')
  bytes.writeUInt32BE(side, 16)
  bytes.writeUInt32BE(side, 20)
  const path = join(t.dir, `face${side}.png`)
  writeFileSync(path, bytes)
  const upload = { name: '人脸.png', type: 'image/png', size: bytes.length, path }
  return t.call(uploadGuestFace, { token }, { upload })
}

it('a code is nowhere while the document or the face is missing (VIS-1)', async () => {
  const made = await visit({ needsCert: true, needsFace: true })
  const guest = only(made)
  expect(guest.inviteNo).toBeUndefined()
  const stored = await t.database.reader(t.ownerId).one<{ inviteNo: string }>(sql`
    select invite_no from invite_visitor where owner_id = ${t.ownerId} and id = ${defined(guest.id)}
  `)
  const kept = defined(stored)
  const id = defined(guest.id)
  const picture = () => t.call(getInvitationPicture, { id }, me)
  expect(await heldAt(kept)).toEqual([])
  expect(await refusalMessageOf(picture())).toContain('证件')
  const token = defined(defined(guest.url).split('?t=')[1])
  await t.call(completeGuest, { token, certType: 'passport', certNo: 'E12345678' })
  expect(await heldAt(kept)).toEqual([])
  expect((await t.call(openGuest, { token })).inviteNo).toBeUndefined()
  expect(await faultTextsOf(uploadFace(token, 1))).toEqual({
    File: expect.stringContaining('不能少于 300 像素'),
  })
  expect(await heldAt(kept)).toEqual([])
  expect((await uploadFace(token, 400)).inviteNo).toBe(kept.inviteNo)
  expect(await heldAt(kept)).toEqual(['entrance', 'exit', 'both'])
  const shown = only(await t.call(getInvitation, { id: made.id }, me))
  expect(shown.inviteNo).toBe(kept.inviteNo)
  expect(await picture()).toMatchObject({ inviteNo: kept.inviteNo })
})

/** What an agent may count by itself without a line. */
async function countsAt(asked: Site, { inviteNo }: { readonly inviteNo?: string | undefined }) {
  await planChanged(t.app)
  const item = await t.database.reader(t.ownerId).one<{ runData: { count?: object } }>(sql`
    select run_data
    from device_item
    where owner_id = ${t.ownerId} and item_key = ${`qr:${inviteNo}`} and device_id = ${asked.deviceId}
  `)
  return item?.runData.count
}

it('the only gateway with doors of a code may count without a line, until another one gets a door (VIS-2)', async () => {
  const own = await site('entrance')
  const group = await addGroup(t, me, [own.doorway])
  const guest = only(await visit({ doorwayGroupIds: [String(group.id)], maxTimes: 3 }))
  const { gatewayId } = await t.call(getDevice, { id: asId(own.deviceId) }, me)
  const count = { maxTimes: 3, usedTimes: 0, isInside: false, isInner: false, gatewayId }
  expect(await countsAt(own, guest)).toEqual(count)
  await t.call(passCode, { projectCode, inviteNo: defined(guest.inviteNo), direction: 'in' }, me)
  expect(await countsAt(own, guest)).toEqual({ ...count, usedTimes: 1, isInside: true })
  const other = await addDoorwayDevice(t, me)
  await bindDevice(t, me, own.doorway, other.id)
  expect(await countsAt(own, guest)).toBeUndefined()
  await t.call(editDevice, { ...other, gatewayId }, me)
  expect(await countsAt(own, guest)).toMatchObject({ gatewayId })
})
