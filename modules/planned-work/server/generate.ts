import type { Id } from '#kit/domain/id.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { dayOfMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import { listDueCompanies } from '#kit/server/directory.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { planState, type WorkKind } from '../contract/choices.ts'
import { workPlan } from '../contract/plan.ts'
import { loadTasks, type DaySpan, type ExistingTask } from './existing-tasks.ts'
import { sameSteps } from './same-steps.ts'
import {
  hideTasks,
  insertSteps,
  insertTasks,
  keyOfDraft,
  kindCode,
  removeSteps,
  removeTasks,
  updateTasks,
  type PlannedTask,
  type StoredPlan,
} from './task-writes.ts'
import { findWantedTasks, type KeptTask } from './wanted-tasks.ts'

/** Plans whose tasks are made in one transaction. */
const batchSize = 250

export interface Generated {
  readonly made: number
  readonly changed: number
  readonly removed: number
}

/** What of a task follows its plan while nobody has started it (PAT-10). */
const differs = (task: ExistingTask, draft: PlannedTask): boolean =>
  task.isHidden ||
  task.begin !== draft.begin ||
  task.end !== draft.end ||
  task.close !== draft.close ||
  task.staffId !== draft.staffId ||
  task.candidateIds?.join(',') !== draft.candidateIds?.join(',') ||
  task.nobodyReason !== draft.nobodyReason ||
  task.planName !== draft.plan.planName ||
  task.targetName !== draft.targetName ||
  task.subjectId !== draft.plan.subjectId

/** Whether the steps of a task are made again: those of another subject or time, or none are there. */
const needsSteps = ({ task, draft }: KeptTask): boolean =>
  task.isHidden || task.begin !== draft.begin || task.subjectId !== draft.plan.subjectId

/**
 * One after another within a company: of two servers, or a plan that is saved while the night's work runs,
 * the second finds what the first has made.
 */
