import type { Id } from '#kit/domain/id.ts'
import { keysOf, type Decimal } from '#kit/contract/field.ts'
import { invalidField, refuse } from '#kit/contract/wire.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { monthOf, type Month } from '#kit/domain/month.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import { rowsExportHandlers } from '#kit/server/rows-export.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { applyState, daySort, dayState, leaveType, punchSource } from '../contract/choices.ts'
import {
  closeMonth,
  countPendingOfMonth,
  exportMonthRecords,
  listClosedMonths,
  listMonthRecords,
  monthColumns,
  reopenMonth,
} from '../contract/month.ts'
import { closedMonthsOf, lockMonths } from './closed-months.ts'
import { effectiveDays } from './effective-days.ts'
import { findPeople, spanOfMonth, type Person, type Span } from './people.ts'
import { findMembers, recomputePeople } from './recompute.ts'

interface Figures {
  readonly staffId: Id
  readonly dueDays: Decimal
  readonly actualDays: Decimal
  readonly rate?: string
  readonly normalDays: number
  readonly lateCount: number
  readonly lateMinutes: number
  readonly severeLateCount: number
  readonly earlyCount: number
  readonly earlyMinutes: number
  readonly missCount: number
  readonly absentDays: Decimal
  readonly overtimeWeekday: Decimal
  readonly overtimeRest: Decimal
  readonly overtimeHoliday: Decimal
  readonly correctedDays: number
}

const number = (part: ReturnType<typeof sql>) => sql`trim_scale(round(coalesce(${part}, 0), 2))::text`

const overtimeHours = (key: keyof typeof daySort.rows) =>
  number(sql`sum(e.overtime_minutes) filter (where e.day_sort = ${code(daySort, key)}) / 60.0`)

const ofPeople = (ids: readonly Id[]) => sql`and d.staff_id = any(${[...ids]}::bigint[])`

/** ATT-13: the figures of people over a span of days. */
export const selectFigures = (ownerId: Id, span: Span, ids: readonly Id[]) => sql<Figures>`
  select e.staff_id,
    ${number(sql`count(*) filter (where e.is_due)::numeric`)} as due_days,
    ${number(sql`sum(1 - e.absent_days - e.leave_days) filter (where e.is_due)`)} as actual_days,
    round(100 * sum(1 - e.absent_days - e.leave_days) filter (where e.is_due)
      / nullif(count(*) filter (where e.is_due), 0), 2)::text || '%' as rate,
    (count(*) filter (where e.state = ${code(dayState, 'normal')}))::int as normal_days,
    (count(*) filter (where e.is_late))::int as late_count,
    coalesce(sum(e.late_minutes), 0)::int as late_minutes,
    (count(*) filter (where e.is_severe_late and e.is_late))::int as severe_late_count,
    (count(*) filter (where e.is_early))::int as early_count,
    coalesce(sum(e.early_minutes), 0)::int as early_minutes,
    coalesce(sum(e.missing_count), 0)::int as miss_count,
    ${number(sql`sum(e.absent_days)`)} as absent_days,
    ${overtimeHours('weekday')} as overtime_weekday,
    ${overtimeHours('rest')} as overtime_rest,
    ${overtimeHours('holiday')} as overtime_holiday,
    (count(*) filter (where e.is_manual))::int as corrected_days
  from (${effectiveDays(ownerId, span, ofPeople(ids))}) e
  group by e.staff_id`

/** The kind of leave as documents name it. Days made leave before it was asked count as personal leave. */
const leaveTypeName = sql`case coalesce(e.manual_leave_type, ${code(leaveType, 'personal')})
  ${sql.join(
    keysOf(leaveType).map(key => sql`when ${code(leaveType, key)} then ${key}`),
    sql` `,
  )} end`

const selectLeaves = (ownerId: Id, span: Span, ids: readonly Id[]) => sql<{
  staffId: Id
  leaveType: string
  hours: Decimal
}>`
  select x.staff_id, x.leave_type, ${number(sql`sum(x.hours)`)} as hours
  from (
    select e.staff_id, l."leaveType" as leave_type, l.minutes / 60.0 as hours
    from (${effectiveDays(ownerId, span, ofPeople(ids))}) e
    cross join jsonb_to_recordset(e.leaves) as l(minutes integer, "leaveType" text)
    where e.leaves is not null and e.leave_hours > 0 and e.manual_leave_type is null
    union all
    select e.staff_id, ${leaveTypeName}, e.leave_hours
    from (${effectiveDays(ownerId, span, ofPeople(ids))}) e
    where e.leave_hours > 0 and (e.manual_leave_type is not null or e.leaves is null)
  ) x
  group by x.staff_id, x.leave_type`

