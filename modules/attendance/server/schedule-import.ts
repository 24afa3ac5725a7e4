import type { Id } from '#kit/domain/id.ts'
import { importer } from '#kit/server/crud-import.ts'
import { importHandlers } from '#kit/server/sheet-import.ts'
import type { Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { nowOf } from './punches.ts'
import { findAll } from '#kit/server/table.ts'
import { attendanceSchedule, importSchedule } from '../contract/schedule.ts'
import { attendanceShift } from '../contract/shift.ts'
import { closedMonthsOf, closedText } from './closed-months.ts'
import { writeSchedule } from './schedule.ts'
import { findByStaffNo, unknownStaff } from './sheet-staff.ts'

const rest = '休息'

async function loadShifts(db: Db, scope: Scope): Promise<ReadonlyMap<string, Id>> {
  const rows = await findAll(db, attendanceShift, scope, {}, {})
  return new Map<string, Id>([[rest, 0], ...rows.map(({ shiftName, id }) => [shiftName, id] as const)])
}

/** Schedules from a sheet: a line for each person and day, the shift by its name. */
const definition = importer(attendanceSchedule, {
  calls: importSchedule,
  kind: 'attendance.schedule',
  templateOptions: async (db, { scope }) => ({ shiftName: [...(await loadShifts(db, scope)).keys()] }),
  load: async (db, { scope }, _lock, lines) => ({
    shifts: await loadShifts(db, scope),
    people: await findByStaffNo(
      db,
      scope,
      lines.map(({ row }) => row.staffNo),
    ),
    closed: await closedMonthsOf(
      db,
      scope,
      lines.flatMap(({ row }) => (row.workDate ? [row.workDate] : [])),
    ),
  }),
  rules: (row, _existing, { data }) => [
    ...(data.people.has(row.staffNo ?? '') ? [] : [unknownStaff(row.staffNo)]),
    ...(data.shifts.has(row.shiftName ?? '')
      ? []
      : [
          {
            column: 'shiftName',
            message: `班次「${row.shiftName ?? ''}」不存在`,
            remedy: '按班次管理中的名称填写，休息日填「休息」',
          },
        ]),
    ...(data.closed.has(row.workDate?.slice(0, 7) ?? '')
      ? [
          {
            column: 'workDate',
            message: closedText(row.workDate?.slice(0, 7) ?? ''),
            remedy: '解除封存后再导入',
          },
        ]
      : []),
  ],
  write: async (tx, ready, { data, request }) => {
    const cells = ready.flatMap(({ row }) => {
      const person = data.people.get(row.staffNo)
      return person
        ? [{ staffId: person.id, workDate: row.workDate, shiftId: data.shifts.get(row.shiftName) ?? 0 }]
        : []
    })
    await writeSchedule({ tx, scope: request.scope, now: nowOf(request.scope) }, cells, 'Cells')
    return new Map(ready.map(({ line }) => [line, { outcome: 'added' as const, message: '已排班' }]))
  },
})

export const { handlers: scheduleImportHandlers, job: scheduleImportJob } = importHandlers(definition)
