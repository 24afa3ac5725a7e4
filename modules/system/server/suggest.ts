import { codeOf } from '#kit/contract/field.ts'
import { absent, wrong } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handle.ts'
import { veiled } from '#kit/server/privacy.ts'
import type { Scope } from '#kit/server/scope.ts'
import { byIds, insert, page, rows } from '#kit/server/table.ts'
import { receiverKind } from '../contract/message.ts'
import {
  addSuggest,
  listSuggests,
  ownSuggests,
  propertySuggest,
  readSuggests,
  type PropertySuggest,
} from '../contract/suggest.ts'
import { menu } from '../module.ts'
import { noticeKind, notify } from './notify.ts'

const came = noticeKind({ key: 'system.suggest', label: '新的意见反馈', group: 'notice' })
const answered = noticeKind({ key: 'system.reply', label: '意见反馈回复', group: 'notice' })
const managers = Number(codeOf(receiverKind, 'manager'))

/**
 * Whoever is limited to projects sees what concerns these; what names no project is for those who have all.
 */
const reachable = (scope: Scope) =>
  scope.domain.all ? [] : [sql`t.project_code = any(${[...scope.domain.projects.keys()]}::text[])`]

async function placed(
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
          where owner_id = ${scope.ownerId} and delete_tag = 0 and project_code = any(${codes}::text[])
        `,
      )
    ).map(e => [e.projectCode, e.name]),
  )
  return list.map(s => {
    const name = s.projectCode && names.get(s.projectCode)
    return name ? { ...s, projectName: name } : s
  })
}

const start = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)

export const suggestHandlers = [
  reads(listSuggests, async ({ replied, ...q }, { db, scope }) => {
    const found = await page(db, propertySuggest, scope, q, {
      filters: listSuggests.input.filters!,
      where: [
        ...reachable(scope),
        ...(replied === undefined ? [] : [replied ? sql`t.reply is not null` : sql`t.reply is null`]),
      ],
    })
    return { ...found, rows: veiled(propertySuggest.fields, await placed(db, scope, found.rows), scope) }
  }),
  reads(ownSuggests, async (_, { db, scope }) =>
    placed(
      db,
      scope,
      await rows(
        db,
        propertySuggest,
        scope,
        {},
        { where: [sql`t.user_kind = ${managers} and t.user_id = ${scope.operatorId}`], limit: 100 },
      ),
    ),
  ),
  writes(addSuggest, async ({ photos, ...said }, { tx, scope, world }) => {
    const kept = photos?.length ? await world.files.describe(scope.ownerId, photos as never) : []
    if (photos && (kept.length !== photos.length || kept.some(f => !f.type.startsWith('image/'))))
      throw wrong([{ Field: 'Photos', Message: '只能附图片，请重新上传' }])
    const made = await insert(tx, propertySuggest, scope, {
      ...said,
      projectCode: said.projectCode ?? (scope.projectCode || undefined),
      photos: photos?.length ? photos : undefined,
      userKind: 'manager',
      userId: scope.operatorId,
      userName: scope.name,
      isRead: false,
    })
    await notify(tx, world, scope.ownerId, {
      kind: came,
      to: { may: menu.suggest.may.edit, project: made.projectCode },
      but: scope.operatorId,
      title: `${scope.name}提交了意见反馈`,
      text: start(made.content),
      link: '/quality/serviceManage/feedbacklist',
      bizId: made.id,
      project: made.projectCode,
    })
    return made
  }),
  writes(readSuggests, async ({ ids, isRead = true, reply }, { tx, scope, world }) => {
    if (reply !== undefined && ids.length !== 1)
      throw wrong([{ Field: 'Reply', Message: '一次只能回复一条意见' }])
    const found = await byIds(tx, propertySuggest, scope, ids, true)
    if (
      found.length !== new Set(ids.map(Number)).size ||
      (!scope.domain.all && found.some(s => !scope.domain.projects.has(s.projectCode ?? '')))
    )
      throw absent()
    const at = new Date(world.clock())
    await tx.run(sql`
      update property_suggest
      set is_read = ${reply === undefined ? isRead : true},
        ${
          reply === undefined
            ? sql``
            : sql`reply = ${reply},
      reply_name = ${scope.name}, reply_time = ${at},`
        } version = version + 1,
        update_time = now(), update_by = ${scope.operatorId}
      where owner_id = ${scope.ownerId} and id = any(${ids.map(Number)}::bigint[]) and delete_tag = 0
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
      await notify(tx, world, scope.ownerId, {
        kind: answered,
        to: [s.userId],
        but: scope.operatorId,
        title: `你的反馈有了回复：${start(s.content)}`,
        text: reply,
        bizId: s.id,
      })
    }
  }),
]
