import { isDeepStrictEqual } from 'node:util'
import { notFound, refuse, type FieldFault } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { registerFileAccess, storedFileFaults } from '#kit/server/file-access.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import { hasPermission } from '#kit/server/scope.ts'
import { notDeleted, touch } from '#kit/server/sql.ts'
import { insert, requireById, tenantFilter, update } from '#kit/server/table.ts'
import { cancelMessages } from '#modules/messaging/server/public.ts'
import { noticeKind, type NoticeState } from '../contract/choices.ts'
import {
  notices,
  publicNotice,
  publishNotice,
  setNoticeTop,
  withdrawNotice,
  type PublicNotice,
} from '../contract/notice.ts'
import { noticeVersion, noticeVersions } from '../contract/version.ts'
import { draftAudienceFaults } from '../domain/audience.ts'
import {
  editFault,
  expiryFault,
  publishedState,
  publishFault,
  topFault,
  withdrawFault,
  withdrawnState,
} from '../domain/states.ts'
import { menu } from '../module.ts'
import { richTextFaults, storedRichText } from './notice-text.ts'
import { publishNow } from './publication.ts'
import { audienceProjects, inDomain, ofProject, missingBuildingFaults, requireInDomain } from './reach.ts'
import { withReceiptCounts } from './receipt-counts.ts'
import { scopeText } from './scope-text.ts'
import { reminderSource, noticeSource } from './sources.ts'
import { smsTextFaults } from './text-variables.ts'

registerFileAccess(publicNotice.name, caller =>
  hasPermission(caller, menu.notice.permissions.view)
    ? sql.join([tenantFilter(publicNotice, caller), ...inDomain(caller)], sql` and `)
    : undefined,
)
registerFileAccess(noticeVersion.name, caller =>
  hasPermission(caller, menu.notice.permissions.view) && caller.domain.all
    ? tenantFilter(noticeVersion, caller)
    : undefined,
)

type NoticeDraft = NonNullable<typeof notices.edit.input.T>

/** What a published notice was published with: people have read it, so it stays. */
const fixedKeys = ['scopeType', 'scopeJson', 'channels', 'smsText', 'noticeType', 'needConfirm'] as const

const same = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a ?? undefined, b ?? undefined)

const labelsOf = (keys: readonly (keyof typeof publicNotice.fields)[]): string =>
  keys.map(key => publicNotice.fields[key].label).join('、')

function changeFaults(draft: NoticeDraft, before: PublicNotice): void {
  const fault = editFault(before.state)
  if (fault !== undefined) refuse(fault)
  if (before.state !== 'published') return
  const changed = fixedKeys.filter(key => !same(draft[key], before[key]))
  if (changed.length) refuse(`公告已发布，不能修改${labelsOf(changed)}；如需修改，请撤回后复制为新公告`)
}

async function draftFaults(
  draft: NoticeDraft,
  c: WriteContext,
  before: PublicNotice | undefined,
): Promise<FieldFault[]> {
  if (before) {
    requireInDomain(c.scope, before)
    await audienceProjects(c.tx, c.scope, before)
    changeFaults(draft, before)
  }
  const expiry = expiryFault(draft, c.now)
  const isPublished = before?.state === 'published'
  const audience = isPublished ? [] : [...draftAudienceFaults(draft), ...smsTextFaults(draft)]
  if (!audience.length) {
    await audienceProjects(c.tx, c.scope, draft)
    const missing = isPublished ? [] : await missingBuildingFaults(c.tx, c.scope, draft)
    audience.push(...missing)
  }
  const contentFaults = await richTextFaults(c, 'Content', '正文', draft.content, before?.contentFiles)
  return [
    ...audience,
    ...(expiry === undefined ? [] : [{ Field: 'ExpireTime', Message: expiry }]),
    ...contentFaults,
    ...(await storedFileFaults(c, 'Attachments', draft.attachments)),
  ]
}

const textKeys = ['title', 'content', 'attachments'] as const

/** The text that residents have read so far stays readable for staff. */
async function keepVersion({ tx, scope, now }: WriteContext, before: PublicNotice): Promise<void> {
  const { title, content, contentFiles, attachments, versionNo } = before
  await insert(tx, noticeVersion, scope, {
    noticeId: before.id,
    versionNo,
    title,
    content,
    contentFiles,
    attachments,
    editorName: scope.name,
    replacedTime: now,
  })
}

async function changedValues(draft: NoticeDraft, c: WriteContext, before: PublicNotice): Promise<object> {
  const text = await storedRichText(c, draft.content, before.contentFiles)
  if (before.state !== 'published')
    return { ...text, publishFault: undefined, projectCodes: await audienceProjects(c.tx, c.scope, draft) }
  const next = { ...draft, ...text }
  if (textKeys.every(key => same(next[key], before[key]))) return { publishTime: before.publishTime }
  await keepVersion(c, before)
  return { ...text, publishTime: before.publishTime, isModified: true, versionNo: before.versionNo + 1 }
}

