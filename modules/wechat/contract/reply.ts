import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, int, list, lookup, ref, text } from '#kit/contract/field.ts'
import { listOf, shape } from '#kit/contract/shape.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { matchType, replyEvent, replyType } from './choices.ts'
import { accountField } from './estate-binding.ts'
import { accountIdField } from './menu.ts'

const { permissions } = menu.reply

/** What an account answers: when somebody follows it, to a keyword, or otherwise (WX-1). */
export const wechatReply = entity(
  'wechatReply',
  '自动回复',
  { table: 'wechat_reply', tenancy: 'company', title: 'ruleName', order: ['event', 'sort', 'id'] },
  {
    accountId: { ...accountField, hiddenIn: ['table', 'sheet', 'detail', 'form'] as const },
    ruleName: text('规则名称', { required: true, max: 40, searchable: true }),
    event: choice('触发事件', replyEvent, {
      required: true,
      initial: 'keyword',
      immutable: true,
      wire: 'Event',
    }),
    keywords: list('关键词', { max: 10, wire: 'Keywords', help: '多个用逗号分隔，每个不超过 30 字' }),
    matchType: choice('匹配方式', matchType, { initial: 'exact', wire: 'MatchType', hiddenIn: ['filter'] }),
    replyType: choice('回复类型', replyType, { required: true, initial: 'text', wire: 'ReplyType' }),
    replyContent: text('回复内容', {
      max: 600,
      wire: 'ReplyContent',
      searchable: true,
      hiddenIn: ['filter'],
    }),
    materialId: ref('素材', 'wechatMaterial', {
      wire: ['MaterialID', 'MaterialId'],
      hiddenIn: ['table', 'filter', 'sheet', 'detail'],
    }),
    materialTitle: lookup('素材', 'materialId', 'title', { wire: 'MaterialTitle' }),
    sort: int('排序', { min: 0, max: 9999, initial: 0, help: '同时命中时数值小的先', hiddenIn: ['filter'] }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type WechatReply = Row<typeof wechatReply>

export const wechatReplies = crud(wechatReply, {
  path: 'Wxreply',
  permissions,
  operations: ['list', 'get', 'save', 'delete'],
  filters: ['accountId', 'event', 'replyType', 'state'],
  list: { route: 'GET Wxreply/GetKeywordRules', title: '查询自动回复' },
  save: { route: 'POST Wxreply/PostKeywordRule', aliases: ['Wxreply/Post'] },
  delete: { route: 'DELETE Wxreply/DeleteKeywordRule', aliases: ['Wxreply/Delete'] },
})

/** The rules of one event, in the order in which they are tried. */
export const getRepliesByEvent = call({
  route: 'GET Wxreply/GetByEvent',
  title: '按事件查询自动回复',
  needs: permissions.view,
  input: shape({
    accountId: accountIdField,
    event: choice('触发事件', replyEvent, { required: true, wire: 'Event' }),
  }),
  output: listOf(wechatReply),
})
