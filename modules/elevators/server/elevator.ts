import { invalidField, refuse, type FieldFault } from '#kit/contract/wire.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import type { CrudContext } from '#kit/server/crud-hooks.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { codes } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { markDevices } from '#modules/access/server/public.ts'
import { countDeviceItems, findDeviceStatuses } from '#modules/devices/server/public.ts'
import { oneUnitFaults } from '#modules/estates/server/public.ts'
import { elevatorState } from '../contract/choices.ts'
import { elevators, exportElevators, pickElevators, type Elevator } from '../contract/elevator.ts'
import { floorsWithin, formatFloors, parseFloors } from '../contract/floors.ts'
import { elevatorRight } from '../contract/right.ts'
import { lastNoticedDay } from '../domain/due-days.ts'

type Draft = Pick<
  Elevator,
  | 'projectCode'
  | 'buildCode'
  | 'unitName'
  | 'floors'
  | 'factoryDate'
  | 'useDate'
  | 'lastInspectDate'
  | 'nextInspectDate'
  | 'maintainCycle'
>

function dayFaults(
  { factoryDate, useDate, lastInspectDate, nextInspectDate }: Draft,
  today: Day,
): FieldFault[] {
  return [
    ...(factoryDate && useDate && useDate < factoryDate
      ? [{ Field: 'UseDate', Message: '投用日期不能早于出厂日期' }]
      : []),
    ...(lastInspectDate && lastInspectDate > today
      ? [{ Field: 'LastInspectDate', Message: '上次年检不能晚于今天' }]
      : []),
    ...(lastInspectDate && nextInspectDate && nextInspectDate <= lastInspectDate
      ? [{ Field: 'NextInspectDate', Message: '下次年检应晚于上次年检' }]
      : []),
  ]
}

const floorsOf = ({ floors }: Pick<Elevator, 'floors'>): readonly string[] =>
  parseFloors(floors) ?? refuse('停靠层无法识别，请按 -1,1~33 的形式填写')

/** The ground floor is public, else the lowest, until somebody says otherwise. */
function newFloors(draft: Draft): object {
  const floorList = floorsOf(draft)
  const ground = floorList.includes('1') ? '1' : defined(floorList[0])
  return { floorList, publicFloors: [ground] }
}

/** Floors that the lift does not have any more are neither public nor closed. */
function changedFloors(draft: Draft, before: Elevator): object {
  const floorList = floorsOf(draft)
  return {
    floorList,
    publicFloors: floorsWithin(floorList, before.publicFloors),
    closedFloors: floorsWithin(floorList, before.closedFloors),
  }
}

/** Where nothing was done yet the first maintenance is as long after the lift was entered. */
function nextMaintenance({ maintainCycle }: Draft, before: Elevator): object {
  const { lastMaintainDate, nextMaintainDate } = before
  if (maintainCycle === before.maintainCycle) return {}
  if (lastMaintainDate !== undefined) return { nextMaintainDate: addDays(lastMaintainDate, maintainCycle) }
  return nextMaintainDate === undefined
    ? {}
    : { nextMaintainDate: addDays(nextMaintainDate, maintainCycle - before.maintainCycle) }
}

/** A right to a floor that is no more could not be saved again. */
async function requireFloorsOfRights(
  draft: Draft,
  { tx, scope }: WriteContext,
  before: Elevator,
): Promise<void> {
  const floorList = floorsOf(draft)
  const removed = (before.floorList ?? []).filter(floor => !floorList.includes(floor))
  if (!removed.length) return
  const rights = await findAll(
    tx,
    elevatorRight,
    scope,
    {},
    { where: [sql`t.elevator_id = ${before.id}`, sql`t.floors && ${removed}::text[]`] },
  )
  const lost = removed.filter(floor => rights.some(({ floors }) => floors.includes(floor)))
  if (lost.length)
    throw invalidField(
      'Floors',
      `${rights.length} 项梯控权限含 ${formatFloors(lost)} 层，请先在「梯控设置」修改这些权限`,
    )
}

