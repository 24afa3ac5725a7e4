import { type Id, parseId } from '#kit/domain/id.ts'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { firstOfMonth, type Day } from '#kit/domain/day.ts'
import { startOfDay } from '#kit/domain/moment.ts'
import { invalidField } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads, type ReadContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { tenantFilter } from '#kit/server/table.ts'
import { orderCategory, orderState } from '../contract/choices.ts'
import {
  countByComplaint,
  countByState,
  countPerDay,
  getDealEfficiency,
  getEvaluationRadar,
  getMyAssessment,
  getOrderStatistics,
} from '../contract/statistics.ts'
import { workOrder } from '../contract/work-order.ts'
import { sightConditions } from './order-access.ts'
import { figuresOf, sumCohort } from './order-figures.ts'
import { findTypesUnder } from './order-types.ts'
import { ratedOrders, sumRatings } from './ratings.ts'

type Cohort = NonNullable<typeof getOrderStatistics.input.T>

interface Selection {
  /** Orders `t` of the cohort. */
  readonly where: RawBuilder<unknown>
  /** The address of the list that shows them. */
  readonly query: string
  /** The same without the period. */
  readonly filters: Readonly<Record<string, string | undefined>>
}

/** `underTypeId=1,2&…`: the filters of the list, as its address has them. */
const queryOf = (parts: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(parts)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([key, value]) => `${key}=${encodeURIComponent(value ?? '')}`)
    .join('&')

/** The list takes moments; one of midnight at the end of a period means that whole day. */
const periodOf = (from: Day, to: Day) => ({
  registerTimeFrom: startOfDay(from),
  registerTimeTo: startOfDay(to),
})

/** STAT-10: orders registered in the period, this month unless asked otherwise, that the caller may see. */
async function selectCohort(
  cohort: Cohort,
  { db, scope, today }: { db: Db; scope: Scope; today: Day },
): Promise<Selection> {
  const from = cohort.dayFrom ?? firstOfMonth(cohort.dayTo ?? today)
  const to = cohort.dayTo ?? today
  if (to < from) throw invalidField('EndDate', '止日不能早于起日')
  const project = cohort.projectCode ?? (scope.projectCode || undefined)
  const typeIds = (cohort.typeIds ?? []).map(parseId)
  const conditions = [
    tenantFilter(workOrder, scope, project),
    sql`t.register_time >= ${startOfDay(from)}::timestamptz`,
    sql`t.register_time < ${startOfDay(to)}::timestamptz + interval '1 day'`,
    ...(typeIds.length
      ? [sql`t.type_id = any(${await findTypesUnder(db, scope.ownerId, typeIds)}::bigint[])`]
      : []),
    ...(cohort.category ? [sql`t.category = ${codeOf(orderCategory, cohort.category)}`] : []),
    ...(await sightConditions(db, scope)),
  ]
  const filters = { underTypeId: typeIds.join(','), category: cohort.category }
  return {
    where: sql.join(conditions, sql` and `),
    query: queryOf({ ...periodOf(from, to), ...filters }),
    filters,
  }
}

async function assess(cohort: Cohort, c: ReadContext, own?: Id) {
  const { where, query } = await selectCohort(cohort, c)
  const sums = await sumCohort(c.db, own ? sql`${where} and t.handler_id = ${own}` : where)
  // The handler of the rated work, also where another has had the order since.
  const ratedWhere = own ? sql`${where} and e.handler_id = ${own}` : where
  const ratings = {
    ...(await sumRatings(c.db, c.scope.ownerId, ratedWhere)),
    query: own ? `${query}&ratedHandlerId=${own}` : `${query}&hasRating=1`,
  }
  return figuresOf(sums, ratings, own ? `${query}&handlerId=${own}` : query)
}

/** What a row of the efficiency stands for, its name, and the filter that lists it. */
const groupings = {
  handler: {
    key: sql`t.handler_id::text`,
    ratedKey: sql`e.handler_id::text`,
    name: sql`max(t.handler_name)`,
    filter: 'handlerId',
  },
  type: {
    key: sql`t.type_id::text`,
    ratedKey: sql`t.type_id::text`,
    name: sql`max(t.type_name)`,
    filter: 'typeId',
  },
  project: {
    key: sql`t.project_code`,
    ratedKey: sql`t.project_code`,
    name: sql`max(e.name)`,
    filter: 'project',
  },
} as const

interface EfficiencyRow {
  readonly key: string
  readonly name?: string
  readonly total: number
  readonly accepted: number
  readonly finished: number
  readonly respOvertime: number
  readonly finishOvertime: number
  readonly rework: number
  readonly responseMinutes?: string
  readonly finishMinutes?: string
}

interface RatedRow {
  readonly key: string
  readonly score: string
}

