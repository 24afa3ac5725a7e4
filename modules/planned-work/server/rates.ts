import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { tenantFilter } from '#kit/server/table.ts'
import { taskState, workKind, type WorkKind } from '../contract/choices.ts'
import { workTask } from '../contract/task.ts'
import { ratesOf, type RateCounts } from '../domain/result.ts'

export interface RateQuery {
  readonly kind: WorkKind
  readonly from: Day
  readonly to: Day
  readonly projectCode?: string | undefined
  readonly staffIds?: readonly Id[] | undefined
}

/** By the day, the person, the road or standard, the plan or the project; `all` is one row. */
export type RateKey = 'all' | 'day' | 'staff' | 'subject' | 'plan' | 'project'

export interface Rates extends RateCounts {
  /** Of the day, of the person …: as text; 0 is nobody. */
  readonly key: string
  readonly tasks: number
  readonly done: number
  readonly partial: number
  readonly missedTasks: number
  readonly abnormal: number
  readonly score?: string | undefined
  readonly signedRate: string
  readonly punctualRate: string
  readonly missedRate: string
}

const keyColumns = {
  all: sql`''`,
  day: sql`t.task_date::text`,
  staff: sql`coalesce(t.staff_id, 0)::text`,
  subject: sql`t.subject_id::text`,
  plan: sql`t.plan_id::text`,
  project: sql`t.project_code`,
} as const

type CountedRow = Omit<Rates, 'signedRate' | 'punctualRate' | 'missedRate'>

const withRates = (row: CountedRow): Rates => ({ ...row, ...ratesOf(row) })

const countState = (state: 'done' | 'partial' | 'missed') =>
  sql`(count(*) filter (where t.state = ${code(taskState, state)}))::int`

/** PAT-9: disabled tasks leave numerator and denominator; what is not due yet is in neither. */
export async function findRates(db: Db, scope: Scope, query: RateQuery, by: RateKey): Promise<Rates[]> {
  const { kind, from, to, projectCode, staffIds } = query
  const key = keyColumns[by]
  const rows = await db.rows<CountedRow>(sql`
    select ${key} as key, count(*)::int as tasks, ${countState('done')} as done, ${countState('partial')} as partial,
      ${countState('missed')} as missed_tasks, sum(t.step_done + t.miss_count)::int as due,
      sum(t.normal_count)::int as normal, sum(t.early_count)::int as early, sum(t.late_count)::int as late,
      sum(t.disorder_count)::int as disorder, sum(t.miss_count)::int as missed,
      sum(t.abnormal_count)::int as abnormal, round(avg(t.score), 2)::text as score
    from work_task t
    where ${tenantFilter(workTask, scope, projectCode)}
      and t.kind = ${code(workKind, kind)}
      and t.task_date between ${from} and ${to}
      and t.state <> ${code(taskState, 'disabled')}
      ${staffIds?.length ? sql`and t.staff_id = any(${[...staffIds]}::bigint[])` : sql``}
    group by 1
    order by 1
  `)
  return rows.map(withRates)
}

export interface PointRates extends RateCounts {
  readonly subjectId: Id
  readonly day?: Day | undefined
  readonly abnormal: number
  readonly signedRate: string
  readonly punctualRate: string
  readonly missedRate: string
}

/** The same of points, from the figures that are kept by day: over the span, or day by day (`byDay`). */
export async function findPointRates(
  db: Db,
  scope: Scope,
  { kind, from, to, projectCode }: RateQuery,
  byDay = false,
): Promise<PointRates[]> {
  const { all, projects } = scope.domain
  const rows = await db.rows<Omit<PointRates, 'signedRate' | 'punctualRate' | 'missedRate'>>(sql`
    select subject_id, ${byDay ? sql`figure_date as day,` : sql``} sum(due_count)::int as due,
      sum(normal_count)::int as normal, sum(early_count)::int as early, sum(late_count)::int as late,
      sum(disorder_count)::int as disorder, sum(miss_count)::int as missed, sum(abnormal_count)::int as abnormal
    from work_figure
    where owner_id = ${scope.ownerId}
      and kind = ${code(workKind, kind)}
      and figure_date between ${from} and ${to}
      ${projectCode ? sql`and project_code = ${projectCode}` : sql``}
      ${all ? sql`` : sql`and project_code = any(${[...projects.keys()]}::text[])`}
    group by subject_id ${byDay ? sql`, figure_date` : sql``}
    order by subject_id ${byDay ? sql`, figure_date` : sql``}
  `)
  return rows.map(row => ({ ...row, ...ratesOf(row) }))
}

/** The total of points: of the figures that they are from, which are some minutes old. */
export function totalOfPoints(points: readonly PointRates[]): Omit<PointRates, 'subjectId' | 'day'> {
  const sumOf = (key: keyof RateCounts | 'abnormal'): number =>
    points.reduce((sum, point) => sum + point[key], 0)
  const counts = {
    due: sumOf('due'),
    normal: sumOf('normal'),
    early: sumOf('early'),
    late: sumOf('late'),
    disorder: sumOf('disorder'),
    missed: sumOf('missed'),
    abnormal: sumOf('abnormal'),
  }
  return { ...counts, ...ratesOf(counts) }
}
