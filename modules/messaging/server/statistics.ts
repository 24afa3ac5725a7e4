import { keyOf, labelOf, type ChoiceOf, type Day } from '#kit/contract/field.ts'
import { exportColumns, formatExportRow, sheetColumns } from '#kit/contract/sheet.ts'
import { refuseField } from '#kit/contract/wire.ts'
import { addDays, daysBetween } from '#kit/domain/day.ts'
import { startOfDay } from '#kit/domain/moment.ts'
import { formatPercent } from '#kit/domain/percent.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { exportHeaderLines, totalsRow } from '#kit/server/export-header-footer.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes } from '#kit/server/sql.ts'
import { messageChannel, messageState, quotaState } from '../contract/choices.ts'
import {
  exportMessageStatistics,
  getMessageStatistics,
  maxStatisticDays,
  messageGrouping,
  statisticColumns,
  statisticFields,
  totalKey,
} from '../contract/statistics.ts'
import { sourceLabel } from './message-source.ts'
import { visible } from './records.ts'
import { sheetResponse } from './sheet-response.ts'

type Sql = RawBuilder<unknown>
export type MessageGrouping = ChoiceOf<typeof messageGrouping>

export interface StatisticSpan {
  readonly from: Day
  readonly to: Day
  readonly projectCode?: string | undefined
}

/** Refuses what is no span, or one that is too long. */
export function assertSpan({ from, to }: StatisticSpan): void {
  if (to < from) {
    refuseField('EndDate', '结束日期应不早于开始日期')
  }
  if (daysBetween(from, to) >= maxStatisticDays) {
    refuseField('EndDate', `最多统计 ${maxStatisticDays} 天`)
  }
}

const keySql: Readonly<Record<MessageGrouping, Sql>> = {
  day: sql`to_char(t.create_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD')`,
  month: sql`to_char(t.create_time at time zone 'Asia/Shanghai', 'YYYY-MM')`,
  project: sql`coalesce(t.project_code, '-')`,
  channel: sql`t.channel::text`,
  source: sql`t.source`,
}

export interface StatisticCounts {
  readonly key: string
  readonly total: number
  readonly waiting: number
  readonly sent: number
  readonly delivered: number
  readonly failed: number
  readonly refused: number
  readonly unclear: number
  readonly segments: number
}

const sumOf = (rows: readonly StatisticCounts[], key: Exclude<keyof StatisticCounts, 'key'>): number =>
  rows.reduce((sum, row) => sum + row[key], 0)

const counted = (...keys: readonly (keyof typeof messageState.rows)[]): Sql =>
  sql`(count(*) filter (where t.state in ${codes(messageState, ...keys)}))::integer`

/** Messages of a span by one of their sides, of some sources or of all; cancelled ones were never sent. */
export const countMessages = (
  db: Db,
  scope: Scope,
  grouping: MessageGrouping,
  { from, to, projectCode }: StatisticSpan,
  sources?: readonly string[],
): Promise<StatisticCounts[]> =>
  db.rows<StatisticCounts>(sql`
    select ${keySql[grouping]} as key, count(*)::integer as total, ${counted('queued', 'sending')} as waiting,
      ${counted('sent', 'delivered')} as sent, ${counted('delivered')} as delivered,
      ${counted('failed')} as failed, ${counted('refused')} as refused, ${counted('unclear')} as unclear,
      coalesce(sum(t.segments) filter (where t.quota in ${codes(quotaState, 'reserved', 'used')}), 0)::integer
        as segments
    from outgoing_message t
    where t.owner_id = ${scope.ownerId}
      and t.create_time >= ${startOfDay(from)}::timestamptz
      and t.create_time < ${startOfDay(addDays(to, 1))}::timestamptz
      and t.state <> ${code(messageState, 'cancelled')}
      and ${visible(scope)}
      ${projectCode ? sql`and t.project_code = ${projectCode}` : sql``}
      ${sources ? sql`and t.source = any(${[...sources]}::text[])` : sql``}
    group by 1
    order by 1
  `)

/** STAT-3: all lines together, of which each message is in one; none where there are no lines. */
export const sumCounts = (rows: readonly StatisticCounts[]): StatisticCounts | undefined =>
  rows.length
    ? {
        key: totalKey,
        total: sumOf(rows, 'total'),
        waiting: sumOf(rows, 'waiting'),
        sent: sumOf(rows, 'sent'),
        delivered: sumOf(rows, 'delivered'),
        failed: sumOf(rows, 'failed'),
        refused: sumOf(rows, 'refused'),
        unclear: sumOf(rows, 'unclear'),
        segments: sumOf(rows, 'segments'),
      }
    : undefined

/** The names of projects, by their codes; what is of none is named so (STAT-3). */
export async function projectNames(
  db: Db,
  { ownerId }: Pick<Scope, 'ownerId'>,
  codesOfProjects: readonly string[],
): Promise<(code: string) => string> {
  const rows = await db.rows<{ code: string; name: string }>(sql`
    select e.project_code as code, e.name
    from estate e
    where e.owner_id = ${ownerId} and e.project_code = any(${[...codesOfProjects]}::text[])
  `)
  const byCode = new Map(rows.map(({ code: key, name }) => [key, name]))
  return key => (key === '-' ? '未归属' : (byCode.get(key) ?? key))
}

const channelLabel = (key: string): string => {
  const channel = keyOf(messageChannel, Number(key))
  return channel ? labelOf(messageChannel, channel) : key
}

async function labelsOf(
  db: Db,
  scope: Scope,
  grouping: MessageGrouping,
  keys: readonly string[],
): Promise<(key: string) => string> {
  if (grouping === 'project') return projectNames(db, scope, keys)
  if (grouping === 'channel') return channelLabel
  return grouping === 'source' ? sourceLabel : key => key
}

type Query = StatisticSpan & { readonly grouping: MessageGrouping }

async function findLines(db: Db, scope: Scope, query: Query) {
  assertSpan(query)
  const rows = await countMessages(db, scope, query.grouping, query)
  const keys = rows.map(({ key }) => key)
  const labelFor = await labelsOf(db, scope, query.grouping, keys)
  const total = sumCounts(rows)
  return [...rows, ...(total ? [total] : [])].map(row => ({
    ...row,
    label: row.key === totalKey ? '合计' : labelFor(row.key),
    rate: formatPercent(row.delivered, row.delivered + row.failed + row.refused) ?? '--',
  }))
}

export const statisticHandlers = [
  reads(getMessageStatistics, (query, { db, scope }) => findLines(db, scope, query)),
  reads(exportMessageStatistics, async (query, { app, db, scope }) => {
    const lines = await findLines(db, scope, query)
    const columns = exportColumns(sheetColumns(statisticFields, [...statisticColumns]))
    return sheetResponse(
      `消息统计_${query.from}_${query.to}.xlsx`,
      columns,
      lines.length ? lines.map(line => formatExportRow(columns, line)) : [totalsRow(columns, {}, 0)],
      labelOf(messageGrouping, query.grouping),
      await exportHeaderLines(exportMessageStatistics, '消息统计', query, { app, db, scope }),
    )
  }),
]
