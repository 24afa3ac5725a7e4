import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Id } from '#kit/domain/id.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { castForTest } from '#kit/domain/fixtures.ts'
import { defined } from '#kit/domain/defined.ts'
import { addMinutes, asMoment, dayOfMoment } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { findNeighbours, issueCard } from '#modules/access/server/people.fixtures.ts'
import { editDevice } from '#modules/devices/contract/device.ts'
import { listNotifications } from '#modules/system/contract/notification.ts'
import { buildings } from '#modules/estates/contract/building.ts'
import { getWorkQueues } from '#modules/system/contract/work-queue.ts'
import {
  acknowledgeAlarm,
  elevatorAlarms,
  exportElevatorAlarms,
  listOpenAlarms,
  resolveAlarm,
} from '../contract/alarm.ts'
import { elevatorCalls, exportElevatorCalls } from '../contract/call-record.ts'
import {
  bindElevatorDevice,
  changeElevatorState,
  elevators,
  exportElevators,
  listBusyTimes,
  listLiftDevices,
  saveBusyTimes,
  saveFloors,
  type BusyTime,
} from '../contract/elevator.ts'
import { exportMaintenances, maintenances } from '../contract/maintenance.ts'
import { sendElevatorCommand } from '../contract/remote.ts'
import { elevatorRights, exportElevatorRights } from '../contract/right.ts'
import { addLift, addLiftDevice, boundLift, nowOf, projectCode, sendEvent } from './elevators.fixtures.ts'

let t: GoldenApp
let me: CallOptions
let today: Day
const reason = '录入有误'

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.signedInAs(golden.first.owner)
  today = dayOfMoment(nowOf(t))
})

afterAll(() => t?.close())

const lift = (id: Id) => t.call(elevators.get, { id }, me)

it('lifts are numbered by themselves, with their floors and the ground floor public (ELV-1)', async () => {
  const made = await addLift(t, me, { floors: '-2~-1，1~3' })
  expect(made).toMatchObject({
    floorList: ['-2', '-1', '1', '2', '3'],
    publicFloors: ['1'],
    state: 'running',
    nextMaintainDate: addDays(today, 15),
  })
  expect(made.elevatorNo).toMatch(/^DT\d+/)
  const { rows } = await t.call(elevators.list, { keyword: made.name }, me)
  expect(rows[0]?.propertyElevator).toEqual({ id: made.id, name: made.name })
  await expect(addLift(t, me, { name: made.name })).rejects.toThrow('该项目已有同名的电梯')
  await expect(addLift(t, me, { floors: 'B1~3' })).rejects.toThrow('应为楼层或范围')
  const changed = await t.call(elevators.edit, { ...made, floors: '2~4' }, me)
  expect([changed.floorList, changed.publicFloors]).toEqual([['2', '3', '4'], undefined])
})

it('a lift keeps the short numbers of public lines beside telephones (ELV-1)', async () => {
  for (const rescuePhone of ['96333', '119', '95598', '400-800-1234', '0571-88886666']) {
    expect((await addLift(t, me, { rescuePhone })).rescuePhone).toBe(rescuePhone)
  }
  await expect(addLift(t, me, { rescuePhone: '96' })).rejects.toThrow('救援电话')
  await expect(addLift(t, me, { maintainPhone: '888866' })).rejects.toThrow('区号-号码')
})

it('a lift gets a device of its project that controls lifts and no other has (ELV-1, 1§7, 2§7)', async () => {
  const { lift: first, device } = await boundLift(t, me)
  const second = await addLift(t, me)
  const bind = (deviceId: Id) => t.call(bindElevatorDevice, { id: second.id, deviceId }, me)
  await expect(bind(device.id)).rejects.toThrow('该设备已绑定到其他电梯，请先解绑')
  await expect(bind((await addLiftDevice(t, me, 'security')).id)).rejects.toThrow('系统类型为电梯')
  const listed = await t.call(listLiftDevices, { projectCode }, me)
  expect(listed.find(({ deviceId }) => deviceId === device.id)).toMatchObject({
    elevatorId: first.id,
    elevatorName: first.name,
  })
  const free = await t.call(listLiftDevices, { projectCode, onlyFree: true }, me)
  expect(free.some(({ deviceId }) => deviceId === device.id)).toBe(false)
  const remove = () => t.call(elevators.delete, { ids: [String(first.id)], reason }, me)
  await expect(remove()).rejects.toThrow('请先解绑')
  await t.call(bindElevatorDevice, { id: first.id }, me)
  expect((await remove()).success).toBe(1)
})

