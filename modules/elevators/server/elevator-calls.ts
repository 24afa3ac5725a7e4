import { invalidField, refuse } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import { requireProject } from '#kit/server/scope.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { findAll, requireById, update } from '#kit/server/table.ts'
import type { Id } from '#kit/domain/id.ts'
import { areOverlapping } from '#kit/domain/week-window.ts'
import { deviceState } from '#modules/devices/contract/choices.ts'
import { device } from '#modules/devices/contract/device.ts'
import {
  bindElevatorDevice,
  changeElevatorState,
  elevator,
  listBusyTimes,
  listLiftDevices,
  saveBusyTimes,
  saveFloors,
  type BusyTime,
} from '../contract/elevator.ts'
import { floorsWithin } from '../contract/floors.ts'
import { stateFault } from '../domain/elevator-state.ts'
import { assertNotTrapped } from './alarm.ts'
import { markLift } from './elevator.ts'

async function requireLiftDevice(
  deviceId: Id,
  projectCode: string,
  { tx, scope }: WriteContext,
): Promise<void> {
  // An alarm of a device without a lift locks it as well.
  const found = await requireById(tx, device, scope, deviceId, { lock: true })
  if (found.projectCode !== projectCode) throw invalidField('DeviceID', '设备不属于电梯的项目，请重新选择')
  if (found.systemType !== 'elevator') throw invalidField('DeviceID', '请选择系统类型为电梯的设备')
  if (found.state === 'disabled' || found.state === 'scrapped')
    throw invalidField('DeviceID', `设备「${found.name}」已停用，请另选`)
  await assertNotTrapped(tx, scope, found)
}

/** Two limits at one moment say two things. */
function overlapFault(times: readonly BusyTime[]): string | undefined {
  const index = times.findIndex((time, i) => times.slice(0, i).some(other => areOverlapping(time, other)))
  const found = times[index]
  return found ? `繁忙时段 ${found.begin} ~ ${found.end} 与其他时段重叠，请调整时间或星期` : undefined
}

export const elevatorHandlers = [
  writes(bindElevatorDevice, async ({ id, deviceId }, c) => {
    const { tx, scope } = c
    const before = await requireById(tx, elevator, scope, id, { lock: true })
    if (before.state === 'trapped' && deviceId !== before.deviceId)
      refuse('电梯有未解除的困人报警，请先在「困人报警」中解除，再更换或解绑设备')
    if (deviceId !== undefined) {
      await requireLiftDevice(deviceId, before.projectCode, c)
    }
    markLift(tx, scope, before, await update(tx, elevator, scope, id, { deviceId }))
  }),
  reads(listLiftDevices, async ({ projectCode, onlyFree }, { db, scope }) => {
    const lifts = await findAll(db, elevator, scope, {}, { where: [sql`t.device_id is not null`] })
    const liftOf = new Map(lifts.map(lift => [lift.deviceId, lift]))
    const rows = await findAll(
      db,
      device,
      scope,
      projectCode === undefined ? {} : { projectCode: requireProject(scope.domain, projectCode) },
      {
        where: [
          sql`t.state not in ${codes(deviceState, 'disabled', 'scrapped')}`,
          ...(onlyFree
            ? [
                sql`not exists (
                  select 1
                  from elevator e
                  where e.owner_id = ${scope.ownerId} and e.device_id = t.id and ${notDeleted('e')}
                )`,
              ]
            : []),
        ],
      },
    )
    return rows
      .filter(({ systemType }) => systemType === 'elevator')
      .map(({ id, devNo, name, modelName, isOnline, location }) => ({
        deviceId: id,
        deviceNo: devNo,
        deviceName: name,
        deviceModel: modelName,
        isOnline,
        location,
        elevatorId: liftOf.get(id)?.id,
        elevatorName: liftOf.get(id)?.name,
      }))
  }),
  writes(changeElevatorState, async ({ id, state, reason }, { tx, scope }) => {
    const before = await requireById(tx, elevator, scope, id, { lock: true })
    const fault = stateFault(before.state, state)
    if (fault !== undefined) refuse(fault)
    markLift(tx, scope, await update(tx, elevator, scope, id, { state }, { reason }))
  }),
  writes(saveFloors, async ({ id, version, publicFloors = [], closedFloors = [] }, { tx, scope }) => {
    const { floorList = [] } = await requireById(tx, elevator, scope, id, { lock: true })
    const unknown = [...publicFloors, ...closedFloors].find(floor => !floorList.includes(floor))
    if (unknown !== undefined) throw invalidField('PublicFloors', `电梯不停靠 ${unknown} 层，请重新选择`)
    const both = publicFloors.find(floor => closedFloors.includes(floor))
    if (both !== undefined) throw invalidField('ClosedFloors', `${both} 层不能既公共又停用`)
    const after = await update(
      tx,
      elevator,
      scope,
      id,
      {
        publicFloors: floorsWithin(floorList, publicFloors),
        closedFloors: floorsWithin(floorList, closedFloors),
      },
      { version },
    )
    markLift(tx, scope, after)
    return after
  }),
  reads(listBusyTimes, async ({ elevatorId }, { db, scope }) => {
    const { busyTimes = [] } = await requireById(db, elevator, scope, elevatorId)
    return busyTimes.map(time => ({ elevatorId, ...time }))
  }),
  writes(saveBusyTimes, async ({ elevatorId, busyTimes }, { tx, scope }) => {
    await requireById(tx, elevator, scope, elevatorId, { lock: true })
    const fault = overlapFault(busyTimes)
    if (fault !== undefined) throw invalidField('Settings', fault)
    markLift(tx, scope, await update(tx, elevator, scope, elevatorId, { busyTimes }))
  }),
]
