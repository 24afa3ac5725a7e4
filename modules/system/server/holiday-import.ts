import type { Day } from '#kit/contract/field.ts'
import { weekday } from '#kit/domain/day.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { ImportDefinition } from '#kit/server/sheet-import.ts'
import { notDeleted, touch } from '#kit/server/sql.ts'
import { insertAll, recordsetOf } from '#kit/server/table.ts'
import {
  holiday,
  holidaySheet,
  importHolidays,
  type Holiday,
  type HolidayImportLine,
} from '../contract/holiday.ts'

const findExistingDays = async (
  db: Db,
  scope: Scope,
  days: readonly Day[],
): Promise<ReadonlyMap<Day, Holiday>> => {
  const rows = await db.rows<Holiday>(
    sql`
      select id, holiday_date, holiday_name
      from holiday
      where owner_id = ${scope.ownerId} and holiday_date = any(${days}::date[]) and ${notDeleted()}
    `,
  )
  return new Map(rows.map(row => [row.holidayDate, row]))
}

async function overwriteDays(tx: Tx, scope: Scope, rows: readonly HolidayImportLine[]): Promise<void> {
  if (!rows.length) return
  const { as } = recordsetOf(holiday, rows)
  await tx.execute(
    sql`
      update holiday t
      set holiday_name = r.holiday_name, day_type = r.day_type, ${touch(scope, 't')}
      from ${as}
      where t.owner_id = ${scope.ownerId} and t.holiday_date = r.holiday_date and ${notDeleted('t')}
    `,
  )
}

const isMondayToFriday = (day: Day | undefined): boolean => day !== undefined && weekday(day) <= 5

/** Imports a calendar (IMP-1): new days are added, known ones skipped or overwritten as the mode says. */
export const holidayImporter: ImportDefinition<HolidayImportLine, {}, Holiday> = {
  kind: 'system.holiday',
  calls: importHolidays,
  sheet: holidaySheet,
  openSession: (db, { scope, mode }) =>
    Promise.resolve({
      findReferences: () => [],
      findExisting: async lines => {
        const days = lines.flatMap(({ row }) => row.holidayDate ?? [])
        const existing = await findExistingDays(db, scope, days)
        return new Map(
          lines.flatMap(({ line, row }) => {
            const found = row.holidayDate && existing.get(row.holidayDate)
            return found ? [[line, found] as const] : []
          }),
        )
      },
      checkRow: row =>
        row.dayType === 'work' && isMondayToFriday(row.holidayDate)
          ? [{ column: 'dayType', message: '调休上班应是周六或周日', remedy: '核对日期和类型' }]
          : [],
      describeExisting: existing => ({
        message: `${existing.holidayDate} 已登记为「${existing.holidayName}」`,
        remedy: '按所选的方式处理',
      }),
      isSkipped: ({ existing }) => mode !== 'update' && existing !== undefined,
      apply: async (tx, ready) => {
        const added = ready.filter(line => !line.existing).map(line => line.row)
        const known = ready.filter(line => line.existing).map(line => line.row)
        await insertAll(tx, holiday, scope, added)
        if (mode === 'update') {
          await overwriteDays(tx, scope, known)
        }
        const knownOutcome =
          mode === 'update'
            ? { outcome: 'changed' as const, message: '已覆盖' }
            : { outcome: 'skipped' as const, message: '已有，已跳过' }
        const addedOutcome = { outcome: 'added' as const, message: '已导入' }
        return new Map(ready.map(line => [line.line, line.existing ? knownOutcome : addedOutcome]))
      },
    }),
}
