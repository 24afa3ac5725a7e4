import { parseId, type Id } from '#kit/domain/id.ts'
import { notFound, refuse, staleVersion, invalidInput, Refused, resultCode } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted, touch, code } from '#kit/server/sql.ts'
import { findAll, findByIds } from '#kit/server/table.ts'
import { room as roomEntity, type Room } from '#modules/rooms/contract/room.ts'
import { residencyStatus } from '../contract/labels.ts'
import { residency, type Residency } from '../contract/residency.ts'
import { findNextMainOwner } from '../domain/residency.ts'
import { assertMoveAllowed, unknownAnswerFaults, type MoveContext } from './move-steps.ts'
import { logResidencyChanges } from './residency-log.ts'

export type MoveAnswers = readonly { readonly key: string; readonly value: string }[] | undefined

const createAnswerLookup = (answers: MoveAnswers) => {
  const valueByKey = new Map((answers ?? []).map(a => [a.key, a.value]))
  return (key: string): string | undefined => valueByKey.get(key)
}

/** Current residencies of a room, the oldest first. */
export const findCurrentResidencies = (db: Db, scope: Scope, roomId: Id): Promise<Residency[]> =>
  findAll(
    db,
    residency,
    scope,
    { order: 'id' },
    { where: [sql`t.room_id = ${roomId}`, sql`t.status = ${code(residencyStatus, 'living')}`] },
  )

/** The rooms in which a person is registered now, by project and code. */
export const findRoomsOfResident = (
  db: Db,
  scope: Scope,
  userId: Id,
): Promise<Pick<Residency, 'projectCode' | 'roomCode' | 'roomPath'>[]> =>
  findAll(
    db,
    residency,
    scope,
    { order: 'id' },
    { where: [sql`t.user_id = ${userId}`, sql`t.status = ${code(residencyStatus, 'living')}`] },
  )

/** Tells the second of two operators who was faster, and when (G-8). */
export async function concurrentChangeRefusal(tx: Tx, scope: Scope, changed: Residency): Promise<Refused> {
  const last = await tx.one<{ operatorName?: string; day: Day }>(
    sql`
      select operator_name, day
      from user_room_log
      where owner_id = ${scope.ownerId} and link_id = ${changed.id}
      order by id desc
      limit 1
    `,
  )
  const outcome = changed.status === 'left' ? '已迁出' : changed.status === 'living' ? '已在住' : undefined
  return outcome && last
    ? new Refused(
        resultCode.stale,
        `${changed.userName}${outcome}（${last.day}，由${last.operatorName ?? '系统'}办理），请刷新后重试`,
      )
    : staleVersion()
}

/** The residencies of a move, all of one room, and that room. With `lock` the room is locked first. */
export async function loadRoomResidencies(
  db: Db,
  scope: Scope,
  ids: readonly string[],
  lock: boolean,
): Promise<{ room: Room; residencies: Residency[] }> {
  const found = await findByIds(db, residency, scope, ids)
  const [first] = found
  if (!first || found.length !== new Set(ids.map(parseId)).size) throw notFound()
  if (found.some(r => r.roomId !== first.roomId)) return refuse('一次只能办理一个房间，请分开办理')
  const [room] = await findByIds(db, roomEntity, scope, [first.roomId], { lock })
  if (!room) return refuse('房间已被删除，不能办理')
  return { room, residencies: lock ? await findByIds(db, residency, scope, ids, { lock: true }) : found }
}

export type MoveInput = Pick<MoveContext, 'scope' | 'today' | 'day'> & {
  readonly reason?: string | undefined
  readonly answers: MoveAnswers
}

export const createMoveContext = (
  kind: MoveContext['kind'],
  db: Db,
  input: MoveInput,
  room: Room,
  residencies: readonly Residency[],
  remaining: readonly Residency[],
  transfer: Partial<MoveContext> = {},
): MoveContext => {
  const faults = unknownAnswerFaults(kind, input.answers)
  if (faults.length) throw invalidInput(faults)
  return {
    kind,
    db,
    scope: input.scope,
    today: input.today,
    day: input.day,
    room,
    residencies,
    remaining,
    newOwners: [],
    moveIn: false,
    leavesEmpty: !remaining.some(r => r.inDate),
    answerOf: createAnswerLookup(input.answers),
    reason: input.reason,
    ...transfer,
  }
}

export function assertLeavingDay(
  residencies: readonly Residency[],
  day: Day,
  today: Day,
  field: string,
): void {
  if (day > today) throw invalidInput([{ Field: field, Message: '日期不能晚于今天，请到当天再办理' }])
  const later = residencies.find(r => r.inDate && r.inDate > day)
  if (later)
    throw invalidInput([
      { Field: field, Message: `${later.userName} ${later.inDate} 入住，日期不能早于该日` },
    ])
}

/**
 * Ends residencies: the records, their log, and the main owner that follows (BASE-11). The caller then
 * applies the steps of the move and syncs the room.
 */
export async function endResidencies(
  tx: Tx,
  move: MoveContext,
  action: 'movedOut' | 'soldOut',
): Promise<void> {
  const { scope, residencies, remaining, day, reason } = move
  await assertMoveAllowed(move)
  if (!residencies.length) return
  const ids = residencies.map(r => r.id)
  const ended = await tx.execute(
    sql`
      update user_room
      set status = ${code(residencyStatus, 'left')}, out_date = ${day}, ${touch(scope)}
      where owner_id = ${scope.ownerId}
        and id = any(${ids})
        and status = ${code(residencyStatus, 'living')}
        and ${notDeleted()}
    `,
  )
  if (ended !== ids.length) throw staleVersion()
  await logResidencyChanges(
    tx,
    scope,
    residencies.map(r => ({ residency: r, userName: r.userName ?? '', action, day, reason })),
  )
  if (action === 'movedOut' && residencies.some(r => r.isMain)) {
    await appointMainOwner(tx, scope, remaining, day)
  }
}

/** The next owner in order becomes main owner, unless the room has one. */
async function appointMainOwner(
  tx: Tx,
  scope: Scope,
  remaining: readonly Residency[],
  day: Day,
): Promise<void> {
  const successor = findNextMainOwner(remaining)
  if (!successor || successor.isMain) return
  await tx.execute(
    sql`
      update user_room
      set is_main = true, ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = ${successor.id}
    `,
  )
  await logResidencyChanges(tx, scope, [
    {
      residency: successor,
      userName: successor.userName ?? '',
      action: 'mainSet',
      day,
      detail: '原主业主迁出',
    },
  ])
}

/** Residents of a check-in, locked so that nobody cancels them until the end. */
export const lockResidents = (
  tx: Tx,
  scope: Scope,
  residencies: readonly Residency[],
): Promise<{ id: Id; name: string; state: number }[]> =>
  tx.rows(
    sql`
      select id, name, state
      from resident
      where owner_id = ${scope.ownerId}
        and id = any(${residencies.map(r => r.userId)})
        and ${notDeleted()}
      order by id
      for share
    `,
  )
