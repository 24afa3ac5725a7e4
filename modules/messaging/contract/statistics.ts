import { call } from '#kit/contract/call.ts'
import { choice, choiceTable, day, int, text } from '#kit/contract/field.ts'
import { fileResponse, listOfRows, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'

/** What one line of the statistics stands for. */
export const messageGrouping = choiceTable('MessageGrouping', '统计方式', {
  day: [10, '按日'],
  month: [20, '按月'],
  project: [30, '按项目'],
  channel: [40, '按渠道'],
  source: [50, '按来源'],
})

/** Two years of days at most. */
export const maxStatisticDays = 731

export const statisticSpanFields = {
  projectCode: estateField<false>({ required: false }),
  from: day('开始日期', { required: true, wire: ['BeginDate', 'From'] }),
  to: day('结束日期', { required: true, wire: ['EndDate', 'To'] }),
}

/** The key of the last line, which is of all the others; what counts in several of them counts in it once. */
export const totalKey = 'total'

const counted = { required: true } as const

const lineFields = {
  key: text('编码', counted),
  label: text('统计项', counted),
  total: int('条数', { ...counted, help: '按加入发送队列的时间统计，不含已取消的' }),
  waiting: int('待发送', counted),
  sent: int('已提交', { ...counted, help: '服务商已接受，含已送达' }),
  delivered: int('已送达', counted),
  failed: int('失败', counted),
  refused: int('用户拒收', counted),
  unclear: int('结果未知', counted),
  rate: text('送达率', { ...counted, percent: true, help: '已送达 ÷（已送达 + 失败 + 用户拒收）' }),
  segments: int('计费条数', { ...counted, help: '已用与冻结的短信条数，不含退回' }),
}

const input = shape({
  ...statisticSpanFields,
  grouping: choice('统计方式', messageGrouping, { required: true, initial: 'day', wire: 'Grouping' }),
})

/** How many messages went out, over which channel, and what became of them. */
export const getMessageStatistics = call({
  route: 'GET PropertySms/GetStatistics',
  aliases: ['SummeryReportStatistics/GetMessageSummary'],
  title: '消息统计',
  needs: menu.record.permissions.view,
  input,
  output: listOfRows(lineFields, { entity: 'outgoingMessage' }),
})

export const exportMessageStatistics = call({
  route: 'GET PropertySms/ExportStatistics',
  title: '导出消息统计',
  needs: menu.record.permissions.export,
  input,
  output: fileResponse,
})

export const statisticColumns = [
  'label',
  'total',
  'waiting',
  'sent',
  'delivered',
  'failed',
  'refused',
  'unclear',
  'rate',
  'segments',
] as const satisfies readonly (keyof typeof lineFields)[]

export const statisticFields = lineFields
