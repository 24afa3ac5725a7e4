import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import type { CrudContext } from '#kit/server/crud-hooks.ts'
import { code } from '#kit/server/sql.ts'
import { receiverKind } from '#modules/messaging/contract/choices.ts'
import { onResidentsMerged, residentDomainFilter } from '#modules/residents/server/public.ts'
import type { Id } from '#kit/domain/id.ts'
import { exportReceivers, noticeReceivers, type NoticeReceiver } from '../contract/receiver.ts'

/** Residents outside the data domain are not named. */
function inDomain({ scope }: CrudContext): RawBuilder<unknown>[] {
  const residents = residentDomainFilter(scope)
  if (!residents.length) return []
  return [
    sql`(
      t.receiver_kind <> ${code(receiverKind, 'resident')}
      or t.receiver_id in (
        select t.id from resident t where t.owner_id = ${scope.ownerId} and ${sql.join(residents, sql` and `)}
      )
    )`,
  ]
}

interface Named {
  readonly id: Id
  readonly personName?: string
  readonly roomPath?: string
}

/** Names and rooms as they are now: nothing of them is stored with a receipt. */
async function withNames(rows: readonly NoticeReceiver[], { db, scope: { ownerId } }: CrudContext) {
  if (!rows.length) return rows
  const named = await db.rows<Named>(sql`
    select n.id, coalesce(p.name, s.name) as person_name, r.path as room_path
    from notice_receiver n
    left join resident p on p.owner_id = ${ownerId}
      and n.receiver_kind = ${code(receiverKind, 'resident')}
      and p.id = n.receiver_id
    left join staff s on s.owner_id = ${ownerId}
      and n.receiver_kind = ${code(receiverKind, 'staff')}
      and s.id = n.receiver_id
    left join room r on r.owner_id = ${ownerId} and r.id = n.room_id
    where n.owner_id = ${ownerId} and n.id = any(${rows.map(row => row.id)}::bigint[])
  `)
  const byId = new Map(named.map(row => [row.id, row]))
  return rows.map(row => {
    const found = byId.get(row.id)
    return { ...row, personName: found?.personName, roomPath: found?.roomPath }
  })
}

/** The receipts of a person who was entered twice become one's; the kept person's own stay as they are. */
onResidentsMerged(async (tx, { ownerId }, kept, mergedIds) => {
  const isResident = sql`receiver_kind = ${code(receiverKind, 'resident')}`
  await tx.execute(sql`
    update notice_receiver n
    set receiver_id = ${kept.id}
    where n.owner_id = ${ownerId}
      and n.${isResident}
      and n.id in (
        select distinct on (m.notice_kind, m.notice_id) m.id
        from notice_receiver m
        where m.owner_id = ${ownerId}
          and m.${isResident}
          and m.receiver_id = any(${[...mergedIds]}::bigint[])
          and not exists (
            select 1
            from notice_receiver k
            where k.owner_id = ${ownerId}
              and k.${isResident}
              and k.receiver_id = ${kept.id}
              and k.notice_kind = m.notice_kind
              and k.notice_id = m.notice_id
          )
        order by m.notice_kind, m.notice_id, m.receipt desc, m.id
      )
  `)
})

export const receiverServer = crudHandlers(noticeReceivers, {
  filter: ({ noticeId }, c) => [sql`t.notice_id = ${noticeId}`, ...inDomain(c)],
  enrich: withNames,
  export: exportReceivers,
})
