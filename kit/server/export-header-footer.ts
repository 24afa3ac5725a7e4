import type { Call } from '#kit/contract/call.ts'
import type { Field } from '#kit/contract/field.ts'
import { formatExportRow, totalsLabel, type SheetColumn } from '#kit/contract/sheet.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { App } from './app.ts'
import type { Db } from './db.ts'
import { formatThousands } from './export-count.ts'
import { describeFilter } from './filter-text.ts'
import type { Scope } from './scope.ts'
import type { Row } from './workbook/column.ts'

/** The lines above an exported sheet: what it is, which filter it has, when and by whom it was made. */
export async function exportHeaderLines(
  call: Call,
  title: string,
  input: object,
  { db, scope, app }: { readonly db: Db; readonly scope: Scope; readonly app: App },
): Promise<readonly string[]> {
  const filter = await describeFilter(call, { ...input }, { db, scope })
  const made = fromInstant(app.clock()).slice(0, 16)
  return [
    title,
    `筛选条件：${filter || '全部'}    制表时间：${made}${scope.name ? `    制表人：${scope.name}` : ''}`,
  ]
}

/** The last line of a sheet that adds nothing up: the label, and beside it how many rows there are. */
const countRow = (columns: readonly SheetColumn[], count: number): Row =>
  columns.map((_, i) => (i === 0 ? totalsLabel : i === 1 ? `共 ${formatThousands(count)} 条` : ''))

/** The last line of a sheet: the label, and the totals as their columns show them; else how many rows. */
export function totalsRow(
  columns: readonly SheetColumn[],
  sum: Readonly<Record<string, unknown>>,
  count: number,
): Row {
  const summed = columns.filter(column => sum[column.key] !== undefined)
  if (!summed.length) return countRow(columns, count)
  const labelIndex = columns.findIndex(column => !summed.includes(column))
  const cells = formatExportRow(columns, sum)
  return columns.map((column, i) =>
    i === labelIndex ? totalsLabel : summed.includes(column) ? cells[i] : '',
  )
}

/** Digits behind the point that a column is added up with: figures are summed as whole numbers. */
const scaleOf = ({ kind, scale = 4 }: Field): number => (kind === 'money' ? 2 : kind === 'int' ? 0 : scale)

/** The same added up as rows pass by, where they are all that is counted. */
export function createTotals(
  columns: readonly SheetColumn[],
  keys: readonly string[],
): { readonly add: (rows: readonly Row[]) => void; readonly row: () => Row } {
  const summed = columns.flatMap(({ key, field }, index) =>
    keys.includes(key) ? [{ index, factor: 10 ** scaleOf(field), total: 0 }] : [],
  )
  const labelIndex = columns.findIndex(column => !keys.includes(column.key))
  let count = 0
  return {
    add: rows => {
      count += rows.length
      for (const row of rows) {
        for (const sum of summed) {
          const cell = row[sum.index]
          if (typeof cell === 'number') {
            sum.total += Math.round(cell * sum.factor)
          }
        }
      }
    },
    row: () => {
      if (!summed.length) return countRow(columns, count)
      const byIndex = new Map(summed.map(sum => [sum.index, sum.total / sum.factor]))
      return columns.map((_, i) => (i === labelIndex ? totalsLabel : byIndex.get(i)))
    },
  }
}
