import { parseId, type Id } from '#kit/domain/id.ts'
import { keyOf } from '#kit/contract/field.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, requireById, findPage, remove } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import {
  addAnnouncement,
  deleteAnnouncements,
  listAnnouncements,
  listUnreadAnnouncements,
  systemNotice,
  type SystemNotice,
} from '../contract/announcement.ts'
import { notificationLevel, receiverKind } from '../contract/notification.ts'
import { defineNotificationKind, notify, retractNotifications } from './notify.ts'

const announcementKind = defineNotificationKind({
  key: 'system.announce',
  label: '系统公告',
  group: 'system',
  mandatory: true,
})

interface DeliveryCounts {
  readonly id: Id
  readonly notified: number
  readonly seen: number
  readonly waiting: boolean
}

/** Adds how many accounts were notified, how many have read it, and whether it still waits for its time. */
async function withDeliveryCounts(
  db: Db,
  scope: Scope,
  notices: readonly SystemNotice[],
): Promise<readonly SystemNotice[]> {
  if (!notices.length) return notices
  const rows = await db.rows<DeliveryCounts>(sql`
    select s.id, s.run_waits as waiting, count(n.id)::int as notified, count(n.read_time)::int as seen
    from system_notice s
    left join notification n on n.owner_id = ${scope.ownerId}
      and n.kind = ${announcementKind.key}
      and n.biz_id = s.id
      and ${notDeleted('n')}
    where s.owner_id = ${scope.ownerId} and s.id = any(${notices.map(notice => notice.id)}::bigint[])
    group by s.id, s.run_waits
  `)
  const countsById = new Map(rows.map(({ id, ...counts }) => [id, counts]))
  return notices.map(notice => ({ ...notice, ...countsById.get(notice.id) }))
}

interface DueAnnouncement {
  readonly id: Id
  readonly title: string
  readonly content: string
  readonly level: number
}

const toLevel = (levelCode: number) => keyOf(notificationLevel, levelCode) ?? 'normal'

/** Notifies everybody of a company's due announcements; each is published by one process only. */
async function publishDueOf(tx: Tx, app: App, ownerId: Id): Promise<void> {
  const due = await tx.rows<DueAnnouncement>(
    sql`
      update system_notice
      set run_waits = false
      where owner_id = ${ownerId} and run_waits and ${notDeleted()} and start_time <= ${new Date(app.clock())}
      returning id, title, content, level
    `,
  )
  for (const { id, title, content, level } of due) {
    await notify(tx, app, ownerId, {
      kind: announcementKind,
      to: 'all',
      title,
      text: content,
      bizId: id,
      level: toLevel(level),
    })
  }
}

export async function publishDueAnnouncements(app: App): Promise<void> {
  await forEachDueCompany(
    app.database,
    sql`
      select distinct owner_id
      from system_notice
      where run_waits and ${notDeleted()} and start_time <= ${new Date(app.clock())}
    `,
    (tx, ownerId) => publishDueOf(tx, app, ownerId),
  )
}

interface UnreadAnnouncement {
  readonly id: Id
  readonly title: string
  readonly content: string
  readonly level: number
  readonly startTime: Moment
  readonly messageId: Id
}

/** The announcements in force that an account has not read, the most important first. */
const findUnread = (db: Db, { ownerId, operatorId }: Scope, now: Date): Promise<UnreadAnnouncement[]> =>
  db.rows<UnreadAnnouncement>(sql`
    select s.id, s.title, s.content, s.level, s.start_time, n.id as message_id
    from notification n
    join system_notice s on s.owner_id = ${ownerId} and s.id = n.biz_id and ${notDeleted('s')}
    where n.owner_id = ${ownerId}
      and n.receiver_kind = ${code(receiverKind, 'manager')}
      and n.receiver_id = ${operatorId}
      and ${notDeleted('n')}
      and n.read_time is null
      and n.kind = ${announcementKind.key}
      and (s.end_time is null or s.end_time > ${now})
    order by s.level desc, s.id desc
    limit 20
  `)

export const announcementHandlers = [
  reads(listAnnouncements, async (query, { db, scope }) => {
    const page = await findPage(db, systemNotice, scope, query, {
      filters: listAnnouncements.input.filters ?? [],
    })
    return { ...page, rows: await withDeliveryCounts(db, scope, page.rows) }
  }),
  reads(listUnreadAnnouncements, async (_, { db, scope, app }) => {
    const rows = await findUnread(db, scope, new Date(app.clock()))
    return rows.map(row => ({ ...row, level: toLevel(row.level) }))
  }),
  writes(addAnnouncement, async ({ id: _id, version: _version, ...draft }, { tx, scope, app, now }) => {
    const earliest = draft.startTime > now ? draft.startTime : now
    if (draft.endTime !== undefined && draft.endTime <= earliest)
      throw invalidInput([{ Field: 'EndTime', Message: '结束时间应晚于开始时间和现在' }])
    const { id } = await insert(tx, systemNotice, scope, draft)
    await publishDueOf(tx, app, scope.ownerId)
    const created = await requireById(tx, systemNotice, scope, id)
    const [counted] = await withDeliveryCounts(tx, scope, [created])
    return counted ?? created
  }),
  writes(deleteAnnouncements, async ({ ids, reason }, { tx, scope, app }) => {
    await remove(tx, systemNotice, scope, ids, reason)
    await retractNotifications([tx, app, scope], announcementKind, ids.map(parseId))
  }),
]
