import { sql } from '#kit/server/db.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { billDimensions } from './receivable.ts'
import type { ReportSource } from './report-source.ts'
import { buildBillFigures, deriveCollectionRate, inForceConditions } from './room.ts'

/** A bill of a place belongs to the place's car park; cars and deleted places are 未归属. Uses bill_parking. */
export const parkingSource: ReportSource = {
  from: (_, { scope }) =>
    sql`from bill t
      left join park_place p on p.owner_id = ${scope.ownerId}
        and p.project_code = t.project_code
        and p.code = t.source_code
        and ${notDeleted('p')}
        and t.source_type = ${code(sourceType, 'parkPlace')}
      left join park k on k.owner_id = ${scope.ownerId} and k.id = p.park_id and ${notDeleted('k')}`,
  where: query => [
    ...inForceConditions(query),
    sql`t.source_type in ${codes(sourceType, 'parkPlace', 'car')}`,
    ...(query.park ? [sql`k.id = any(${query.park}::bigint[])`] : []),
  ],
  dimensions: {
    ...billDimensions,
    park: { key: sql`k.id`, name: sql`max(k.name)` },
    place: billDimensions.source,
    kind: billDimensions.sourceType,
  },
  figures: buildBillFigures,
  derive: deriveCollectionRate,
}
