import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import { defined } from '#kit/domain/defined.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { faultTextsOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { addDeviceModel } from '#modules/devices/contract/device-model.ts'
import { listResidents } from '#modules/residents/contract/resident.ts'
import { doorwayDevices, listFreeDevices } from '../contract/doorway-device.ts'
import { doorways as doorwayCalls } from '../contract/doorway.ts'
import {
  bindDoorways,
  doorwayGroups,
  listBoundDoorways,
  listUnboundDoorways,
  unbindDoorways,
} from '../contract/group.ts'
import { publicTimes } from '../contract/public-time.ts'
import {
  deleteHolderVipDoorways,
  getHolderVipDoorway,
  listHolderVipDoorways,
  vipDoorways,
} from '../contract/vip-doorway.ts'
import { addDoorway, addDoorwayDevice, addGroup, bindDevice, projectCode } from './access.fixtures.ts'

let t: GoldenApp
let me: CallOptions
const reason = '录入有误'

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.signedInAs(golden.first.owner)
})

afterAll(() => t?.close())

it('a device serves one door, which shows its number and whether it can be reached (1§7)', async () => {
  const doorway = await addDoorway(t, me, { buildCode: 'B1', unitName: '1' })
  expect(doorway.doorwayCode).toMatch(/^MJ/)
  const other = await addDoorway(t, me)
  const device = await addDoorwayDevice(t, me)
  const isFree = async () =>
    (await t.call(listFreeDevices, { projectCode }, me)).some(({ deviceId }) => deviceId === device.id)
  expect(await isFree()).toBe(true)
  const bound = await bindDevice(t, me, doorway, device.id)
  expect(await isFree()).toBe(false)
  expect(await refusalMessageOf(bindDevice(t, me, other, device.id))).toBe('该设备已绑定到门，请先解绑')
  const [shown] = (await t.call(doorwayCalls.list, { projectCode, keyword: doorway.doorwayName }, me)).rows
  expect(shown).toMatchObject({ deviceCount: 1, deviceNo: device.devNo, isOnline: false })
  const ids = [String(doorway.id)]
  expect(await refusalMessageOf(t.call(doorwayCalls.delete, { ids, reason }, me))).toContain('门禁设备 1 个')
  await t.call(doorwayDevices.delete, { ids: [String(bound.id)], reason }, me)
  await t.call(doorwayCalls.delete, { ids, reason }, me)
})

it('a door of a unit names its building; names are unique in a project', async () => {
  expect(await faultTextsOf(addDoorway(t, me, { unitName: '1' }))).toEqual({
    Buildcode: '填写单元时请选择楼栋',
  })
  const noUnit = addDoorway(t, me, { buildCode: 'B1', unitName: '99' })
  expect((await faultTextsOf(noUnit)).Unitname).toMatch(/^楼栋没有单元「99」，请填写：1、2/)
  const doorway = await addDoorway(t, me)
  const same = addDoorway(t, me, { doorwayName: doorway.doorwayName })
  expect(await refusalMessageOf(same)).toBe('该项目已有同名的门，请更换')
})

it('free times of a door do not overlap; the next day and other dates do not count as overlap (ACS-7, 1§7)', async () => {
  const doorway = await addDoorway(t, me)
  const draft = { projectCode, doorwayId: doorway.id, beginTime: '22:00', endTime: '06:00' } as const
  const first = await t.call(publicTimes.add, { ...draft, weekDays: ['friday'] }, me)
  const saturday = { ...draft, weekDays: ['saturday'], beginTime: '05:00', endTime: '08:00' } as const
  expect(await faultTextsOf(t.call(publicTimes.add, saturday, me))).toEqual({
    BeginTime: '与该门已有的常开时段 22:00 ~ 06:00 重叠，请调整时间或星期',
  })
  await t.call(publicTimes.add, { ...saturday, beginTime: '06:00' }, me)
  await t.call(publicTimes.edit, { ...first, endTime: '05:30' }, me)
  const elsewhere = await addDoorway(t, me)
  await t.call(publicTimes.add, { ...saturday, doorwayId: elsewhere.id }, me)
})

