import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { columnOf } from '#kit/contract/entity.ts'
import { keyOf } from '#kit/contract/field.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes } from '#kit/server/sql.ts'
import { tenantFilter } from '#kit/server/table.ts'
import { targetType, taskState, workKind, type TargetType, type WorkKind } from '../contract/choices.ts'
import { workTask } from '../contract/task.ts'
import { ratesOf, type RateCounts } from '../domain/result.ts'
import { changedDays, countedResults, countedSteps } from './figures.ts'

export interface RateQuery {
  readonly kinds: readonly WorkKind[]
  readonly from: Day
  readonly to: Day
  readonly projectCode?: string | undefined
  readonly staffIds?: readonly Id[] | undefined
}

/**
 * By the day, the person, the road or standard, the plan or the object (where a kind has none: what its
 * plan is about); `all` is one row.
 */
export type RateKey = 'all' | 'day' | 'staff' | 'subject' | 'plan' | 'target'

export interface Rates extends RateCounts {
  /** The day, or the id of the person, as text; 0 is nobody. */
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
  /** What a row is of; the name is the one that its tasks keep. */
  readonly kind?: WorkKind | undefined
  readonly staffId?: Id | undefined
  readonly planId?: Id | undefined
  readonly subjectId?: Id | undefined
  readonly targetId?: Id | undefined
  readonly targetType?: TargetType | undefined
  readonly keptName?: string | undefined
}

interface RateGroup {
  readonly key: RawBuilder<unknown>
  /** Further columns that make up the group, each under its name. */
  readonly columns: Readonly<Record<string, RawBuilder<unknown>>>
  readonly keptName?: RawBuilder<unknown>
  readonly needsPlan?: true
}

const kindColumn = sql`t.kind`

/** Tasks without an object are of what their plan is about. */
const targetSubject = sql`case when t.target_id = 0 then t.subject_id end`
const targetSort = sql`case when t.target_id = 0 then null else p.target_type end`

const groups: Readonly<Record<RateKey, RateGroup>> = {
  all: { key: sql`''`, columns: {} },
  day: { key: sql`t.task_date::text`, columns: {} },
  staff: { key: sql`coalesce(t.staff_id, 0)::text`, columns: { staffId: sql`t.staff_id` } },
  subject: {
    key: sql`t.subject_id::text`,
    columns: { kindCode: kindColumn, subjectId: sql`t.subject_id` },
  },
  plan: {
    key: sql`t.plan_id::text`,
    columns: { kindCode: kindColumn, planId: sql`t.plan_id` },
    keptName: sql`max(t.plan_name)`,
  },
  target: {
    key: sql`concat_ws('/', t.kind, coalesce(p.target_type, 0), t.target_id, ${targetSubject})`,
    columns: {
      kindCode: kindColumn,
      targetId: sql`t.target_id`,
      subjectId: targetSubject,
      targetCode: targetSort,
    },
    keptName: sql`max(t.target_name)`,
    needsPlan: true,
  },
}

type CountedRow = Omit<Rates, 'signedRate' | 'punctualRate' | 'missedRate' | 'kind' | 'targetType'> & {
  readonly kindCode?: number
  readonly targetCode?: number
}

const withRates = ({ kindCode, targetCode, ...row }: CountedRow): Rates => ({
  ...row,
  ...ratesOf(row),
  kind: kindCode === undefined ? undefined : keyOf(workKind, kindCode),
  targetType: targetCode === undefined ? undefined : keyOf(targetType, targetCode),
})

/** Tasks and their steps of some kinds; of none: nothing. */
export const ofKinds = (kinds: readonly WorkKind[]): RawBuilder<unknown> =>
  kinds.length ? sql`t.kind in ${codes(workKind, ...kinds)}` : sql`false`

const countState = (state: 'done' | 'partial' | 'missed') =>
  sql`(count(*) filter (where t.state = ${code(taskState, state)}))::int`

