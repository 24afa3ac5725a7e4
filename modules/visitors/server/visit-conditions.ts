import type { Id } from '#kit/domain/id.ts'
import { dayOfInstant, endOfDay } from '#kit/domain/moment.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { recordState, visitState } from '../contract/choices.ts'
import { initialSetting } from './setting.ts'

type Condition = RawBuilder<unknown>

export const isInside = (): Condition => sql`t.state = ${code(recordState, 'inside')}`

/** VIS-5: inside, though the visit has been over for longer than the project allows; of rows `t`. */
export const isOverdueAt = (ownerId: Id, time: string): Condition => sql`(
  ${isInside()}
  and t.end_time is not null
  and t.end_time + make_interval(
    mins => coalesce(
      (
        select s.overtime_minutes
        from visitor_setting s
        where s.owner_id = ${ownerId} and s.project_code = t.project_code and ${notDeleted('s')}
      ),
      ${initialSetting.overtimeMinutes}::integer
    )
  ) < ${time}::timestamptz
)`

/** Who may come today: the visit touches the day, nobody is inside under it and an entrance is left. */
export function isExpectedOn(time: string): Condition {
  const today = dayOfInstant(Date.parse(time))
  return sql`(
    t.state in ${codes(visitState, 'passed', 'left')}
    and t.used_times < t.max_times
    and t.begin_time <= ${endOfDay(today)}::timestamptz
    and t.end_time >= ${time}::timestamptz
  )`
}