const selectMended = (ownerId: Id, { from, to }: Span, ids: readonly Id[]) => sql<{
  staffId: Id
  count: number
}>`
  select staff_id, count(*)::int as count
  from attendance_log
  where owner_id = ${ownerId}
    and staff_id = any(${[...ids]}::bigint[])
    and source = ${code(punchSource, 'mended')}
    and matched_date between ${from} and ${to}
    and ${notDeleted()}
  group by staff_id`

const noFigures = {
  dueDays: '0',
  actualDays: '0',
  normalDays: 0,
  lateCount: 0,
  lateMinutes: 0,
  severeLateCount: 0,
  earlyCount: 0,
  earlyMinutes: 0,
  missCount: 0,
  absentDays: '0',
  overtimeWeekday: '0',
  overtimeRest: '0',
  overtimeHoliday: '0',
  correctedDays: 0,
} satisfies Omit<Figures, 'staffId'>

type LeaveColumns = { readonly [K in `${keyof typeof leaveType.rows}Hours`]?: Decimal }

const leaveColumns = (kinds: ReadonlyMap<string, Decimal>): LeaveColumns =>
  Object.fromEntries(
    keysOf(leaveType).flatMap(key => {
      const hours = kinds.get(key)
      return hours === undefined ? [] : [[`${key}Hours`, hours]]
    }),
  )

/** Hundredths are added as whole numbers. */
const sumHours = (hours: readonly Decimal[]): Decimal =>
  String(hours.reduce((sum, part) => sum + Math.round(Number(part) * 100), 0) / 100)

/** The figures of these people in a month, in their order. */
export async function loadFigures(
  db: Db,
  scope: Pick<Scope, 'ownerId'>,
  month: Month,
  people: readonly Person[],
) {
  const span = spanOfMonth(month)
  const ids = people.map(({ staffId }) => staffId)
  const [figures, leaves, mended] = await db.all(
    selectFigures(scope.ownerId, span, ids),
    selectLeaves(scope.ownerId, span, ids),
    selectMended(scope.ownerId, span, ids),
  )
  const isClosed = (await closedMonthsOf(db, scope, [span.from])).size > 0
  const figuresById = new Map(figures.map(row => [row.staffId, row]))
  const leavesById = Map.groupBy(leaves, ({ staffId }) => staffId)
  const mendedById = new Map(mended.map(({ staffId, count }) => [staffId, count]))
  return people.map(({ staffId, groupName: _groupName, ...person }) => {
    const { staffId: _staffId, ...own } = figuresById.get(staffId) ?? { staffId, ...noFigures }
    const kinds = new Map((leavesById.get(staffId) ?? []).map(row => [row.leaveType, row.hours]))
    return {
      id: staffId,
      ...person,
      month,
      ...own,
      // The total is that of the kinds as they are shown.
      leaveHours: sumHours([...kinds.values()]),
      ...leaveColumns(kinds),
      mendCount: mendedById.get(staffId) ?? 0,
      isClosed,
    }
  })
}

type MonthQuery = NonNullable<typeof listMonthRecords.input.T>

async function loadMonth(db: Db, scope: Pick<Scope, 'ownerId'>, query: MonthQuery) {
  const people = await findPeople(db, scope, query, spanOfMonth(query.month))
  return { total: people.total, rows: await loadFigures(db, scope, query.month, people.rows) }
}

/** Holds all people of a month: who computes them now ends first, who comes later finds it closed. */
async function holdMonth({ tx, scope, now }: WriteContext, month: Month): Promise<void> {
  const span = spanOfMonth(month)
  const ids = await findMembers(tx, scope, span)
  await recomputePeople(tx, scope, ids, span, now)
}

