import { PassThrough } from 'node:stream'
import { toError } from '#kit/domain/to-error.ts'
import type { Id } from '#kit/domain/id.ts'
import { weekdayName, type Day } from '#kit/domain/day.ts'
import { keyOf, keysOf, labelOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { exportHeaderLines } from '#kit/server/export-header-footer.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { writeWorkbook, xlsxMediaType } from '#kit/server/workbook/workbook-writer.ts'
import { dayState, leaveType } from '../contract/choices.ts'
import { exportMonthSheet } from '../contract/month.ts'
import { daysOf, findPeople, spanOfMonth } from './people.ts'
import { loadFigures } from './month.ts'

/** People of one sheet: what a clerk can look through. */
const maxPeople = 5000

type ByDay = ReadonlyMap<Id, ReadonlyMap<Day, string>>

/** What each day of each person says in one cell: the state in a word, with the minutes where it has any. */
async function loadCells(
  db: Db,
  { ownerId }: Scope,
  ids: readonly Id[],
  days: readonly Day[],
): Promise<ByDay> {
  const rows = await db.rows<{ staffId: Id; workDate: Day; state?: number; minutes: number }>(sql`
    select staff_id, work_date, coalesce(manual_state, state) as state,
      case when manual_state is null then late_minutes + early_minutes else 0 end as minutes
    from attendance_day
    where owner_id = ${ownerId}
      and staff_id = any(${[...ids]}::bigint[])
      and work_date between ${days[0]} and ${days.at(-1)}
  `)
  const cells = new Map<Id, Map<Day, string>>()
  for (const { staffId, workDate, state, minutes } of rows) {
    const own = cells.get(staffId) ?? new Map<Day, string>()
    cells.set(staffId, own)
    const key = state === undefined ? undefined : keyOf(dayState, state)
    own.set(workDate, key === undefined ? '' : `${labelOf(dayState, key)}${minutes ? ` ${minutes}` : ''}`)
  }
  return cells
}

const totals = [
  ['应出勤（天）', 'dueDays'],
  ['实出勤（天）', 'actualDays'],
  ['迟到（次）', 'lateCount'],
  ['迟到（分钟）', 'lateMinutes'],
  ['严重迟到（次）', 'severeLateCount'],
  ['早退（次）', 'earlyCount'],
  ['缺卡（次）', 'missCount'],
  ['旷工（天）', 'absentDays'],
  ['请假合计（小时）', 'leaveHours'],
  ...keysOf(leaveType).map(key => [`${labelOf(leaveType, key)}（小时）`, `${key}Hours`] as const),
  ['平时加班（小时）', 'overtimeWeekday'],
  ['休息日加班（小时）', 'overtimeRest'],
  ['节假日加班（小时）', 'overtimeHoliday'],
] as const

/** The last line: how many people, and the sums of the columns behind the days. */
const totalsOf = (figures: Awaited<ReturnType<typeof loadFigures>>, dayCount: number) => [
  '合计',
  `共 ${figures.length} 人`,
  ...Array.from({ length: dayCount + 1 }, () => ''),
  // Hundredths are added as whole numbers.
  ...totals.map(
    ([, key]) => figures.reduce((sum, row) => sum + Math.round(Number(row[key] ?? 0) * 100), 0) / 100,
  ),
]

export const monthSheetHandlers = [
  reads(exportMonthSheet, async (input, { db, scope, app }) => {
    const { month, groupId, departmentId } = input
    const span = spanOfMonth(month)
    const days = daysOf(span)
    const people = await findPeople(db, scope, { groupId, departmentId, size: maxPeople }, span)
    if (!people.rows.length) return refuse('无符合条件的人员')
    if (people.total > maxPeople)
      return refuse(`共 ${people.total} 人，超过 ${maxPeople} 人，请按考勤组或部门导出`)
    const figures = await loadFigures(db, scope, month, people.rows)
    const cells = await loadCells(
      db,
      scope,
      people.rows.map(({ staffId }) => staffId),
      days,
    )
    const lines = figures.map(row => [
      row.staffNo ?? '',
      row.staffName,
      row.departmentName ?? '',
      ...days.map(day => cells.get(row.id)?.get(day) ?? ''),
      ...totals.map(([, key]) => Number(row[key] ?? 0)),
    ])
    const headings = [
      '工号',
      '姓名',
      '部门',
      ...days.map(day => `${Number(day.slice(8))}日${weekdayName(day).slice(1)}`),
      ...totals.map(([heading]) => heading),
    ]
    await app.database.tx(scope.ownerId, tx =>
      audit(tx, scope, [
        { action: 'export', entity: 'dayRecord', entityId: 0, after: { rows: lines.length, month } },
      ]),
    )
    const head = await exportHeaderLines(exportMonthSheet, '考勤月报', input, { db, scope, app })
    const body = new PassThrough()
    writeWorkbook(
      headings.map(heading => ({ heading })),
      [lines],
      body,
      {
        sheetName: `${month} 考勤月报`,
        head,
        totals: totalsOf(figures, days.length),
      },
    ).catch((error: unknown) => body.destroy(toError(error)))
    return { name: `考勤月报_${month.replace('-', '')}.xlsx`, type: xlsxMediaType, body }
  }),
]