/** ACS-3: what the device of a lift is to hold, and what of it is not there. */
export async function withDevices(
  rows: readonly Elevator[],
  { db, scope: { ownerId } }: CrudContext,
): Promise<Elevator[]> {
  const ids = rows.flatMap(({ deviceId }) => (deviceId === undefined ? [] : [deviceId]))
  const statuses = await findDeviceStatuses(db, ownerId, ids)
  const counts = await countDeviceItems(db, ownerId, ids)
  return rows.map(row => {
    const propertyElevator = { id: row.id, name: row.name }
    if (row.deviceId === undefined) return { ...row, propertyElevator }
    const isOnline = statuses.get(row.deviceId)?.isOnline ?? false
    const counted = counts.get(row.deviceId)
    const unsynced = counted ? counted.waiting + counted.failed + counted.removing : 0
    return {
      ...row,
      propertyElevator,
      isOnline,
      wantedCount: counted?.wanted ?? 0,
      unsyncedCount: unsynced,
      ...(unsynced ? { missingReason: isOnline ? (counted?.reason ?? '正在下发') : '设备离线' } : {}),
    }
  })
}

/** Devices of a lift, before and after a change: they get or lose what it gives. */
export function markLift(
  tx: Tx,
  { ownerId }: Scope,
  ...states: readonly Pick<Elevator, 'projectCode' | 'deviceId'>[]
): void {
  for (const { projectCode, deviceId } of states) {
    if (deviceId !== undefined) {
      markDevices(tx, ownerId, projectCode, [deviceId])
    }
  }
}

interface DueQuery {
  readonly ids?: readonly string[] | undefined
  readonly inspectDue?: boolean | undefined
  readonly maintainDue?: boolean | undefined
}

const inUse = sql`t.state in ${codes(elevatorState, 'running', 'repair', 'trapped')}`

/** ELV-1: what is due, of lifts that are in use. */
const dueConditions = (
  { inspectDue, maintainDue }: DueQuery,
  { today }: CrudContext,
): RawBuilder<unknown>[] => [
  ...(inspectDue ? [sql`t.next_inspect_date <= ${lastNoticedDay(today)}::date and ${inUse}`] : []),
  ...(maintainDue ? [sql`t.next_maintain_date <= ${today}::date and ${inUse}`] : []),
]

export const elevatorServer = crudHandlers(elevators, {
  export: exportElevators,
  codes: { elevatorNo: 'DT' },
  unique: {
    elevator_no_live: '该项目已有此编号的电梯，请更换',
    elevator_name_live: '该项目已有同名的电梯，请更换',
    elevator_device_live: '该设备已绑定到其他电梯，请先解绑',
    elevator_alarm_open: '该电梯已有未解除的困人报警',
    elevator_alarm_device_open: '该设备已有未解除的困人报警',
  },
  refusesChangeOf: ['projectCode'],
  filter: dueConditions,
  check: async (draft, c) => [...(await oneUnitFaults(draft, c)), ...dayFaults(draft, c.today)],
  beforeInsert: (draft, { today }) => ({
    ...newFloors(draft),
    nextMaintainDate: addDays(today, draft.maintainCycle),
  }),
  beforeUpdate: async (draft, c, before) => {
    await requireFloorsOfRights(draft, c, before)
    return { ...changedFloors(draft, before), ...nextMaintenance(draft, before) }
  },
  beforeDelete: async rows => {
    const bound = rows.find(({ deviceId }) => deviceId !== undefined)
    if (bound) refuse(`电梯「${bound.name}」已绑定梯控设备，请先解绑`)
  },
  afterUpdate: async (row, { tx, scope }: WriteContext, before) => markLift(tx, scope, before, row),
  enrich: withDevices,
  pickers: [pickElevators],
})

/** The lift that a device controls. */
export const findLiftOfDevice = (
  tx: Tx,
  ownerId: Id,
  deviceId: Id,
): Promise<{ id: Id; name: string; projectCode: string } | undefined> =>
  tx.one(sql`
    select id, name, project_code
    from elevator
    where owner_id = ${ownerId} and device_id = ${deviceId} and delete_tag = 0
  `)
