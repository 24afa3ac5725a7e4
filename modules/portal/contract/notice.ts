import { call, everyone } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, int, list, moment, pickFields, systemChoice, text } from '#kit/contract/field.ts'
import {
  byId,
  idRule,
  noData,
  pageOfRows,
  reasonField,
  recordIdField,
  recordOf,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { noticeAudience, noticeState, receiptState } from './choices.ts'

const inForm = { hiddenIn: ['table', 'filter', 'sheet'] } as const
const counted = { derived: true, hiddenIn: ['form', 'filter'] } as const

export const maxAttachments = 9

/** From the company to its own people, with a record of who has read it. */
export const internalNotice = entity(
  'internalNotice',
  '内部公告',
  { table: 'internal_notice', tenancy: 'company', title: 'title', order: ['-id'] },
  {
    title: text('标题', { required: true, min: 2, max: 80, searchable: true }),
    content: text('内容', { required: true, max: 5000, searchable: true, ...inForm }),
    attachments: list('附件', { max: maxAttachments, holdsFiles: true, ...inForm }),
    audience: choice('发布范围', noticeAudience, { required: true, initial: 'all' }),
    departmentIds: {
      ...list('部门', {
        max: 100,
        rule: idRule,
        wire: ['DepartmentIDs', 'DepartmentIds'],
        help: '含下级部门的在职员工',
        ...inForm,
      }),
      target: 'department',
    },
    tags: {
      ...list('员工标签', { max: 20, wire: 'Tags', ...inForm }),
      target: 'staffTag',
      targetBy: 'key' as const,
    },
    staffIds: {
      ...list('人员', { max: 500, rule: idRule, wire: ['StaffIDs', 'StaffIds'], ...inForm }),
      target: 'staff',
    },
    isImportant: flag('重要', {
      required: true,
      initial: false,
      help: '接收人须点击「已阅」确认',
    }),
    state: systemChoice('状态', noticeState, 'draft'),
    publisherName: text('发布人', { max: 40, immutable: true, hiddenIn: ['form', 'filter'] }),
    publishTime: moment('发布时间', { immutable: true, hiddenIn: ['form'] }),
    withdrawTime: moment('撤回时间', { immutable: true, hiddenIn: ['form', 'filter', 'table'] }),
    withdrawReason: text('撤回原因', { max: 200, immutable: true, hiddenIn: ['form', 'filter', 'table'] }),
    receiverCount: int('接收', { unit: '人', ...counted }),
    readCount: int('已读', { unit: '人', ...counted }),
    confirmedCount: int('已阅', { unit: '人', ...counted }),
  },
)

export type InternalNotice = Row<typeof internalNotice>

const { permissions } = menu.notice

const written = ['state', 'publisherName', 'publishTime', 'withdrawTime', 'withdrawReason'] as const

export const notices = crud(internalNotice, {
  path: 'NinternalNotice',
  permissions,
  itemName: '公告',
  filters: ['state', 'audience', 'isImportant', 'publishTime'],
  without: written,
  affects: ['internalNoticeReceiver'],
})

const affects = ['internalNotice', 'internalNoticeReceiver', 'notification']

/** Fixes who receives it: those who are in the audience now and have an account. */
export const publishNotice = call({
  route: 'PUT NinternalNotice/Publish',
  aliases: ['POST NinternalNotice/Publish'],
  title: '发布内部公告',
  needs: permissions.publish,
  input: byId,
  output: recordOf(internalNotice),
  affects,
})

/** Nobody who received it sees it any more; who had read it stays on record. */
export const withdrawNotice = call({
  route: 'PUT NinternalNotice/Withdraw',
  title: '撤回内部公告',
  needs: permissions.publish,
  input: shape({ id: recordIdField, reason: reasonField }),
  output: recordOf(internalNotice),
  affects,
})

const headCount = (label: string, wire: string) => int(label, { required: true, wire, unit: '人' })

/** Whom a notice would reach if it was published now. */
export const previewAudience = call({
  route: 'GET NinternalNotice/GetAudience',
  title: '查询公告接收人数',
  needs: permissions.publish,
  input: byId,
  output: shape(
    {
      receiverCount: headCount('接收', 'ReceiverCount'),
      withoutAccountCount: headCount('无登录账号', 'WithoutAccountCount'),
    },
    { entity: 'internalNotice' },
  ),
})

/** Reminds those who have not read it, or not confirmed it where that is asked; each of them once. */
export const remindReaders = call({
  route: 'PUT NinternalNotice/Remind',
  title: '提醒未读人员',
  needs: permissions.publish,
  input: byId,
  output: shape({ reminded: headCount('已提醒', 'Reminded') }),
  affects,
})

const receiptFields = {
  receipt: choice('阅读状态', receiptState, { required: true, wire: 'Receipt' }),
  readTime: moment('阅读时间', { wire: 'ReadTime' }),
  confirmTime: moment('已阅时间', { wire: 'ConfirmTime' }),
}

const ownFields = {
  ...pickFields(internalNotice.fields, ['id', 'title', 'isImportant', 'publisherName', 'publishTime']),
  ...receiptFields,
  /** It waits for the reader: unread, or read and not confirmed where that is asked. */
  isWaiting: flag('待阅', { required: true, wire: 'Waiting' }),
}

/** The published notices that the caller receives, latest first. */
export const listOwnNotices = call({
  route: 'GET NinternalNotice/GetOwn',
  title: '我的内部公告',
  needs: everyone,
  input: search(internalNotice, ['publishTime'], { waiting: flag('只看待阅', { wire: 'Waiting' }) }),
  output: pageOfRows(ownFields, { entity: 'internalNoticeReceiver' }),
})

export type OwnNotice = NonNullable<typeof listOwnNotices.output.T>['rows'][number]

export const getOwnNotice = call({
  route: 'GET NinternalNotice/GetOwnOne',
  title: '查看我的内部公告',
  needs: everyone,
  input: byId,
  output: shape(
    { ...ownFields, ...pickFields(internalNotice.fields, ['content', 'attachments']) },
    { entity: 'internalNotice' },
  ),
})

export const markNoticeRead = call({
  route: 'PUT NinternalNotice/PutRead',
  title: '标记公告已读',
  needs: everyone,
  input: byId,
  output: noData,
  affects,
})

/** 「已阅」 of an important notice. */
export const confirmNotice = call({
  route: 'PUT NinternalNotice/PutConfirm',
  title: '确认已阅公告',
  needs: everyone,
  input: byId,
  output: noData,
  affects,
})
