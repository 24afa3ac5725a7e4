import { sql, type RawBuilder } from '#kit/server/db.ts'
import type { Id } from '#kit/domain/id.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { dayState } from '../contract/choices.ts'
import type { Span } from './people.ts'

const late = codes(dayState, 'late', 'lateAndEarly')
const early = codes(dayState, 'early', 'lateAndEarly')

/**
 * Days as they count: what somebody decided goes before what was computed. A day that was made normal has no
 * lateness, one that was made absent is absent whole, one that was made late is late even without minutes.
 */
export const effectiveDays = (
  ownerId: Id,
  { from, to }: Span,
  condition: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> => sql`
  select e.*, case when is_due and due_minutes > 0 then least(1, leave_hours * 60 / due_minutes) else 0 end as leave_days
  from (
    select d.staff_id, d.work_date, d.group_id, d.day_sort, d.due_minutes, d.leaves, d.manual_leave_type, d.is_severe_late,
      coalesce(d.manual_state, d.state) as state, d.manual_state is not null as is_manual, d.work_minutes,
      d.overtime_minutes,
      d.due_minutes > 0 and coalesce(d.manual_state, d.state) not in ${codes(dayState, 'rest', 'unscheduled')} as is_due,
      case when d.manual_state is null then d.late_minutes > 0
        else d.manual_state in ${late} end as is_late,
      case when d.manual_state is null then d.early_minutes > 0
        else d.manual_state in ${early} end as is_early,
      case when d.manual_state is null or d.manual_state in ${late} then d.late_minutes else 0 end as late_minutes,
      case when d.manual_state is null or d.manual_state in ${early} then d.early_minutes else 0 end as early_minutes,
      case when d.manual_state is null then d.missing_count
        when d.manual_state = ${code(dayState, 'missing')} then greatest(1, d.missing_count) else 0 end as missing_count,
      case when d.manual_state is null then d.absent_days
        when d.manual_state = ${code(dayState, 'absent')} then greatest(1, d.absent_days) else 0 end as absent_days,
      case when d.manual_state = ${code(dayState, 'leave')} and d.leave_hours = 0 then round(d.due_minutes / 60.0, 2)
        when d.manual_state is null or d.manual_state = ${code(dayState, 'leave')} then d.leave_hours else 0 end as leave_hours
    from attendance_day d
    where d.owner_id = ${ownerId}
      and d.work_date between ${from} and ${to}
      and ${notDeleted('d')}
      ${condition}
  ) e`
