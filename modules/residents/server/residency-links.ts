import { defined } from '#kit/domain/defined.ts'
import { labelOf } from '#kit/contract/field.ts'
import { refuse, invalidInput, type FieldFault } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { uniqueMessages } from '#kit/server/handler.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { findByIds, findByKey, insertAll } from '#kit/server/table.ts'
import { live, touch, code, codes } from '#kit/server/sql.ts'
import { room, type Room } from '#modules/rooms/contract/room.ts'
import { residency, type Residency } from '../contract/residency.ts'
import type { ResidencyDraft, Resident } from '../contract/resident.ts'
import { relation, residencyStatus } from '../contract/labels.ts'
import { residencyFaults } from '../domain/residency.ts'
import { menu } from '../module.ts'
import { syncRoomOccupancy } from './room-occupancy.ts'
import { logResidencyChanges, type ResidencyLogEntry } from './residency-log.ts'

uniqueMessages({
  user_room_live: '该住户已在此房间，不用重复登记',
  user_room_main: '该房间刚刚设了另一位主业主，请刷新后重试',
  user_room_payer: '该房间刚刚设了另一位缴费人，请刷新后重试',
})

/**
 * The room that a draft means, by id or by code, inside the project; held so that nobody deletes it or moves
 * its people meanwhile.
 */
export async function requireDraftRoom(
  tx: Tx,
  scope: Scope,
  l: Pick<ResidencyDraft, 'roomId' | 'roomCode'>,
  project: string | undefined,
  at = '',
): Promise<Room> {
  const say = (Message: string): never => {
    throw invalidInput([{ Field: `${at}RoomID`, Message }])
  }
  const code = l.roomCode && project ? await findByKey(tx, room, scope, l.roomCode, project) : undefined
  const id = l.roomId ?? code?.id
  if (!id) return say(l.roomCode ? `没有编码为「${l.roomCode}」的房间，请重新选择` : '请选择房屋')
  const [found] = await findByIds(tx, room, scope, [id], true)
  if (!found) return say('房间不存在或已被删除，请重新选择')
  if (project && found.projectCode !== project) return say(`房间「${found.path}」不属于所选项目，请重新选择`)
  return found.state === 'off' ? say(`房间「${found.path}」已停用，不能登记住户`) : found
}

export interface NewResidency {
  readonly person: Pick<Resident, 'id' | 'name'>
  readonly room: Room
  readonly draft: ResidencyDraft & { readonly attachments?: readonly string[] }
  readonly at?: string
}

/** Nobody else is main owner or payer of the rooms that get another; the history says so. */
export async function releaseMainAndPayer(
  tx: Tx,
  scope: Scope,
  of: readonly { readonly roomId: number; readonly isMain: boolean; readonly isPayer: boolean }[],
): Promise<void> {
  const main = of.filter(o => o.isMain).map(o => o.roomId)
  const payer = of.filter(o => o.isPayer).map(o => o.roomId)
  if (!main.length && !payer.length) return
  await tx.execute(sql`
    update user_room
    set is_main = is_main and not room_id = any(${main}::bigint[]),
      is_payer = is_payer and not room_id = any(${payer}::bigint[]), ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and ${live()}
      and status = ${code(residencyStatus, 'living')}
      and (
        (is_main and room_id = any(${main}::bigint[])) or (is_payer and room_id = any(${payer}::bigint[]))
      )
  `)
}

/** Rooms that have a main owner already. */
export const findRoomsWithMainOwner = async (
  tx: Tx,
  owner: number,
  roomIds: readonly number[],
): Promise<Set<number>> =>
  new Set(
    (
      await tx.rows<{ roomId: number }>(
        sql`
          select room_id
          from user_room
          where owner_id = ${owner}
            and room_id = any(${[...roomIds]})
            and ${live()}
            and status = ${code(residencyStatus, 'living')}
            and is_main
        `,
      )
    ).map(r => r.roomId),
  )

/**
 * Puts people into rooms (held by `roomOf`), all or nothing. The first owner becomes main owner (BASE-9); who
 * may not audit only applies (BASE-10). Answers the links in order.
 */
