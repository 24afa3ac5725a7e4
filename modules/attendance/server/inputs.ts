import type { Id } from '#kit/domain/id.ts'
import { addDays, asDay, fromEpochDays, type Day } from '#kit/domain/day.ts'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { code, equalsAny, notDeleted } from '#kit/server/sql.ts'
import { holidayType } from '#modules/system/contract/holiday.ts'
import {
  applyState,
  applyType,
  groupType,
  leaveType,
  overtimeRule,
  weekDay as weekDays,
} from '../contract/choices.ts'
import type { Cover } from '../domain/day.ts'
import type { Interval } from '../domain/intervals.ts'
import type { GroupRules, Holiday } from '../domain/plan.ts'
import type { Shift, ShiftTime } from '../domain/shift.ts'
import type { Span } from './people.ts'

/** A wall minute since 1970, as the domain counts: Shanghai is eight hours ahead. */
const minuteColumn = (column: string) =>
  sql`floor((extract(epoch from ${sql.ref(column)}) + 28800) / 60)::int`

const dayColumn = (column: string) => sql`(${sql.ref(column)} - date '1970-01-01')`

interface GroupRow {
  readonly id: Id
  readonly groupType: number
  readonly week?: readonly { readonly weekDay: keyof typeof weekDays.rows; readonly shiftId?: number }[]
  readonly dayCut?: string
  readonly minMinutes?: number
  readonly missingIsAbsent: boolean
  readonly mendDays: number
  readonly overtimeRule: number
}

interface ShiftRow extends Omit<Shift, 'rests' | 'segments'> {
  readonly segments: readonly ShiftTime[]
  readonly rests?: readonly ShiftTime[]
}

interface MemberRow {
  readonly staffId: Id
  readonly groupId: Id
  readonly begin: number
  readonly end: number
}

interface ApplyRow {
  readonly staffId: Id
  readonly applyType: number
  readonly leaveType?: number
  readonly begin: number
  readonly end: number
}

export interface PunchRow {
  readonly id: Id
  readonly staffId: Id
  readonly minute: number
  readonly source: number
  readonly matched?: number
}

export interface ExistingDay {
  readonly id: Id
  readonly staffId: Id
  readonly day: number
  readonly signature: string
}

/** Everything from which the days of some people come. */
export interface DayInputs {
  readonly groups: ReadonlyMap<Id, GroupRules>
  readonly shifts: ReadonlyMap<number, Shift>
  readonly holidays: ReadonlyMap<Day, Holiday>
  readonly members: ReadonlyMap<Id, readonly MemberRow[]>
  readonly schedules: ReadonlyMap<Id, ReadonlyMap<Day, number>>
  readonly exemptions: ReadonlyMap<Id, readonly Interval[]>
  readonly punches: ReadonlyMap<Id, readonly PunchRow[]>
  readonly covers: ReadonlyMap<Id, readonly Cover[]>
  readonly overtimes: ReadonlyMap<Id, readonly Interval[]>
  readonly existing: ReadonlyMap<Id, ReadonlyMap<number, ExistingDay>>
  readonly closedMonths: ReadonlySet<string>
}

const rulesOf = (row: GroupRow): GroupRules => ({
  groupType: keyOf(groupType, row.groupType) ?? 'fixed',
  week: new Map(
    (row.week ?? []).map(({ weekDay, shiftId }) => [Number(codeOf(weekDays, weekDay)), shiftId ?? 0]),
  ),
  dayCutMinutes: row.dayCut ? Number(row.dayCut.slice(0, 2)) * 60 + Number(row.dayCut.slice(3)) : 0,
  minMinutes: row.minMinutes ?? 480,
  overtimeByPunches: keyOf(overtimeRule, row.overtimeRule) === 'punches',
  missingIsAbsent: row.missingIsAbsent,
  mendDays: row.mendDays,
})

/** What is computed of a day as one text: equal texts need no writing (ATT-12). */
export const signatureSql = sql`
  concat_ws('|', coalesce(group_id, 0), coalesce(shift_id, 0), day_sort,
    coalesce(${minuteColumn('in_time')}, 0), coalesce(${minuteColumn('out_time')}, 0), coalesce(state, 0),
    late_minutes, early_minutes, is_severe_late::int, missing_count, trim_scale(absent_days),
    trim_scale(leave_hours), coalesce(leaves::text, ''), overtime_minutes, work_minutes, due_minutes,
    is_open::int)`

