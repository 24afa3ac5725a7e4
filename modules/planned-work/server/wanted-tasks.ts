import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { draftTasks } from './drafts.ts'
import { loadTasks, type DaySpan, type ExistingTask } from './existing-tasks.ts'
import { matchTasks } from './matched-tasks.ts'
import type { PlannedTask, StoredPlan } from './task-writes.ts'
import { loadWorkContext, type WorkContext } from './work-context.ts'

/** A task that is there and not started, with what its plan asks of it. */
export interface KeptTask {
  readonly id: Id
  readonly task: ExistingTask
  readonly draft: PlannedTask
}

export interface WantedTasks {
  readonly context: WorkContext
  /** What plans ask of people from now on, in the order of time: those to be made, and those not started. */
  readonly asked: readonly PlannedTask[]
  readonly added: readonly PlannedTask[]
  readonly kept: readonly KeptTask[]
  /** No longer asked for, and not started. */
  readonly removed: readonly ExistingTask[]
}

/**
 * What plans still ask for in a span, beside what is there: the preview shows it, saving and the night's
 * work make it. What is over is not made any more; what has started stays as it is and is asked of nobody
 * again (PAT-3, PAT-10).
 */
export async function findWantedTasks(
  db: Db,
  scope: Pick<Scope, 'ownerId'>,
  plans: readonly StoredPlan[],
  span: DaySpan,
  now: Moment,
): Promise<WantedTasks> {
  const planIds = plans.map(({ id }) => id)
  const existing = await loadTasks(db, scope, planIds, span, now)
  // Also people whom the plans themselves do not name.
  const assigned = existing.flatMap(({ isAssigned, staffId }) => (isAssigned && staffId ? [staffId] : []))
  const context = await loadWorkContext(db, scope.ownerId, plans, span, assigned)
  const drafts = plans
    .flatMap(plan =>
      draftTasks(plan, context, span.from, span.to).map((draft): PlannedTask => ({ ...draft, plan })),
    )
    .filter(draft => draft.close > now)
  const matched = matchTasks(drafts, existing)
  const kept = matched.flatMap(({ draft, task }) => (task?.isOpen ? [{ id: task.id, task, draft }] : []))
  const keptIds = new Set(kept.map(({ id }) => id))
  return {
    context,
    asked: matched.flatMap(({ draft, task }) => (!task || task.isOpen ? [draft] : [])),
    added: matched.flatMap(({ draft, task }) => (task ? [] : [draft])),
    kept,
    removed: existing.filter(task => task.isOpen && !keptIds.has(task.id)),
  }
}
