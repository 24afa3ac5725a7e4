import type { Id } from '#kit/domain/id.ts'
import { addMinutes, type Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { StepNeeds } from './kinds.ts'
import type { PlannedTask } from './task-writes.ts'

interface StoredStep {
  readonly taskId: Id
  readonly subjectId: Id
  readonly name: string
  readonly due: Moment
  readonly tolerance?: number
  readonly weight: number
  readonly needs?: StepNeeds
}

const sortedKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value

const textOf = (parts: readonly unknown[]): string => JSON.stringify(parts, sortedKeys)

const textOfDraft = ({ begin, end, steps }: PlannedTask): string =>
  textOf(
    steps.map(step => [
      step.subjectId,
      step.name,
      step.tolerance === undefined ? end : addMinutes(begin, step.offsetMinutes),
      step.tolerance ?? null,
      step.weight ?? 1,
      step.needs ?? null,
    ]),
  )

const textOfStored = (steps: readonly StoredStep[]): string =>
  textOf(
    steps.map(step => [
      step.subjectId,
      step.name,
      step.due,
      step.tolerance ?? null,
      step.weight,
      step.needs ?? null,
    ]),
  )

/**
 * The tasks whose steps are already those of their draft: their ids stay, for phones without a network.
 */
export async function sameSteps(
  tx: Tx,
  ownerId: Id,
  tasks: readonly { readonly id: Id; readonly draft: PlannedTask }[],
): Promise<ReadonlySet<Id>> {
  if (!tasks.length) return new Set()
  const rows = await tx.rows<StoredStep>(sql`
    select task_id, subject_id, step_name as name, due_time as due, tolerance, weight, needs
    from work_step
    where owner_id = ${ownerId} and task_id = any(${tasks.map(({ id }) => id)}::bigint[])
    order by task_id, sort
  `)
  const byTask = Map.groupBy(rows, row => row.taskId)
  return new Set(
    tasks
      .filter(({ id, draft }) => textOfStored(byTask.get(id) ?? []) === textOfDraft(draft))
      .map(({ id }) => id),
  )
}
