import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { labelOf, codeOf } from '#kit/contract/field.ts'
import { notFound, refuse, invalidField } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { findByIds, requireById, findPage, remove, update } from '#kit/server/table.ts'
import { touch } from '#kit/server/sql.ts'
import type { Day } from '#kit/domain/day.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import {
  roomAreaKeys,
  cancelRoomChanges,
  changeRoomAreas,
  changeRoomState,
  listRoomChanges,
  roomChange,
  type RoomAreas,
} from '../contract/room-change.ts'
import { room, type Room } from '../contract/room.ts'
import { menu } from '../module.ts'
import { roomState, type RoomState } from '../contract/labels.ts'
import { withFollowingChargeArea } from '../domain/room-areas.ts'
import { lateEffectiveDateFault } from '../domain/effective-date.ts'
import { roomStateFault, stateEffectiveDate } from '../domain/room-state.ts'
import { assertEffectiveDates } from './back-dating.ts'
import { findDeliveryFaults, isDelivery, setsDelivery } from './delivery-check.ts'
import { recordAreaChanges, logRoomChanges } from './room-areas.ts'

type RoomStateDates = Pick<Room, 'deliverDate' | 'checkinDate' | 'decorateBegin' | 'decorateEnd'>

interface StateChangeOptions {
  readonly today: Day
  /** The day that was entered; else the date that the new state brings, else today (C27-7). */
  readonly effectiveDate?: Day | undefined
  readonly reason?: string | undefined
  /** Delivers the room even where the delivery checks object (C13). */
  readonly overridesChecks?: boolean | undefined
}

export interface RoomRefusal {
  readonly id: Id
  readonly code: string
  readonly reason: string
}

/** The history of the rooms and the audit of a change of state. */
async function logStates(
  tx: Tx,
  scope: Scope,
  rooms: readonly Room[],
  nextState: RoomState,
  dates: RoomStateDates,
  { today, effectiveDate, reason }: StateChangeOptions,
): Promise<void> {
  await logRoomChanges(
    tx,
    scope,
    rooms.map(row => ({
      room: row,
      item: 'roomState',
      oldValue: labelOf(roomState, row.roomState),
      newValue: labelOf(roomState, nextState),
      effectiveDate: stateEffectiveDate(nextState, { ...dates, effectiveDate }, today),
      reason,
      applied: true,
    })),
    today,
  )
  await audit(
    tx,
    scope,
    rooms.map(row => ({
      action: 'state',
      entity: 'room',
      entityId: row.id,
      projectCode: row.projectCode,
      before: { roomState: row.roomState },
      after: { roomState: nextState, ...dates },
      reason,
    })),
  )
}

/**
 * Changes rooms to a state where their own state allows it (BASE-6); the others are returned with the reason.
 * Entered dates are stored; without a date of moving in, it is the day of the change.
 */
export async function applyRoomState(
  tx: Tx,
  scope: Scope,
  rooms: readonly Room[],
  nextState: RoomState,
  options: StateChangeOptions & RoomStateDates,
): Promise<{ moved: Room[]; refused: RoomRefusal[] }> {
  const { today, effectiveDate, reason, overridesChecks, ...dates } = options
  const enteredDates = Object.fromEntries(
    Object.entries(dates).filter(([, v]) => v !== undefined),
  ) as RoomStateDates
  const delivered = overridesChecks
    ? []
    : rooms.filter(r => isDelivery(r.roomState, nextState) || setsDelivery(r, enteredDates.deliverDate))
  const deliveryFaults = await findDeliveryFaults(tx, scope, delivered)
  const checked = rooms.map(r => ({
    r,
    fault: roomStateFault({ ...r, ...enteredDates }, nextState, reason) ?? deliveryFaults.get(r.id),
  }))
  const moved = checked.filter(checkedRoom => !checkedRoom.fault).map(checkedRoom => checkedRoom.r)
  if (moved.length) {
    await tx.execute(sql`
      update room
      set room_state = ${codeOf(roomState, nextState)},
        deliver_date = coalesce(${enteredDates.deliverDate ?? null}, deliver_date),
        checkin_date = coalesce(
          ${enteredDates.checkinDate ?? null},
          case when ${nextState === 'lived'} then coalesce(checkin_date, ${effectiveDate ?? today}) else checkin_date end
        ),
        decorate_begin = coalesce(${enteredDates.decorateBegin ?? null}, decorate_begin),
        decorate_end = coalesce(${enteredDates.decorateEnd ?? null}, decorate_end), ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = any(${moved.map(r => r.id)})
    `)
    publishRecordsWritten(tx, scope.ownerId, {
      entity: room.name,
      action: 'update',
      ids: moved.map(r => r.id),
    })
    await logStates(tx, scope, moved, nextState, enteredDates, options)
  }
  return {
    moved,
    refused: checked
      .filter(checkedRoom => checkedRoom.fault)
      .map(checkedRoom => ({
        id: checkedRoom.r.id,
        code: checkedRoom.r.path,
        reason: defined(checkedRoom.fault),
      })),
  }
}

