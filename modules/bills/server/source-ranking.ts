import { keyOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { naturalSortKey } from '#kit/domain/natural-sort-key.ts'
import { rankSearch } from '#kit/domain/search-rank.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { searchLevelSql } from '#kit/server/search-rank.ts'
import { code, codes } from '#kit/server/sql.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'

export const sourceTypeOf = (stored: number) => defined(keyOf(sourceType, stored))

export interface SourceRow {
  sourceType: number
  sourceCode: string
  sourceName: string
  projectCode: string
  buildCode?: string
  payerName?: string
  payerMobile?: string
  count: number
  overdue: number
  earliest?: Day
  principal: string
  lateFee: string
  stale?: Id[]
  total: number
  whole: string
}

export const maxSourceCandidates = 500
const maxSources = 50

const numberedSources: readonly (keyof typeof sourceType.rows)[] = ['car', 'parkPlace']

/** BILL-11: in the order of every search of the product. */
export const rankSources = (keyword: string, rows: readonly SourceRow[]): readonly SourceRow[] =>
  rankSearch(
    keyword,
    rows.map(row => ({
      row,
      group: row.buildCode,
      sortKey: naturalSortKey(row.sourceName),
      fields: [
        {
          label: '收费对象',
          text: row.sourceName,
          isPath: sourceTypeOf(row.sourceType) === 'room',
          isSecondary: numberedSources.includes(sourceTypeOf(row.sourceType)),
        },
        { label: '缴费人', text: row.payerName ?? '' },
        { label: '电话', text: row.payerMobile ?? '', isSecondary: true },
      ],
    })),
    maxSources,
  ).map(({ candidate }) => candidate.row)

/** The same ranking in SQL, so that the database returns only the best. */
export function sourceLevel(keyword: string): RawBuilder<number> {
  const isRoom = sql`source_type = ${code(sourceType, 'room')}`
  const isNumbered = sql`source_type in ${codes(sourceType, ...numberedSources)}`
  return searchLevelSql(keyword, [
    { column: sql`case when ${isRoom} then source_name end`, isPath: true },
    { column: sql`case when not ${isRoom} and not ${isNumbered} then source_name end` },
    { column: sql`case when ${isNumbered} then source_name end`, isSecondary: true },
    { column: sql`payer_name` },
    { column: sql`payer_mobile`, isSecondary: true },
  ])
}
