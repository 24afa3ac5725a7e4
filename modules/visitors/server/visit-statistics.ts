import { keyOf, keysOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { daysBetween, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { endOfDay, startOfDay } from '#kit/domain/moment.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { reads, type ReadContext } from '#kit/server/handler.ts'
import { code } from '#kit/server/sql.ts'
import { tenantFilter } from '#kit/server/table.ts'
import { validResult, visitorKind } from '../contract/choices.ts'
import { inviteValid } from '../contract/invite-valid.ts'
import { getVisitStatistics } from '../contract/visit-statistics.ts'
import { visitRecord } from '../contract/visit-record.ts'
import { inviteVisitor } from '../contract/visitor.ts'
import { seenValidations } from './seen-validations.ts'

type Query = NonNullable<typeof getVisitStatistics.input.T>

const maxDays = 366

interface VisitCounts {
  readonly arrived: number
  readonly walkIns: number
  readonly people: number
  readonly overdue: number
  readonly averageStay: number
}

const within = (column: string, { from, to }: { from: Day; to: Day }): RawBuilder<unknown> => {
  const time = sql.ref(`t.${column}`)
  return sql`${time} >= ${startOfDay(from)}::timestamptz and ${time} <= ${endOfDay(to)}::timestamptz`
}

async function countInvited(query: Query, { db, scope }: ReadContext): Promise<number> {
  const counted = await db.one<{ n: number }>(sql`
    select count(*)::int as n
    from invite_visitor t
    where ${tenantFilter(inviteVisitor, scope, query.projectCode)} and ${within('begin_time', query)}
  `)
  return counted?.n ?? 0
}

interface ValidationCounts {
  readonly refused: number
  readonly overused: number
}

async function countValidations(query: Query, { db, scope }: ReadContext): Promise<ValidationCounts> {
  const overused = code(validResult, 'overused')
  return defined(
    await db.one<ValidationCounts>(sql`
      select count(*) filter (where t.result <> ${overused})::int as refused,
        count(*) filter (where t.result = ${overused})::int as overused
      from invite_valid t
      where ${sql.join([tenantFilter(inviteValid, scope, query.projectCode), ...seenValidations(scope)], sql` and `)}
        and ${within('valid_time', query)}
        and t.result <> ${code(validResult, 'passed')}
    `),
  )
}

const countVisits = async (visits: RawBuilder<unknown>, { db }: ReadContext): Promise<VisitCounts> =>
  defined(
    await db.one<VisitCounts>(sql`
      select count(*) filter (where t.visitor_id is not null)::int as arrived,
        count(*) filter (where t.visitor_id is null)::int as walk_ins,
        coalesce(sum(t.person_count), 0)::int as people,
        count(*) filter (where t.out_time > t.end_time)::int as overdue,
        coalesce(round(avg(extract(epoch from t.out_time - t.in_time)) / 60), 0)::int as average_stay
      ${visits}
    `),
  )

/** Of the days in Shanghai, as everywhere. */
const countHours = (visits: RawBuilder<unknown>, { db }: ReadContext) =>
  db.rows<{ hour: number; visits: number }>(sql`
    select extract(hour from t.in_time at time zone 'Asia/Shanghai')::int as hour, count(*)::int as visits
    ${visits}
    group by 1
  `)

const countKinds = (visits: RawBuilder<unknown>, { db }: ReadContext) =>
  db.rows<{ kind: number; visits: number }>(sql`
    select t.visitor_kind::int as kind, count(*)::int as visits
    ${visits}
    group by 1
  `)

/** VIS-8 */
async function loadStatistics(query: Query, c: ReadContext) {
  const { from, to } = query
  if (to < from) refuse('结束日期不能早于开始日期')
  if (daysBetween(from, to) >= maxDays) refuse(`一次最多统计 ${maxDays} 天，请缩短日期范围`)
  const visits = sql`
    from visit_record t
    where ${tenantFilter(visitRecord, c.scope, query.projectCode)} and ${within('in_time', query)}
  `
  const counts = await countVisits(visits, c)
  const kinds = await countKinds(visits, c)
  const hours = await countHours(visits, c)
  return {
    invited: await countInvited(query, c),
    ...(await countValidations(query, c)),
    ...counts,
    kinds: keysOf(visitorKind).map(key => ({
      visitorKind: key,
      visits: kinds.find(({ kind }) => keyOf(visitorKind, kind) === key)?.visits ?? 0,
    })),
    hours: Array.from({ length: 24 }, (_, hour) => ({
      hour,
      visits: hours.find(each => each.hour === hour)?.visits ?? 0,
    })),
  }
}

export const visitStatisticsHandlers = [reads(getVisitStatistics, loadStatistics)]
