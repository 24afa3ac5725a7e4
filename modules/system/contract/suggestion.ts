import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, idOf, list, moment, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { noData, recordOf, pageOf, listOfRows, search, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { receiverKind } from './notification.ts'

/** What somebody writes to the company: staff from 帮助, residents from their app. */
export const propertySuggest = entity(
  'propertySuggest',
  '意见反馈',
  { table: 'property_suggest', tenancy: 'company', title: 'content', order: ['-id'] },
  {
    projectCode: text('项目编号', {
      max: 20,
      dataDomain: 'project',
      hiddenIn: ['table', 'form', 'filter', 'detail'],
    }),
    projectName: text('项目', { derived: true, hiddenIn: ['form'] }),
    userKind: choice('来自', receiverKind, { required: true, immutable: true, hiddenIn: ['form'] }),
    userId: idOf('反馈人编号', {
      required: true,
      immutable: true,
      wire: 'UserID',
      hiddenIn: ['table', 'form', 'filter', 'detail'],
    }),
    userName: text('反馈人', {
      required: true,
      max: 40,
      immutable: true,
      searchable: true,
      hiddenIn: ['form'],
    }),
    mobile: text('联系电话', { max: 20, rule: rules.phone, masked: 'mobile', help: '需要回电时填写' }),
    content: text('内容', { required: true, min: 5, max: 1000, searchable: true }),
    photos: list('图片', { max: 9, holdsFiles: true }),
    isRead: flag('已读', { required: true, initial: false, immutable: true, hiddenIn: ['form'] }),
    reply: text('回复', { max: 500, hiddenIn: ['form'] }),
    replyName: text('回复人', { max: 40, immutable: true, hiddenIn: ['form', 'filter'] }),
    replyTime: moment('回复时间', { immutable: true, hiddenIn: ['form'] }),
  },
)

export type PropertySuggest = Row<typeof propertySuggest>
const suggestionFields = propertySuggest.fields

export const listSuggestions = call({
  route: 'GET PropertySuggest/Get',
  title: '查询意见反馈',
  needs: menu.suggest.permissions.view,
  input: search(propertySuggest, ['userKind', 'isRead', 'createTime'], {
    replied: flag('已回复', { wire: 'Replied' }),
  }),
  output: pageOf(propertySuggest),
})

/** Read, whole pages of it too; with a `reply` to one, its writer is notified. */
export const handleSuggestions = call({
  route: 'PUT PropertySuggest/PutRead',
  title: '处理意见反馈',
  needs: menu.suggest.permissions.edit,
  affects: ['propertySuggest', 'notification'],
  input: shape({
    ids: list('意见', { required: true, max: 500, wire: ['Ids', 'ID'] }),
    isRead: flag('已读', { initial: true }),
    reply: text('回复', { min: 2, max: 500 }),
  }),
  output: noData,
})

export const addSuggestion = call({
  route: 'POST PropertySuggest/Post',
  title: '提交意见反馈',
  needs: everyone,
  perMinute: 10,
  affects: ['propertySuggest', 'ownSuggest'],
  input: shape({
    projectCode: suggestionFields.projectCode,
    content: suggestionFields.content,
    mobile: suggestionFields.mobile,
    photos: suggestionFields.photos,
  }),
  output: recordOf(propertySuggest),
})

/** The caller's own with their replies, latest first, a hundred at most. */
export const listOwnSuggestions = call({
  route: 'GET PropertySuggest/GetOwn',
  title: '我的反馈',
  needs: everyone,
  input: noData,
  output: listOfRows({ ...suggestionFields }),
})
