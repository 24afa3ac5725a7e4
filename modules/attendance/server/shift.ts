import type { Id } from '#kit/domain/id.ts'
import { refuse, wireNameOf } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { attendanceShift, getWorkDuration, shifts, type AttendanceShift } from '../contract/shift.ts'
import { shiftFaults, timesText, workMinutesOf } from '../domain/shift.ts'

/** A shift that a group or a coming schedule still uses stays. */
async function assertUnused(
  tx: Tx,
  scope: Scope,
  rows: readonly AttendanceShift[],
  today: string,
): Promise<void> {
  for (const { id, shiftName } of rows) {
    const used = await tx.one<{ name: string }>(sql`
      select group_name as name
      from attendance_group g
      where g.owner_id = ${scope.ownerId}
        and g.week @> ${JSON.stringify([{ shiftId: id }])}::jsonb
        and ${notDeleted('g')}
      limit 1
    `)
    if (used) refuse(`班次「${shiftName}」用于考勤组「${used.name}」，不能删除；请先更换`)
    const planned = await tx.one<{ id: Id }>(sql`
      select id
      from attendance_schedule
      where owner_id = ${scope.ownerId} and shift_id = ${id} and work_date >= ${today}::date and ${notDeleted()}
      limit 1
    `)
    if (planned) refuse(`班次「${shiftName}」已排班，不能删除；请先更换今后的排班`)
  }
}

export const shiftServer = crudHandlers(shifts, {
  unique: { attendance_shift_name_live: '班次名称已存在，请更换' },
  enrich: async rows =>
    rows.map(row => ({
      ...row,
      times: timesText(row.segments) + (row.rests?.length ? `（休息 ${timesText(row.rests)}）` : ''),
    })),
  check: draft =>
    shiftFaults({ ...draft, rests: draft.rests ?? [] }).map(({ field, message }) => ({
      Field: wireNameOf(field, attendanceShift.fields[field]),
      Message: message,
    })),
  beforeInsert: ({ segments, rests }) => ({ workMinutes: workMinutesOf(segments, rests ?? []) }),
  beforeUpdate: ({ segments, rests }) => ({ workMinutes: workMinutesOf(segments, rests ?? []) }),
  beforeDelete: (rows, { tx, scope, today }) => assertUnused(tx, scope, rows, today),
})

export const shiftHandlers = [
  reads(getWorkDuration, async ({ segments, rests = [] }) => Math.max(0, workMinutesOf(segments, rests))),
]