it('busy times must not overlap; floors are of the lift, and not public and closed at once (ELV-2, 1§7, 2§2)', async () => {
  const { id, version } = await addLift(t, me, { floors: '1~3' })
  const morning: BusyTime = { begin: '07:00', end: '09:00', limit: 'hint' }
  const saveAll = (input: NonNullable<typeof saveBusyTimes.input.T>) => t.call(saveBusyTimes, input, me)
  const save = (busyTimes: readonly BusyTime[]) => saveAll({ elevatorId: id, busyTimes })
  await expect(save([morning, { ...morning, begin: '08:30' }])).rejects.toThrow('重叠')
  await save([morning])
  expect(await t.call(listBusyTimes, { elevatorId: id }, me)).toMatchObject([{ elevatorId: id, ...morning }])
  // The fields of one alone carry no list: they would clear those there.
  const alone = castForTest<Parameters<typeof saveAll>[0]>({ elevatorId: id })
  await expect(saveAll(alone)).rejects.toThrow('繁忙时段不能为空')
  expect(await t.call(listBusyTimes, { elevatorId: id }, me)).toHaveLength(1)
  await save([])
  expect(await t.call(listBusyTimes, { elevatorId: id }, me)).toEqual([])
  const floors = (publicFloors: string[], closedFloors: string[]) =>
    t.call(saveFloors, { id, version: (version ?? 0) + 2, publicFloors, closedFloors }, me)
  await expect(floors(['9'], [])).rejects.toThrow('不停靠 9 层')
  await expect(floors(['1'], ['1'])).rejects.toThrow('不能既公共又停用')
  expect(await floors(['1', '2'], ['3'])).toMatchObject({ publicFloors: ['1', '2'], closedFloors: ['3'] })
})

it('a right is of one person, to floors of the lift (ELV-2)', async () => {
  const [person] = await findNeighbours(t)
  const made = await addLift(t, me, { floors: '1~3' })
  const give = (values: object) =>
    t.call(
      elevatorRights.add,
      { projectCode, elevatorId: made.id, floors: ['2'], state: 'valid', ...values },
      me,
    )
  const { userId } = defined(person)
  await expect(give({})).rejects.toThrow('请选择住户或员工')
  await expect(give({ userId, floors: ['2', '7'] })).rejects.toThrow('不停靠 7 层')
  await expect(give({ userId, beginDate: today, endDate: addDays(today, -1) })).rejects.toThrow('不能早于')
  await give({ userId })
  await expect(t.call(elevators.delete, { ids: [String(made.id)], reason }, me)).rejects.toThrow('梯控权限')
})

it('maintenance and inspections move the days of a lift, and are announced (ELV-1, 1§7, 2§7)', async () => {
  const made = await addLift(t, me)
  const doneTime = addMinutes(nowOf(t), -30)
  const day = dayOfMoment(doneTime)
  const record = (values: object) =>
    t.call(
      maintenances.add,
      {
        projectCode,
        elevatorId: made.id,
        maintainType: 'halfMonth',
        doneTime,
        worker: '陈师傅',
        result: 'passed',
        ...values,
      },
      me,
    )
  await expect(record({ doneTime: addMinutes(nowOf(t), 30) })).rejects.toThrow('不能晚于现在')
  await record({})
  expect(await lift(made.id)).toMatchObject({ lastMaintainDate: day, nextMaintainDate: addDays(day, 15) })
  await record({ maintainType: 'inspection', nextDate: addDays(today, 31) })
  expect((await lift(made.id)).nextInspectDate).toBe(addDays(today, 31))
  const due = async () =>
    (await t.call(elevators.list, { inspectDue: true, size: 100 }, me)).rows.map(r => r.id)
  expect(await due()).not.toContain(made.id)
  await record({ maintainType: 'inspection', nextDate: addDays(today, 30) })
  expect(await due()).toContain(made.id)
  await record({ nextDate: addDays(day, 1) })
  await t.call(changeElevatorState, { id: made.id, state: 'stopped', reason: '停用' }, me)
  expect(await due()).not.toContain(made.id)
})

it('a new cycle moves the first maintenance, too; days that cannot be are refused (ELV-1)', async () => {
  const made = await addLift(t, me)
  const changed = await t.call(elevators.edit, { ...made, maintainCycle: 30 }, me)
  expect(changed.nextMaintainDate).toBe(addDays(today, 30))
  const future = { lastInspectDate: addDays(today, 1) }
  await expect(addLift(t, me, future)).rejects.toThrow('上次年检不能晚于今天')
  const used = { factoryDate: today, useDate: addDays(today, -1) }
  await expect(addLift(t, me, used)).rejects.toThrow('投用日期不能早于出厂日期')
})

