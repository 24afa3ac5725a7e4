import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, idOf, int, moment, text } from '#kit/contract/field.ts'
import {
  byIdsWithReason,
  draftOf,
  noData,
  recordOf,
  pageOf,
  listOfRows,
  search,
} from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { notificationLevel } from './notification.ts'

/**
 * From the company to all its accounts: a message for each, and a line above every page until it has been
 * read.
 */
export const systemNotice = entity(
  'systemNotice',
  '系统公告',
  { table: 'system_notice', tenancy: 'company', title: 'title', order: ['-startTime'] },
  {
    title: text('标题', { required: true, min: 2, max: 80, searchable: true }),
    content: text('内容', { required: true, max: 500, searchable: true }),
    level: choice('级别', notificationLevel, { required: true, initial: 'normal' }),
    startTime: moment('开始时间', { required: true, help: '到该时间后发布' }),
    endTime: moment('结束时间', { help: '之后不再提醒；不填则一直有效' }),
    notified: int('已通知', { wire: 'Told', derived: true, unit: '人', hiddenIn: ['form', 'filter'] }),
    seen: int('已读', { derived: true, unit: '人', hiddenIn: ['form', 'filter'] }),
    waiting: flag('待发布', { derived: true, hiddenIn: ['form', 'filter'] }),
  },
)

export type SystemNotice = Row<typeof systemNotice>

export const listAnnouncements = call({
  route: 'GET SystemNotice/Get',
  title: '查询系统公告',
  needs: menu.notice.permissions.view,
  input: search(systemNotice, ['level', 'startTime']),
  output: pageOf(systemNotice),
})

/** Announcements in force that the caller has not read; `messageId` is the message to mark read. */
export const listUnreadAnnouncements = call({
  route: 'GET SystemNotice/GetNewSystemNotice',
  title: '新系统公告',
  needs: everyone,
  input: noData,
  output: listOfRows({
    id: systemNotice.fields.id,
    title: systemNotice.fields.title,
    content: systemNotice.fields.content,
    level: systemNotice.fields.level,
    startTime: systemNotice.fields.startTime,
    messageId: idOf('消息', { required: true, wire: 'MessageID' }),
  }),
})

export const addAnnouncement = call({
  route: 'POST SystemNotice/Post',
  title: '发布系统公告',
  needs: menu.notice.permissions.add,
  input: draftOf(systemNotice),
  output: recordOf(systemNotice),
  affects: ['systemNotice', 'notification'],
})

/** Withdrawn: the line above the pages and the messages go with it. */
export const deleteAnnouncements = call({
  route: 'DELETE SystemNotice/Delete',
  title: '撤回系统公告',
  needs: menu.notice.permissions.del,
  input: byIdsWithReason,
  output: noData,
  affects: ['systemNotice', 'notification'],
})