function assertCanOverride(scope: Scope, reason: string | undefined): void {
  if (!hasPermission(scope, menu.room.permissions.overrideDelivery)) refuse('你没有“强制交付”的权限')
  if ([...(reason ?? '').trim()].length < 2) throw invalidField('Reason', '强制交付请填写原因，至少 2 个字')
}

export const roomChangeHandlers = [
  writes(changeRoomAreas, async ({ id, version, effectiveDate, reason, ...areas }, { tx, scope, today }) => {
    const before = await requireById(tx, room, scope, id, { lock: true })
    const enteredDates = withFollowingChargeArea(
      before,
      Object.fromEntries(
        roomAreaKeys.flatMap(k => (areas[k] === undefined ? [] : [[k, areas[k]]])),
      ) as Partial<RoomAreas>,
    )
    const currentAreas = await recordAreaChanges(
      tx,
      scope,
      before,
      enteredDates,
      effectiveDate,
      reason,
      today,
    )
    return Object.keys(currentAreas).length
      ? update(tx, room, scope, id, currentAreas, { version, reason })
      : refuse('面积无变化，无需保存')
  }),
  reads(listRoomChanges, ({ roomId, roomCode, ...query }, { db, scope }) =>
    findPage(db, roomChange, scope, query, {
      filters: defined(listRoomChanges.input.filters),
      where: [
        ...(roomId ? [sql`t.room_id = ${roomId}`] : []),
        ...(roomCode ? [sql`t.room_code = ${roomCode}`] : []),
      ],
    }),
  ),
  writes(cancelRoomChanges, async ({ ids, reason }, { tx, scope }) => {
    const changes = await findByIds(tx, roomChange, scope, ids, { lock: true })
    const applied = changes.find(change => change.applied)
    if (applied) return refuse(`${applied.effectiveDate} 起的变更已经生效，不能撤销；请另做一次变更`)
    await remove(tx, roomChange, scope, ids, reason)
  }),
  writes(changeRoomState, async (input, { tx, scope, today }) => {
    const { ids, roomState: nextState, reason, overridesChecks, ...dates } = input
    const { effectiveDate } = dates
    if (overridesChecks) {
      assertCanOverride(scope, reason)
    }
    const lateFault = effectiveDate && lateEffectiveDateFault(effectiveDate, today)
    if (lateFault) throw invalidField('EffectiveDate', lateFault)
    const roomIds = [...new Set(ids.map(parseId))]
    const rooms = await findByIds(tx, room, scope, roomIds, { lock: true })
    if (!rooms.length) throw notFound()
    await assertEffectiveDates(
      tx,
      scope.ownerId,
      effectiveDate ? rooms.map(r => ({ project: r.projectCode, day: effectiveDate })) : [],
      today,
      'EffectiveDate',
    )
    const { moved, refused } = await applyRoomState(tx, scope, rooms, nextState, {
      today,
      reason,
      overridesChecks,
      ...dates,
    })
    const missing = roomIds
      .filter(id => !rooms.some(r => r.id === id))
      .map(id => ({ id, reason: notFound().message }))
    return {
      success: moved.length,
      fail: refused.length + missing.length,
      skipped: 0,
      rows: [...refused, ...missing],
    }
  }),
]
