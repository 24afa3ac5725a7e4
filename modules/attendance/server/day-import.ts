import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { audit } from '#kit/server/audit.ts'
import { importer } from '#kit/server/crud-import.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { importHandlers } from '#kit/server/sheet-import.ts'
import { touch } from '#kit/server/sql.ts'
import type { Day } from '#kit/domain/day.ts'
import { dayState, leaveType } from '../contract/choices.ts'
import { dayRecord, importDayStates } from '../contract/day.ts'
import { manualFault } from '../domain/manual.ts'
import { closedMonthsOf, closedText, keepMonthsOpen } from './closed-months.ts'
import { findByStaffNo, unknownStaff } from './sheet-staff.ts'

interface KnownDay {
  readonly id: Id
  readonly dueMinutes: number
}

/** Which records there are, by person and day. */
async function findRecords(
  db: Db,
  scope: Scope,
  ids: readonly Id[],
  days: readonly Day[],
): Promise<ReadonlyMap<string, KnownDay>> {
  const rows = await db.rows<KnownDay & { staffId: Id; workDate: Day }>(sql`
    select id, staff_id, work_date, due_minutes
    from attendance_day
    where owner_id = ${scope.ownerId}
      and staff_id = any(${[...ids]}::bigint[])
      and work_date = any(${[...new Set(days)]}::date[])
  `)
  return new Map(rows.map(row => [`${row.staffId} ${row.workDate}`, row]))
}

/** Results that somebody decided, from a sheet: beside the computed ones, with their reasons. */
const definition = importer(dayRecord, {
  calls: importDayStates,
  kind: 'attendance.day',
  load: async (db, { scope }, lock, lines) => {
    if (lock) {
      await keepMonthsOpen(db, scope)
    }
    const people = await findByStaffNo(
      db,
      scope,
      lines.map(({ row }) => row.staffNo),
    )
    const days = lines.flatMap(({ row }) => (row.workDate ? [row.workDate] : []))
    return {
      people,
      closed: await closedMonthsOf(db, scope, days),
      records: await findRecords(
        db,
        scope,
        [...people.values()].map(({ id }) => id),
        days,
      ),
    }
  },
  rules: (row, _existing, { data }) => {
    const person = data.people.get(row.staffNo ?? '')
    if (!person) return [unknownStaff(row.staffNo)]
    const month = row.workDate?.slice(0, 7) ?? ''
    if (data.closed.has(month))
      return [{ column: 'workDate', message: closedText(month), remedy: '解除封存后再导入' }]
    const known = data.records.get(`${person.id} ${row.workDate}`)
    if (!known) return [{ column: 'workDate', message: '该员工当日无考勤记录', remedy: '核对日期与考勤组' }]
    const fault = manualFault(row.manualState, row.manualLeaveType, known.dueMinutes)
    if (!fault) return []
    return fault.field === 'leaveType'
      ? [{ column: 'manualLeaveType', message: '请假未填假别', remedy: '填写事假、病假等假别' }]
      : [{ column: 'manualState', message: fault.message, remedy: '核对日期与结果' }]
  },
  write: async (tx, ready, { data, request: { scope } }) => {
    const rows = ready.flatMap(({ line, row }) => {
      const person = data.people.get(row.staffNo)
      const known = person && data.records.get(`${person.id} ${row.workDate}`)
      if (!known) return []
      const { manualState: state, manualLeaveType: kind, manualReason: reason } = row
      return [{ line, id: known.id, state, kind: state === 'leave' ? kind : undefined, reason }]
    })
    await tx.execute(sql`
      update attendance_day t
      set manual_state = r.state, manual_leave_type = r.kind, manual_reason = r.reason, ${touch(scope, 't')}
      from unnest(
        ${rows.map(({ id }) => id)}::bigint[],
        ${rows.map(({ state }) => Number(codeOf(dayState, state)))}::smallint[],
        ${rows.map(({ kind }) => (kind ? Number(codeOf(leaveType, kind)) : null))}::smallint[],
        ${rows.map(({ reason }) => reason)}::text[]
      ) as r(id, state, kind, reason)
      where t.owner_id = ${scope.ownerId} and t.id = r.id
    `)
    await audit(
      tx,
      scope,
      rows.map(({ id, state, kind, reason }) => ({
        action: 'import' as const,
        entity: dayRecord.name,
        entityId: id,
        after: { manualState: state, ...(kind ? { manualLeaveType: kind } : {}) },
        reason,
      })),
    )
    return new Map(rows.map(({ line }) => [line, { outcome: 'changed' as const, message: '已修改结果' }]))
  },
})

export const { handlers: dayImportHandlers, job: dayImportJob } = importHandlers(definition)
