import type { Id } from '#kit/domain/id.ts'
import { addDays, toEpochDays, type Day } from '#kit/domain/day.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { keysOfRecord } from '#kit/domain/records.ts'
import { codeOf } from '#kit/contract/field.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { daySort, dayState } from '../contract/choices.ts'
import { minuteOf, momentOfMinute } from '../domain/intervals.ts'
import { loadInputs, type DayInputs } from './inputs.ts'
import type { Span } from './people.ts'
import { computePerson, type PersonDay } from './person-days.ts'

/** People whose days are computed at once: their rows are held in memory. */
const batchSize = 150

/** Batches of a company at once: one is computed here while the database writes another. */
const concurrentBatches = 2

const decimalOfHundredths = (hundredths: number): string => String(hundredths / 100)

/** A day as it is stored, and the text that tells whether it has changed. */
function storedDay(staffId: Id, { date, groupId, plan, figures }: PersonDay) {
  const leaves = figures.leaves.map(({ leaveType, minutes }) => ({ minutes, leaveType }))
  const row = {
    staff_id: staffId,
    work_date: date,
    group_id: groupId,
    shift_id: plan.kind === 'shift' ? plan.shift.id : undefined,
    day_sort: Number(codeOf(daySort, plan.daySort)),
    in_time: figures.inPunch === undefined ? undefined : momentOfMinute(figures.inPunch),
    out_time: figures.outPunch === undefined ? undefined : momentOfMinute(figures.outPunch),
    state: figures.state === undefined ? undefined : Number(codeOf(dayState, figures.state)),
    late_minutes: figures.lateMinutes,
    early_minutes: figures.earlyMinutes,
    is_severe_late: figures.isSevereLate,
    missing_count: figures.missingCount,
    absent_days: String(figures.absentHalves / 2),
    leave_hours: decimalOfHundredths(Math.round((figures.leaveMinutes * 100) / 60)),
    leaves: leaves.length ? JSON.stringify(leaves) : undefined,
    overtime_minutes: figures.overtimeMinutes,
    work_minutes: figures.workMinutes,
    due_minutes: figures.dueMinutes,
    is_open: figures.isOpen,
  }
  // As `signatureSql` writes it; a text of jsonb has its keys by length and a blank after each sign.
  const leaveText = leaves.map(
    ({ minutes, leaveType }) => `{"minutes": ${minutes}, "leaveType": "${leaveType}"}`,
  )
  const signature = [
    row.group_id,
    row.shift_id ?? 0,
    row.day_sort,
    figures.inPunch ?? 0,
    figures.outPunch ?? 0,
    row.state ?? 0,
    row.late_minutes,
    row.early_minutes,
    Number(row.is_severe_late),
    row.missing_count,
    row.absent_days,
    row.leave_hours,
    leaves.length ? `[${leaveText.join(', ')}]` : '',
    row.overtime_minutes,
    row.work_minutes,
    row.due_minutes,
    Number(row.is_open),
  ].join('|')
  return { row, signature }
}

type StoredDay = ReturnType<typeof storedDay>['row']

interface Changes {
  readonly added: StoredDay[]
  readonly changed: StoredDay[]
  readonly removed: Id[]
  readonly punches: { id: Id; day: Day }[]
}

function changesOf(inputs: DayInputs, ids: readonly Id[], span: Span, now: number): Changes {
  const changes: Changes = { added: [], changed: [], removed: [], punches: [] }
  for (const staffId of ids) {
    const { days, without, matched } = computePerson(inputs, staffId, span, now)
    const existing = inputs.existing.get(staffId)
    for (const day of days) {
      const { row, signature } = storedDay(staffId, day)
      const known = existing?.get(toEpochDays(day.date))
      if (!known) {
        changes.added.push(row)
      } else if (known.signature !== signature) {
        changes.changed.push(row)
      }
    }
    for (const day of without) {
      const known = existing?.get(toEpochDays(day))
      if (known) {
        changes.removed.push(known.id)
      }
    }
    for (const punch of inputs.punches.get(staffId) ?? []) {
      const day = matched.dateOf.get(punch.minute)
      const isOutside = day === undefined || day < span.from || day > span.to
      if (!isOutside && toEpochDays(day) !== punch.matched) {
        changes.punches.push({ id: punch.id, day })
      }
    }
  }
  return changes
}

/** The columns that are computed of a day, with their types. */
const columnTypes = {
  staff_id: 'bigint',
  work_date: 'date',
  group_id: 'bigint',
  shift_id: 'bigint',
  day_sort: 'smallint',
  in_time: 'timestamptz',
  out_time: 'timestamptz',
  state: 'smallint',
  late_minutes: 'integer',
  early_minutes: 'integer',
  is_severe_late: 'boolean',
  missing_count: 'integer',
  absent_days: 'numeric',
  leave_hours: 'numeric',
  leaves: 'jsonb',
  overtime_minutes: 'integer',
  work_minutes: 'integer',
  due_minutes: 'integer',
  is_open: 'boolean',
}

