import { setTimeout as pause } from 'node:timers/promises'
import { keyOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { toError } from '#kit/domain/to-error.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { clockScope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { matchType, replyEvent, replyType } from '../contract/choices.ts'
import type { WechatReply } from '../contract/reply.ts'
import { articleUrl } from './article-page.ts'
import { ensureUploaded } from './materials.ts'
import type { StoredAccount } from './platform/account-store.ts'
import type { XmlTree } from './platform/xml.ts'

/** What a rule answers with, and the material that it needs. */
export interface ReplyRule extends Pick<WechatReply, 'id' | 'event' | 'keywords' | 'matchType' | 'sort'> {
  readonly replyType: WechatReply['replyType']
  readonly replyContent?: string
  readonly materialId?: Id
  readonly materialTitle?: string
  readonly mediaId?: string
  readonly digest?: string
  readonly sourceUrl?: string
  readonly media?: string
}

interface RuleRow extends Omit<ReplyRule, 'event' | 'matchType' | 'replyType'> {
  readonly event: number
  readonly matchType?: number
  readonly replyType: number
}

/** The rules of an account that are in use, with their material, in one round trip. */
export async function findRules(db: Db, { ownerId, id }: StoredAccount): Promise<readonly ReplyRule[]> {
  const rows = await db.rows<RuleRow>(sql`
    select r.id, r.event, r.keywords, r.match_type, r.sort, r.reply_type, r.reply_content, r.material_id,
      m.title as material_title, m.media_id, m.digest, m.source_url, m.media
    from wechat_reply r
    left join wechat_material m on m.owner_id = ${ownerId} and m.id = r.material_id and ${notDeleted('m')}
    where r.owner_id = ${ownerId}
      and r.account_id = ${id}
      and r.state = ${code(enabledState, 'on')}
      and ${notDeleted('r')}
    order by r.sort, r.id
  `)
  return rows.map(row => ({
    ...row,
    event: keyOf(replyEvent, row.event) ?? 'keyword',
    matchType: row.matchType === undefined ? undefined : keyOf(matchType, row.matchType),
    replyType: keyOf(replyType, row.replyType) ?? 'text',
  })) as readonly ReplyRule[]
}

interface ReplyContext {
  readonly app: App
  readonly origin: string
  readonly ownerId: Id
}

/** WeChat waits five seconds for an answer. */
const uploadWaitMs = 3000

/**
 * The number of a picture or video at the platform, uploaded now where it has not been. Nothing where that
 * fails or takes too long: it goes on, for the next who asks.
 */
async function mediaIdOf(
  { mediaId, materialId }: ReplyRule,
  { app, ownerId }: ReplyContext,
): Promise<string | undefined> {
  if (mediaId !== undefined || materialId === undefined) return mediaId
  const uploading = ensureUploaded(app, clockScope(app, ownerId), materialId).then(
    material => material.mediaId,
    (err: unknown) => {
      app.log.warn({ err: toError(err).message, materialId }, 'material of a WeChat reply not uploaded')
      return undefined
    },
  )
  return Promise.race([uploading, pause(uploadWaitMs, undefined, { ref: false })])
}

/** The part of an answer that a rule gives; nothing where its material cannot be had in time. */
export async function contentOf(rule: ReplyRule, context: ReplyContext): Promise<XmlTree | undefined> {
  const { app, origin, ownerId } = context
  if (rule.replyType === 'text') return { MsgType: 'text', Content: rule.replyContent ?? '' }
  if (rule.replyType === 'article')
    return {
      MsgType: 'news',
      ArticleCount: 1,
      Articles: [
        {
          Title: rule.materialTitle ?? '',
          Description: rule.digest ?? '',
          PicUrl: rule.media === undefined ? '' : origin + app.files.signedUrl(ownerId, rule.media),
          Url: rule.sourceUrl ?? (await articleUrl(app, origin, ownerId, rule.materialId ?? 0)),
        },
      ],
    }
  const MediaId = await mediaIdOf(rule, context)
  if (MediaId === undefined) return undefined
  return rule.replyType === 'image'
    ? { MsgType: 'image', Image: { MediaId } }
    : { MsgType: 'video', Video: { MediaId, Title: rule.materialTitle ?? '' } }
}

/** What the first of some rules answers that has an answer. */
export async function firstContentOf(
  rules: readonly (ReplyRule | undefined)[],
  context: ReplyContext,
): Promise<XmlTree | undefined> {
  for (const rule of rules) {
    const content = rule && (await contentOf(rule, context))
    if (content) return content
  }
  return undefined
}
