import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { planState, type WorkKind } from '../contract/choices.ts'
import type { WorkPlan } from '../contract/plan.ts'
import { unreachableText } from '../domain/reachable.ts'
import type { StepDraft } from './kinds.ts'
import { kindCode } from './task-writes.ts'

/**
 * Why enabled plans would not reach the end of what they are about with these steps, of the first of them:
 * asked before a subject is made longer.
 */
export async function findShortPlan(
  tx: Tx,
  { ownerId }: Pick<Scope, 'ownerId'>,
  kind: WorkKind,
  subjectId: Id,
  steps: readonly Pick<StepDraft, 'name' | 'offsetMinutes' | 'tolerance'>[],
): Promise<string | undefined> {
  const plans = await tx.rows<Pick<WorkPlan, 'planName' | 'times' | 'lateEndMinutes'>>(sql`
    select plan_name, times, late_end_minutes
    from work_plan
    where owner_id = ${ownerId}
      and kind = ${kindCode(kind)}
      and subject_id = ${subjectId}
      and state = ${code(planState, 'enabled')}
      and ${notDeleted()}
    order by id
  `)
  for (const { planName, times, lateEndMinutes } of plans) {
    const text = unreachableText(times, lateEndMinutes, steps)
    if (text !== undefined) return `启用的计划「${planName}」时间不足：${text}`
  }
  return undefined
}
