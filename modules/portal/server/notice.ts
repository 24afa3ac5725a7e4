import type { Id } from '#kit/domain/id.ts'
import { refuse, type FieldFault } from '#kit/contract/wire.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { wireName } from '#kit/server/crud-references.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { registerFileAccess, storedFileFaults } from '#kit/server/file-access.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { insertAll, requireById, tenantFilter, update } from '#kit/server/table.ts'
import { notify, retractNotifications } from '#modules/system/server/public.ts'
import { receiptState } from '../contract/choices.ts'
import {
  internalNotice,
  notices,
  previewAudience,
  publishNotice,
  remindReaders,
  withdrawNotice,
  type InternalNotice,
} from '../contract/notice.ts'
import { exportReceivers, internalNoticeReceiver, noticeReceivers } from '../contract/receiver.ts'
import {
  audienceFault,
  editFault,
  finalReceipt,
  publishFault,
  remindFault,
  storedAudience,
  withdrawFault,
} from '../domain/notice.ts'
import { menu, paths } from '../module.ts'
import { resolveAudience } from './audience.ts'
import { noticeKind } from './notice-kind.ts'
import { isOwnNotice } from './receipts.ts'

// Attachments open to those who keep notices, and to those who receive them.
registerFileAccess(internalNotice.name, caller => {
  const visible = hasPermission(caller, menu.notice.permissions.view) ? sql`true` : isOwnNotice(caller)
  return sql`${tenantFilter(internalNotice, caller)} and ${visible}`
})

interface ReceiptCounts {
  readonly id: Id
  readonly receiverCount: number
  readonly readCount: number
  readonly confirmedCount: number
}

async function withReceiptCounts(
  rows: readonly InternalNotice[],
  { db, scope }: { readonly db: Db; readonly scope: Scope },
): Promise<readonly InternalNotice[]> {
  if (!rows.length) return rows
  const counts = await db.rows<ReceiptCounts>(sql`
    select notice_id as id, count(*)::int as receiver_count,
      (count(*) filter (where receipt <> ${code(receiptState, 'unread')}))::int as read_count,
      (count(*) filter (where receipt = ${code(receiptState, 'confirmed')}))::int as confirmed_count
    from internal_notice_receiver
    where owner_id = ${scope.ownerId}
      and notice_id = any(${rows.map(row => row.id)}::bigint[])
      and ${notDeleted()}
    group by notice_id
  `)
  const byId = new Map(counts.map(row => [row.id, row]))
  return rows.map(row =>
    row.state === 'draft'
      ? row
      : { ...row, receiverCount: 0, readCount: 0, confirmedCount: 0, ...byId.get(row.id) },
  )
}

type NoticeDraft = NonNullable<typeof notices.edit.input.T>

async function draftFaults(
  draft: NoticeDraft,
  { app, scope }: WriteContext,
  before: InternalNotice | undefined,
): Promise<FieldFault[]> {
  const fixed = before && editFault(before.state)
  if (fixed !== undefined) return refuse(fixed)
  const faults: FieldFault[] = []
  const fault = audienceFault(draft)
  if (fault) {
    const [key, Message] = fault
    faults.push({ Field: wireName(key, internalNotice.fields[key]), Message })
  }
  return [...faults, ...(await storedFileFaults({ app, scope }, 'Attachments', draft.attachments))]
}

async function lockNotice(
  { tx, scope }: WriteContext,
  id: Id,
  faultOf: (state: InternalNotice['state']) => string | undefined,
): Promise<InternalNotice> {
  const notice = await requireById(tx, internalNotice, scope, id, { lock: true })
  const fault = faultOf(notice.state)
  if (fault !== undefined) return refuse(fault)
  return notice
}

const sendNotices = (
  { tx, app, scope }: WriteContext,
  notice: InternalNotice,
  to: readonly Id[],
  title: string,
): Promise<number> =>
  notify(tx, app, scope.ownerId, {
    kind: noticeKind,
    to,
    exceptOperatorId: scope.operatorId,
    title,
    text: notice.content,
    link: `${paths.notice}?id=${notice.id}`,
    bizId: notice.id,
    ...(notice.isImportant ? { level: 'important' } : {}),
  })

