import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll } from '#kit/server/table.ts'
import { workStep } from '../contract/task.ts'

interface Answer {
  readonly isKept: boolean
  readonly stepId?: Id | undefined
}

/** With the numbers of the orders that were made of what was found, also where a sign is sent again. */
export async function withOrderNumbers<A extends Answer>(
  db: Db,
  scope: Scope,
  answers: readonly A[],
): Promise<readonly (A & { readonly workOrderNo?: string })[]> {
  const stepIds = answers.flatMap(({ isKept, stepId }) => (isKept && stepId !== undefined ? [stepId] : []))
  if (!stepIds.length) return answers
  const where = [sql`t.id = any(${stepIds}::bigint[])`, sql`t.work_order_id is not null`]
  const steps = await findAll(db, workStep, scope, {}, { where })
  const numbers = new Map(steps.map(({ id, workOrderNo }) => [id, workOrderNo]))
  return answers.map(answer => {
    const workOrderNo = answer.isKept && answer.stepId ? numbers.get(answer.stepId) : undefined
    return workOrderNo === undefined ? answer : { ...answer, workOrderNo }
  })
}
