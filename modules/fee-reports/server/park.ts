import { codeOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { by } from './owed.ts'
import type { Source } from './report.ts'
import { billFigures, collected, inForce } from './rooms.ts'

const place = sql.raw(String(codeOf(sourceType, 'parkPlace')))
const car = sql.raw(String(codeOf(sourceType, 'car')))

/**
 * A bill of a place belongs to the car park where the place lies; cars and places that are gone stand under
 * 未归属. Uses bill_parking.
 */
export const parkSource: Source = {
  from: () =>
    sql`from bill t
      left join park_place p on p.owner_id = t.owner_id
        and p.project_code = t.project_code
        and p.code = t.source_code
        and p.delete_tag = 0
        and t.source_type = ${place}
      left join park k on k.owner_id = p.owner_id and k.id = p.park_id and k.delete_tag = 0`,
  where: q => [
    ...inForce(q),
    sql`t.source_type in (${place}, ${car})`,
    ...(q.park ? [sql`k.id = any(${q.park as string[]}::bigint[])`] : []),
  ],
  by: { ...by, park: { key: sql`k.id`, name: sql`max(k.name)` }, place: by.source, kind: by.sourceType },
  figures: billFigures,
  derive: collected,
}
