import type { Call } from '#kit/contract/call.ts'
import type { Field } from '#kit/contract/field.ts'
import { formatExportRow, totalsLabel, type SheetColumn } from '#kit/contract/sheet.ts'
import { formatValue } from '#kit/contract/value.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { App } from './app.ts'
import type { Scope } from './scope.ts'
import type { Row } from './workbook/column.ts'

/** Filters that say something to a reader; ids and what only serves the export do not. */
const isShown = (key: string, field: Field | undefined): field is Field =>
  field !== undefined &&
  !['id', 'ref', 'lines', 'part', 'file'].includes(field.kind) &&
  !['columns', 'ids', 'expected', 'order', 'page', 'size'].includes(key)

/** `房态：空置；交付日期：2026-01-01`. */
function describeFilter(call: Call, input: Readonly<Record<string, unknown>>): string {
  const { fields } = call.input
  return Object.entries(input)
    .flatMap(([key, value]) => {
      const field = fields[key]
      if (value === undefined || value === null || value === '' || !isShown(key, field)) return []
      const text = formatValue(value, field)
      return text ? [`${field.label}：${text}`] : []
    })
    .join('；')
}

/** The lines above an exported sheet: what it is, which filter it answers, when and by whom it was made. */
export function exportHead(
  call: Call,
  title: string,
  input: object,
  { scope, app }: { readonly scope: Scope; readonly app: App },
): readonly string[] {
  const filter = describeFilter(call, { ...input })
  const made = fromInstant(app.clock()).slice(0, 16)
  return [
    title,
    `筛选条件：${filter || '全部'}    制表时间：${made}${scope.name ? `    制表人：${scope.name}` : ''}`,
  ]
}

/** The last line of a sheet: the label, and the totals as their columns show them. */
export function totalsRow(
  columns: readonly SheetColumn[],
  sum: Readonly<Record<string, unknown>>,
): Row | undefined {
  const summed = columns.filter(column => sum[column.key] !== undefined)
  if (!summed.length) return undefined
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
): { readonly add: (rows: readonly Row[]) => void; readonly row: () => Row | undefined } {
  const summed = columns.flatMap(({ key, field }, index) =>
    keys.includes(key) ? [{ index, factor: 10 ** scaleOf(field), total: 0 }] : [],
  )
  const labelIndex = columns.findIndex(column => !keys.includes(column.key))
  return {
    add: rows => {
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
      if (!summed.length) return undefined
      const byIndex = new Map(summed.map(sum => [sum.index, sum.total / sum.factor]))
      return columns.map((_, i) => (i === labelIndex ? totalsLabel : byIndex.get(i)))
    },
  }
}