it('the unit of a lift is one of its building (ELV-2)', async () => {
  const { rows } = await t.call(buildings.list, { projectCode, size: 1 }, me)
  const { code: buildCode, unitNames = [] } = defined(rows[0])
  const units = unitNames.join('、')
  await expect(addLift(t, me, { buildCode, unitName: '99单元' })).rejects.toThrow(`请填写：${units}`)
  const [unitName] = unitNames
  expect(await addLift(t, me, { buildCode, unitName })).toMatchObject({ unitName })
})

it('a floor to which somebody has a right is not taken out of a lift (ELV-2)', async () => {
  const [person] = await findNeighbours(t)
  const made = await addLift(t, me, { floors: '1~9' })
  const { userId } = defined(person)
  const values = { projectCode, elevatorId: made.id, userId, floors: ['2', '9'], state: 'valid' as const }
  await t.call(elevatorRights.add, values, me)
  const shorten = (floors: string) => t.call(elevators.edit, { ...made, floors }, me)
  await expect(shorten('1~8')).rejects.toThrow('1 项梯控权限含 9 层')
  expect(await shorten('1~2,9')).toMatchObject({ floorList: ['1', '2', '9'] })
})

it('calls of a device are stored once, with whose card it was (ELV-2, 1§7, 2§7)', async () => {
  const [person] = await findNeighbours(t)
  const { cardNo } = await issueCard(t, me, defined(person))
  const { lift: made, device } = await boundLift(t, me)
  const call = { key: '7', card: cardNo, item: `card:${cardNo}`, from: '1', to: '9', method: 1, result: 1 }
  await sendEvent(t, device.id, 'liftCall', call)
  await sendEvent(t, device.id, 'liftCall', call)
  await sendEvent(t, device.id, 'liftCall', { ...call, key: '8', card: 'X', item: 'card:X', result: 0 })
  const filter = { elevatorId: [String(made.id)] }
  const { rows } = await t.call(elevatorCalls.list, filter, me)
  expect(rows).toMatchObject([
    { cardNo: 'X', result: 'failed' },
    { cardNo, userName: defined(person).name, toFloor: '9', method: 'card', result: 'done' },
  ])
  expect(rows[0]?.userId).toBeUndefined()
  const old = { ...filter, callTimeTo: asMoment(`${addDays(today, -1)} 00:00:00`) }
  expect((await t.call(elevatorCalls.list, old, me)).total).toBe(0)
})

it('a forged call is refused in words: of a device without a lift, of another company (ELV-2)', async () => {
  const device = await addLiftDevice(t, me)
  await expect(sendEvent(t, device.id, 'liftCall', { key: '1', to: '2' })).rejects.toThrow('设备未绑定电梯')
  const { device: bound, lift: made } = await boundLift(t, me)
  await expect(sendEvent(t, bound.id, 'liftAlarm', { alarm: 'other' })).rejects.toThrow('报警类型无法识别')
  const junk = { key: 'x'.repeat(90), card: { a: 1 }, to: ['1'], method: 99, result: '1' }
  await sendEvent(t, bound.id, 'liftCall', junk)
  const [row] = (await t.call(elevatorCalls.list, { elevatorId: [String(made.id)] }, me)).rows
  expect(row).toMatchObject({ result: 'failed' })
  expect([row?.toFloor, row?.cardNo, row?.method]).toEqual([undefined, undefined, undefined])
})