async function lockNotice(
  { tx, scope }: WriteContext,
  id: Id,
  faultOf: (state: NoticeState) => string | undefined,
): Promise<PublicNotice> {
  const notice = requireInDomain(scope, await requireById(tx, publicNotice, scope, id, { lock: true }))
  const fault = faultOf(notice.state)
  if (fault !== undefined) return refuse(fault)
  await audienceProjects(tx, scope, notice)
  return notice
}

async function publish(id: Id, c: WriteContext): Promise<PublicNotice> {
  const notice = await lockNotice(c, id, publishFault)
  const expiry = expiryFault(notice, c.now)
  if (expiry !== undefined) return refuse(expiry)
  const projectCodes = await audienceProjects(c.tx, c.scope, notice)
  if (publishedState(notice, c.now) === 'published') return publishNow(c, { ...notice, projectCodes })
  return update(c.tx, publicNotice, c.scope, id, {
    state: 'timed',
    projectCodes,
    publisherName: c.scope.name,
    publishFault: undefined,
  })
}

async function withdraw(id: Id, reason: string, c: WriteContext): Promise<PublicNotice> {
  const { tx, scope, now } = c
  const notice = await lockNotice(c, id, withdrawFault)
  const state = withdrawnState(notice.state)
  if (state === 'draft')
    return update(tx, publicNotice, scope, id, { state, publisherName: undefined }, { reason })
  for (const source of [noticeSource, reminderSource]) {
    await cancelMessages(c, source.key, id)
  }
  const values = { state, withdrawTime: now, withdrawReason: reason }
  return update(tx, publicNotice, scope, id, values, { reason })
}

async function forgetReceivers(rows: readonly PublicNotice[], c: WriteContext): Promise<void> {
  const { tx, scope } = c
  const ids = rows.map(row => row.id)
  await tx.execute(sql`
    update notice_receiver
    set delete_tag = 1, ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and notice_kind = ${noticeKind.rows.public[0]}
      and notice_id = any(${ids}::bigint[])
      and ${notDeleted()}
  `)
  for (const id of ids) {
    await cancelMessages(c, noticeSource.key, id)
    await cancelMessages(c, reminderSource.key, id)
  }
}

const counted = async (notice: PublicNotice, { tx, scope }: WriteContext): Promise<PublicNotice> =>
  (await withReceiptCounts([notice], { db: tx, scope }, 'public'))[0] ?? notice

const versionServer = crudHandlers(noticeVersions, {
  byHand: ['get'],
  filter: (_, { scope }) =>
    scope.domain.all
      ? []
      : [
          sql`t.notice_id in (
            select t.id
            from public_notice t
            where t.owner_id = ${scope.ownerId} and ${sql.join(inDomain(scope), sql` and `)}
          )`,
        ],
})

const versionHandlers = [
  reads(noticeVersions.get, async ({ id }, { db, scope }) => {
    const version = await requireById(db, noticeVersion, scope, id)
    requireInDomain(scope, await requireById(db, publicNotice, scope, version.noticeId))
    return version
  }),
]

export const noticeServer = joinServers(
  crudHandlers(notices, {
    addSaves: true,
    byHand: ['get'],
    pictures: ['cover'],
    filter: ({ projectCode }, { scope }) => [...inDomain(scope), ...ofProject(projectCode)],
    enrich: (rows, c) => withReceiptCounts(rows, c, 'public'),
    check: draftFaults,
    beforeInsert: async (draft, c) => ({
      ...(await storedRichText(c, draft.content)),
      projectCodes: await audienceProjects(c.tx, c.scope, draft),
    }),
    beforeUpdate: changedValues,
    beforeDelete: async (rows, c) => {
      for (const row of rows) {
        requireInDomain(c.scope, row)
        await audienceProjects(c.tx, c.scope, row)
        if (row.state === 'timed') refuse(`「${row.title}」正在等待定时发布，请先撤回再删除`)
      }
    },
    afterDelete: forgetReceivers,
  }),
  versionServer,
  {
    handlers: [
      ...versionHandlers,
      reads(notices.get, async ({ id }, { db, scope }) => {
        const notice = requireInDomain(scope, await requireById(db, publicNotice, scope, id))
        const [shown] = await withReceiptCounts([notice], { db, scope }, 'public')
        if (!shown) throw notFound()
        return { ...shown, scopeText: await scopeText(db, scope, notice) }
      }),
      writes(publishNotice, async ({ id }, c) => counted(await publish(id, c), c)),
      writes(withdrawNotice, async ({ id, reason }, c) => counted(await withdraw(id, reason, c), c)),
      writes(setNoticeTop, async ({ id, isTop }, c) => {
        const notice = requireInDomain(c.scope, await requireById(c.tx, publicNotice, c.scope, id))
        await audienceProjects(c.tx, c.scope, notice)
        const fault = isTop ? topFault(notice.state) : undefined
        if (fault !== undefined) return refuse(fault)
        return counted(await update(c.tx, publicNotice, c.scope, id, { isTop }), c)
      }),
    ],
  },
)
