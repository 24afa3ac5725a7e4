import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { labelOf } from '#kit/contract/field.ts'
import { invalidInput, type FieldFault } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { uniqueMessages } from '#kit/server/handler.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { findByIds, findByKey, insertAll } from '#kit/server/table.ts'
import { notDeleted, touch, code, codes } from '#kit/server/sql.ts'
import { room as roomEntity, type Room } from '#modules/rooms/contract/room.ts'
import { residency } from '../contract/residency.ts'
import type { ResidencyDraft, Resident } from '../contract/resident.ts'
import { residencyStatus } from '../contract/labels.ts'
import { relation } from '../contract/relation.ts'
import { enteredDays, residencyFaults } from '../domain/residency.ts'
import { menu } from '../module.ts'
import { assertCanMoveIn } from './move-in-check.ts'
import { syncRoomOccupancy } from './room-occupancy.ts'
import { logResidencyChanges, type ResidencyLogEntry } from './residency-log.ts'

uniqueMessages({
  user_room_live: '该住户已在此房间，无需重复登记',
  user_room_main: '该房间刚刚设了另一位主业主，请刷新后重试',
  user_room_payer: '该房间刚刚设了另一位缴费人，请刷新后重试',
})

/**
 * The room of a draft, by id or by code, inside the project; locked so that nobody deletes it or moves its
 * people until the end.
 */
export async function requireDraftRoom(
  tx: Tx,
  scope: Scope,
  { roomId, roomCode }: Pick<ResidencyDraft, 'roomId' | 'roomCode'>,
  project: string | undefined,
  fieldPrefix = '',
): Promise<Room> {
  const refuseRoom = (Message: string): never => {
    throw invalidInput([{ Field: `${fieldPrefix}RoomID`, Message }])
  }
  const byCode = roomCode && project ? await findByKey(tx, roomEntity, scope, roomCode, project) : undefined
  const id = roomId ?? byCode?.id
  if (!id) return refuseRoom(roomCode ? `编码「${roomCode}」的房间不存在，请重新选择` : '请选择房屋')
  const [room] = await findByIds(tx, roomEntity, scope, [id], { lock: true })
  if (!room) return refuseRoom('房间不存在或已被删除，请重新选择')
  if (project && room.projectCode !== project)
    return refuseRoom(`房间「${room.path}」不属于所选项目，请重新选择`)
  return room.state === 'off' ? refuseRoom(`房间「${room.path}」已停用，不能登记住户`) : room
}

export interface NewResidency {
  readonly person: Pick<Resident, 'id' | 'name'>
  readonly room: Room
  readonly draft: ResidencyDraft & { readonly attachments?: readonly string[] }
  readonly fieldPrefix?: string
}

/** Takes the main owner and payer of rooms that get another one. */
export async function releaseMainAndPayer(
  tx: Tx,
  scope: Scope,
  successors: readonly { readonly roomId: Id; readonly isMain: boolean; readonly isPayer: boolean }[],
): Promise<void> {
  const mainRoomIds = successors.filter(s => s.isMain).map(s => s.roomId)
  const payerRoomIds = successors.filter(s => s.isPayer).map(s => s.roomId)
  if (!mainRoomIds.length && !payerRoomIds.length) return
  await tx.execute(sql`
    update user_room
    set is_main = is_main and not room_id = any(${mainRoomIds}::bigint[]),
      is_payer = is_payer and not room_id = any(${payerRoomIds}::bigint[]), ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and ${notDeleted()}
      and status = ${code(residencyStatus, 'living')}
      and (
        (is_main and room_id = any(${mainRoomIds}::bigint[]))
        or (is_payer and room_id = any(${payerRoomIds}::bigint[]))
      )
  `)
}

/** Which of the rooms have a main owner. */
export async function findRoomsWithMainOwner(tx: Tx, ownerId: Id, roomIds: readonly Id[]): Promise<Set<Id>> {
  const rows = await tx.rows<{ roomId: Id }>(
    sql`
      select room_id
      from user_room
      where owner_id = ${ownerId}
        and room_id = any(${[...roomIds]})
        and ${notDeleted()}
        and status = ${code(residencyStatus, 'living')}
        and is_main
    `,
  )
  return new Set(rows.map(row => row.roomId))
}

const pairKey = (userId: Id, roomId: Id): string => `${userId} ${roomId}`

/** Faults of people who are in the room already, or twice in the form. */
async function findRepeatedFaults(
  tx: Tx,
  scope: Scope,
  additions: readonly NewResidency[],
): Promise<FieldFault[]> {
  const rows = await tx.rows<{ userId: Id; roomId: Id }>(
    sql`
      select user_id, room_id
      from user_room
      where owner_id = ${scope.ownerId}
        and room_id = any(${additions.map(a => a.room.id)})
        and user_id = any(${additions.map(a => a.person.id)})
        and ${notDeleted()}
        and status in ${codes(residencyStatus, 'pending', 'living')}
    `,
  )
  const taken = new Set(rows.map(row => pairKey(row.userId, row.roomId)))
  return additions.flatMap(({ person, room, fieldPrefix = '' }) => {
    const key = pairKey(person.id, room.id)
    if (!taken.has(key)) {
      taken.add(key)
      return []
    }
    return [
      {
        Field: `${fieldPrefix}RoomID`,
        Message: `${person.name}已在房间「${room.path}」，无需重复登记`,
      },
    ]
  })
}

