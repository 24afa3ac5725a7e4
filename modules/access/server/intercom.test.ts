import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { faultTextsOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { addDeviceModel } from '#modules/devices/contract/device-model.ts'
import { deleteDevices } from '#modules/devices/contract/device.ts'
import { listRooms } from '#modules/rooms/contract/room.ts'
import { doorwayDevices, listFreeDevices } from '../contract/doorway-device.ts'
import { intercoms } from '../contract/intercom.ts'
import { addDoorway, addDoorwayDevice, bindDevice, projectCode } from './access.fixtures.ts'

let t: GoldenApp
let me: CallOptions

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.signedInAs(golden.first.owner)
})

afterAll(() => t?.close())

it('a station has its place by its kind: a home its room, a door of a unit its building and unit (2§2)', async () => {
  const device = await addDoorwayDevice(t, me)
  const doorway = await addDoorway(t, me)
  const [home] = (await t.call(listRooms, { projectCode, size: 1 }, me)).rows
  const draft = { projectCode, deviceId: device.id, callNo: '0101', state: 'on' } as const
  expect(await faultTextsOf(t.call(intercoms.add, { ...draft, stationKind: 'home' }, me))).toEqual({
    RoomID: '室内机请选择房间',
  })
  expect(await faultTextsOf(t.call(intercoms.add, { ...draft, stationKind: 'unit' }, me))).toEqual({
    Buildcode: '单元门口机请选择楼栋',
    Unitname: '单元门口机请填写单元',
  })
  const noUnit = { ...draft, stationKind: 'unit', buildCode: 'B1', unitName: '99' } as const
  expect((await faultTextsOf(t.call(intercoms.add, noUnit, me))).Unitname).toContain('没有单元「99」')
  const roomId = defined(home).id
  const added = await t.call(
    intercoms.add,
    { ...draft, stationKind: 'home', roomId, doorwayId: doorway.id },
    me,
  )
  // What its kind does not have is not kept.
  expect([added.buildCode, added.roomPath, added.doorwayId]).toEqual([
    defined(home).buildCode,
    defined(home).path,
    undefined,
  ])
  const outdoors = { ...added, stationKind: 'perimeter', doorwayId: doorway.id } as const
  const changed = await t.call(intercoms.edit, outdoors, me)
  expect([changed.roomId, changed.buildCode, changed.doorwayName]).toEqual([
    undefined,
    undefined,
    doorway.doorwayName,
  ])
  const [shown] = (await t.call(intercoms.list, { projectCode, keyword: '0101' }, me)).rows
  expect(shown).toMatchObject({ deviceName: device.name, isOnline: false })
})

it('a device is one station, a number calls one, and a device in use is not deleted (BASE-5)', async () => {
  const [first, second] = [await addDoorwayDevice(t, me), await addDoorwayDevice(t, me)]
  const draft = { projectCode, stationKind: 'centre', callNo: '9001', state: 'on' } as const
  await t.call(intercoms.add, { ...draft, deviceId: first.id }, me)
  const again = t.call(intercoms.add, { ...draft, deviceId: first.id, callNo: '9002' }, me)
  expect(await refusalMessageOf(again)).toBe('该设备已登记为可视对讲设备')
  const sameNumber = t.call(intercoms.add, { ...draft, deviceId: second.id }, me)
  expect(await refusalMessageOf(sameNumber)).toBe('该项目已有此呼叫号，请更换')
  const removed = t.call(deleteDevices, { ids: [String(first.id)], reason: '拆除' }, me)
  expect(await refusalMessageOf(removed)).toContain('可视对讲设备 1 个')
})

it('locks are the devices of doors whose model has that type (2§2)', async () => {
  const model = await t.call(
    addDeviceModel,
    { name: '测试门锁', systemType: 'security', devType: 'Lock', driver: 'simulator', state: 'on' },
    me,
  )
  const lock = await addDoorwayDevice(t, me, { modelId: model.id })
  const other = await addDoorwayDevice(t, me)
  const freeLocks = await t.call(listFreeDevices, { projectCode, devType: 'lock' }, me)
  expect(freeLocks.map(({ deviceId }) => deviceId)).toEqual([lock.id])
  const doorway = await addDoorway(t, me)
  const bound = await bindDevice(t, me, doorway, lock.id)
  await bindDevice(t, me, doorway, other.id)
  const { rows } = await t.call(doorwayDevices.list, { projectCode, devType: 'lock' }, me)
  expect(rows.map(({ id }) => id)).toEqual([bound.id])
})
