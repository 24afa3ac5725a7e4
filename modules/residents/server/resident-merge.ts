import { defineEvent } from '#kit/server/event.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { refuse, invalidInput } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import { notDeleted, touch, code, codes } from '#kit/server/sql.ts'
import { update } from '#kit/server/table.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import { reassignPayerChanges, reassignRoomPeople } from '#modules/rooms/server/public.ts'
import { residencyStatus } from '../contract/labels.ts'
import { changeResidentMobile, mergeResidents } from '../contract/maintenance.ts'
import { resident, type Resident } from '../contract/resident.ts'
import { personFaults } from '../domain/person.ts'
import { menu } from '../module.ts'
import { findDuplicateResidentsHandler } from './duplicate-residents.ts'
import { requireResident, findResidentsByIds } from './resident-access.ts'
import { findSameResidents } from './resident-list.ts'
import { presentResident } from './resident-presentation.ts'
import { saveResidentSearchText, applyResidentChanges } from './resident-record.ts'
import { syncRoomOccupancy } from './room-occupancy.ts'

/**
 * In the transaction that makes one person of several: a module that refers to the others lets its
 * records refer to the one that is kept (BASE-13).
 */
export const [onResidentsMerged, publishResidentsMerged] =
  defineEvent<[tx: Tx, scope: Scope, kept: Resident, mergedIds: readonly Id[]]>()

const deleteRepeatedResidencies = sqlFile(import.meta.dirname, 'merge-residencies.sql', [
  'ownerId',
  'keptId',
  'mergedIds',
  'living',
  'current',
  'time',
])

/** The residencies and their log; of several in one room one stays. */
async function mergeResidencies(tx: Tx, scope: Scope, keptId: Id, mergedIds: readonly Id[]): Promise<void> {
  const ownerId = scope.ownerId
  await tx.execute(
    deleteRepeatedResidencies({
      ownerId,
      keptId,
      mergedIds,
      living: code(residencyStatus, 'living'),
      current: codes(residencyStatus, 'pending', 'living'),
      time: scope.time,
    }),
  )
  await tx.execute(
    sql`
      update user_room
      set user_id = ${keptId}, ${touch(scope)}
      where owner_id = ${ownerId} and user_id = any(${[...mergedIds]}::bigint[])
    `,
  )
  await tx.execute(
    sql`
      update user_room_log
      set user_id = ${keptId}
      where owner_id = ${ownerId} and user_id = any(${[...mergedIds]}::bigint[])
    `,
  )
}

/** Of several blocks in one project one stays. */
const deleteRepeatedBlocks = (
  tx: Tx,
  { ownerId }: Scope,
  keptId: Id,
  mergedIds: readonly Id[],
): Promise<number> =>
  tx.execute(
    sql`
      update user_blocklist b
      set delete_tag = 1
      where b.owner_id = ${ownerId}
        and ${notDeleted('b')}
        and b.user_id = any(${[...mergedIds]}::bigint[])
        and exists (
          select 1
          from user_blocklist x
          where x.owner_id = ${ownerId}
            and x.project_code = b.project_code
            and ${notDeleted('x')}
            and (x.user_id = ${keptId} or (x.user_id = any(${[...mergedIds]}::bigint[]) and x.id < b.id))
        )
    `,
  )

onResidentsMerged(async (tx, scope, { id: keptId }, mergedIds) => {
  await mergeResidencies(tx, scope, keptId, mergedIds)
  await deleteRepeatedBlocks(tx, scope, keptId, mergedIds)
  await reassignPayerChanges(tx, scope.ownerId, mergedIds, keptId)
  for (const table of ['user_blocklist', 'identity_card', 'face_key']) {
    await tx.execute(
      sql`
        update ${sql.table(table)}
        set user_id = ${keptId}, update_time = ${scope.time}::timestamptz
        where owner_id = ${scope.ownerId} and user_id = any(${[...mergedIds]}::bigint[])
      `,
    )
  }
})

const changeResidentMobileHandler = writes(
  changeResidentMobile,
  async ({ id, version, mobile, reason }, { tx, scope, today }) => {
    const before = await requireResident(tx, scope, id, { lock: true })
    const faults = personFaults({ mobile }, today)
    if (faults.length) throw invalidInput(faults)
    if (before.mobile === mobile)
      throw invalidInput([{ Field: 'Mobile', Message: '与原来的手机号相同，无需更换' }])
    const same = await findSameResidents(tx, scope, { id, mobile })
    if (same.length)
      throw invalidInput([{ Field: 'Mobile', Message: '该手机号已存在，如是同一个人请用「合并住户」' }])
    const after = await update(tx, resident, scope, id, { mobile }, { version, reason })
    await applyResidentChanges(tx, scope, before, after, today)
    return presentResident(tx, scope, await requireResident(tx, scope, id), today)
  },
)

const fillableKeys = [
  'mobile',
  'certType',
  'certNo',
  'birthday',
  'nation',
  'education',
  'workUnit',
  'phone2',
  'email',
  'address',
  'photo',
  'emergencyName',
  'emergencyPhone',
  'remark',
] as const

