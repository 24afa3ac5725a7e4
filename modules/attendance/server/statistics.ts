import { parseId, type Id } from '#kit/domain/id.ts'
import { daysBetween } from '#kit/domain/day.ts'
import { keyOf, type Decimal } from '#kit/contract/field.ts'
import { invalidField } from '#kit/contract/wire.ts'
import { containsPattern } from '#kit/server/like-pattern.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { dayState } from '../contract/choices.ts'
import { getDayStatistics, listAnomalies } from '../contract/month.ts'
import { anomalyStates } from './day.ts'
import { effectiveDays } from './effective-days.ts'
import { inDepartment, type Span } from './people.ts'

const maxDays = 366

function assertSpan({ from, to }: Span): void {
  if (to < from) throw invalidField('EndDate', '止日不能早于起日')
  if (daysBetween(from, to) >= maxDays) throw invalidField('EndDate', '一次最多统计一年，请缩小日期范围')
}

const ofGroup = (ids: readonly string[] | undefined) =>
  ids?.length ? sql`and d.group_id = any(${ids.map(parseId)}::bigint[])` : sql``

/** Departments with their days by state, from one pass over the days. */
async function loadStatistics(
  db: Db,
  { ownerId }: Scope,
  span: Span,
  groupId: readonly string[] | undefined,
) {
  const rows = await db.rows<{
    departmentId?: Id
    departmentName?: string
    people: number
    dueDays: number
    presentDays: Decimal
    rate?: string
    states: Readonly<Record<string, number>>
  }>(sql`
    with days as (${effectiveDays(ownerId, span, ofGroup(groupId))}),
    states as (
      select s.department_id, e.state, count(*)::int as count
      from days e
      join staff s on s.owner_id = ${ownerId} and s.id = e.staff_id
      where e.state is not null
      group by s.department_id, e.state
    ),
    totals as (
      select s.department_id, count(distinct e.staff_id)::int as people,
        (count(*) filter (where e.is_due))::int as due_days,
        trim_scale(round(coalesce(sum(1 - e.absent_days - e.leave_days) filter (where e.is_due), 0), 2))::text
          as present_days,
        round(100 * sum(1 - e.absent_days - e.leave_days) filter (where e.is_due)
          / nullif(count(*) filter (where e.is_due), 0), 2)::text || '%' as rate
      from days e
      join staff s on s.owner_id = ${ownerId} and s.id = e.staff_id
      group by s.department_id
    )
    select t.department_id, d.name as department_name, t.people, t.due_days, t.present_days, t.rate,
      (
        select coalesce(jsonb_object_agg(x.state, x.count), '{}')
        from states x
        where x.department_id is not distinct from t.department_id
      ) as states
    from totals t
    left join department d on d.owner_id = ${ownerId} and d.id = t.department_id
    order by d.sort, d.id
  `)
  return rows.map(({ states, departmentName = '未分配部门', ...row }) => ({
    ...row,
    departmentName,
    states: Object.entries(states).flatMap(([stateCode, count]) => {
      const state = keyOf(dayState, stateCode)
      return state === undefined ? [] : [{ state, count }]
    }),
  }))
}

type AnomalyQuery = NonNullable<typeof listAnomalies.input.T>

async function loadAnomalies(
  db: Db,
  { ownerId }: Scope,
  { from, to, groupId, departmentId, keyword, page = 1, size = 50 }: AnomalyQuery,
) {
  const pattern = keyword ? containsPattern(keyword.trim()) : undefined
  const rows = await db.rows<{
    id: Id
    staffNo?: string
    staffName: string
    departmentName?: string
    anomalyDays: number
    lateCount: number
    lateMinutes: number
    earlyCount: number
    missCount: number
    absentDays: Decimal
    unscheduledDays: number
    total: number
  }>(sql`
    select s.id, s.staff_no, s.name as staff_name, p.name as department_name, x.anomaly_days, x.late_count,
      x.late_minutes, x.early_count, x.miss_count, x.absent_days, x.unscheduled_days,
      (count(*) over ())::int as total
    from (
      select e.staff_id, count(*)::int as anomaly_days,
        (count(*) filter (where e.is_late))::int as late_count,
        sum(e.late_minutes)::int as late_minutes,
        (count(*) filter (where e.is_early))::int as early_count,
        sum(e.missing_count)::int as miss_count,
        trim_scale(sum(e.absent_days))::text as absent_days,
        (count(*) filter (where e.state = ${code(dayState, 'unscheduled')}))::int as unscheduled_days
      from (${effectiveDays(ownerId, { from, to }, ofGroup(groupId))}) e
      where e.state in ${anomalyStates}
      group by e.staff_id
    ) x
    join staff s on s.owner_id = ${ownerId} and s.id = x.staff_id
    left join department p on p.owner_id = ${ownerId} and p.id = s.department_id
    where true
      ${departmentId?.length ? sql`and ${inDepartment(ownerId, sql`s.id`, departmentId)}` : sql``}
      ${pattern ? sql`and (s.name like ${pattern} or s.staff_no like ${pattern})` : sql``}
    order by x.anomaly_days desc, s.staff_no, s.id
    limit ${size} offset ${(page - 1) * size}
  `)
  return { total: rows[0]?.total ?? 0, rows: rows.map(({ total: _total, ...row }) => row) }
}

export const statisticsHandlers = [
  reads(getDayStatistics, ({ from, to = from, groupId }, { db, scope }) => {
    assertSpan({ from, to })
    return loadStatistics(db, scope, { from, to }, groupId)
  }),
  reads(listAnomalies, (query, { db, scope }) => {
    assertSpan(query)
    return loadAnomalies(db, scope, query)
  }),
]
