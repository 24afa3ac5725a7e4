import { keyOf, labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { exportColumns, formatExportRow, sheetColumns } from '#kit/contract/sheet.ts'
import { addDays } from '#kit/domain/day.ts'
import { startOfDay } from '#kit/domain/moment.ts'
import { formatPercent } from '#kit/domain/percent.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { exportHeaderLines, totalsRow } from '#kit/server/export-header-footer.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { messageChannel } from '#modules/messaging/contract/choices.ts'
import { totalKey } from '#modules/messaging/contract/statistics.ts'
import {
  assertSpan,
  countMessages,
  projectNames,
  sheetResponse,
  sumCounts,
  type StatisticCounts,
  type StatisticSpan,
} from '#modules/messaging/server/public.ts'
import { noticeChannel, noticeKind, noticeReceipt, noticeState } from '../contract/choices.ts'
import {
  exportNoticeStatistics,
  getNoticeStatistics,
  noticeGrouping,
  noticeStatisticColumns,
  noticeStatisticFields,
} from '../contract/statistics.ts'
import { noticeSource, reminderSource } from './sources.ts'

type Sql = RawBuilder<unknown>
type Grouping = ChoiceOf<typeof noticeGrouping>
type Line = NonNullable<typeof getNoticeStatistics.output.T>[number]

interface ReadCounts {
  readonly key: string
  readonly noticeCount: number
  readonly receiverCount: number
  /** Receivers of notices on the page of residents: nobody can say that a short message was read. */
  readonly pageReceiverCount: number
  readonly readCount: number
  readonly confirmedCount: number
}

/** The page of residents is where a notice is read, whatever else it goes over. */
const pageKey = 'page'

const keySql: Readonly<Record<Grouping, Sql>> = {
  month: sql`to_char(n.publish_time at time zone 'Asia/Shanghai', 'YYYY-MM')`,
  project: sql`coalesce(r.project_code, '-')`,
  channel: sql`${pageKey}::text`,
}

const onPage = sql`${code(noticeChannel, 'app')} = any(n.channels)`

const inProjects = ({ domain }: Scope): Sql =>
  domain.all ? sql`true` : sql`r.project_code = any(${[...domain.projects.keys()]}::text[])`

const ofReceipt = (condition: Sql): Sql => sql`(count(*) filter (where ${condition}))::integer`

/** Receivers of the notices that were published in a span; the last line is of them all, each notice once. */
const countReads = (
  db: Db,
  scope: Scope,
  grouping: Grouping,
  { from, to, projectCode }: StatisticSpan,
): Promise<ReadCounts[]> =>
  db.rows<ReadCounts>(sql`
    with counted as (
      select ${keySql[grouping]} as key, r.notice_id, r.receipt, ${onPage} as is_on_page
      from public_notice n
      join notice_receiver r on r.owner_id = ${scope.ownerId}
        and r.notice_kind = ${code(noticeKind, 'public')}
        and r.notice_id = n.id
        and ${notDeleted('r')}
      where n.owner_id = ${scope.ownerId}
        and n.state in ${codes(noticeState, 'published', 'withdrawn', 'expired')}
        and n.publish_time >= ${startOfDay(from)}::timestamptz
        and n.publish_time < ${startOfDay(addDays(to, 1))}::timestamptz
        and ${notDeleted('n')}
        and ${inProjects(scope)}
        ${grouping === 'channel' ? sql`and ${onPage}` : sql``}
        ${projectCode ? sql`and r.project_code = ${projectCode}` : sql``}
    )
    select case when grouping(key) = 1 then ${totalKey}::text else key end as key,
      count(distinct notice_id)::integer as notice_count, count(*)::integer as receiver_count,
      ${ofReceipt(sql`is_on_page`)} as page_receiver_count,
      ${ofReceipt(sql`receipt <> ${code(noticeReceipt, 'unread')}`)} as read_count,
      ${ofReceipt(sql`receipt = ${code(noticeReceipt, 'confirmed')}`)} as confirmed_count
    from counted
    group by grouping sets ((key), ())
    having count(*) > 0
    order by grouping(key), key
  `)

const channelLabel = (key: string): string => {
  const channel = keyOf(messageChannel, Number(key))
  return channel ? labelOf(messageChannel, channel) : '住户页'
}

async function labelsOf(db: Db, scope: Scope, grouping: Grouping, keys: readonly string[]) {
  if (grouping === 'project') return projectNames(db, scope, keys)
  return grouping === 'channel' ? channelLabel : (key: string) => key
}

const readFigures = (counts: ReadCounts | undefined) =>
  counts && {
    noticeCount: counts.noticeCount,
    receiverCount: counts.receiverCount,
    readCount: counts.readCount,
    confirmedCount: counts.confirmedCount,
    readRate: formatPercent(counts.readCount, counts.pageReceiverCount) ?? '--',
  }

const sentFigures = (sent: StatisticCounts | undefined) =>
  sent && {
    sentCount: sent.sent,
    deliveredCount: sent.delivered,
    failedCount: sent.failed,
    refusedCount: sent.refused,
    segments: sent.segments,
  }

type Query = StatisticSpan & { readonly grouping: Grouping }

async function findLines(db: Db, scope: Scope, query: Query): Promise<Line[]> {
  assertSpan(query)
  const sources = [noticeSource.key, reminderSource.key]
  const [readCounts, messages] = await Promise.all([
    countReads(db, scope, query.grouping, query),
    countMessages(db, scope, query.grouping, query, sources),
  ])
  const readByKey = new Map(readCounts.map(row => [row.key, row]))
  const total = sumCounts(messages)
  const sentByKey = new Map([...messages, ...(total ? [total] : [])].map(row => [row.key, row]))
  const found = new Set([...readByKey.keys(), ...sentByKey.keys()])
  const ended = found.delete(totalKey) ? [totalKey] : []
  const keys = [...[...found].toSorted(), ...ended]
  const labelFor = await labelsOf(db, scope, query.grouping, keys)
  return keys.map(key => ({
    ...readFigures(readByKey.get(key)),
    ...sentFigures(sentByKey.get(key)),
    key,
    label: key === totalKey ? '合计' : labelFor(key),
  }))
}

export const statisticHandlers = [
  reads(getNoticeStatistics, (query, { db, scope }) => findLines(db, scope, query)),
  reads(exportNoticeStatistics, async (query, { app, db, scope }) => {
    const lines = await findLines(db, scope, query)
    const columns = exportColumns(sheetColumns(noticeStatisticFields, [...noticeStatisticColumns]))
    return sheetResponse(
      `公告统计_${query.from}_${query.to}.xlsx`,
      columns,
      lines.length ? lines.map(line => formatExportRow(columns, line)) : [totalsRow(columns, {}, 0)],
      labelOf(noticeGrouping, query.grouping),
      await exportHeaderLines(exportNoticeStatistics, '公告统计', query, { app, db, scope }),
    )
  }),
]
