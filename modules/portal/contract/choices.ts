import { choiceTable } from '#kit/contract/field.ts'

export const noticeState = choiceTable('InternalNoticeState', '内部公告状态', {
  draft: [10, '草稿', 'todo'],
  published: [30, '已发布', 'done'],
  withdrawn: [40, '已撤回', 'off'],
})

export const noticeAudience = choiceTable('InternalNoticeAudience', '内部公告范围', {
  all: [10, '全体'],
  departments: [20, '指定部门'],
  tags: [30, '指定标签'],
  people: [40, '指定人员'],
})

export const receiptState = choiceTable('InternalNoticeReceipt', '内部公告阅读状态', {
  unread: [10, '未读', 'todo'],
  read: [20, '已读', 'doing'],
  confirmed: [30, '已阅', 'done'],
})

/** The codes of the specification: 10 is not shown, 30 is. */
export const entryState = choiceTable('PortalEntryState', '门户内容状态', {
  off: [10, '停用', 'off'],
  on: [30, '启用', 'done'],
})

export const entryKind = choiceTable('PortalEntryKind', '门户内容种类', {
  website: ['website', '常用网站'],
  service: ['service', '内部服务'],
  project: ['project', '项目介绍'],
  imageText: ['imageText', '图文'],
})