function coversOf(rows: readonly ApplyRow[]): Pick<DayInputs, 'covers' | 'overtimes'> {
  const typed = rows.map(row => ({ ...row, type: defined(keyOf(applyType, row.applyType)) }))
  const absences = typed.flatMap(({ type, staffId, begin, end, leaveType: leaveCode }) =>
    type === 'leave' || type === 'trip' || type === 'out'
      ? [
          {
            staffId,
            begin,
            end,
            kind: type,
            ...(leaveCode ? { leaveType: keyOf(leaveType, leaveCode) } : {}),
          },
        ]
      : [],
  )
  return {
    covers: Map.groupBy(absences, row => row.staffId),
    overtimes: Map.groupBy(
      typed.filter(({ type }) => type === 'overtime'),
      row => row.staffId,
    ),
  }
}

const companyStatements = (ownerId: Id, before: Day, after: Day) =>
  [
    sql<GroupRow>`
      select id, group_type, week, day_cut, min_minutes, missing_is_absent, mend_days, overtime_rule
      from attendance_group
      where owner_id = ${ownerId}`,
    sql<ShiftRow>`
      select id, shift_name, segments, rests, late_grace, severe_late, absent_late, early_grace, absent_early,
        flex_minutes, earliest_in, latest_out, must_in, must_out
      from attendance_shift
      where owner_id = ${ownerId}`,
    sql<{ day: number; name: string; type: number }>`
      select ${dayColumn('holiday_date')} as day, holiday_name as name, day_type as type
      from holiday
      where owner_id = ${ownerId} and holiday_date between ${before} and ${after} and ${notDeleted()}`,
  ] as const

/** What of some people decides whether and when they work in a span of days. */
const dutyStatements = (ownerId: Id, ids: readonly Id[], before: Day, after: Day) => {
  const people = equalsAny(ids)
  return [
    ...companyStatements(ownerId, before, after),
    sql<MemberRow>`
      select m.staff_id, m.group_id,
        greatest(m.begin_date, coalesce(s.entry_date, m.begin_date)) - date '1970-01-01' as begin,
        least(m.end_date, s.leave_date, ${after}::date) - date '1970-01-01' as "end"
      from attendance_member m
      join staff s on s.owner_id = ${ownerId} and s.id = m.staff_id and ${notDeleted('s')}
      where m.owner_id = ${ownerId} and m.staff_id ${people} and m.begin_date <= ${after} and ${notDeleted('m')}`,
    sql<{ staffId: Id; day: number; shiftId?: number }>`
      select staff_id, ${dayColumn('work_date')} as day, shift_id
      from attendance_schedule
      where owner_id = ${ownerId}
        and staff_id ${people}
        and work_date between ${before} and ${after}
        and ${notDeleted()}`,
    sql<{ staffId: Id; begin: number; end?: number }>`
      select staff_id, ${dayColumn('begin_date')} as begin, ${dayColumn('end_date')} as "end"
      from attendance_exemption
      where owner_id = ${ownerId} and staff_id ${people} and ${notDeleted()}`,
    sql<ApplyRow>`
      select staff_id, apply_type, leave_type, ${minuteColumn('begin_time')} as begin, ${minuteColumn('end_time')} as "end"
      from attendance_apply
      where owner_id = ${ownerId}
        and staff_id ${people}
        and state = ${code(applyState, 'passed')}
        and begin_time < ${`${after} 00:00:00`}::timestamptz
        and end_time > ${`${before} 00:00:00`}::timestamptz
        and ${notDeleted()}`,
  ] as const
}

