import { parseId } from '#kit/domain/id.ts'
import { invalidInput, notFound } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { registerFileAccess } from '#kit/server/file-access.ts'
import { hasPermission, type Caller, type Scope } from '#kit/server/scope.ts'
import { insert, findPage, findAll, requireByIds, tenantFilter } from '#kit/server/table.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { receiverKind } from '../contract/notification.ts'
import {
  addSuggestion,
  listSuggestions,
  listOwnSuggestions,
  propertySuggest,
  handleSuggestions,
  type PropertySuggest,
} from '../contract/suggestion.ts'
import { menu, paths } from '../module.ts'
import { defineNotificationKind, notify } from './notify.ts'

const newSuggestionKind = defineNotificationKind({
  key: 'system.suggest',
  label: '新的意见反馈',
  group: 'notice',
  entity: 'propertySuggest',
})
const suggestionReplyKind = defineNotificationKind({
  key: 'system.reply',
  label: '意见反馈回复',
  group: 'notice',
  entity: 'propertySuggest',
})

/**
 * An account limited to projects sees the suggestions about these; those about no project are for accounts
 * with all projects.
 */
const projectDomainFilter = (scope: Caller) =>
  scope.domain.all ? [] : [sql`t.project_code = any(${[...scope.domain.projects.keys()]}::text[])`]

async function withProjectNames(
  db: Db,
  scope: Scope,
  suggestions: readonly PropertySuggest[],
): Promise<readonly PropertySuggest[]> {
  const projectCodes = [...new Set(suggestions.flatMap(s => s.projectCode ?? []))]
  if (!projectCodes.length) return suggestions
  const rows = await db.rows<{ projectCode: string; name: string }>(
    sql`
      select project_code, name
      from estate
      where owner_id = ${scope.ownerId} and ${notDeleted()} and project_code = any(${projectCodes}::text[])
    `,
  )
  const names = new Map(rows.map(row => [row.projectCode, row.name]))
  return suggestions.map(suggestion => {
    const projectName = suggestion.projectCode && names.get(suggestion.projectCode)
    return projectName ? { ...suggestion, projectName } : suggestion
  })
}

const isOwn = ({ operatorId }: Caller) =>
  sql`t.user_kind = ${code(receiverKind, 'manager')} and t.user_id = ${operatorId}`

registerFileAccess(propertySuggest.name, caller => {
  const visible = hasPermission(caller, menu.suggest.permissions.view)
    ? sql.join([sql`true`, ...projectDomainFilter(caller)], sql` and `)
    : sql`false`
  return sql`${tenantFilter(propertySuggest, caller)} and (${isOwn(caller)} or ${visible})`
})

const excerpt = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)

async function assertImages(app: App, scope: Scope, keys: readonly string[]): Promise<void> {
  if (!keys.length) return
  const files = await app.files.describe(scope.ownerId, keys)
  if (files.length !== keys.length || files.some(file => !file.type.startsWith('image/')))
    throw invalidInput([{ Field: 'Photos', Message: '只能附图片，请重新上传' }])
}

/** The suggestions, locked; refuses where one does not exist or is outside the data domain. */
async function requireSuggestions(
  tx: Tx,
  scope: Scope,
  ids: readonly string[],
): Promise<readonly PropertySuggest[]> {
  const suggestions = await requireByIds(tx, propertySuggest, scope, ids, { lock: true })
  const isVisible = (s: PropertySuggest): boolean =>
    scope.domain.all || scope.domain.projects.has(s.projectCode ?? '')
  if (!suggestions.every(isVisible)) throw notFound()
  return suggestions
}

const markRead = (tx: Tx, scope: Scope, ids: readonly string[], isRead: boolean): Promise<number> =>
  tx.execute(
    sql`
      update property_suggest
      set is_read = ${isRead}, ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = any(${ids.map(parseId)}::bigint[]) and ${notDeleted()}
    `,
  )

/** A reply also marks the suggestion read. */
async function saveReply(
  tx: Tx,
  scope: Scope,
  suggestion: PropertySuggest,
  reply: string,
  now: Date,
): Promise<void> {
  await tx.execute(
    sql`
      update property_suggest
      set is_read = true, reply = ${reply}, reply_name = ${scope.name}, reply_time = ${now}, ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = ${suggestion.id} and ${notDeleted()}
    `,
  )
  await audit(tx, scope, [
    {
      action: 'update',
      entity: propertySuggest.name,
      entityId: suggestion.id,
      projectCode: suggestion.projectCode,
      before: { reply: suggestion.reply },
      after: { reply },
    },
  ])
}

export const suggestionHandlers = [
  reads(listSuggestions, async ({ replied, ...query }, { db, scope }) => {
    const where = projectDomainFilter(scope)
    if (replied !== undefined) {
      where.push(replied ? sql`t.reply is not null` : sql`t.reply is null`)
    }
    const filters = listSuggestions.input.filters ?? []
    const page = await findPage(db, propertySuggest, scope, query, { filters, where })
    return { ...page, rows: await withProjectNames(db, scope, page.rows) }
  }),
  reads(listOwnSuggestions, async (_, { db, scope }) => {
    const own = await findAll(db, propertySuggest, scope, {}, { where: [isOwn(scope)], limit: 100 })
    return withProjectNames(db, scope, own)
  }),
  writes(addSuggestion, async ({ photos, ...draft }, { tx, scope, app }) => {
    await assertImages(app, scope, photos ?? [])
    const created = await insert(tx, propertySuggest, scope, {
      ...draft,
      projectCode: draft.projectCode ?? (scope.projectCode || undefined),
      photos: photos?.length ? photos : undefined,
      userKind: 'manager',
      userId: scope.operatorId,
      userName: scope.name,
      isRead: false,
    })
    await notify(tx, app, scope.ownerId, {
      kind: newSuggestionKind,
      to: { permission: menu.suggest.permissions.edit, project: created.projectCode },
      exceptOperatorId: scope.operatorId,
      title: `${scope.name}提交了意见反馈`,
      text: excerpt(created.content),
      link: paths.suggestions,
      bizId: created.id,
      project: created.projectCode,
    })
    return created
  }),
  writes(handleSuggestions, async ({ ids, isRead = true, reply }, { tx, scope, app }) => {
    if (reply !== undefined && ids.length !== 1)
      throw invalidInput([{ Field: 'Reply', Message: '一次只能回复一条意见' }])
    const suggestions = await requireSuggestions(tx, scope, ids)
    const [suggestion] = suggestions
    if (reply === undefined || !suggestion) {
      await markRead(tx, scope, ids, isRead)
      return
    }
    await saveReply(tx, scope, suggestion, reply, new Date(app.clock()))
    if (suggestion.userKind === 'manager') {
      await notify(tx, app, scope.ownerId, {
        kind: suggestionReplyKind,
        to: [suggestion.userId],
        exceptOperatorId: scope.operatorId,
        title: `你的反馈有了回复：${excerpt(suggestion.content)}`,
        text: reply,
        bizId: suggestion.id,
      })
    }
  }),
]