async function setClosed(c: WriteContext, month: Month, isClosed: boolean, reason?: string): Promise<void> {
  const { tx, scope, now } = c
  await tx.execute(sql`
    insert into attendance_month (owner_id, create_by, update_by, month, is_closed, close_time, closed_by)
    values (${scope.ownerId}, ${scope.operatorId}, ${scope.operatorId}, ${month}, ${isClosed},
      ${isClosed ? now : null}::timestamptz, ${isClosed ? scope.name : null})
    on conflict (owner_id, month) do update
    set is_closed = excluded.is_closed, close_time = excluded.close_time, closed_by = excluded.closed_by,
      update_by = excluded.update_by
  `)
  await audit(tx, scope, [
    { action: 'state', entity: 'attendanceMonth', entityId: 0, after: { month, isClosed }, reason },
  ])
}

async function close({ month }: { readonly month: Month }, c: WriteContext): Promise<void> {
  const { tx, scope, today } = c
  if (month >= monthOf(today)) throw invalidField('Month', '当月尚未结束，不能封存')
  await lockMonths(tx, scope)
  await holdMonth(c, month)
  const { from } = spanOfMonth(month)
  if ((await closedMonthsOf(tx, scope, [from])).size) refuse(`${month} 考勤已封存`)
  const open = await tx.one<{ name: string; day: string }>(sql`
    select s.name, d.work_date as day
    from attendance_day d
    join staff s on s.owner_id = ${scope.ownerId} and s.id = d.staff_id
    where d.owner_id = ${scope.ownerId}
      and d.work_date between ${from} and ${spanOfMonth(month).to}
      and d.is_open
      and ${notDeleted('d')}
    limit 1
  `)
  if (open) refuse(`「${open.name}」${open.day} 的班次尚未结束，请稍后再封存`)
  await setClosed(c, month, true)
}

const { handlers: exportHandlers, job } = rowsExportHandlers<
  MonthQuery,
  Awaited<ReturnType<typeof loadFigures>>[number]
>({
  kind: 'attendance.month',
  name: '月度汇总',
  calls: exportMonthRecords,
  columns: monthColumns,
  entity: 'dayRecord',
  keyOf: row => String(row.id),
  load: (query, { db, scope }, limit) => loadMonth(db, scope, { ...query, page: 1, size: limit }),
})

export const monthExportJob = job

/** The first names are enough to know where to ask. */
const maxNames = 5

async function loadPending(db: Db, { ownerId }: Scope, month: Month) {
  const { from, to } = spanOfMonth(month)
  const [begin, end] = [`${from} 00:00:00`, `${to} 23:59:59`]
  const rows = await db.rows<{ name: string; count: number }>(sql`
    select s.name, count(*)::int as count
    from attendance_apply a
    join staff s on s.owner_id = ${ownerId} and s.id = a.staff_id
    where a.owner_id = ${ownerId}
      and a.state = ${code(applyState, 'pending')}
      and ${notDeleted('a')}
      and (
        a.begin_time <= ${end}::timestamptz and coalesce(a.end_time, a.begin_time) >= ${begin}::timestamptz
        or a.work_day between ${from} and ${to}
        or a.rest_day between ${from} and ${to}
      )
    group by s.id, s.name
    order by s.id
  `)
  return {
    count: rows.reduce((sum, row) => sum + row.count, 0),
    staffNames: rows.slice(0, maxNames).map(({ name }) => name),
  }
}

export const monthHandlers = [
  ...exportHandlers,
  reads(listMonthRecords, (query, { db, scope }) => loadMonth(db, scope, query)),
  reads(countPendingOfMonth, ({ month }, { db, scope }) => loadPending(db, scope, month)),
  writes(closeMonth, close),
  writes(reopenMonth, async ({ month, reason }, c) => {
    const { from } = spanOfMonth(month)
    await lockMonths(c.tx, c.scope)
    if (!(await closedMonthsOf(c.tx, c.scope, [from])).size) refuse(`${month} 考勤未封存`)
    await setClosed(c, month, false, reason)
    await holdMonth(c, month)
  }),
  reads(listClosedMonths, (_, { db, scope }) =>
    db.rows<{ month: Month; closeTime?: Moment; closedBy?: string }>(sql`
      select month, close_time, closed_by
      from attendance_month
      where owner_id = ${scope.ownerId} and is_closed and ${notDeleted()}
      order by month desc
    `),
  ),
]
