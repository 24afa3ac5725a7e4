import { asId, parseId, type Id } from '#kit/domain/id.ts'
import { addDays, compareDays, daysBetween, type Day } from '#kit/domain/day.ts'
import { invalidField } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { copySchedule, fillSchedule, getScheduleGrid, saveSchedule } from '../contract/schedule.ts'
import { assertOpen } from './closed-months.ts'
import { daysOf, findPeople, spanOfMonth, type Span } from './people.ts'
import { loadInputs } from './inputs.ts'
import { affectedSpan, computePerson } from './person-days.ts'
import { findOverlaps } from './schedule-overlaps.ts'
import { recomputePeople } from './recompute.ts'

/** A day of somebody: a shift, 0 for rest, undefined for none of its own. */
export interface ScheduleCell {
  readonly staffId: Id
  readonly workDate: Day
  readonly shiftId: Id | undefined
}

const maxCells = 20_000

async function assertShifts(tx: Tx, scope: Scope, ids: readonly number[], field: string): Promise<void> {
  const wanted = [...new Set(ids.filter(id => id !== 0))]
  const known = await tx.rows<{ id: Id }>(sql`
    select id
    from attendance_shift
    where owner_id = ${scope.ownerId} and id = any(${wanted}::bigint[]) and ${notDeleted()}
    for share
  `)
  if (known.length < wanted.length) throw invalidField(field, '班次不存在或已删除，请重新选择')
}

async function assertStaff(tx: Tx, scope: Scope, ids: readonly Id[], field: string): Promise<void> {
  const wanted = [...new Set(ids)]
  const known = await tx.rows<{ id: Id }>(sql`
    select id
    from staff
    where owner_id = ${scope.ownerId} and id = any(${wanted}::bigint[]) and ${notDeleted()}
    for share
  `)
  if (known.length < wanted.length) throw invalidField(field, '员工不存在或已删除，请重新选择')
}

/** The last one counts where a day is named twice; sorted, so that two writers never wait for each other. */
function distinctDays(cells: readonly ScheduleCell[]): ScheduleCell[] {
  const byDay = new Map(cells.map(cell => [`${cell.staffId} ${cell.workDate}`, cell]))
  return [...byDay.values()].toSorted((a, b) => a.staffId - b.staffId || compareDays(a.workDate, b.workDate))
}

async function upsertCells(tx: Tx, scope: Scope, cells: readonly ScheduleCell[]): Promise<void> {
  const rows = cells.map(({ staffId, workDate, shiftId }) => ({
    staff_id: staffId,
    work_date: workDate,
    shift_id: shiftId || undefined,
    delete_tag: shiftId === undefined ? 1 : 0,
  }))
  await tx.execute(sql`
    insert into attendance_schedule (owner_id, create_by, update_by, staff_id, work_date, shift_id, delete_tag)
    select ${scope.ownerId}::bigint, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint, staff_id, work_date,
      shift_id, delete_tag
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as r(staff_id bigint, work_date date, shift_id bigint, delete_tag smallint)
    on conflict (owner_id, staff_id, work_date) do update
    set shift_id = excluded.shift_id, delete_tag = excluded.delete_tag, update_by = excluded.update_by
    returning id
  `)
}

/** Writes schedules of any number of days, and computes those that are past. */
export async function writeSchedule(
  { tx, scope, now }: Pick<WriteContext, 'tx' | 'scope' | 'now'>,
  cells: readonly ScheduleCell[],
  field: string,
): Promise<number> {
  if (!cells.length) return 0
  if (cells.length > maxCells) throw invalidField(field, `一次最多排 ${maxCells} 人次，请分开操作`)
  await assertOpen(
    tx,
    scope,
    cells.map(({ workDate }) => workDate),
    field,
  )
  await assertStaff(
    tx,
    scope,
    cells.map(({ staffId }) => staffId),
    field,
  )
  await assertShifts(
    tx,
    scope,
    cells.map(({ shiftId }) => shiftId ?? 0),
    field,
  )
  const sorted = distinctDays(cells)
  const [overlap] = (await findOverlaps(tx, scope, sorted)).values()
  if (overlap !== undefined) throw invalidField(field, overlap)
  await upsertCells(tx, scope, sorted)
  await audit(tx, scope, [
    {
      action: 'update',
      entity: 'attendanceSchedule',
      entityId: 0,
      after: { count: sorted.length, cells: sorted.slice(0, 50) },
    },
  ])
  const days = sorted.map(({ workDate }) => workDate).toSorted()
  const [from, to] = [days[0], days.at(-1)]
  if (from && to) {
    await recomputePeople(
      tx,
      scope,
      sorted.map(({ staffId }) => staffId),
      affectedSpan(from, to),
      now,
    )
  }
  return sorted.length
}

