import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { forEachCompany, listDueCompanies } from '#kit/server/directory.ts'
import { code } from '#kit/server/sql.ts'
import { stepResult, taskState } from '../contract/choices.ts'

const results = (key: 'normal' | 'early' | 'late' | 'missed' | 'disorder') =>
  sql`count(*) filter (where s.result = ${code(stepResult, key)})`

/** What is counted of steps `s`, in the order of the columns of a figure. */
export const countedResults = sql`count(*) as due_count, ${results('normal')} as normal_count,
  ${results('early')} as early_count, ${results('late')} as late_count, ${results('disorder')} as disorder_count,
  ${results('missed')} as miss_count, count(*) filter (where s.is_abnormal) as abnormal_count`

/** Steps `s` that are due and whose task was not disabled. */
export const countedSteps = (ownerId: Id) => sql`
  work_step s
  join work_task t on t.owner_id = ${ownerId} and t.id = s.task_id
  where s.owner_id = ${ownerId}
    and s.result is not null
    and s.subject_id > 0
    and t.state <> ${code(taskState, 'disabled')}`

/** Counts the steps of a day once more, by subject: points of rounds, nothing of steps without one. */
export async function countDay(tx: Tx, ownerId: Id, day: Day, now: Moment): Promise<void> {
  await tx.execute(sql`delete from work_figure where owner_id = ${ownerId} and figure_date = ${day}`)
  await tx.rows(sql`
    with counted as (
      insert into work_figure (
        owner_id, project_code, kind, figure_date, subject_id, due_count, normal_count, early_count, late_count,
        disorder_count, miss_count, abnormal_count, count_time
      )
      select ${ownerId}::bigint, s.project_code, s.kind, ${day}::date, s.subject_id, ${countedResults},
        ${now}::timestamptz
      from ${countedSteps(ownerId)}
        and s.task_date = ${day}
      group by s.project_code, s.kind, s.subject_id
      returning subject_id
    )
    select count(*)::int as count from counted
  `)
}

/** The days whose tasks changed since their figures were counted. */
export const changedDays = (ownerId: Id) => sql<{ day: Day }>`
  select t.task_date as day
  from (
    select task_date, max(update_time) as changed
    from work_task
    where owner_id = ${ownerId}
      and update_time > coalesce(
        (select max(count_time) from work_figure where owner_id = ${ownerId}), '-infinity'
      ) - interval '15 minutes'
    group by task_date
  ) t
  order by t.task_date`

/** Every four minutes: figures are never five minutes old (STAT-14). Each day in its own transaction. */
export async function countDue(app: App, signal?: AbortSignal): Promise<void> {
  const now = fromInstant(app.clock())
  const due = await listDueCompanies(
    app.database,
    sql<{ ownerId: Id }>`select distinct owner_id from work_plan`,
  )
  await forEachCompany(
    due,
    async ownerId => {
      const days = await app.database.reader(ownerId).rows(changedDays(ownerId))
      for (const { day } of days) {
        signal?.throwIfAborted()
        await app.database.tx(ownerId, async tx => {
          // Two servers would count the same day into each other.
          await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('work_figure', ${ownerId}))`)
          await countDay(tx, ownerId, day, now)
        })
      }
    },
    signal,
  )
}