const maxTags = 20

/** What the kept record gets from the others: its empty fields, their tags and bindings. */
function mergedFields(kept: Resident, others: readonly Resident[]) {
  const filled: Partial<Resident> = Object.fromEntries(
    fillableKeys.flatMap(key => {
      const value = others.find(p => p[key] !== undefined)?.[key]
      return kept[key] === undefined && value !== undefined ? [[key, value]] : []
    }),
  )
  const tags = [...new Set([...(kept.tags ?? []), ...others.flatMap(p => p.tags ?? [])])].slice(0, maxTags)
  const mobile = kept.mobile ?? filled.mobile
  const spareMobile = others.map(p => p.mobile).find(m => m && m !== mobile)
  const hasPhone2 = kept.phone2 !== undefined || filled.phone2 !== undefined
  return {
    ...filled,
    ...(tags.length ? { tags } : {}),
    ...(!hasPhone2 && spareMobile ? { phone2: spareMobile } : {}),
    wechatBind: kept.wechatBind || others.some(p => p.wechatBind),
    appBind: kept.appBind || others.some(p => p.appBind),
  }
}

/** The WeChat of the first who has one; messages go to the person, not to the record. */
async function takeOverWechat(
  tx: Tx,
  { ownerId }: Scope,
  kept: Resident,
  others: readonly Resident[],
): Promise<void> {
  const bound = kept.wechatBind ? undefined : others.find(p => p.wechatBind)
  if (!bound) return
  await tx.execute(
    sql`
      update resident k
      set run_wechat = b.run_wechat, run_wechat_time = b.run_wechat_time
      from resident b
      where k.owner_id = ${ownerId} and k.id = ${kept.id} and b.owner_id = ${ownerId} and b.id = ${bound.id}
    `,
  )
}

/** The records to merge, locked: the kept one and the others. */
async function requireMergeable(
  { tx, scope }: WriteContext,
  keptId: Id,
  mergedIds: readonly Id[],
): Promise<{ kept: Resident; others: Resident[] }> {
  const people = await findResidentsByIds(tx, scope, [keptId, ...mergedIds], { lock: true })
  const kept = people.find(p => p.id === keptId)
  const others = people.filter(p => p.id !== keptId)
  if (!kept || others.length !== mergedIds.length) return refuse('有的住户已被删除，请刷新后重试')
  const different = others.find(p => p.certNo && kept.certNo && p.certNo !== kept.certNo)
  if (different) return refuse(`「${different.name}」与「${kept.name}」的证件号不同，不是同一个人，不能合并`)
  return { kept, others }
}

async function lockRoomsOf({ tx, scope }: WriteContext, residentIds: readonly Id[]): Promise<Id[]> {
  const rows = await tx.rows<{ roomId: Id }>(
    sql`
      select distinct room_id
      from user_room
      where owner_id = ${scope.ownerId} and user_id = any(${[...residentIds]}) and ${notDeleted()}
    `,
  )
  const roomIds = rows.map(row => row.roomId)
  await tx.rows(
    sql`
      select id
      from room
      where owner_id = ${scope.ownerId}
        and id = any(${roomIds})
      order by id for update
    `,
  )
  return roomIds
}

const mergeResidentsHandler = writes(mergeResidents, async (input, context) => {
  const { id, reason } = input
  const { tx, scope, today } = context
  const mergedIds = [...new Set(input.others.map(parseId))].filter(other => other !== id)
  if (!mergedIds.length) return refuse('请选择要并入的住户')
  if (!hasPermission(scope, menu.resident.permissions.merge)) return refuse('没有合并权限')
  const { kept, others } = await requireMergeable(context, id, mergedIds)
  const roomIds = await lockRoomsOf(context, [id, ...mergedIds])
  await reassignRoomPeople(tx, scope.ownerId, roomIds, mergedIds, id)
  await publishResidentsMerged(tx, scope, kept, mergedIds)
  // Deleted first: the kept record takes over what must be unique, as the mobile.
  await tx.execute(
    sql`
      update resident
      set delete_tag = 1, ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = any(${mergedIds})
    `,
  )
  publishRecordsWritten(tx, scope.ownerId, { entity: resident.name, action: 'delete', ids: mergedIds })
  const after = await update(tx, resident, scope, id, mergedFields(kept, others), { reason })
  await takeOverWechat(tx, scope, kept, others)
  await saveResidentSearchText(tx, scope.ownerId, after)
  await audit(
    tx,
    scope,
    others.map(person => ({
      action: 'delete',
      entity: 'resident',
      entityId: person.id,
      before: person,
      reason: `并入 ${id}：${reason}`,
    })),
  )
  await syncRoomOccupancy(tx, scope, roomIds, { today, reason: '合并住户' })
  return presentResident(tx, scope, after, today)
})

export const mergeHandlers = [
  changeResidentMobileHandler,
  findDuplicateResidentsHandler,
  mergeResidentsHandler,
]