async function efficiency(by: keyof typeof groupings, cohort: Cohort, c: ReadContext) {
  const { where, query } = await selectCohort(cohort, c)
  const { ownerId } = c.scope
  const { key, ratedKey, name, filter } = groupings[by]
  const ofCohort = sql<EfficiencyRow>`
    select ${key} as key, ${name} as name, count(*)::int as total,
      count(*) filter (where t.accept_time is not null)::int as accepted,
      count(*) filter (where t.finish_time is not null)::int as finished,
      count(*) filter (where t.resp_overtime)::int as resp_overtime,
      count(*) filter (where t.finish_overtime)::int as finish_overtime,
      count(*) filter (where t.rework_count > 0)::int as rework,
      round(avg(extract(epoch from t.accept_time - t.register_time) / 60), 1)::text as response_minutes,
      round(avg(extract(epoch from t.finish_time - t.register_time) / 60), 1)::text as finish_minutes
    from work_order t
    left join estate e on e.owner_id = ${ownerId} and e.project_code = t.project_code
    where ${where} and ${key} is not null
    group by 1
    order by total desc, 1
    limit 500
  `
  const ofRatings = sql<RatedRow>`
    select ${ratedKey} as key, round(avg(e.score), 2)::text as score
    from ${ratedOrders(ownerId)}
    where ${where}
    group by 1
  `
  const [rows, ratings] = await c.db.all(ofCohort, ofRatings)
  const scores = new Map(ratings.map(rating => [rating.key, rating.score]))
  return rows.map(row => {
    const own = `${query}&${filter}=${row.key}`
    const queries = [
      ['total', ''],
      ['accepted', '&isAccepted=1'],
      ['finished', '&isFinished=1'],
      ['respOvertime', '&respOvertime=1'],
      ['finishOvertime', '&finishOvertime=1'],
      ['rework', '&reworkCountFrom=1'],
    ] as const
    return {
      ...row,
      name: row.name ?? row.key,
      score: scores.get(row.key),
      queries: queries.map(([figure, narrowing]) => ({ figure, query: `${own}${narrowing}` })),
    }
  })
}

const radarKeys = [
  ['speed', '响应', sql`e.speed_score`],
  ['attitude', '态度', sql`e.attitude_score`],
  ['quality', '质量', sql`e.quality_score`],
  ['total', '总分', sql`e.score`],
] as const

async function radar(cohort: Cohort, c: ReadContext) {
  const { where, query } = await selectCohort(cohort, c)
  const averages = await c.db.one<Record<string, string | number | undefined>>(sql`
    select count(distinct t.id)::int as n,
      ${sql.join(radarKeys.map(([key, , column]) => sql`round(avg(${column}), 2)::text as ${sql.id(key)}`))}
    from ${ratedOrders(c.scope.ownerId)}
    where ${where}
  `)
  return radarKeys.map(([key, label]) => ({
    key,
    label,
    average: averages?.[key] === undefined ? undefined : String(averages[key]),
    count: Number(averages?.n ?? 0),
    query: `${query}&hasRating=1`,
  }))
}

export const statisticsHandlers = [
  reads(getOrderStatistics, (cohort, c) => assess(cohort, c)),
  reads(getMyAssessment, (cohort, c) => assess(cohort, c, c.scope.operatorId)),
  reads(countByState, async (cohort, c) => {
    const { where, query } = await selectCohort(cohort, c)
    const rows = await c.db.rows<{ state: number; count: number }>(sql`
      select t.state, count(*)::int as count from work_order t where ${where} group by 1 order by 1
    `)
    return rows.flatMap(row => {
      const state = keyOf(orderState, row.state)
      return state === undefined ? [] : [{ state, count: row.count, query: `${query}&state=${state}` }]
    })
  }),
  reads(countPerDay, async (cohort, c) => {
    const { where, filters } = await selectCohort(cohort, c)
    const rows = await c.db.rows<{ day: Day; registered: number; finished: number; late: number }>(sql`
      select (t.register_time at time zone 'Asia/Shanghai')::date as day, count(*)::int as registered,
        count(*) filter (where t.finish_time is not null)::int as finished,
        count(*) filter (where t.resp_overtime or t.arrive_overtime or t.finish_overtime)::int as late
      from work_order t
      where ${where}
      group by 1
      order by 1
    `)
    return rows.map(row => ({ ...row, query: queryOf({ ...periodOf(row.day, row.day), ...filters }) }))
  }),
  reads(countByComplaint, async (cohort, c) => {
    const { where, query } = await selectCohort({ ...cohort, category: 'complaint' }, c)
    const rows = await c.db.rows<{ typeId: Id; typeName: string; count: number }>(sql`
      select t.type_id, max(t.type_name) as type_name, count(*)::int as count
      from work_order t
      where ${where}
      group by 1
      order by count desc, 1
    `)
    return rows.map(row => ({ ...row, query: `${query}&typeId=${row.typeId}` }))
  }),
  reads(getEvaluationRadar, radar),
  reads(getDealEfficiency, ({ by = 'handler', ...cohort }, c) => efficiency(by, cohort, c)),
]
