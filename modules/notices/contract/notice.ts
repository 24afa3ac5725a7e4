import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, projectField, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  choices,
  file,
  flag,
  int,
  lines,
  list,
  moment,
  systemChoice,
  text,
} from '#kit/contract/field.ts'
import { richTextField, richTextFilesField } from '#kit/contract/rich-text.ts'
import { byId, reasonField, recordIdField, recordOf, shape } from '#kit/contract/shape.ts'
import { audienceFields } from '#modules/messaging/contract/audience.ts'
import { menu } from '../module.ts'
import { noticeChannel, noticeState, noticeType, reminderChannel } from './choices.ts'

const inForm = { hiddenIn: ['table', 'filter', 'sheet'] } as const
const counted = { derived: true, hiddenIn: ['form', 'filter'] } as const
const written = { immutable: true, hiddenIn: ['form', 'filter'] } as const
const writtenInDetail = { immutable: true, hiddenIn: ['form', 'filter', 'table'] } as const

export const maxAttachments = 9
export const maxSmsText = 300

/** The text of messages beside a notice; `{name}`, `{room}`, `{project}` stand for the receiver's own. */
export const smsTextField = text('短信与微信文字', {
  max: maxSmsText,
  wire: 'SmsText',
  help: '可用 {name} 姓名、{room} 房屋、{project} 项目；短信按每 70 字计 1 条，超过 70 字按每 67 字计 1 条',
  ...inForm,
})

/** What the company makes known to residents, or to its staff by departments (NOT-1). */
export const publicNotice = entity(
  'publicNotice',
  '公告',
  { table: 'public_notice', tenancy: 'company', title: 'title', order: ['-isTop', '-id'] },
  {
    title: text('标题', { required: true, min: 2, max: 80, searchable: true }),
    noticeType: choice('类型', noticeType, { required: true, initial: 'notice' }),
    content: richTextField('正文', { required: true }),
    contentFiles: richTextFilesField(),
    cover: file('封面', { wire: 'CoverUrl', help: '图片，不超过 2048 KB', ...inForm }),
    attachments: list('附件', { max: maxAttachments, holdsFiles: true, ...inForm }),
    ...audienceFields,
    /** `锦绣花园 1 栋、锦绣花园 2 栋（业主）`: of one notice alone. */
    scopeText: text('发送范围', {
      derived: true,
      wire: 'ScopeText',
      hiddenIn: ['table', 'form', 'filter', 'sheet'],
    }),
    channels: choices('渠道', noticeChannel, { required: true, min: 1, initial: ['app'], ...inForm }),
    smsText: smsTextField,
    /** The projects that it is of, where the audience or who wrote it is limited to some. */
    projectCodes: list('涉及项目', { wire: 'Projectcodes', ...writtenInDetail }),
    isTop: flag('置顶', { required: true, initial: false }),
    needConfirm: flag('需确认', { required: true, initial: false, help: '住户须点击「我已知晓」' }),
    publishTime: moment('发布时间', { help: '不填为立即发布' }),
    expireTime: moment('过期时间', { help: '到期后住户不再看到；不填为长期有效', hiddenIn: ['filter'] }),
    state: systemChoice('状态', noticeState, 'draft'),
    publisherName: text('发布人', { max: 40, ...written }),
    publishFault: text('未发布的原因', { max: 200, wire: 'PublishFault', ...writtenInDetail }),
    isModified: flag('已修改', { required: true, initial: false, ...written }),
    versionNo: int('版本', { required: true, initial: 1, wire: 'VersionNo', ...writtenInDetail }),
    withdrawTime: moment('撤回时间', writtenInDetail),
    withdrawReason: text('撤回原因', { max: 200, ...writtenInDetail }),
    totalCount: int('应达', { unit: '人', ...counted }),
    readCount: int('已读', { unit: '人', ...counted }),
    confirmedCount: int('已确认', { unit: '人', ...counted }),
  },
)

export type PublicNotice = Row<typeof publicNotice>

const { permissions } = menu.notice

const systemKeys = [
  'contentFiles',
  'projectCodes',
  'state',
  'publisherName',
  'publishFault',
  'isModified',
  'versionNo',
  'withdrawTime',
  'withdrawReason',
] as const

export const notices = crud(publicNotice, {
  path: 'Notice',
  permissions,
  filters: ['state', 'noticeType', 'scopeType', 'isTop', 'publishTime'],
  search: {
    projectCode: projectField<false>('项目', { target: 'estate', targetBy: 'key', required: false }),
  },
  without: systemKeys,
  affects: ['noticeReceiver', 'noticeVersion'],
})

const affects = ['publicNotice', 'noticeReceiver', 'noticeVersion', 'propertySms']

/** Now, or at its time where that is to come. */
export const publishNotice = call({
  route: 'PUT Notice/PutPublish',
  title: '发布公告',
  needs: permissions.publish,
  input: byId,
  output: recordOf(publicNotice),
  affects,
})