/** PAT-9: disabled tasks leave numerator and denominator; what is not due yet is in neither. */
export async function findRates(db: Db, scope: Scope, query: RateQuery, by: RateKey): Promise<Rates[]> {
  const { kinds, from, to, projectCode, staffIds } = query
  const { key, columns, keptName, needsPlan } = groups[by]
  const names = Object.entries(columns)
  const shown = names.map(([name, column]) => sql`${column} as ${sql.id(columnOf(name))},`)
  const grouped = [sql`1`, ...names.map(([, column]) => column)]
  const rows = await db.rows<CountedRow>(sql`
    select ${key} as key, ${sql.join(shown, sql` `)} ${keptName ? sql`${keptName} as kept_name,` : sql``}
      count(*)::int as tasks, ${countState('done')} as done, ${countState('partial')} as partial,
      ${countState('missed')} as missed_tasks, coalesce(sum(t.step_done + t.miss_count), 0)::int as due,
      coalesce(sum(t.normal_count), 0)::int as normal, coalesce(sum(t.early_count), 0)::int as early,
      coalesce(sum(t.late_count), 0)::int as late, coalesce(sum(t.disorder_count), 0)::int as disorder,
      coalesce(sum(t.miss_count), 0)::int as missed, coalesce(sum(t.abnormal_count), 0)::int as abnormal,
      round(avg(t.score), 2)::text as score
    from work_task t
    ${needsPlan ? sql`left join work_plan p on p.owner_id = ${scope.ownerId} and p.id = t.plan_id` : sql``}
    where ${tenantFilter(workTask, scope, projectCode)}
      and ${ofKinds(kinds)}
      and t.task_date between ${from} and ${to}
      and t.state <> ${code(taskState, 'disabled')}
      ${staffIds?.length ? sql`and t.staff_id = any(${[...staffIds]}::bigint[])` : sql``}
    group by ${sql.join(grouped)}
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

/**
 * The same of points, over the span or day by day (`byDay`): from the figures that are kept by day, and of
 * days that changed since from the steps themselves, so that they agree with those of tasks (STAT-14).
 */
export async function findPointRates(
  db: Db,
  scope: Scope,
  { kinds, from, to, projectCode }: RateQuery,
  byDay = false,
): Promise<PointRates[]> {
  const { ownerId } = scope
  const { all, projects } = scope.domain
  const changed = (await db.rows(changedDays(ownerId))).flatMap(({ day }) =>
    day >= from && day <= to ? [day] : [],
  )
  const rows = await db.rows<Omit<PointRates, 'signedRate' | 'punctualRate' | 'missedRate'>>(sql`
    select subject_id, ${byDay ? sql`figure_date as day,` : sql``} sum(due_count)::int as due,
      sum(normal_count)::int as normal, sum(early_count)::int as early, sum(late_count)::int as late,
      sum(disorder_count)::int as disorder, sum(miss_count)::int as missed, sum(abnormal_count)::int as abnormal
    from (
      select project_code, kind, figure_date, subject_id, due_count, normal_count, early_count, late_count,
        disorder_count, miss_count, abnormal_count
      from work_figure
      where owner_id = ${ownerId}
        and figure_date between ${from} and ${to}
        and figure_date <> all(${changed}::date[])
      union all
      select s.project_code, s.kind, s.task_date, s.subject_id, ${countedResults}
      from ${countedSteps(ownerId)}
        and s.task_date = any(${changed}::date[])
      group by s.project_code, s.kind, s.task_date, s.subject_id
    ) t
    where ${ofKinds(kinds)}
      ${projectCode ? sql`and project_code = ${projectCode}` : sql``}
      ${all ? sql`` : sql`and project_code = any(${[...projects.keys()]}::text[])`}
    group by subject_id ${byDay ? sql`, figure_date` : sql``}
    order by subject_id ${byDay ? sql`, figure_date` : sql``}
  `)
  return rows.map(row => ({ ...row, ...ratesOf(row) }))
}

/** The total of points. */
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
