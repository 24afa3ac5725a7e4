import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { keyOf } from '#kit/contract/field.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { dayState } from '../contract/choices.ts'
import type { getDayGrid } from '../contract/day.ts'
import { findPeople, spanOfMonth } from './people.ts'

/** The month of a page of people, a cell for each day. */
export async function loadDayGrid(db: Db, scope: Scope, query: NonNullable<typeof getDayGrid.input.T>) {
  const span = spanOfMonth(query.month)
  const people = await findPeople(db, scope, query, span)
  const days = await db.rows<{
    id: Id
    staffId: Id
    workDate: Day
    state?: number
    isManual: boolean
    shiftName?: string
    minutes: number
  }>(sql`
    select d.id, d.staff_id, d.work_date, coalesce(d.manual_state, d.state) as state,
      d.manual_state is not null as is_manual, f.shift_name, d.late_minutes + d.early_minutes as minutes
    from attendance_day d
    left join attendance_shift f on f.owner_id = ${scope.ownerId} and f.id = d.shift_id
    where d.owner_id = ${scope.ownerId}
      and d.staff_id = any(${people.rows.map(({ staffId }) => staffId)}::bigint[])
      and d.work_date between ${span.from} and ${span.to}
    order by d.staff_id, d.work_date
  `)
  const byStaff = Map.groupBy(days, ({ staffId }) => staffId)
  return {
    total: people.total,
    rows: people.rows.map(person => ({
      ...person,
      days: (byStaff.get(person.staffId) ?? []).map(({ staffId: _staffId, state, ...day }) => {
        const known = state === undefined ? undefined : keyOf(dayState, state)
        return known === undefined ? day : { ...day, state: known }
      }),
    })),
  }
}
