import { addDays, type Day } from '#kit/domain/day.ts'
import { sql } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { taskState } from '../contract/choices.ts'
import type { Condition } from './kinds.ts'
import { idsOf } from './work-context.ts'

/** Later it is too late to do it again. */
const againDays = 3

/**
 * Missed in the last days, and nobody was asked to do it again; a copy that was disabled since asks nobody.
 * Its index: `work_task_missed`.
 */
export const awaitsAgainCondition = ({ ownerId }: Pick<Scope, 'ownerId'>, today: Day): Condition => sql`(
  t.state in ${codes(taskState, 'partial', 'missed')}
  and t.task_date >= ${addDays(today, -againDays)}
  and not exists (
    select 1
    from work_task a
    where a.owner_id = ${ownerId}
      and a.from_task_id = t.id
      and a.state <> ${code(taskState, 'disabled')}
      and ${notDeleted('a')}
  )
)`

/** Tasks of these people, and those that any of several may take, these among them. */
export const staffConditions = (staffIds: readonly string[] | undefined): readonly Condition[] =>
  staffIds?.length
    ? [
        sql`(t.staff_id = any(${idsOf(staffIds)}::bigint[])
          or (t.staff_id is null and t.candidate_ids && ${[...staffIds]}::text[]))`,
      ]
    : []
