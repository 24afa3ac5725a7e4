import type { Day } from '#kit/domain/day.ts'
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
import { cellKey, findOverlaps } from './schedule-overlaps.ts'
import { writeSchedule } from './schedule.ts'
import { findByStaffNo, unknownStaff } from './sheet-staff.ts'

const rest = '休息'

async function loadShifts(db: Db, scope: Scope): Promise<ReadonlyMap<string, Id>> {
  const rows = await findAll(db, attendanceShift, scope, {}, {})
  return new Map<string, Id>([[rest, 0], ...rows.map(({ shiftName, id }) => [shiftName, id] as const)])
}

interface Line {
  readonly staffNo?: string | undefined
  readonly workDate?: Day | undefined
  readonly shiftName?: string | undefined
}

/** What the lines name, and where two shifts of a person would overlap. */
async function loadCells(db: Db, scope: Scope, lines: readonly Line[]) {
  const known = await loadShifts(db, scope)
  const people = await findByStaffNo(
    db,
    scope,
    lines.map(({ staffNo }) => staffNo),
  )
  const cells = lines.flatMap(({ staffNo = '', workDate, shiftName = '' }) => {
    const staffId = people.get(staffNo)?.id
    const shiftId = known.get(shiftName)
    return staffId === undefined || workDate === undefined || shiftId === undefined
      ? []
      : [{ staffId, workDate, shiftId }]
  })
  return { shifts: known, people, overlaps: await findOverlaps(db, scope, cells) }
}

function overlapFault({ staffNo = '', workDate }: Line, data: Awaited<ReturnType<typeof loadCells>>) {
  const staffId = data.people.get(staffNo)?.id
  const message = staffId && workDate && data.overlaps.get(cellKey({ staffId, workDate }))
  return message ? [{ column: 'shiftName', message, remedy: '更换其中一天的班次' }] : []
}

/** Schedules from a sheet: a line for each person and day, the shift by its name. */
const definition = importer(attendanceSchedule, {
  calls: importSchedule,
  kind: 'attendance.schedule',
  templateOptions: async (db, { scope }) => ({ shiftName: [...(await loadShifts(db, scope)).keys()] }),
  load: async (db, { scope }, _lock, lines) => ({
    ...(await loadCells(
      db,
      scope,
      lines.map(({ row }) => row),
    )),
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
    ...overlapFault(row, data),
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