it('two free times that are entered in the same instant are one after the other (ACS-7)', async () => {
  const doorway = await addDoorway(t, me)
  const draft = { projectCode, doorwayId: doorway.id, weekDays: ['monday'], beginTime: '08:00' } as const
  const outcomes = await Promise.allSettled(
    ['10:00', '11:00', '12:00'].map(endTime => t.call(publicTimes.add, { ...draft, endTime }, me)),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

it('a device of another system is bound to no door, and not offered', async () => {
  const model = await t.call(
    addDeviceModel,
    { name: '水泵', systemType: 'water', devType: 'pump', driver: 'simulator', state: 'on' },
    me,
  )
  const pump = await addDoorwayDevice(t, me, { modelId: model.id })
  const refused = bindDevice(t, me, await addDoorway(t, me), pump.id)
  expect(await faultTextsOf(refused)).toEqual({ DeviceID: '请选择系统类型为安防、弱电或停车的设备' })
  const free = await t.call(listFreeDevices, { projectCode }, me)
  expect(free.map(({ deviceId }) => deviceId)).not.toContain(pump.id)
})

it('a device is bound in the project of its door, which nobody repeats (1§7)', async () => {
  const doorway = await addDoorway(t, me)
  const { id } = await addDoorwayDevice(t, me)
  // Sent empty is not sent.
  const draft = { projectCode: '', doorwayId: doorway.id, deviceId: id } as const
  const bound = await t.call(doorwayDevices.add, { ...draft, direction: 'both' }, me)
  expect(bound).toMatchObject({ projectCode })
  const edited = { id: bound.id, version: bound.version, ...draft, direction: 'exit' } as const
  expect(await t.call(doorwayDevices.edit, edited, me)).toMatchObject({
    projectCode,
    direction: 'exit',
  })
})

it('a group names what it is for, and doors are bound and unbound beside its form (ACS-2, 1§7)', async () => {
  const doorways = [await addDoorway(t, me), await addDoorway(t, me)] as const
  expect(await faultTextsOf(addGroup(t, me, doorways, { scopeType: 'unit' }))).toEqual({
    Buildcodes: '请选择楼栋',
    Unitnames: '请填写单元',
  })
  const noUnit = { scopeType: 'unit', buildCodes: ['B1', 'B2'], unitNames: ['1', '99'] } as const
  expect((await faultTextsOf(addGroup(t, me, doorways, noUnit))).Unitnames).toContain('没有单元「99」')
  const group = await addGroup(t, me, doorways.slice(0, 1), {
    scopeType: 'building',
    buildCodes: ['B1'],
    unitNames: ['1'],
    windows: [{ weekDays: ['monday'], begin: '08:00', end: '18:00' }],
  })
  expect([group.doorwayCount, group.unitNames]).toEqual([1, undefined])
  const groupId = group.id
  const namesOf = async (call: typeof listBoundDoorways) =>
    (await t.call(call, { groupId, size: 100 }, me)).rows.map(({ id }) => id)
  expect(await namesOf(listBoundDoorways)).toEqual([doorways[0].id])
  expect(await namesOf(listUnboundDoorways)).toContain(doorways[1].id)
  await t.call(bindDoorways, { groupId, doorwayIds: [String(doorways[1].id)] }, me)
  expect(await namesOf(listBoundDoorways)).toEqual(doorways.map(({ id }) => id))
  await t.call(unbindDoorways, { groupId, doorwayIds: [String(doorways[0].id)] }, me)
  expect(await namesOf(listBoundDoorways)).toEqual([doorways[1].id])
  const again = t.call(bindDoorways, { groupId, doorwayIds: [String(doorways[1].id)] }, me)
  expect(await refusalMessageOf(again)).toContain('没有改变')
  const other = t.call(unbindDoorways, { groupId, doorwayIds: [String(doorways[0].id)] }, me)
  expect(await refusalMessageOf(other)).toContain('没有改变')
  const last = t.call(unbindDoorways, { groupId, doorwayIds: [String(doorways[1].id)] }, me)
  expect(await refusalMessageOf(last)).toBe('门组至少保留一个门；不再使用的门组请停用或删除')
  const missing = t.call(bindDoorways, { groupId, doorwayIds: ['999999'] }, me)
  expect(await refusalMessageOf(missing)).toBe('门不存在或已被删除，请重新选择')
  const removed = t.call(doorwayCalls.delete, { ids: [String(doorways[1].id)], reason }, me)
  expect(await refusalMessageOf(removed)).toContain('门组 1 个')
  await t.call(doorwayGroups.delete, { ids: [String(groupId)], reason }, me)
})

it('two VIP doors of one person for one door at the same moment: one is saved (ACS-1)', async () => {
  const doorway = await addDoorway(t, me)
  const [person] = (await t.call(listResidents, { projectCode, size: 1 }, me)).rows
  const draft = {
    projectCode,
    userId: person?.id ?? 0,
    doorwayIds: [String(doorway.id)],
    state: 'valid',
  } as const
  const saved = await Promise.allSettled(Array.from({ length: 6 }, () => t.call(vipDoorways.add, draft, me)))
  expect(saved.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await t.call(deleteHolderVipDoorways, { userId: draft.userId, reason: '录入有误' }, me)
})

it('a VIP door is one person’s, and what is over is not answered as valid (ACS-1, 1§7)', async () => {
  const doorway = await addDoorway(t, me)
  const [person] = (await t.call(listResidents, { projectCode, size: 1 }, me)).rows
  const userId = person?.id ?? 0
  const draft = { projectCode, doorwayIds: [String(doorway.id)], state: 'valid' } as const
  expect(await faultTextsOf(t.call(vipDoorways.add, draft, me))).toEqual({ UserID: '请选择住户或员工' })
  const isPast = { EndDate: '失效日期已过，请填写今天或以后的日期' }
  const past = { ...draft, userId, beginDate: '2020-01-01', endDate: '2020-02-01' } as const
  expect(await faultTextsOf(t.call(vipDoorways.add, past, me))).toEqual(isPast)
  const over = await t.call(vipDoorways.add, { ...draft, userId, beginDate: '2020-01-01' }, me)
  expect(await faultTextsOf(t.call(vipDoorways.edit, { ...over, endDate: '2020-02-01' }, me))).toEqual(isPast)
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`
      update vip_doorway set end_date = '2020-02-01' where owner_id = ${t.ownerId} and id = ${over.id}
    `),
  )
  expect(await refusalMessageOf(t.call(getHolderVipDoorway, { userId }, me))).toContain('不存在')
  const valid = await t.call(vipDoorways.add, { ...draft, userId }, me)
  expect(
    await faultTextsOf(t.call(vipDoorways.add, { ...draft, userId, beginDate: '2099-01-01' }, me)),
  ).toEqual({
    DoorwayIDs: `该人员同期已有这些门：${doorway.doorwayName}，请修改原有记录`,
  })
  expect((await t.call(getHolderVipDoorway, { userId }, me)).id).toBe(valid.id)
  expect(await t.call(listHolderVipDoorways, { userId }, me)).toHaveLength(2)
  const find = async (query: object) =>
    (await t.call(vipDoorways.list, { projectCode, userId: [String(userId)], ...query }, me)).rows.map(
      ({ id }) => id,
    )
  expect(await find({ state: ['valid'] })).toEqual([valid.id])
  expect(await find({ isExpired: true })).toEqual([over.id])
  expect((await t.call(vipDoorways.get, { id: over.id }, me)).isExpired).toBe(true)
})

it('VIP doors are deleted by their person, never by a number that is another’s (ACS-1)', async () => {
  const doorway = await addDoorway(t, me)
  const [first, second] = (await t.call(listResidents, { projectCode, size: 3 }, me)).rows.slice(1)
  const draft = { projectCode, doorwayIds: [String(doorway.id)], state: 'valid' } as const
  const made = await t.call(vipDoorways.add, { ...draft, userId: defined(first).id }, me)
  const other = await t.call(vipDoorways.add, { ...draft, userId: defined(second).id }, me)
  const byNumber = { ...deleteHolderVipDoorways, input: vipDoorways.delete.input }
  expect(await refusalMessageOf(t.call(byNumber, { ids: [String(other.id)], reason }, me))).toContain(
    '请以 UserID 指定住户',
  )
  await t.call(deleteHolderVipDoorways, { userId: defined(first).id, reason }, me)
  const { rows } = await t.call(vipDoorways.list, { projectCode, size: 2000 }, me)
  expect(rows.map(({ id }) => id)).toContain(other.id)
  expect(rows.map(({ id }) => id)).not.toContain(made.id)
})

it('another company sees none of it', async () => {
  const doorway = await addDoorway(t, me)
  const other = await t.signedInAs(golden.second.owner)
  expect(await refusalMessageOf(t.call(doorwayCalls.get, { id: doorway.id }, other))).toContain('不存在')
})