const columnNames = keysOfRecord(columnTypes)
const columns = sql.join(columnNames.map(name => sql.id(name)))

const asRows = (days: readonly StoredDay[]) =>
  sql`unnest(${sql.join(
    columnNames.map(name =>
      sqlArray(
        columnTypes[name],
        days.map(day => day[name] ?? null),
      ),
    ),
  )}) as r(${columns})`

const insertDays = (scope: Scope, days: readonly StoredDay[]) => sql`
  insert into attendance_day (owner_id, create_by, update_by, ${columns})
  select ${scope.ownerId}::bigint, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint, ${columns}
  from ${asRows(days)}
  returning id`

const updateDays = (scope: Scope, days: readonly StoredDay[]) => sql`
  update attendance_day t
  set ${sql.join(columnNames.map(name => sql`${sql.id(name)} = r.${sql.id(name)}`))},
    update_by = ${scope.operatorId}::bigint
  from ${asRows(days)}
  where t.owner_id = ${scope.ownerId} and t.staff_id = r.staff_id and t.work_date = r.work_date
  returning t.id`

const markPunches = (scope: Scope, punches: readonly { id: Id; day: Day }[]) => sql`
  update attendance_log t
  set matched_date = r.day
  from unnest(${sqlArray(
    'bigint',
    punches.map(({ id }) => id),
  )}, ${sqlArray(
    'date',
    punches.map(({ day }) => day),
  )}) as r(id, day)
  where t.owner_id = ${scope.ownerId} and t.id = r.id
  returning t.id`

const removeDays = (scope: Scope, ids: readonly Id[]) => sql`
  delete from attendance_day
  where owner_id = ${scope.ownerId} and id = any(${[...ids]}::bigint[])
  returning id`

/**
 * The days of a batch of people, computed from what is true now; only what differs is written, in one more
 * round trip. Returns how many days changed (ATT-12).
 */
export async function recompute(
  tx: Tx,
  scope: Scope,
  ids: readonly Id[],
  span: Span,
  now: Moment,
): Promise<number> {
  const today = dayOfMoment(now)
  const known = { from: span.from, to: span.to < today ? span.to : today }
  if (!ids.length || known.to < known.from) return 0
  const inputs = await loadInputs(tx, scope.ownerId, ids, known, true)
  // The people are held: nobody else adds one of their days beside this.
  const { added, changed, removed, punches } = changesOf(inputs, ids, known, minuteOf(now))
  const statements = [
    ...(added.length ? [insertDays(scope, added)] : []),
    ...(changed.length ? [updateDays(scope, changed)] : []),
    ...(punches.length ? [markPunches(scope, punches)] : []),
    ...(removed.length ? [removeDays(scope, removed)] : []),
  ]
  if (statements.length) {
    await tx.all(...statements)
  }
  return added.length + changed.length + removed.length
}

/** Any number of people, in the caller's transaction. */
export async function recomputePeople(
  tx: Tx,
  scope: Scope,
  ids: readonly Id[],
  span: Span,
  now: Moment,
): Promise<number> {
  const sorted = [...new Set(ids)].toSorted((a, b) => a - b)
  let changed = 0
  for (let i = 0; i < sorted.length; i += batchSize) {
    changed += await recompute(tx, scope, sorted.slice(i, i + batchSize), span, now)
  }
  return changed
}

/** Everyone of a company, or of a group, who belongs to a group in the span. */
export async function findMembers(
  tx: Tx,
  scope: Scope,
  { from, to }: Span,
  groupIds?: readonly Id[],
): Promise<Id[]> {
  const rows = await tx.rows<{ staffId: Id }>(sql`
    select distinct staff_id
    from attendance_member
    where owner_id = ${scope.ownerId}
      and begin_date <= ${to}
      and coalesce(end_date, ${to}::date) >= ${from}::date
      and ${notDeleted()}
      ${groupIds ? sql`and group_id = any(${[...groupIds]}::bigint[])` : sql``}
    order by staff_id
  `)
  return rows.map(({ staffId }) => staffId)
}

/** All of a company, a transaction for each batch of its people: nobody waits for the whole of it. */
export async function recomputeCompany(
  database: Database,
  scope: Scope,
  span: Span,
  now: Moment,
): Promise<number> {
  const ids = await database.tx(scope.ownerId, tx => findMembers(tx, scope, span))
  let started = 0
  let changed = 0
  const computeNext = async (): Promise<void> => {
    while (started < ids.length) {
      const batch = ids.slice(started, started + batchSize)
      started += batchSize
      const count = await database.tx(scope.ownerId, tx => recompute(tx, scope, batch, span, now))
      changed += count
    }
  }
  await Promise.all(Array.from({ length: concurrentBatches }, computeNext))
  return changed
}

/** From yesterday's night shifts, whose window may have been open then, to yesterday. */
export const nightlySpan = (today: Day): Span => ({ from: addDays(today, -2), to: addDays(today, -1) })