function assertDays(from: Day, to: Day, max = 92): void {
  if (to < from) throw invalidField('EndDate', '止日不能早于起日')
  if (daysBetween(from, to) >= max) throw invalidField('EndDate', `一次最多 ${max} 天，请分开操作`)
}

async function fill(
  { staffIds, from, to, cycle }: NonNullable<typeof fillSchedule.input.T>,
  c: WriteContext,
): Promise<{ count: number }> {
  assertDays(from, to)
  const pattern = cycle.flatMap(({ shiftId, days }) => Array.from({ length: days }, () => shiftId ?? 0))
  const cells = staffIds.flatMap(staffId =>
    daysOf({ from, to }).map((workDate, i) => ({
      staffId: parseId(staffId),
      workDate,
      shiftId: pattern[i % pattern.length],
    })),
  )
  return { count: await writeSchedule(c, cells, 'StaffIds') }
}

async function copy(
  { staffIds, from, to, target }: NonNullable<typeof copySchedule.input.T>,
  c: WriteContext,
): Promise<{ count: number }> {
  assertDays(from, to)
  if (target <= to) throw invalidField('TargetDate', '粘贴起应晚于复制止')
  const rows = await c.tx.rows<{ staffId: Id; workDate: Day; shiftId?: Id }>(sql`
    select staff_id, work_date, shift_id
    from attendance_schedule
    where owner_id = ${c.scope.ownerId}
      and staff_id = any(${staffIds.map(parseId)}::bigint[])
      and work_date between ${from} and ${to}
      and ${notDeleted()}
  `)
  if (!rows.length) throw invalidField('BeginDate', '所选日期无排班，请更换')
  const cells = rows.map(({ staffId, workDate, shiftId }) => ({
    staffId,
    workDate: addDays(target, daysBetween(from, workDate)),
    shiftId: shiftId ?? 0,
  }))
  return { count: await writeSchedule(c, cells, 'TargetDate') }
}

/** What each person has to do on the days without a schedule of their own: ATT-2. */
async function loadPlans(db: Db, scope: Scope, ids: readonly Id[], span: Span) {
  const inputs = {
    ...(await loadInputs(db, scope.ownerId, ids, span, false)),
    closedMonths: new Set<string>(),
  }
  return (staffId: Id): { workDate: Day; shiftId: Id }[] =>
    computePerson(inputs, staffId, span, 0).days.flatMap(({ date, plan }) => {
      if (plan.basis === 'schedule' || plan.kind === 'unscheduled' || plan.kind === 'free') return []
      return [{ workDate: date, shiftId: plan.kind === 'shift' ? plan.shift.id : asId(0) }]
    })
}

async function loadGrid(db: Db, scope: Scope, query: NonNullable<typeof getScheduleGrid.input.T>) {
  const span = spanOfMonth(query.month)
  const people = await findPeople(db, scope, query, span)
  const cells = await db.rows<{ staffId: Id; workDate: Day; shiftId?: Id }>(sql`
    select staff_id, work_date, shift_id
    from attendance_schedule
    where owner_id = ${scope.ownerId}
      and staff_id = any(${people.rows.map(({ staffId }) => staffId)}::bigint[])
      and work_date between ${span.from} and ${span.to}
      and ${notDeleted()}
    order by staff_id, work_date
  `)
  const byStaff = Map.groupBy(cells, ({ staffId }) => staffId)
  const plannedOf = await loadPlans(
    db,
    scope,
    people.rows.map(({ staffId }) => staffId),
    span,
  )
  return {
    total: people.total,
    rows: people.rows.map(person => ({
      ...person,
      planned: plannedOf(person.staffId),
      days: (byStaff.get(person.staffId) ?? []).map(({ workDate, shiftId = 0 }) => ({ workDate, shiftId })),
    })),
  }
}

export const scheduleHandlers = [
  reads(getScheduleGrid, (query, { db, scope }) => loadGrid(db, scope, query)),
  writes(saveSchedule, async ({ cells }, c) => {
    const days = cells.map(({ staffId, workDate }) => `${staffId} ${workDate}`)
    const twice = cells.find((_, i) => days.indexOf(days[i] ?? '') < i)
    if (twice) throw invalidField('Cells', `同一员工 ${twice.workDate} 有两条排班，请只保留一条`)
    const written = cells.map(({ staffId, workDate, shiftId = 0, isCleared }) => ({
      staffId,
      workDate,
      shiftId: isCleared ? undefined : shiftId,
    }))
    return { count: await writeSchedule(c, written, 'Cells') }
  }),
  writes(fillSchedule, fill),
  writes(copySchedule, copy),
]
