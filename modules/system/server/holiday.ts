import { codeOf } from '#kit/contract/field.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import { addDays, weekday, type Day } from '#kit/domain/day.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import type { ImportDefinition } from '#kit/server/sheet-import.ts'
import { findByIds, insertAll, findPage, recordsetOf, remove, update } from '#kit/server/table.ts'
import { live, touch } from '#kit/server/sql.ts'
import {
  addHolidays,
  holidayType,
  deleteHolidays,
  editHoliday,
  holiday,
  holidaySheet,
  importHolidays,
  listHolidays,
  type Holiday,
  type HolidayImportLine,
} from '../contract/holiday.ts'

uniqueMessages({ holiday_day_live: '这一天已经登记过，请编辑那一条' })
const maxDaysPerRequest = 31
const workdayCode = codeOf(holidayType, 'work') as number

/**
 * Whether people of a company work on a day: its calendar, else the days from Monday to Friday (GEN-10).
 * Asked once for any number of days.
 */
export async function loadIsWorkday(db: Db, owner: number): Promise<(d: Day) => boolean> {
  const said = new Map(
    (
      await db.rows<{ day: Day; type: number }>(
        sql`
          select holiday_date as day, day_type as type
          from holiday
          where owner_id = ${owner} and ${live()}
        `,
      )
    ).map(h => [h.day, h.type === workdayCode]),
  )
  return d => said.get(d) ?? weekday(d) <= 5
}

export const holidayHandlers = [
  reads(listHolidays, (q, { db, scope }) =>
    findPage(db, holiday, scope, q, { filters: listHolidays.input.filters! }),
  ),
  writes(addHolidays, async ({ id: _, version: __, to, ...d }, { tx, scope }) => {
    const last = to ?? d.holidayDate
    const days: Day[] = []
    if (last < d.holidayDate) throw invalidInput([{ Field: 'HolidayDateEnd', Message: '止日不能早于日期' }])
    for (let x = d.holidayDate; x <= last && days.length <= maxDaysPerRequest; x = addDays(x, 1)) {
      days.push(x)
    }
    if (days.length > maxDaysPerRequest)
      throw invalidInput([
        { Field: 'HolidayDateEnd', Message: `一次最多登记 ${maxDaysPerRequest} 天，请分开登记` },
      ])
    const there = await tx.rows<{ day: Day; name: string }>(
      sql`
        select holiday_date as day, holiday_name as name
        from holiday
        where owner_id = ${scope.ownerId} and holiday_date = any(${days}::date[]) and ${live()}
        order by 1
      `,
    )
    if (there.length)
      throw invalidInput([
        {
          Field: 'HolidayDate',
          Message: `${there[0]!.day} 已登记为「${there[0]!.name}」，请先编辑或删除那一条`,
        },
      ])
    const made = await findByIds(
      tx,
      holiday,
      scope,
      await insertAll(
        tx,
        holiday,
        scope,
        days.map(holidayDate => ({ ...d, holidayDate })),
      ),
    )
    await audit(
      tx,
      scope,
      made.map(h => ({
        action: 'insert' as const,
        entity: holiday.name,
        entityId: h.id,
        after: { holidayDate: h.holidayDate, holidayName: h.holidayName, dayType: h.dayType },
      })),
    )
    return made
  }),
  writes(editHoliday, ({ id, version, ...d }, { tx, scope }) =>
    update(tx, holiday, scope, id!, d, { version }),
  ),
  writes(deleteHolidays, async ({ ids, reason }, { tx, scope }) => {
    await remove(tx, holiday, scope, ids, reason)
  }),
]

export const holidayImporter: ImportDefinition<HolidayImportLine, {}, Holiday> = {
  kind: 'system.holiday',
  calls: importHolidays,
  sheet: holidaySheet,
  openSession: (db, { scope, mode }) =>
    Promise.resolve({
      findReferences: () => [],
      findExisting: async lines => {
        const found = new Map(
          (
            await db.rows<Holiday>(
              sql`
                select id, holiday_date, holiday_name
                from holiday
                where owner_id = ${scope.ownerId}
                  and holiday_date = any(${lines.flatMap(l => l.row.holidayDate ?? [])}::date[])
                  and ${live()}
              `,
            )
          ).map(h => [h.holidayDate, h]),
        )
        return new Map(
          lines.flatMap(l => {
            const h = l.row.holidayDate && found.get(l.row.holidayDate)
            return h ? [[l.line, h] as const] : []
          }),
        )
      },
      checkRow: row =>
        row.dayType === 'work' && row.holidayDate !== undefined && weekday(row.holidayDate) <= 5
          ? [{ column: 'dayType', says: '调休上班应是周六或周日', remedy: '核对日期和类型' }]
          : [],
      describeExisting: h => ({
        says: `${h.holidayDate} 已登记为「${h.holidayName}」`,
        remedy: '按所选的方式处理',
      }),
      apply: async (tx, ready) => {
        const fresh = ready.filter(r => !r.existing)
        const there = mode === 'update' ? ready.filter(r => r.existing) : []
        await insertAll(
          tx,
          holiday,
          scope,
          fresh.map(r => r.row),
        )
        if (there.length) {
          const { as } = recordsetOf(
            holiday,
            there.map(r => r.row),
          )
          await tx.execute(
            sql`
              update holiday t
              set holiday_name = r.holiday_name, day_type = r.day_type, ${touch(scope, 't')}
              from ${as}
              where t.owner_id = ${scope.ownerId} and t.holiday_date = r.holiday_date and ${live('t')}
            `,
          )
        }
        return new Map(
          ready.map(r => [
            r.line,
            r.existing
              ? mode === 'update'
                ? { did: 'changed' as const, says: '已覆盖' }
                : { did: 'skipped' as const, says: '已有，已跳过' }
              : { did: 'added' as const, says: '已导入' },
          ]),
        )
      },
    }),
}
