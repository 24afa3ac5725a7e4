import type { Id } from '#kit/domain/id.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { timesOnDay, type ShiftTime } from '../domain/shift.ts'
import type { ScheduleCell } from './schedule.ts'

interface ShiftTimes {
  readonly id: Id
  readonly shiftName: string
  readonly segments: readonly ShiftTime[]
}

interface PlannedDay {
  readonly staffId: Id
  readonly staffName: string
  readonly workDate: Day
  readonly shiftId?: Id | undefined
}

export const cellKey = ({ staffId, workDate }: Pick<ScheduleCell, 'staffId' | 'workDate'>): string =>
  `${staffId} ${workDate}`

/** The schedules of these people beside the cells, a day further on both sides, with the names. */
async function loadNeighbours(
  db: Db,
  { ownerId }: Pick<Scope, 'ownerId'>,
  cells: readonly ScheduleCell[],
): Promise<readonly [people: ReadonlyMap<Id, string>, days: readonly PlannedDay[], shifts: ShiftTimes[]]> {
  const ids = [...new Set(cells.map(({ staffId }) => staffId))]
  const days = cells.map(({ workDate }) => workDate).toSorted()
  const from = addDays(defined(days[0]), -1)
  const to = addDays(defined(days.at(-1)), 1)
  const [people, planned, shifts] = await db.all(
    sql<{ id: Id; name: string }>`
      select id, name from staff where owner_id = ${ownerId} and id = any(${ids}::bigint[])`,
    sql<{ staffId: Id; workDate: Day; shiftId?: Id }>`
      select staff_id, work_date, shift_id
      from attendance_schedule
      where owner_id = ${ownerId}
        and staff_id = any(${ids}::bigint[])
        and work_date between ${from} and ${to}
        and ${notDeleted()}`,
    sql<ShiftTimes>`select id, shift_name, segments from attendance_shift where owner_id = ${ownerId}`,
  )
  const names = new Map(people.map(({ id, name }) => [id, name]))
  return [names, planned.map(row => ({ ...row, staffName: names.get(row.staffId) ?? '' })), shifts]
}

/** Whose shift begins before the one of the day before has ended, by person and day: nobody works both. */
export async function findOverlaps(
  db: Db,
  scope: Pick<Scope, 'ownerId'>,
  cells: readonly ScheduleCell[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  if (!cells.length) return found
  const [names, neighbours, shifts] = await loadNeighbours(db, scope, cells)
  const shiftById = new Map(shifts.map(shift => [shift.id, shift]))
  const byDay = new Map<string, PlannedDay>()
  for (const day of [
    ...neighbours,
    ...cells.map(cell => ({ ...cell, staffName: names.get(cell.staffId) ?? '' })),
  ]) {
    byDay.set(cellKey(day), day)
  }
  const written = new Set(cells.map(cellKey))
  for (const day of byDay.values()) {
    const next = byDay.get(cellKey({ staffId: day.staffId, workDate: addDays(day.workDate, 1) }))
    const [shift, following] = [day, next].map(each => each?.shiftId && shiftById.get(each.shiftId))
    if (!next || !shift || !following) continue
    const end = defined(timesOnDay(shift.segments, day.workDate).at(-1)).end
    const begin = defined(timesOnDay(following.segments, next.workDate)[0]).begin
    if (begin >= end) continue
    const message = `「${day.staffName}」${day.workDate} 的「${shift.shiftName}」与 ${next.workDate} 的「${following.shiftName}」时间重叠，请更换班次`
    for (const key of [cellKey(day), cellKey(next)].filter(each => written.has(each))) {
      found.set(key, message)
    }
  }
  return found
}
