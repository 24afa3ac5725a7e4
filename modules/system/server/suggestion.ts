import { codeOf } from '#kit/contract/field.ts'
import { notFound, invalidInput } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { maskRows } from '#kit/server/privacy.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, insert, findPage, findAll } from '#kit/server/table.ts'
import { live, touch } from '#kit/server/sql.ts'
import { receiverKind } from '../contract/notification.ts'
import {
  addSuggestion,
  listSuggestions,
  listOwnSuggestions,
  propertySuggest,
  handleSuggestions,
  type PropertySuggest,
} from '../contract/suggestion.ts'
import { menu } from '../module.ts'
import { defineNotificationKind, notify } from './notify.ts'

const newSuggestionKind = defineNotificationKind({
  key: 'system.suggest',
  label: '新的意见反馈',
  group: 'notice',
})
const suggestionReplyKind = defineNotificationKind({
  key: 'system.reply',
  label: '意见反馈回复',
  group: 'notice',
})
const managerReceiverCode = Number(codeOf(receiverKind, 'manager'))

/**
 * Whoever is limited to projects sees what concerns these; what names no project is for those who have all.
 */
const projectDomainFilter = (scope: Scope) =>
  scope.domain.all ? [] : [sql`t.project_code = any(${[...scope.domain.projects.keys()]}::text[])`]

async function withProjectNames(
  db: Db,
  scope: Scope,
  list: readonly PropertySuggest[],
): Promise<readonly PropertySuggest[]> {
  const codes = [...new Set(list.flatMap(s => s.projectCode ?? []))]
  if (!codes.length) return list
  const names = new Map(
    (
      await db.rows<{ projectCode: string; name: string }>(
        sql`
          select project_code, name
          from estate
          where owner_id = ${scope.ownerId} and ${live()} and project_code = any(${codes}::text[])
        `,
      )
    ).map(e => [e.projectCode, e.name]),
  )
  return list.map(s => {
    const name = s.projectCode && names.get(s.projectCode)
    return name ? { ...s, projectName: name } : s
  })
}

const excerpt = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)

export const suggestionHandlers = [
  reads(listSuggestions, async ({ replied, ...q }, { db, scope }) => {
    const found = await findPage(db, propertySuggest, scope, q, {
      filters: listSuggestions.input.filters!,
      where: [
        ...projectDomainFilter(scope),
        ...(replied === undefined ? [] : [replied ? sql`t.reply is not null` : sql`t.reply is null`]),
      ],
    })
    return {
      ...found,
      rows: maskRows(propertySuggest.fields, await withProjectNames(db, scope, found.rows), scope),
    }
  }),
  reads(listOwnSuggestions, async (_, { db, scope }) =>
    withProjectNames(
      db,
      scope,
      await findAll(
        db,
        propertySuggest,
        scope,
        {},
        {
          where: [sql`t.user_kind = ${managerReceiverCode} and t.user_id = ${scope.operatorId}`],
          limit: 100,
        },
      ),
    ),
  ),
  writes(addSuggestion, async ({ photos, ...said }, { tx, scope, app }) => {
    const kept = photos?.length ? await app.files.describe(scope.ownerId, photos as never) : []
    if (photos && (kept.length !== photos.length || kept.some(f => !f.type.startsWith('image/'))))
      throw invalidInput([{ Field: 'Photos', Message: '只能附图片，请重新上传' }])
    const made = await insert(tx, propertySuggest, scope, {
      ...said,
      projectCode: said.projectCode ?? (scope.projectCode || undefined),
      photos: photos?.length ? photos : undefined,
      userKind: 'manager',
      userId: scope.operatorId,
      userName: scope.name,
      isRead: false,
    })
    await notify(tx, app, scope.ownerId, {
      kind: newSuggestionKind,
      to: { may: menu.suggest.permissions.edit, project: made.projectCode },
      exceptOperatorId: scope.operatorId,
      title: `${scope.name}提交了意见反馈`,
      text: excerpt(made.content),
      link: '/quality/serviceManage/feedbacklist',
      bizId: made.id,
      project: made.projectCode,
    })
    return made
  }),
  writes(handleSuggestions, async ({ ids, isRead = true, reply }, { tx, scope, app }) => {
    if (reply !== undefined && ids.length !== 1)
      throw invalidInput([{ Field: 'Reply', Message: '一次只能回复一条意见' }])
    const found = await findByIds(tx, propertySuggest, scope, ids, true)
    if (
      found.length !== new Set(ids.map(Number)).size ||
      (!scope.domain.all && found.some(s => !scope.domain.projects.has(s.projectCode ?? '')))
    )
      throw notFound()
    const at = new Date(app.clock())
    await tx.execute(sql`
      update property_suggest
      set is_read = ${reply === undefined ? isRead : true},
        ${
          reply === undefined
            ? sql``
            : sql`reply = ${reply},
      reply_name = ${scope.name}, reply_time = ${at},`
        } ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = any(${ids.map(Number)}::bigint[]) and ${live()}
    `)
    const [s] = found
    if (reply === undefined || !s) return
    await audit(tx, scope, [
      {
        action: 'update',
        entity: propertySuggest.name,
        entityId: s.id,
        projectCode: s.projectCode,
        before: { reply: s.reply },
        after: { reply },
      },
    ])
    if (s.userKind === 'manager') {
      await notify(tx, app, scope.ownerId, {
        kind: suggestionReplyKind,
        to: [s.userId],
        exceptOperatorId: scope.operatorId,
        title: `你的反馈有了回复：${excerpt(s.content)}`,
        text: reply,
        bizId: s.id,
      })
    }
  }),
]
