import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, int, list, moment, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { nothing, oneOf, pageOf, rowsOf, search, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { receiverKind } from './message.ts'

/** What somebody writes to the company: staff from 帮助, residents from their app. */
export const propertySuggest = entity(
  'propertySuggest',
  '意见反馈',
  { table: 'property_suggest', reach: 'company', title: 'content', order: ['-id'] },
  {
    projectCode: text('项目编号', {
      max: 20,
      within: 'project',
      notIn: ['table', 'form', 'filter', 'detail'],
    }),
    projectName: text('项目', { derived: true, notIn: ['form'] }),
    userKind: choice('来自', receiverKind, { required: true, fixed: true, notIn: ['form'] }),
    userId: int('反馈人编号', {
      required: true,
      fixed: true,
      wire: 'UserID',
      notIn: ['table', 'form', 'filter', 'detail'],
    }),
    userName: text('反馈人', { required: true, max: 40, fixed: true, sought: true, notIn: ['form'] }),
    mobile: text('联系电话', { max: 20, rule: rules.phone, masked: 'mobile', help: '需要回电时填写' }),
    content: text('内容', { required: true, min: 5, max: 1000, sought: true }),
    photos: list('图片', { max: 9 }),
    isRead: flag('已读', { required: true, initial: false, fixed: true, notIn: ['form'] }),
    reply: text('回复', { max: 500, notIn: ['form'] }),
    replyName: text('回复人', { max: 40, fixed: true, notIn: ['form', 'filter'] }),
    replyTime: moment('回复时间', { fixed: true, notIn: ['form'] }),
  },
)

export type PropertySuggest = Row<typeof propertySuggest>
const f = propertySuggest.fields

export const listSuggests = call({
  at: 'GET PropertySuggest/Get',
  title: '查询意见反馈',
  needs: menu.suggest.may.view,
  input: search(propertySuggest, ['userKind', 'isRead', 'createTime'], {
    replied: flag('已回复', { wire: 'Replied' }),
  }),
  output: pageOf(propertySuggest),
})

/** Read, whole pages of it too; with a `reply` to one, its writer is told. */
export const readSuggests = call({
  at: 'PUT PropertySuggest/PutRead',
  title: '处理意见反馈',
  needs: menu.suggest.may.edit,
  affects: ['propertySuggest', 'notification'],
  input: shape({
    ids: list('意见', { required: true, max: 500, wire: ['Ids', 'ID'] }),
    isRead: flag('已读', { initial: true }),
    reply: text('回复', { min: 2, max: 500 }),
  }),
  output: nothing,
})

export const addSuggest = call({
  at: 'POST PropertySuggest/Post',
  title: '提交意见反馈',
  needs: everyone,
  perMinute: 10,
  affects: ['propertySuggest', 'ownSuggest'],
  input: shape({ projectCode: f.projectCode, content: f.content, mobile: f.mobile, photos: f.photos }),
  output: oneOf(propertySuggest),
})

/** One's own with their answers, latest first, a hundred at most. */
export const ownSuggests = call({
  at: 'GET PropertySuggest/GetOwn',
  title: '我的反馈',
  needs: everyone,
  input: nothing,
  output: rowsOf({ ...f }),
})
