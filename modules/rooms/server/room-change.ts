import { defined } from '#kit/domain/defined.ts'
import { labelOf } from '#kit/contract/field.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, requireById, findPage, remove, update } from '#kit/server/table.ts'
import { touch } from '#kit/server/sql.ts'
import { codeOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
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
import { roomState, type RoomState } from '../contract/labels.ts'
import { withFollowingChargeArea } from '../domain/room-areas.ts'
import { roomStateFault } from '../domain/room-state.ts'
import { recordAreaChanges, logRoomChanges } from './room-areas.ts'

type RoomStateDates = Pick<Room, 'deliverDate' | 'checkinDate' | 'decorateBegin' | 'decorateEnd'>

export interface RoomRefusal {
  readonly id: number
  readonly code: string
  readonly reason: string
}

/**
 * Moves rooms to a state, each by its own right to (BASE-6); those that may not go are answered with the
 * reason. Dates that come along are kept where given; who moves in without a day moves in today.
 */
export async function applyRoomState(
  tx: Tx,
  scope: Scope,
  rows: readonly Room[],
  to: RoomState,
  how: { readonly today: Day; readonly reason?: string | undefined } & RoomStateDates,
): Promise<{ moved: Room[]; refused: RoomRefusal[] }> {
  const { today, reason, ...dates } = how
  const said = Object.fromEntries(Object.entries(dates).filter(([, v]) => v !== undefined)) as RoomStateDates
  const judged = rows.map(r => ({ r, fault: roomStateFault({ ...r, ...said }, to, reason) }))
  const moved = judged.filter(j => !j.fault).map(j => j.r)
  if (moved.length) {
    await tx.execute(sql`
      update room
      set room_state = ${codeOf(roomState, to)},
        deliver_date = coalesce(${said.deliverDate ?? null}, deliver_date),
        checkin_date = coalesce(
          ${said.checkinDate ?? null},
          case when ${to === 'lived'} then coalesce(checkin_date, ${today}) else checkin_date end
        ),
        decorate_begin = coalesce(${said.decorateBegin ?? null}, decorate_begin),
        decorate_end = coalesce(${said.decorateEnd ?? null}, decorate_end), ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = any(${moved.map(r => r.id)})
    `)
    await logRoomChanges(
      tx,
      scope,
      moved.map(r => ({
        room: r,
        item: 'roomState',
        oldValue: labelOf(roomState, r.roomState),
        newValue: labelOf(roomState, to),
        effectiveDate: today,
        reason,
        applied: true,
      })),
    )
    await audit(
      tx,
      scope,
      moved.map(r => ({
        action: 'state',
        entity: 'room',
        entityId: r.id,
        projectCode: r.projectCode,
        before: { roomState: r.roomState },
        after: { roomState: to, ...said },
        reason,
      })),
    )
  }
  return {
    moved,
    refused: judged.filter(j => j.fault).map(j => ({ id: j.r.id, code: j.r.path, reason: defined(j.fault) })),
  }
}

export const roomChangeHandlers = [
  writes(changeRoomAreas, async ({ id, version, effectiveDate, reason, ...areas }, { tx, scope, today }) => {
    const before = await requireById(tx, room, scope, id, true)
    const said = withFollowingChargeArea(
      before,
      Object.fromEntries(
        roomAreaKeys.flatMap(k => (areas[k] === undefined ? [] : [[k, areas[k]]])),
      ) as Partial<RoomAreas>,
    )
    const now = await recordAreaChanges(tx, scope, before, said, effectiveDate, reason, today)
    return Object.keys(now).length
      ? update(tx, room, scope, id, now, { version, reason })
      : refuse('面积没有变化，不用保存')
  }),
  reads(listRoomChanges, ({ roomId, roomCode, ...q }, { db, scope }) =>
    findPage(db, roomChange, scope, q, {
      filters: defined(listRoomChanges.input.filters),
      where: [
        ...(roomId ? [sql`t.room_id = ${roomId}`] : []),
        ...(roomCode ? [sql`t.room_code = ${roomCode}`] : []),
        // A history follows its room into the caller's data domain, which may end at a building.
        ...(scope.domain.all ? [] : [roomDomainFilter(scope)]),
      ],
    }),
  ),
  writes(cancelRoomChanges, async ({ ids, reason }, { tx, scope }) => {
    const rows = await findByIds(tx, roomChange, scope, ids, true)
    await findByIds(
      tx,
      room,
      scope,
      rows.map(r => r.roomId),
    )
    const past = rows.find(r => r.applied)
    if (past) return refuse(`${past.effectiveDate} 起的变更已经生效，不能撤销；请另做一次变更`)
    await remove(tx, roomChange, scope, ids, reason)
  }),
  writes(changeRoomState, async ({ ids, roomState: to, reason, ...dates }, { tx, scope, today }) => {
    const wanted = [...new Set(ids.map(Number))]
    const rows = await findByIds(tx, room, scope, wanted, true)
    if (!rows.length) throw notFound()
    const { moved, refused } = await applyRoomState(tx, scope, rows, to, { today, reason, ...dates })
    const gone = wanted
      .filter(id => !rows.some(r => r.id === id))
      .map(id => ({ id, reason: notFound().message }))
    return {
      success: moved.length,
      fail: refused.length + gone.length,
      skipped: 0,
      rows: [...refused, ...gone],
    }
  }),
]

const roomDomainFilter = (scope: Scope) => {
  const whole = [...scope.domain.projects].filter(([, b]) => b === null).map(([p]) => p)
  const part = [...scope.domain.projects].flatMap(([p, b]) => (b ? [...b].map(x => [p, x] as const) : []))
  return sql<boolean>`(
    t.project_code = any(${whole})
    or exists (
      select 1
      from room r
      where r.owner_id = t.owner_id
        and r.id = t.room_id
        and (r.project_code, r.build_code) in (
          select * from unnest(${part.map(x => x[0])}::text[], ${part.map(x => x[1])}::text[])
        )
    )
  )`
}