const statementsOf = (ownerId: Id, ids: readonly Id[], { from, to }: Span) => {
  const [before, after] = [addDays(from, -1), addDays(to, 3)]
  const people = equalsAny(ids)
  return [
    ...dutyStatements(ownerId, ids, before, after),
    sql<PunchRow>`
      select id, staff_id, ${minuteColumn('punch_time')} as minute, source, ${dayColumn('matched_date')} as matched
      from attendance_log
      where owner_id = ${ownerId}
        and staff_id ${people}
        and punch_time >= ${`${before} 00:00:00`}::timestamptz
        and punch_time < ${`${after} 00:00:00`}::timestamptz
        and ${notDeleted()}
      order by punch_time`,
    sql<ExistingDay>`
      select id, staff_id, ${dayColumn('work_date')} as day, ${signatureSql} as signature
      from attendance_day
      where owner_id = ${ownerId} and staff_id ${people} and work_date between ${from} and ${to}`,
    sql<{ month: string }>`
      select month
      from attendance_month
      where owner_id = ${ownerId} and is_closed and ${notDeleted()}`,
  ] as const
}

const lockSql = (ownerId: Id, ids: readonly Id[]) => sql<{ id: Id }>`
  select id
  from attendance_member
  where owner_id = ${ownerId} and staff_id ${equalsAny(ids)} and ${notDeleted()}
  order by id
  for update`

/**
 * Read in one round trip. With `isLocked` the people are held first: two who compute the same days do it one
 * after the other, each from what is true then.
 */
export async function loadInputs(
  db: Db,
  ownerId: Id,
  ids: readonly Id[],
  span: Span,
  isLocked: boolean,
): Promise<DayInputs> {
  const first = isLocked ? lockSql(ownerId, ids) : sql<{ id: Id }>`select 0 as id where false`
  const [, groups, shifts, holidays, members, schedules, exemptions, applies, punches, existing, months] =
    await db.all(first, ...statementsOf(ownerId, ids, span))
  return {
    ...dutyOf(groups, shifts, holidays, members, schedules, exemptions),
    punches: Map.groupBy(punches, row => row.staffId),
    ...coversOf(applies),
    existing: mapBy(existing, row => [row.day, row]),
    closedMonths: new Set(months.map(({ month }) => month)),
  }
}

type DutyRows = Pick<DayInputs, 'groups' | 'shifts' | 'holidays' | 'members' | 'schedules' | 'exemptions'>

const dutyOf = (
  groups: readonly GroupRow[],
  shifts: readonly ShiftRow[],
  holidays: readonly { readonly day: number; readonly name: string; readonly type: number }[],
  members: readonly MemberRow[],
  schedules: readonly { readonly staffId: Id; readonly day: number; readonly shiftId?: number }[],
  exemptions: readonly { readonly staffId: Id; readonly begin: number; readonly end?: number }[],
): DutyRows => ({
  groups: new Map(groups.map(row => [row.id, rulesOf(row)])),
  shifts: new Map(shifts.map(row => [row.id, { ...row, rests: row.rests ?? [] }])),
  holidays: new Map(
    holidays.map(row => [
      fromEpochDays(row.day),
      { name: row.name, kind: keyOf(holidayType, row.type) ?? 'rest' },
    ]),
  ),
  members: Map.groupBy(members, row => row.staffId),
  schedules: mapBy(schedules, row => [asDay(fromEpochDays(row.day)), row.shiftId ?? 0]),
  exemptions: Map.groupBy(
    exemptions.map(row => ({ ...row, end: row.end ?? Infinity })),
    row => row.staffId,
  ),
})

/** What is needed to know who is on duty, without punches and results. */
export type DutyInputs = DutyRows & Pick<DayInputs, 'covers'>

export async function loadDutyInputs(
  db: Db,
  ownerId: Id,
  ids: readonly Id[],
  { from, to }: Span,
): Promise<DutyInputs> {
  const [groups, shifts, holidays, members, schedules, exemptions, applies] = await db.all(
    ...dutyStatements(ownerId, ids, addDays(from, -1), addDays(to, 3)),
  )
  const { covers } = coversOf(applies)
  return { ...dutyOf(groups, shifts, holidays, members, schedules, exemptions), covers }
}

function mapBy<T extends { readonly staffId: Id }, K, V>(
  rows: readonly T[],
  entryOf: (row: T) => readonly [K, V],
): ReadonlyMap<Id, ReadonlyMap<K, V>> {
  const byStaff = new Map<Id, Map<K, V>>()
  for (const row of rows) {
    const own = byStaff.get(row.staffId) ?? new Map<K, V>()
    byStaff.set(row.staffId, own)
    own.set(...entryOf(row))
  }
  return byStaff
}
