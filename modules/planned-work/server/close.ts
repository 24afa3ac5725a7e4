import type { Id } from '#kit/domain/id.ts'
import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { forEachCompany, listDueCompanies } from '#kit/server/directory.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted, touch } from '#kit/server/sql.ts'
import { stepResult, stepVerdict, taskState } from '../contract/choices.ts'

/** Tasks that are closed in one transaction. */
const batchSize = 500

const open = codes(taskState, 'waiting', 'running')

/** The score of the closed tasks: what was missed has not passed. */
const scoreSql = (ownerId: Id, taskIds: readonly Id[]) => sql`
  select s.task_id,
    round(100.0 * coalesce(sum(s.weight) filter (where s.verdict = ${code(stepVerdict, 'passed')}), 0)
      / nullif(sum(s.weight) filter (where s.verdict is distinct from ${code(stepVerdict, 'notApplicable')}), 0), 2)
      as score
  from work_step s
  where s.owner_id = ${ownerId} and s.task_id = any(${[...taskIds]}::bigint[]) and s.needs @> '{"verdict": true}'
  group by s.task_id`

/** Ends tasks: what is not signed is missed, and the task is what its steps are (PAT-4, PAT-7). */
export async function closeTasks(tx: Tx, scope: Scope, taskIds: readonly Id[], now: Moment): Promise<void> {
  const { ownerId } = scope
  await tx.execute(sql`
    update work_step
    set result = ${code(stepResult, 'missed')}, ${touch(scope)}
    where owner_id = ${ownerId} and task_id = any(${[...taskIds]}::bigint[]) and sign_time is null
  `)
  await tx.execute(sql`
    update work_task t
    set state = case when t.step_done = 0 then ${code(taskState, 'missed')}
        when t.step_done < t.step_total then ${code(taskState, 'partial')} else ${code(taskState, 'done')} end,
      miss_count = t.step_total - t.step_done, finish_time = ${now}::timestamptz, remind_time = null,
      score = r.score, ${touch(scope, 't')}
    from (
      select i.id, r.score
      from unnest(${[...taskIds]}::bigint[]) as i(id)
      left join (${scoreSql(ownerId, taskIds)}) r on r.task_id = i.id
    ) r
    where t.owner_id = ${ownerId} and t.id = r.id and t.state in ${open}
  `)
}

async function closeBatch(tx: Tx, scope: Scope, now: Moment): Promise<number> {
  // A person who signs just now goes first: the next minute closes what is left of it.
  const due = await tx.rows<{ id: Id }>(sql`
    select id
    from work_task
    where owner_id = ${scope.ownerId}
      and state in ${open}
      and close_time < ${now}::timestamptz
      and ${notDeleted()}
    order by id
    limit ${batchSize}
    for update skip locked
  `)
  if (due.length) {
    await closeTasks(
      tx,
      scope,
      due.map(({ id }) => id),
      now,
    )
  }
  return due.length
}

/** Every minute: ends the tasks whose time is over, at any number of servers. */
export async function closeDue(app: App, signal?: AbortSignal): Promise<void> {
  const now = fromInstant(app.clock())
  const due = await listDueCompanies(
    app.database,
    sql<{ ownerId: Id }>`
      select distinct owner_id
      from work_task
      where state in ${open} and close_time < ${now}::timestamptz and ${notDeleted()}
    `,
  )
  await forEachCompany(
    due,
    async ownerId => {
      const scope = clockScope(app, ownerId)
      let count = batchSize
      while (count === batchSize) {
        signal?.throwIfAborted()
        count = await app.database.tx(ownerId, tx => closeBatch(tx, scope, now))
      }
    },
    signal,
  )
}