it('a trapped person is an alarm until somebody has acknowledged and ended it (ELV-1)', async () => {
  const { lift: made, device } = await boundLift(t, me)
  await sendEvent(t, device.id, 'liftAlarm', { alarm: 'trapped', key: '1', floor: '5' })
  await sendEvent(t, device.id, 'liftAlarm', { alarm: 'trapped', key: '2', floor: '6' })
  expect((await lift(made.id)).state).toBe('trapped')
  const openOnes = async () =>
    (await t.call(listOpenAlarms, {}, me)).filter(({ elevatorId }) => elevatorId === made.id)
  const [alarm, ...others] = await openOnes()
  expect(others).toEqual([])
  expect(alarm).toMatchObject({ state: 'open', alarmCount: 2, floor: '6', stateBefore: 'running' })
  const { queues } = await t.call(getWorkQueues, undefined, me)
  const waiting = queues.find(({ key }) => key === 'elevators.trapped')
  expect(waiting).toMatchObject({ count: expect.any(Number), isEmergency: true })
  const { id } = defined(alarm)
  const resolve = () => t.call(resolveAlarm, { id, resolution: 'rescued', note: '已救出一人' }, me)
  await expect(resolve()).rejects.toThrow('请先确认报警')
  const change = t.call(changeElevatorState, { id: made.id, state: 'running', reason }, me)
  await expect(change).rejects.toThrow('请先在「困人报警」中解除')
  // Without its device the alarm would learn of nothing more.
  const unbind = t.call(bindElevatorDevice, { id: made.id }, me)
  await expect(unbind).rejects.toThrow('再更换或解绑设备')
  await t.call(acknowledgeAlarm, { id }, me)
  await expect(t.call(acknowledgeAlarm, { id }, me)).rejects.toThrow('确认')
  // The device says that it is over: a person still has to say what became of those inside.
  await sendEvent(t, device.id, 'liftAlarm', { alarm: 'trapped', key: '3', ended: true })
  expect(await openOnes()).toMatchObject([{ id, state: 'acknowledged' }])
  expect((await openOnes())[0]?.deviceEndTime).toBeDefined()
  await resolve()
  expect(await openOnes()).toEqual([])
  expect((await lift(made.id)).state).toBe('repair')
  expect(await t.call(elevatorAlarms.get, { id }, me)).toMatchObject({
    state: 'resolved',
    resolution: 'rescued',
    resolveNote: '已救出一人',
  })
  await expect(resolve()).rejects.toThrow('该报警已解除')
})

it('a trapped person is not lost where the controller is bound to no lift (ELV-1)', async () => {
  const device = await addLiftDevice(t, me)
  await t.call(editDevice, { ...device, location: '3栋2单元机房' }, me)
  const report = (values: object) => sendEvent(t, device.id, 'liftAlarm', { alarm: 'trapped', ...values })
  const openOnes = async () =>
    (await t.call(listOpenAlarms, {}, me)).filter(({ deviceId }) => deviceId === device.id)
  await report({ key: '1', floor: '5' })
  await report({ key: '2', floor: '6' })
  const [alarm, ...others] = await openOnes()
  expect(others).toEqual([])
  expect(alarm).toMatchObject({
    projectCode,
    deviceName: device.name,
    deviceLocation: '3栋2单元机房',
    floor: '6',
    alarmCount: 2,
    state: 'open',
  })
  const { rows } = await t.call(listNotifications, { unread: true, size: 100 }, me)
  const notice = rows.find(({ title }) => title === `电梯困人：${device.name}`)
  expect(notice?.body).toContain('位置：3栋2单元机房')
  const { id } = defined(alarm)
  const made = await addLift(t, me)
  const bind = () => t.call(bindElevatorDevice, { id: made.id, deviceId: device.id }, me)
  await expect(bind()).rejects.toThrow('有未解除的困人报警')
  await report({ key: '3', ended: true })
  expect((await openOnes())[0]?.deviceEndTime).toBeDefined()
  await t.call(acknowledgeAlarm, { id }, me)
  await t.call(resolveAlarm, { id, resolution: 'rescued', note: '已救出一人' }, me)
  expect(await openOnes()).toEqual([])
  await bind()
  await report({ key: '4' })
  expect(await lift(made.id)).toMatchObject({ state: 'trapped' })
})

it('who has buildings alone takes an alarm that is in none, and not one of another building (ELV-1, PERM-6)', async () => {
  const device = await addLiftDevice(t, me)
  const inNone = await boundLift(t, me)
  const elsewhere = await boundLift(t, me, { buildCode: 'B2' })
  for (const { id } of [device, inNone.device, elsewhere.device]) {
    await sendEvent(t, id, 'liftAlarm', { alarm: 'trapped', key: '1' })
  }
  const handler = await t.signedInAs(golden.first.buildingOnly)
  const open = await t.call(listOpenAlarms, {}, handler)
  expect(open.filter(({ elevatorId }) => elevatorId === elsewhere.lift.id)).toEqual([])
  const taken = [
    defined(open.find(({ deviceId }) => deviceId === device.id)),
    defined(open.find(({ elevatorId }) => elevatorId === inNone.lift.id)),
  ]
  for (const { id } of taken) {
    await t.call(acknowledgeAlarm, { id }, handler)
    await t.call(resolveAlarm, { id, resolution: 'rescued', note: '已救出一人' }, handler)
    expect(await t.call(elevatorAlarms.get, { id }, handler)).toMatchObject({ state: 'resolved' })
  }
  expect((await lift(inNone.lift.id)).state).toBe('repair')
})

