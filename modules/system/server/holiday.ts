import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import { addDays, weekday, type Day } from '#kit/domain/day.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import {
  findByIds,
  findPage,
  insertAll,
  remove,
  requireById,
  requireByIds,
  update,
} from '#kit/server/table.ts'
import { notDeleted } from '#kit/server/sql.ts'
import {
  addHolidays,
  holidayType,
  deleteHolidays,
  editHoliday,
  holiday,
  listHolidays,
} from '../contract/holiday.ts'
import { assertNotSettled, publishHolidaysChanged } from './holiday-changes.ts'

uniqueMessages({ holiday_day_live: '该日期已登记，请编辑该条' })
const maxDaysPerRequest = 31

/** Loads what a company's calendar says of days: off, worked, or nothing of most of them. */
export async function loadDayKinds(db: Db, ownerId: Id): Promise<(d: Day) => 'rest' | 'work' | undefined> {
  const rows = await db.rows<{ day: Day; typeCode: number }>(
    sql`
      select holiday_date as day, day_type as type_code
      from holiday
      where owner_id = ${ownerId} and ${notDeleted()}
    `,
  )
  const work = codeOf(holidayType, 'work')
  const kinds = new Map(rows.map(({ day, typeCode }) => [day, typeCode === work ? 'work' : 'rest'] as const))
  return day => kinds.get(day)
}

/**
 * Loads a company's calendar and tells whether a day is worked: as the calendar says, else from Monday to
 * Friday (GEN-10).
 */
export async function loadIsWorkday(db: Db, ownerId: Id): Promise<(d: Day) => boolean> {
  const kindOf = await loadDayKinds(db, ownerId)
  return day => (kindOf(day) ?? (weekday(day) <= 5 ? 'work' : 'rest')) === 'work'
}

/** Each day from one to another, both included; refuses an empty or too long range. */
function listDays(from: Day, to: Day): Day[] {
  if (to < from) throw invalidInput([{ Field: 'HolidayDateEnd', Message: '止日不能早于日期' }])
  const days: Day[] = []
  for (let day = from; day <= to && days.length <= maxDaysPerRequest; day = addDays(day, 1)) {
    days.push(day)
  }
  if (days.length > maxDaysPerRequest)
    throw invalidInput([
      { Field: 'HolidayDateEnd', Message: `一次最多登记 ${maxDaysPerRequest} 天，请分开登记` },
    ])
  return days
}

async function assertDaysFree(tx: Tx, scope: Scope, days: readonly Day[]): Promise<void> {
  const [taken] = await tx.rows<{ day: Day; name: string }>(
    sql`
      select holiday_date as day, holiday_name as name
      from holiday
      where owner_id = ${scope.ownerId} and holiday_date = any(${days}::date[]) and ${notDeleted()}
      order by 1
      limit 1
    `,
  )
  if (taken)
    throw invalidInput([
      {
        Field: 'HolidayDate',
        Message: `${taken.day} 已登记为「${taken.name}」，请先编辑或删除该条`,
      },
    ])
}

export const holidayHandlers = [
  reads(listHolidays, (q, { db, scope }) =>
    findPage(db, holiday, scope, q, { filters: listHolidays.input.filters ?? [] }),
  ),
  writes(addHolidays, async ({ id: _id, version: _version, to, ...draft }, { tx, scope }) => {
    const days = listDays(draft.holidayDate, to ?? draft.holidayDate)
    await assertNotSettled(tx, scope, days, 'HolidayDate')
    await assertDaysFree(tx, scope, days)
    const rows = days.map(holidayDate => ({ ...draft, holidayDate }))
    const ids = await insertAll(tx, holiday, scope, rows)
    const created = await findByIds(tx, holiday, scope, ids)
    await audit(
      tx,
      scope,
      created.map(({ id, holidayDate, holidayName, dayType }) => ({
        action: 'insert' as const,
        entity: holiday.name,
        entityId: id,
        after: { holidayDate, holidayName, dayType },
      })),
    )
    await publishHolidaysChanged(tx, scope, days)
    return created
  }),
  writes(editHoliday, async ({ id = 0, version, ...draft }, { tx, scope }) => {
    const before = await requireById(tx, holiday, scope, id, { lock: true })
    const days = [before.holidayDate, draft.holidayDate]
    if (before.holidayDate !== draft.holidayDate || before.dayType !== draft.dayType) {
      await assertNotSettled(tx, scope, days, 'HolidayDate')
    }
    const saved = await update(tx, holiday, scope, id, draft, { version })
    await publishHolidaysChanged(tx, scope, days)
    return saved
  }),
  writes(deleteHolidays, async ({ ids, reason }, { tx, scope }) => {
    const days = (await requireByIds(tx, holiday, scope, ids, { lock: true })).map(row => row.holidayDate)
    await assertNotSettled(tx, scope, days, 'Ids')
    await remove(tx, holiday, scope, ids, reason)
    await publishHolidaysChanged(tx, scope, days)
  }),
]
