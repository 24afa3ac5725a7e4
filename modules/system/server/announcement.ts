import { invalidInput } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, requireById, findPage, remove } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { live } from '#kit/server/sql.ts'
import {
  addAnnouncement,
  deleteAnnouncements,
  listAnnouncements,
  listUnreadAnnouncements,
  systemNotice,
  type SystemNotice,
} from '../contract/announcement.ts'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { notificationLevel, receiverKind } from '../contract/notification.ts'
import { defineNotificationKind, notify } from './notify.ts'

const announcementKind = defineNotificationKind({
  key: 'system.announce',
  label: '系统公告',
  group: 'system',
  fixed: true,
})
const managerReceiverCode = Number(codeOf(receiverKind, 'manager'))

async function withDeliveryCounts(
  db: Db,
  scope: Scope,
  list: readonly SystemNotice[],
): Promise<readonly SystemNotice[]> {
  if (!list.length) return list
  const rows = await db.rows<{
    id: number
    told: number
    seen: number
    waiting: boolean
  }>(sql`
    select s.id, s.run_waits as waiting, count(n.id)::int as told, count(n.read_time)::int as seen
    from system_notice s
    left join notification n on n.owner_id = s.owner_id
      and n.kind = ${announcementKind.key}
      and n.biz_id = s.id
      and ${live('n')}
    where s.owner_id = ${scope.ownerId} and s.id = any(${list.map(x => x.id)}::bigint[])
    group by s.id, s.run_waits
  `)
  const beside = new Map(rows.map(({ id, ...r }) => [id, r]))
  return list.map(x => ({ ...x, ...beside.get(x.id) }))
}

interface DueAnnouncement {
  readonly ownerId: number
  readonly id: number
  readonly title: string
  readonly content: string
  readonly level: number
  readonly createBy: number
}

const notifyEveryone = async (tx: Tx, app: App, d: DueAnnouncement): Promise<void> => {
  await notify(tx, app, d.ownerId, {
    kind: announcementKind,
    to: 'all',
    title: d.title,
    text: d.content,
    bizId: d.id,
    level: keyOf(notificationLevel, d.level)!,
  })
}

/** Tells everybody of what is due; each announcement is taken by one process only. */
async function publishDue(tx: Tx, app: App, owner?: number): Promise<void> {
  const due = await tx.rows<DueAnnouncement>(
    sql`
      update system_notice s
      set run_waits = false
      where run_waits
        and ${live()}
        and start_time <= ${new Date(app.clock())} ${owner === undefined ? sql`` : sql`and owner_id = ${owner}`}
      returning owner_id, id, title, content, level, create_by
    `,
  )
  for (const d of due) {
    await notifyEveryone(tx, app, d)
  }
}

export const publishDueAnnouncements = (app: App): Promise<void> =>
  app.database.tx('*', tx => publishDue(tx, app))

export const announcementHandlers = [
  reads(listAnnouncements, async (q, { db, scope }) => {
    const found = await findPage(db, systemNotice, scope, q, { filters: listAnnouncements.input.filters! })
    return { ...found, rows: await withDeliveryCounts(db, scope, found.rows) }
  }),
  reads(listUnreadAnnouncements, (_, { db, scope, app }) =>
    db
      .rows(sql<never>`
        select s.id, s.title, s.content, s.level, s.start_time, n.id as message_id
        from notification n
        join system_notice s on s.owner_id = n.owner_id and s.id = n.biz_id and ${live('s')}
        where n.owner_id = ${scope.ownerId}
          and n.receiver_kind = ${managerReceiverCode}
          and n.receiver_id = ${scope.operatorId}
          and ${live('n')}
          and n.read_time is null
          and n.kind = ${announcementKind.key}
          and (s.end_time is null or s.end_time > ${new Date(app.clock())})
        order by s.level desc, s.id desc
        limit 20
      `)
      .then(rows => rows.map((r: any) => ({ ...r, level: keyOf(notificationLevel, r.level)! }))),
  ),
  writes(addAnnouncement, async ({ id: _, version: __, ...draft }, { tx, scope, app, now }) => {
    if (draft.endTime !== undefined && draft.endTime <= (draft.startTime > now ? draft.startTime : now))
      throw invalidInput([{ Field: 'EndTime', Message: '结束时间应晚于开始时间和现在' }])
    const made = await insert(tx, systemNotice, scope, draft)
    await publishDue(tx, app, scope.ownerId)
    return (await withDeliveryCounts(tx, scope, [await requireById(tx, systemNotice, scope, made.id)]))[0]!
  }),
  writes(deleteAnnouncements, async ({ ids, reason }, { tx, scope, app }) => {
    await remove(tx, systemNotice, scope, ids, reason)
    await tx.execute(
      sql`
        update notification
        set delete_tag = 1, run_ring = null, update_time = now(), update_by = ${scope.operatorId}
        where owner_id = ${scope.ownerId}
          and kind = ${announcementKind.key}
          and biz_id = any(${ids.map(Number)}::bigint[])
          and ${live()}
      `,
    )
    app.live.publishOnCommit(tx, scope.ownerId, 'all', 'notice', { kind: 'read' })
  }),
]
