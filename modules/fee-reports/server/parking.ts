import { codeOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { live } from '#kit/server/sql.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { billDimensions } from './receivable.ts'
import type { ReportSource } from './report.ts'
import { buildBillFigures, deriveCollectionRate, inForceConditions } from './room.ts'

const placeCode = sql.raw(String(codeOf(sourceType, 'parkPlace')))
const carCode = sql.raw(String(codeOf(sourceType, 'car')))

/**
 * A bill of a place belongs to the car park where the place lies; cars and places that are gone stand under
 * 未归属. Uses bill_parking.
 */
export const parkingSource: ReportSource = {
  from: (_, { scope }) =>
    sql`from bill t
      left join park_place p on p.owner_id = ${scope.ownerId}
        and p.project_code = t.project_code
        and p.code = t.source_code
        and ${live('p')}
        and t.source_type = ${placeCode}
      left join park k on k.owner_id = ${scope.ownerId} and k.id = p.park_id and ${live('k')}`,
  where: q => [
    ...inForceConditions(q),
    sql`t.source_type in (${placeCode}, ${carCode})`,
    ...(q.park ? [sql`k.id = any(${q.park}::bigint[])`] : []),
  ],
  by: {
    ...billDimensions,
    park: { key: sql`k.id`, name: sql`max(k.name)` },
    place: billDimensions.source,
    kind: billDimensions.sourceType,
  },
  figures: buildBillFigures,
  derive: deriveCollectionRate,
}