/** Faults of a second main owner or payer for one room in the same form (BASE-9). */
function secondRoleFaults(additions: readonly NewResidency[]): FieldFault[] {
  const roles = [
    { key: 'isMain', wireName: 'IsMain', label: '主业主' },
    { key: 'isPayer', wireName: 'IsPayer', label: '缴费人' },
  ] as const
  return roles.flatMap(({ key, wireName, label }) => {
    const roomsSeen = new Set<Id>()
    const second = additions.find(({ draft, room }) => {
      if (!draft[key]) return false
      const isSecond = roomsSeen.has(room.id)
      roomsSeen.add(room.id)
      return isSecond
    })
    return second
      ? [
          {
            Field: `${second.fieldPrefix ?? ''}${wireName}`,
            Message: `房间「${second.room.path}」只能有一位${label}`,
          },
        ]
      : []
  })
}

async function assertCanAdd(
  tx: Tx,
  scope: Scope,
  today: Day,
  additions: readonly NewResidency[],
): Promise<void> {
  const faults = [
    ...additions.flatMap(a => residencyFaults(a.draft, today, a.fieldPrefix)),
    ...(await findRepeatedFaults(tx, scope, additions)),
    ...secondRoleFaults(additions),
  ]
  if (faults.length) throw invalidInput(faults)
}

/** The rows to write: the first owner of a room becomes its main owner (BASE-9). */
async function planRows(tx: Tx, scope: Scope, additions: readonly NewResidency[]) {
  const roomIds = additions.map(a => a.room.id)
  const withMainOwner = await findRoomsWithMainOwner(tx, scope.ownerId, roomIds)
  for (const { draft, room } of additions) {
    if (draft.isMain) {
      withMainOwner.add(room.id)
    }
  }
  const canAudit = hasPermission(scope, menu.link.permissions.audit)
  return additions.map(({ person, room, draft }) => {
    const status: 'pending' | 'living' = draft.pending || !canAudit ? 'pending' : 'living'
    const isFirstOwner = status === 'living' && draft.relation === 'owner' && !withMainOwner.has(room.id)
    if (isFirstOwner) {
      withMainOwner.add(room.id)
    }
    return {
      projectCode: room.projectCode,
      userId: person.id,
      roomId: room.id,
      buildCode: room.buildCode,
      relation: draft.relation,
      isMain: isFirstOwner || (draft.isMain ?? false),
      isPayer: draft.isPayer ?? false,
      inDate: draft.inDate,
      leaseBegin: draft.leaseBegin,
      leaseEnd: draft.leaseEnd,
      status,
      applySource: 'backOffice' as const,
      remark: draft.remark,
      attachments: draft.attachments,
      ...(status === 'living' ? { auditBy: scope.operatorId } : {}),
    }
  })
}

type ResidencyRow = Awaited<ReturnType<typeof planRows>>[number]

const describeRow = (row: ResidencyRow): string =>
  [
    labelOf(relation, row.relation),
    row.isMain ? '主业主' : '',
    row.isPayer ? '缴费人' : '',
    row.leaseBegin ? `租期 ${row.leaseBegin} 至 ${row.leaseEnd ?? '长期'}` : '',
  ]
    .filter(Boolean)
    .join('，')

/**
 * Puts people into rooms (locked by `requireDraftRoom`), all or nothing. Who may not audit only applies
 * (BASE-10). `transferDay`: from then on new owners own, whether they move in or not. Returns the ids in
 * order.
 */
export async function insertResidencies(
  tx: Tx,
  scope: Scope,
  today: Day,
  additions: readonly NewResidency[],
  transferDay?: Day,
): Promise<Id[]> {
  await assertCanAdd(tx, scope, today, additions)
  const rows = await planRows(tx, scope, additions)
  const living = rows.filter(row => row.status === 'living')
  await assertCanMoveIn(
    tx,
    scope,
    living.filter(row => row.inDate).map(row => row.roomId),
  )
  await releaseMainAndPayer(tx, scope, living)
  const ids = await insertAll(tx, residency, scope, rows)
  await logResidencyChanges(
    tx,
    scope,
    rows.map((row, i): ResidencyLogEntry => ({
      residency: { ...row, id: defined(ids[i]) },
      userName: defined(additions[i]).person.name,
      action: row.status === 'pending' ? 'applied' : row.inDate ? 'movedIn' : 'added',
      day: row.inDate ?? today,
      detail: describeRow(row),
    })),
  )
  const roomIds = living.map(row => row.roomId)
  const days = enteredDays(living)
  await syncRoomOccupancy(tx, scope, roomIds, {
    today,
    inDates: days.inDates,
    ...(transferDay
      ? { effectiveDates: new Map(roomIds.map(id => [id, transferDay])), dateField: 'Day' }
      : { effectiveDates: days.effectiveDates, dateField: 'InDate' }),
  })
  return ids
}
