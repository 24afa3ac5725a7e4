import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { reads, type WriteContext } from '#kit/server/handler.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, findByIds } from '#kit/server/table.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import { replyEvent } from '../contract/choices.ts'
import { wechatMaterial } from '../contract/material.ts'
import { getRepliesByEvent, wechatReplies, wechatReply, type WechatReply } from '../contract/reply.ts'
import { replyFaults } from '../domain/reply.ts'

type Draft = Pick<
  WechatReply,
  'accountId' | 'event' | 'keywords' | 'replyType' | 'replyContent' | 'materialId'
>

/** The material is one of this account, of the kind that the reply needs. */
export async function materialFaults(
  { accountId, replyType, materialId }: Pick<Draft, 'accountId' | 'replyType' | 'materialId'>,
  { tx, scope }: WriteContext,
): Promise<FieldFault[]> {
  if (replyType === 'text' || !materialId) return []
  const [material] = await findByIds(tx, wechatMaterial, scope, [materialId])
  if (material?.accountId !== accountId)
    return [{ Field: 'MaterialID', Message: '素材不存在或不属于该公众号，请重新选择' }]
  return material.mediaType === replyType
    ? []
    : [{ Field: 'MaterialID', Message: '素材的类型与回复类型不一致，请重新选择' }]
}

/** Only keywords are matched. */
const matchOf = (event: WechatReply['event']): object => (event === 'keyword' ? {} : { matchType: undefined })

const crudServer = crudHandlers(wechatReplies, {
  unique: { wechat_reply_single: '关注时回复与默认回复各只能有一条，请编辑已有的' },
  refusesChangeOf: ['accountId', 'event'],
  references: { materialId: { unchecked: 'materialFaults asks for its account' } },
  check: async (draft: Draft, c, before) => {
    const whole = {
      ...draft,
      event: before?.event ?? draft.event,
      accountId: before?.accountId ?? draft.accountId,
    }
    return [...replyFaults(whole), ...(await materialFaults(whole, c))]
  },
  beforeInsert: ({ event }: Draft) => matchOf(event),
  beforeUpdate: (_: Draft, _c, { event }) => matchOf(event),
})

export const replyServer = joinServers(crudServer, {
  handlers: [
    reads(getRepliesByEvent, ({ accountId, event }, { db, scope }) =>
      findAll(
        db,
        wechatReply,
        scope,
        {},
        { where: [sql`t.account_id = ${accountId} and t.event = ${code(replyEvent, event)}`] },
      ),
    ),
  ],
})
