import { call } from '#kit/contract/call.ts'
import { choice, choiceTable, int, text } from '#kit/contract/field.ts'
import { fileResponse, listOfRows, shape } from '#kit/contract/shape.ts'
import { statisticSpanFields } from '#modules/messaging/contract/statistics.ts'
import { menu } from '../module.ts'

export const noticeGrouping = choiceTable('NoticeGrouping', '统计方式', {
  month: [10, '按月'],
  project: [20, '按项目'],
  channel: [30, '按渠道'],
})

/** What has no such figure is without it: a channel is not read, a page is not sent. */
export const noticeStatisticFields = {
  key: text('编码', { required: true }),
  label: text('统计项', { required: true }),
  noticeCount: int('公告', { help: '按发布时间统计，不含草稿与待发布；发往多个项目的，各项目分别计数' }),
  receiverCount: int('应达'),
  readCount: int('已读'),
  readRate: text('阅读率', { percent: true, help: '已读 ÷ 应达，只计在住户页发布的公告' }),
  confirmedCount: int('已确认'),
  sentCount: int('已发消息', { help: '随公告与提醒发出的短信、微信，按发送时间统计' }),
  deliveredCount: int('已送达'),
  failedCount: int('失败'),
  refusedCount: int('用户拒收'),
  segments: int('短信条数'),
}

const input = shape({
  ...statisticSpanFields,
  grouping: choice('统计方式', noticeGrouping, { required: true, initial: 'month', wire: 'Grouping' }),
})

/** How many notices reached how many, and how many read them. */
export const getNoticeStatistics = call({
  route: 'GET Notice/GetStatistics',
  title: '公告统计',
  needs: menu.notice.permissions.view,
  input,
  output: listOfRows(noticeStatisticFields, { entity: 'publicNotice' }),
})

export const exportNoticeStatistics = call({
  route: 'GET Notice/ExportStatistics',
  title: '导出公告统计',
  needs: menu.notice.permissions.export,
  input,
  output: fileResponse,
})

export const noticeStatisticColumns = [
  'label',
  'noticeCount',
  'receiverCount',
  'readCount',
  'readRate',
  'confirmedCount',
  'sentCount',
  'deliveredCount',
  'failedCount',
  'refusedCount',
  'segments',
] as const satisfies readonly (keyof typeof noticeStatisticFields)[]
