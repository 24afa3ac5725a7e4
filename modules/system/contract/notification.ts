import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choiceTable, flag, idOf, int, lines, list, moment, text } from '#kit/contract/field.ts'
import { byId, noData, recordOf, pageOf, search, shape } from '#kit/contract/shape.ts'

/** As the bell groups them. */
export const notificationGroup = choiceTable('NoticeGroup', '消息分组', {
  todo: [10, '待办'],
  notice: [20, '通知'],
  system: [30, '系统'],
})

export const notificationLevel = choiceTable('NoticeLevel', '消息级别', {
  normal: [10, '普通', 'open'],
  important: [20, '重要', 'bad'],
  upgrade: [30, '升级公告', 'todo'],
})

export const receiverKind = choiceTable('ReceiverKind', '接收类型', {
  resident: [10, '住户'],
  staff: [20, '员工'],
  manager: [30, '管理员'],
})

export const mailState = choiceTable('MailState', '邮件状态', {
  queued: [10, '待发', 'todo'],
  sent: [20, '已发送', 'done'],
  failed: [30, '未发送', 'bad'],
})

/** One message to one receiver. `kind` is a key of the register of kinds. */
export const notification = entity(
  'notification',
  '消息',
  { table: 'notification', tenancy: 'company', title: 'title', order: ['-id'] },
  {
    receiverId: idOf('接收人', {
      required: true,
      wire: 'ReceiverID',
      hiddenIn: ['table', 'filter', 'detail'],
    }),
    receiverKind: choice('接收类型', receiverKind, {
      required: true,
      hiddenIn: ['table', 'filter', 'detail'],
    }),
    noticeGroup: choice('分组', notificationGroup, { required: true }),
    kind: text('业务', { required: true, max: 60, wire: 'BizType', hiddenIn: ['table', 'filter', 'detail'] }),
    kindName: text('类型', { derived: true }),
    level: choice('级别', notificationLevel, { required: true }),
    title: text('标题', { required: true, max: 80, searchable: true }),
    body: text('内容', { max: 500, searchable: true, wire: ['Body', 'Content'] }),
    link: text('链接', { max: 200, wire: 'LinkUrl', hiddenIn: ['table', 'filter', 'detail'] }),
    bizId: idOf('业务编号', { wire: 'BizID', hiddenIn: ['table', 'filter', 'detail'] }),
    projectCode: text('项目', { max: 20, hiddenIn: ['table', 'filter', 'detail'] }),
    readTime: moment('已读时间'),
    mailState: choice('邮件', mailState, { hiddenIn: ['table', 'filter'] }),
    mailTime: moment('邮件时间', { hiddenIn: ['table', 'filter'] }),
    mailError: text('邮件未发送的原因', { max: 100, hiddenIn: ['table', 'filter'] }),
  },
)

export type Notification = Row<typeof notification>

/** The caller's own, latest first. */
export const listNotifications = call({
  route: 'GET Notification/get',
  title: '查询消息',
  needs: everyone,
  input: search(notification, ['noticeGroup', 'level', 'createTime'], {
    unread: flag('只看未读', { wire: 'Unread' }),
  }),
  output: pageOf(notification),
})

export const getNotification = call({
  route: 'GET Notification/getone',
  title: '查看消息',
  needs: everyone,
  input: byId,
  output: recordOf(notification),
})

export const countUnreadNotifications = call({
  route: 'GET Notification/GetCount',
  title: '未读消息数',
  needs: everyone,
  input: noData,
  output: shape({
    unread: int('未读', { required: true, wire: 'Unread' }),
    todo: int('待办', { required: true, wire: 'Todo' }),
    notice: int('通知', { required: true, wire: 'Notice' }),
    system: int('系统', { required: true, wire: 'System' }),
  }),
})

const selectionFields = {
  ids: list('消息', { max: 500, wire: ['Ids', 'ID'] }),
  noticeGroup: choice('分组', notificationGroup),
  kind: text('业务', { max: 60, wire: 'BizType' }),
  bizId: idOf('业务编号', { wire: 'BizID' }),
}

/** Some, those of a group, those about one thing; without any of these all. */
export const markNotificationsRead = call({
  route: 'PUT Notification/PutRead',
  title: '标记消息已读',
  needs: everyone,
  input: shape(selectionFields),
  output: noData,
  affects: ['notification'],
})

export const deleteNotifications = call({
  route: 'DELETE Notification/Delete',
  title: '删除消息',
  needs: everyone,
  input: shape({ ids: list('消息', { required: true, max: 500, wire: ['Ids', 'ID'] }) }),
  output: noData,
  affects: ['notification'],
})

const clockTimeRule = {
  name: 'clock',
  test: (v: string) => (/^([01]\d|2[0-3]):[0-5]\d$/.test(v) ? undefined : '时间应为 24 小时制，如 22:00'),
}

const quietHoursFields = {
  quietFrom: text('免打扰开始', { max: 5, rule: clockTimeRule }),
  quietTo: text('免打扰结束', { max: 5, rule: clockTimeRule }),
}

/**
 * What one wants to hear of. `mandatory` kinds concern the safety of the account and cannot be switched off.
 */
export const getNotificationSetting = call({
  route: 'GET Notification/GetSetting',
  title: '通知设置',
  needs: everyone,
  input: noData,
  output: shape({
    ...quietHoursFields,
    email: text('邮箱'),
    mailAvailable: flag('可以发送邮件', { required: true }),
    kinds: lines(
      '类型',
      {
        kind: text('业务', { required: true, wire: 'BizType' }),
        name: text('类型', { required: true, wire: 'Name' }),
        noticeGroup: choice('分组', notificationGroup, { required: true }),
        on: flag('接收', { required: true, wire: 'On' }),
        mandatory: flag('不能关闭', { required: true, wire: 'Fixed' }),
        mail: flag('同时发送邮件', { required: true, wire: 'Mail' }),
      },
      { required: true, wire: 'Kinds' },
    ),
  }),
})

export const saveNotificationSetting = call({
  route: 'PUT Notification/PutSetting',
  title: '保存通知设置',
  needs: everyone,
  input: shape({
    ...quietHoursFields,
    off: list('不接收的类型', { max: 200, wire: 'Off' }),
    mailed: list('同时发送邮件的类型', { max: 200, wire: 'Mailed' }),
  }),
  output: noData,
  affects: ['noticeSetting'],
})
