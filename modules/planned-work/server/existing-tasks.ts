import { parseId, type Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { taskState } from '../contract/choices.ts'
import type { PlannedTask } from './task-writes.ts'

export interface DaySpan {
  readonly from: Day
  readonly to: Day
}

export interface ExistingTask {
  readonly id: Id
  readonly planId: Id
  readonly day: Day
  readonly begin: Moment
  readonly end: Moment
  readonly close: Moment
  readonly targetId: Id
  readonly slot: Id
  readonly staffId?: Id
  readonly candidateIds?: readonly string[]
  readonly nobodyReason?: string
  readonly planName: string
  readonly targetName?: string
  readonly subjectId: Id
  readonly isOpen: boolean
  /** Somebody has signed it, or its time is over. */
  readonly isStarted: boolean
  /** Given by hand, and its plan was stopped: it comes back with the plan. */
  readonly isHidden: boolean
  /** Given to its person by hand. */
  readonly isAssigned: boolean
}

/** A person who was assigned by hand stays, whatever the plan says since. */
export const withAssignee = (
  draft: PlannedTask,
  { isAssigned, staffId, candidateIds }: ExistingTask,
): PlannedTask =>
  isAssigned
    ? { ...draft, staffId, candidateIds: candidateIds?.map(parseId), nobodyReason: undefined }
    : draft

/** `isOpen`: nobody has started it, and its time is not over (PAT-10). */
export const loadTasks = (
  db: Db,
  { ownerId }: Pick<Scope, 'ownerId'>,
  planIds: readonly Id[],
  { from, to }: DaySpan,
  now: Moment,
) =>
  db.rows<ExistingTask>(sql`
    select id, plan_id, task_date as day, begin_time as begin, end_time as "end", close_time as close, target_id, slot,
      staff_id, candidate_ids, nobody_reason, plan_name, target_name, subject_id, assign_time is not null as is_assigned,
      state = ${code(taskState, 'waiting')} and sign_time is null
        and close_time > ${now}::timestamptz as is_open,
      state <> ${code(taskState, 'disabled')}
        and (state <> ${code(taskState, 'waiting')} or sign_time is not null
          or close_time <= ${now}::timestamptz) as is_begun,
      delete_tag <> 0 as is_hidden
    from work_task
    where owner_id = ${ownerId}
      and plan_id = any(${[...planIds]}::bigint[])
      and task_date between ${from} and ${to}
      and from_task_id is null
      and (${notDeleted()} or (assign_time is not null and state = ${code(taskState, 'waiting')}
        and close_time > ${now}::timestamptz))
  `)