export async function insertResidencies(
  tx: Tx,
  scope: Scope,
  today: Day,
  adds: readonly NewResidency[],
  source: Residency['applySource'] = 'desk',
): Promise<number[]> {
  const faults: FieldFault[] = adds.flatMap(a => residencyFaults(a.draft, today, a.at))
  const key = (userId: number, roomId: number): string => `${userId} ${roomId}`
  const there = new Set(
    (
      await tx.rows<{ userId: number; roomId: number }>(
        sql`
          select user_id, room_id
          from user_room
          where owner_id = ${scope.ownerId}
            and room_id = any(${adds.map(a => a.room.id)})
            and user_id = any(${adds.map(a => a.person.id)})
            and ${live()}
            and status in ${codes(residencyStatus, 'pending', 'living')}
        `,
      )
    ).map(r => key(r.userId, r.roomId)),
  )
  for (const a of adds) {
    if (there.has(key(a.person.id, a.room.id))) {
      faults.push({
        Field: `${a.at ?? ''}RoomID`,
        Message: `${a.person.name}已在房间「${a.room.path}」，不用重复登记`,
      })
    }
    there.add(key(a.person.id, a.room.id))
  }
  for (const what of ['isMain', 'isPayer'] as const) {
    const twice = [
      ...Map.groupBy(
        adds.filter(a => a.draft[what]),
        a => a.room.id,
      ).values(),
    ].find(g => g.length > 1)
    if (twice) {
      faults.push({
        Field: `${defined(twice[1]).at ?? ''}${what === 'isMain' ? 'IsMain' : 'IsPayer'}`,
        Message: `房间「${defined(twice[0]).room.path}」只能有一位${what === 'isMain' ? '主业主' : '缴费人'}`,
      })
    }
  }
  if (faults.length) throw invalidInput(faults)
  const mains = await findRoomsWithMainOwner(
    tx,
    scope.ownerId,
    adds.map(a => a.room.id),
  )
  for (const a of adds) {
    if (a.draft.isMain) {
      mains.add(a.room.id)
    }
  }
  const values = adds.map(({ person, room: r, draft: d }) => {
    const status =
      d.pending || !hasPermission(scope, menu.link.permissions.audit)
        ? ('pending' as const)
        : ('living' as const)
    const first = status === 'living' && d.relation === 'owner' && !mains.has(r.id)
    if (first) {
      mains.add(r.id)
    }
    return {
      projectCode: r.projectCode,
      userId: person.id,
      roomId: r.id,
      buildCode: r.buildCode,
      relation: d.relation,
      isMain: first || (d.isMain ?? false),
      isPayer: d.isPayer ?? false,
      inDate: d.inDate,
      leaseBegin: d.leaseBegin,
      leaseEnd: d.leaseEnd,
      status,
      applySource: source,
      remark: d.remark,
      attachments: d.attachments,
      ...(status === 'living' ? { auditBy: scope.operatorId } : {}),
    }
  })
  await releaseMainAndPayer(
    tx,
    scope,
    values.filter(v => v.status === 'living'),
  )
  const ids = await insertAll(tx, residency, scope, values)
  await logResidencyChanges(
    tx,
    scope,
    values.flatMap((v, i): ResidencyLogEntry[] => [
      {
        link: { ...v, id: defined(ids[i]) },
        userName: defined(adds[i]).person.name,
        action: v.status === 'pending' ? 'applied' : v.inDate ? 'movedIn' : 'added',
        day: v.inDate ?? today,
        detail: [
          labelOf(relation, v.relation),
          v.isMain ? '主业主' : '',
          v.isPayer ? '缴费人' : '',
          v.leaseBegin ? `租期 ${v.leaseBegin} 至 ${v.leaseEnd ?? '长期'}` : '',
        ]
          .filter(Boolean)
          .join('，'),
      },
    ]),
  )
  await syncRoomOccupancy(
    tx,
    scope,
    values.filter(v => v.status === 'living').map(v => v.roomId),
    { today, inDate: values.find(v => v.inDate)?.inDate },
  )
  return ids
}

export const noLink = (): never => refuse('请选择要办理的住户')
