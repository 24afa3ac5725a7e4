import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, int, moment, text } from '#kit/contract/field.ts'
import { byIdsWhy, draftOf, nothing, oneOf, pageOf, rowsOf, search } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { noticeLevel } from './message.ts'

/**
 * From the company to everybody who signs in: a message each, and a line above every page until it has been
 * read.
 */
export const systemNotice = entity(
  'systemNotice',
  '系统公告',
  { table: 'system_notice', reach: 'company', title: 'title', order: ['-startTime'] },
  {
    title: text('标题', { required: true, min: 2, max: 80, sought: true }),
    content: text('内容', { required: true, max: 500, sought: true }),
    level: choice('级别', noticeLevel, { required: true, initial: 'normal' }),
    startTime: moment('开始时间', { required: true, help: '到时间才发给大家' }),
    endTime: moment('结束时间', { help: '之后不再提醒；不填则一直有效' }),
    told: int('已通知', { derived: true, unit: '人', notIn: ['form', 'filter'] }),
    seen: int('已读', { derived: true, unit: '人', notIn: ['form', 'filter'] }),
    waiting: flag('待发布', { derived: true, notIn: ['form', 'filter'] }),
  },
)

export type SystemNotice = Row<typeof systemNotice>

export const listNotices = call({
  at: 'GET SystemNotice/Get',
  title: '查询系统公告',
  needs: menu.notice.may.view,
  input: search(systemNotice, ['level', 'startTime']),
  output: pageOf(systemNotice),
})

/** Those in force that the caller has not read yet; `messageId` is what he marks. */
export const newNotices = call({
  at: 'GET SystemNotice/GetNewSystemNotice',
  title: '新系统公告',
  needs: everyone,
  input: nothing,
  output: rowsOf({
    id: systemNotice.fields.id,
    title: systemNotice.fields.title,
    content: systemNotice.fields.content,
    level: systemNotice.fields.level,
    startTime: systemNotice.fields.startTime,
    messageId: int('消息', { required: true, wire: 'MessageID' }),
  }),
})

export const addNotice = call({
  at: 'POST SystemNotice/Post',
  title: '发布系统公告',
  needs: menu.notice.may.add,
  input: draftOf(systemNotice),
  output: oneOf(systemNotice),
  affects: ['systemNotice', 'notification'],
})

/** Withdrawn: the line above the pages and the messages go with it. */
export const deleteNotices = call({
  at: 'DELETE SystemNotice/Delete',
  title: '撤回系统公告',
  needs: menu.notice.may.del,
  input: byIdsWhy,
  output: nothing,
  affects: ['systemNotice', 'notification'],
})