export const lockGeneration = (tx: Tx, { ownerId }: Scope): Promise<unknown> =>
  tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('work_task', ${ownerId}))`)

/** What is there becomes what the plans ask for; what has started stays as it is (PAT-10). */
async function syncTasks(
  tx: Tx,
  scope: Scope,
  plans: readonly StoredPlan[],
  span: DaySpan,
  now: Moment,
  comparesSteps: boolean,
): Promise<Generated> {
  const { added, kept, removed } = await findWantedTasks(tx, scope, plans, span, now)
  const restepped = comparesSteps ? await differingSteps(tx, scope, kept) : kept.filter(needsSteps)
  const changed = [...new Set([...kept.filter(({ task, draft }) => differs(task, draft)), ...restepped])]
  await removeTasks(
    tx,
    scope,
    removed.map(({ id }) => id),
  )
  await updateTasks(tx, scope, changed)
  await removeSteps(
    tx,
    scope.ownerId,
    restepped.map(({ id }) => id),
  )
  const ids = await insertTasks(tx, scope, added)
  await insertSteps(tx, scope, [
    ...restepped.map(({ id, draft }) => ({ taskId: id, draft })),
    ...added.flatMap(draft => {
      const taskId = ids.get(keyOfDraft(draft))
      return taskId === undefined ? [] : [{ taskId, draft }]
    }),
  ])
  return { made: ids.size, changed: changed.length, removed: removed.length }
}

async function differingSteps<K extends { readonly id: Id; readonly draft: PlannedTask }>(
  tx: Tx,
  scope: Scope,
  kept: readonly K[],
): Promise<K[]> {
  const same = await sameSteps(tx, scope.ownerId, kept)
  return kept.filter(({ id }) => !same.has(id))
}

/** Plans of a company that ask for work in a span, in the order of their ids. */
const findActivePlans = (tx: Tx, scope: Scope, { from, to }: DaySpan, after: Id): Promise<StoredPlan[]> =>
  findAll(
    tx,
    workPlan,
    scope,
    { order: 'id' },
    {
      where: [
        sql`t.state = ${code(planState, 'enabled')}`,
        sql`t.begin_date <= ${to}`,
        sql`coalesce(t.end_date, ${to}::date) >= ${from}`,
        sql`t.id > ${after}`,
      ],
      limit: batchSize,
    },
  )

/**
 * What a changed plan, road or template makes of the tasks until tomorrow that are not started (PAT-10).
 */
export async function generateForPlans(
  tx: Tx,
  scope: Scope,
  plans: readonly StoredPlan[],
  now: Moment,
): Promise<Generated> {
  await lockGeneration(tx, scope)
  const today = dayOfMoment(now)
  // A round over midnight belongs to the day on which it began.
  return syncTasks(tx, scope, plans, { from: addDays(today, -1), to: addDays(today, 1) }, now, true)
}

/**
 * The same of every plan of the kind with one of these subjects: call it in the transaction that changes
 * one.
 */
export async function rebuildTasks(
  { tx, scope, now }: { readonly tx: Tx; readonly scope: Scope; readonly now: Moment },
  kind: WorkKind,
  subjectIds: readonly Id[],
): Promise<Generated> {
  await lockGeneration(tx, scope)
  const where = [
    sql`t.kind = ${kindCode(kind)}`,
    sql`t.subject_id = any(${[...subjectIds]}::bigint[])`,
    sql`t.state = ${code(planState, 'enabled')}`,
  ]
  const plans = await findAll(
    tx,
    workPlan,
    { ...scope, domain: { all: true, projects: new Map() } },
    {},
    { where },
  )
  return plans.length ? generateForPlans(tx, scope, plans, now) : { made: 0, changed: 0, removed: 0 }
}

/**
 * Of plans that no longer run: their tasks that nobody has started go. What was given by hand comes back
 * where the plan may be started again.
 */
export async function removeOpenTasks(
  tx: Tx,
  scope: Scope,
  planIds: readonly Id[],
  now: Moment,
  { keepsAssigned = false }: { readonly keepsAssigned?: boolean } = {},
): Promise<void> {
  await lockGeneration(tx, scope)
  const today = dayOfMoment(now)
  const tasks = await loadTasks(tx, scope, planIds, { from: addDays(today, -1), to: addDays(today, 31) }, now)
  const open = tasks.filter(task => task.isOpen)
  const returning = keepsAssigned ? open.filter(task => task.isAssigned) : []
  const idsOf = (of: readonly ExistingTask[]): Id[] => of.map(({ id }) => id)
  await hideTasks(tx, scope, idsOf(returning.filter(task => !task.isHidden)))
  await removeTasks(tx, scope, idsOf(open.filter(task => !returning.includes(task))))
}

/** A plan whose last day is over has ended. */
const endPlans = (tx: Tx, scope: Scope, today: Day): Promise<number> =>
  tx.execute(sql`
    update work_plan
    set state = ${code(planState, 'ended')}, ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and state = ${code(planState, 'enabled')}
      and end_date < ${today}
      and ${notDeleted()}
  `)

/** The tasks of a company for the days of a span, a batch of plans in a transaction (PAT-3). */
export async function generateCompany(
  database: Database,
  scope: Scope,
  span: DaySpan,
  now: Moment,
  signal?: AbortSignal,
): Promise<Generated> {
  let total: Generated = { made: 0, changed: 0, removed: 0 }
  await database.tx(scope.ownerId, tx => endPlans(tx, scope, dayOfMoment(now)))
  for (let after: Id | undefined = 0; after !== undefined;) {
    signal?.throwIfAborted()
    const from: Id = after
    after = await database.tx(scope.ownerId, async tx => {
      await lockGeneration(tx, scope)
      const plans = await findActivePlans(tx, scope, span, from)
      if (!plans.length) return undefined
      const { made, changed, removed } = await syncTasks(tx, scope, plans, span, now, false)
      total = { made: total.made + made, changed: total.changed + changed, removed: total.removed + removed }
      return plans.length < batchSize ? undefined : plans.at(-1)?.id
    })
  }
  return total
}

/** At 00:05, for today and tomorrow (PAT-3). May run any number of times, also by two servers at once. */
export async function generateDue(app: App, signal?: AbortSignal): Promise<void> {
  const now = fromInstant(app.clock())
  const today = dayOfMoment(now)
  const due = await listDueCompanies(
    app.database,
    sql<{ ownerId: Id }>`
      select distinct owner_id
      from work_plan
      where state = ${code(planState, 'enabled')} and ${notDeleted()}
    `,
  )
  for (const ownerId of due) {
    signal?.throwIfAborted()
    const span = { from: today, to: addDays(today, 1) }
    await generateCompany(app.database, clockScope(app, ownerId), span, now, signal)
  }
}