async function publish(id: Id, c: WriteContext): Promise<InternalNotice> {
  const { tx, scope, now } = c
  const notice = await lockNotice(c, id, publishFault)
  const { readers } = await resolveAudience(tx, scope, notice)
  if (!readers.length) return refuse('发布范围内的人员均无登录账号，请调整发布范围')
  const final = finalReceipt(notice.isImportant)
  await insertAll(
    tx,
    internalNoticeReceiver,
    scope,
    readers.map(({ managerId, departmentId }) => ({
      noticeId: id,
      managerId,
      departmentId,
      // The publisher has read it.
      ...(managerId === scope.operatorId
        ? { receipt: final, readTime: now, confirmTime: notice.isImportant ? now : undefined }
        : { receipt: 'unread' as const }),
    })),
  )
  const published = await update(tx, internalNotice, scope, id, {
    state: 'published',
    publishTime: now,
    publisherName: scope.name,
  })
  await sendNotices(
    c,
    published,
    readers.map(reader => reader.managerId),
    `${notice.isImportant ? '重要公告' : '内部公告'}：${notice.title}`,
  )
  return published
}

async function remind(id: Id, c: WriteContext): Promise<number> {
  const { tx, scope } = c
  const notice = await lockNotice(c, id, remindFault)
  const late = notice.isImportant
    ? sql`receipt <> ${code(receiptState, 'confirmed')}`
    : sql`receipt = ${code(receiptState, 'unread')}`
  const reminded = await tx.rows<{ managerId: Id }>(sql`
    update internal_notice_receiver
    set remind_time = ${scope.time}::timestamptz, ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and notice_id = ${id}
      and ${late}
      and remind_time is null
      and ${notDeleted()}
    returning manager_id
  `)
  if (!reminded.length) return refuse('未读人员均已提醒，或全部人员已阅读')
  await sendNotices(
    c,
    notice,
    reminded.map(row => row.managerId),
    `请阅读公告：${notice.title}`,
  )
  return reminded.length
}

async function forgetReceivers(
  rows: readonly InternalNotice[],
  { tx, app, scope }: WriteContext,
): Promise<void> {
  const ids = rows.map(row => row.id)
  await tx.execute(sql`
    update internal_notice_receiver
    set delete_tag = 1, ${touch(scope)}
    where owner_id = ${scope.ownerId} and notice_id = any(${ids}::bigint[]) and ${notDeleted()}
  `)
  await retractNotifications([tx, app, scope], noticeKind, ids)
}

const counted = async (notice: InternalNotice, { tx, scope }: WriteContext): Promise<InternalNotice> =>
  (await withReceiptCounts([notice], { db: tx, scope }))[0] ?? notice

export const noticeServer = joinServers(
  crudHandlers(notices, {
    enrich: withReceiptCounts,
    check: draftFaults,
    beforeInsert: storedAudience,
    beforeUpdate: storedAudience,
    afterDelete: forgetReceivers,
  }),
  crudHandlers(noticeReceivers, { export: exportReceivers }),
  {
    handlers: [
      reads(previewAudience, async ({ id }, { db, scope }) => {
        const notice = await requireById(db, internalNotice, scope, id)
        const { readers, withoutAccountCount } = await resolveAudience(db, scope, notice)
        return { receiverCount: readers.length, withoutAccountCount }
      }),
      writes(publishNotice, async ({ id }, c) => counted(await publish(id, c), c)),
      writes(withdrawNotice, async ({ id, reason }, c) => {
        const { tx, app, scope, now } = c
        await lockNotice(c, id, withdrawFault)
        await retractNotifications([tx, app, scope], noticeKind, [id])
        const withdrawn = await update(
          tx,
          internalNotice,
          scope,
          id,
          { state: 'withdrawn', withdrawTime: now, withdrawReason: reason },
          { reason },
        )
        return counted(withdrawn, c)
      }),
      writes(remindReaders, async ({ id }, c) => ({ reminded: await remind(id, c) })),
    ],
  },
)