it('after a false alarm the lift is what it was before; the next one is a new alarm (ELV-1)', async () => {
  const { lift: made, device } = await boundLift(t, me)
  await t.call(changeElevatorState, { id: made.id, state: 'stopped', reason: '停用' }, me)
  for (const key of ['1', '2']) {
    await sendEvent(t, device.id, 'liftAlarm', { alarm: 'trapped', key })
    const { rows } = await t.call(elevatorAlarms.list, { elevatorId: [String(made.id)], state: ['open'] }, me)
    const { id } = defined(rows[0])
    await t.call(acknowledgeAlarm, { id }, me)
    await t.call(resolveAlarm, { id, resolution: 'falseAlarm', note: '误按' }, me)
    expect((await lift(made.id)).state).toBe('stopped')
  }
})

it('after the device has recovered a further alarm has to be acknowledged again (ELV-1)', async () => {
  const { lift: made, device } = await boundLift(t, me)
  const report = (values: object) => sendEvent(t, device.id, 'liftAlarm', { alarm: 'trapped', ...values })
  const alarmNow = async () =>
    defined((await t.call(listOpenAlarms, {}, me)).find(({ elevatorId }) => elevatorId === made.id))
  const unread = async () => {
    const { rows } = await t.call(listNotifications, { unread: true, size: 100 }, me)
    return rows.filter(({ title }) => title === `电梯困人：${made.name}`)
  }
  await report({ floor: '5' })
  const { id } = await alarmNow()
  await t.call(acknowledgeAlarm, { id }, me)
  await report({ floor: '6' })
  expect(await alarmNow()).toMatchObject({ state: 'acknowledged', alarmCount: 2 })
  await report({ ended: true })
  await report({ floor: '12' })
  const again = await alarmNow()
  expect(again).toMatchObject({ id, state: 'open', alarmCount: 3, floor: '12' })
  expect([again.acknowledgedBy, again.deviceEndTime]).toEqual([undefined, undefined])
  expect(await unread()).toMatchObject([{ body: '位于 12 层，请立即确认并组织救援' }])
  await t.call(acknowledgeAlarm, { id }, me)
})

it('a remote call needs a device that is there, a lift that runs, and no forbidden time (ELV-2, 2§2)', async () => {
  const { lift: made } = await boundLift(t, me, { floors: '1~3' })
  const send = (elevatorId: Id, floor = '2') =>
    t.call(sendElevatorCommand, { elevatorId, action: 'callLift', floor, reason: '访客等候' }, me)
  await expect(send((await addLift(t, me)).id)).rejects.toThrow('未绑定梯控设备')
  await expect(send(made.id, '9')).rejects.toThrow('电梯不停靠此楼层')
  await expect(send(made.id)).rejects.toThrow('离线')
  await t.call(
    saveBusyTimes,
    { elevatorId: made.id, busyTimes: [{ begin: '00:00', end: '00:00', limit: 'noCall' }] },
    me,
  )
  await expect(send(made.id)).rejects.toThrow('繁忙时段禁止呼梯')
  await t.call(changeElevatorState, { id: made.id, state: 'stopped', reason: '停用' }, me)
  await expect(send(made.id)).rejects.toThrow('电梯停用')
})

it('months of calls are made ahead', async () => {
  const found = await t.database.reader('*').one<{ n: number }>(sql`
    select count(*)::integer as n
    from pg_inherits
    where inhparent = 'elevator_call'::regclass
  `)
  expect(defined(found).n).toBeGreaterThan(4)
})

it('lifts, rights, maintenance, calls and alarms are exported as their lists find them (EXP-1)', async () => {
  const { name } = await addLift(t, me, { brand: '通力' })
  const files = await Promise.all([
    t.call(exportElevators.get, { projectCode, keyword: name }, me),
    t.call(exportMaintenances.get, { projectCode }, me),
    t.call(exportElevatorRights.get, { projectCode }, me),
    t.call(exportElevatorCalls.get, { projectCode }, me),
    t.call(exportElevatorAlarms.get, { projectCode }, me),
  ])
  const labels = ['电梯', '电梯维保记录', '梯控权限', '呼梯记录', '困人报警']
  expect(files.map(file => file.name.split('_')[0])).toEqual(labels)
})