/** A timed one is a draft again; a published one is seen by nobody any more, its receipts are kept. */
export const withdrawNotice = call({
  route: 'PUT Notice/PutWithdraw',
  title: '撤回公告',
  needs: permissions.publish,
  input: shape({ id: recordIdField, reason: reasonField }),
  output: recordOf(publicNotice),
  affects,
})

export const setNoticeTop = call({
  route: 'PUT Notice/PutTop',
  title: '公告置顶',
  needs: permissions.edit,
  input: shape({ id: recordIdField, isTop: flag('置顶', { required: true, wire: 'IsTop' }) }),
  output: recordOf(publicNotice),
  affects: ['publicNotice'],
})

const headCount = (label: string, wire: string) => int(label, { required: true, wire, unit: '人' })

const channelLine = {
  channel: choice('渠道', noticeChannel, { required: true, wire: 'Channel' }),
  reachable: headCount('可送达', 'Reachable'),
  excluded: headCount('不发送', 'Excluded'),
  /** `无号码 3 人、号码重复 1 人`. */
  reasons: text('不发送的原因', { wire: 'Reasons' }),
  segments: int('短信条数', { wire: 'Segments', unit: '条' }),
} as const

/** Whom it would reach if it was published now, and what that costs. */
export const previewNotice = call({
  route: 'GET Notice/GetPreview',
  title: '公告发布预览',
  needs: permissions.publish,
  input: byId,
  output: shape(
    {
      scopeText: text('发送范围', { required: true, wire: 'ScopeText' }),
      totalCount: headCount('应达', 'TotalCount'),
      channels: lines('渠道', channelLine, { required: true, wire: 'Channels' }),
      usableSms: int('短信余额', { wire: 'UsableSms', unit: '条' }),
      samples: lines(
        '短信示例',
        {
          personName: text('接收人', { wire: 'PersonName' }),
          roomPath: text('房屋', { wire: 'RoomPath' }),
          content: text('内容', { required: true, wire: 'Content' }),
        },
        { required: true, wire: 'Samples' },
      ),
    },
    { entity: 'publicNotice' },
  ),
})

export type NoticePreview = NonNullable<typeof previewNotice.output.T>

const reminder = shape({
  id: recordIdField,
  channel: choice('提醒渠道', reminderChannel, { required: true, initial: 'sms', wire: 'Channel' }),
  content: text('提醒内容', {
    required: true,
    max: maxSmsText,
    wire: 'Content',
    help: '可用 {name} 姓名、{room} 房屋、{project} 项目',
  }),
})

/** Whom a reminder would reach now, and what that costs. */
export const previewReminder = call({
  route: 'GET Notice/GetRemindPreview',
  title: '公告提醒预览',
  needs: permissions.publish,
  input: reminder,
  output: shape(
    {
      unreadCount: headCount('未读且未提醒', 'UnreadCount'),
      reachable: headCount('可送达', 'Reachable'),
      excluded: headCount('不发送', 'Excluded'),
      reasons: text('不发送的原因', { wire: 'Reasons' }),
      segments: int('短信条数', { wire: 'Segments', unit: '条' }),
      usableSms: int('短信余额', { wire: 'UsableSms', unit: '条' }),
    },
    { entity: 'publicNotice' },
  ),
})

export type ReminderPreview = NonNullable<typeof previewReminder.output.T>

/** Those who have not read it, or not confirmed it where that is asked; whom it reached, once. */
export const remindReaders = call({
  route: 'PUT Notice/PutRemind',
  title: '提醒未读住户',
  needs: permissions.publish,
  input: reminder,
  output: shape({
    reminded: headCount('已提醒', 'Reminded'),
    excluded: headCount('不发送', 'Excluded'),
  }),
  affects,
})

/** How far it went by each channel. */
export const getNoticeReach = call({
  route: 'GET Notice/GetReach',
  title: '公告触达情况',
  needs: permissions.view,
  input: byId,
  output: shape(
    {
      scopeText: text('发送范围', { required: true, wire: 'ScopeText' }),
      totalCount: headCount('应达', 'TotalCount'),
      readCount: headCount('已读', 'ReadCount'),
      confirmedCount: headCount('已确认', 'ConfirmedCount'),
      remindedCount: headCount('已提醒', 'RemindedCount'),
      channels: lines(
        '渠道',
        {
          channel: choice('渠道', noticeChannel, { required: true, wire: 'Channel' }),
          isReminder: flag('提醒', { required: true, wire: 'IsReminder' }),
          queued: int('待发送', { required: true, wire: 'Queued' }),
          sent: int('已提交', { required: true, wire: 'Sent' }),
          delivered: int('已送达', { required: true, wire: 'Delivered' }),
          failed: int('失败', { required: true, wire: 'Failed' }),
          refused: int('拒收', { required: true, wire: 'Refused' }),
        },
        { required: true, wire: 'Channels' },
      ),
    },
    { entity: 'publicNotice' },
  ),
})
