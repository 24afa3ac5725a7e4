import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'

/**
 * The statutory holidays of 2026 with the weekends worked in their stead: [name, first day, last day, days
 * worked].
 */
const year2026 = [
  ['元旦', '2026-01-01', '2026-01-03', ['2026-01-04']],
  ['春节', '2026-02-15', '2026-02-23', ['2026-02-14', '2026-02-28']],
  ['清明节', '2026-04-04', '2026-04-06', []],
  ['劳动节', '2026-05-01', '2026-05-05', ['2026-05-09']],
  ['端午节', '2026-06-19', '2026-06-21', []],
  ['中秋节', '2026-09-25', '2026-09-27', []],
  ['国庆节', '2026-10-01', '2026-10-07', ['2026-09-20', '2026-10-10']],
] as const

export async function seedCalendar(tx: Tx, ownerId: Id): Promise<void> {
  const rest = year2026.map(([name, from, to]) => ({ name, from, to }))
  const work = year2026.flatMap(([name, , , days]) => days.map(day => ({ name: `${name}调休`, day })))
  await tx.execute(
    sql`
      insert into holiday (owner_id, holiday_date, holiday_name, day_type)
      select ${ownerId}::bigint, d::date, r.name, 10
      from json_to_recordset(${JSON.stringify(rest)}::json) as r(name text, "from" date, "to" date)
      cross join generate_series(r."from", r."to", interval '1 day') d
    `,
  )
  await tx.execute(
    sql`
      insert into holiday (owner_id, holiday_date, holiday_name, day_type)
      select ${ownerId}::bigint, r.day, r.name, 20
      from json_to_recordset(${JSON.stringify(work)}::json) as r(name text, day date)
    `,
  )
}
