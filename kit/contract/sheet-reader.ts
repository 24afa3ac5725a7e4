import { totalsLabel, type SheetSchema } from './sheet.ts'
import { cellToText, type Cell } from './sheet/cell.ts'
import { matchHeadings, type MatchedHeadings } from './sheet/headings.ts'
import { makeFault, readLine, type SheetFault, type SheetLine } from './sheet/line.ts'

export { cellProblems, cellToText, type Cell } from './sheet/cell.ts'
export { isOwnHeading, matchHeadings, type MatchedHeadings } from './sheet/headings.ts'
export { readLine, type SheetFault, type SheetLine } from './sheet/line.ts'

/** The totals of an exported sheet are no record. */
const withoutTotals = (rows: readonly (readonly Cell[])[]): readonly (readonly Cell[])[] => {
  const first = rows.at(-1)?.find(cell => cellToText(cell) !== '')
  return cellToText(first) === totalsLabel ? rows.slice(0, -1) : rows
}

/** All lines under the headings. */
export function readSheet<T>(
  sheet: SheetSchema<T>,
  rows: readonly (readonly Cell[])[],
): MatchedHeadings & { readonly lines: readonly SheetLine<T>[] } {
  const headings = matchHeadings(sheet, rows)
  return {
    ...headings,
    lines: withoutTotals(rows)
      .slice(headings.headingIndex + 1)
      .flatMap((cells, i) => readLine<T>(headings, cells, headings.headingIndex + i + 2) ?? []),
  }
}

/** What the references of one column are called, each once: one query looks them all up. */
export const referencedNames = (lines: readonly SheetLine[], key: string): string[] => [
  ...new Set(lines.flatMap(l => l.referenceNames[key] ?? [])),
]

/** Puts the found values in place. `find` returns all records of that name; none or several are faults. */
export function resolveReferences<T>(
  headings: MatchedHeadings,
  line: SheetLine<T>,
  find: (key: string, named: string, row: Partial<T>) => readonly unknown[],
): SheetLine<T> {
  const row: Record<string, unknown> = { ...line.row }
  const faults = [...line.faults]
  for (const column of headings.columns) {
    const name = line.referenceNames[column.key]
    if (name === undefined) continue
    const found = find(column.key, name, row as Partial<T>)
    if (found.length === 1) {
      row[column.key] = found[0]
    } else {
      faults.push(
        makeFault(
          line.line,
          column,
          name,
          found.length
            ? `名称为「${name}」的${column.field.label}有 ${found.length} 个`
            : `${column.field.label}「${name}」不存在`,
          found.length ? '改填它的编码' : undefined,
        ),
      )
    }
  }
  return { ...line, row: row as Partial<T>, faults }
}

/** The natural key of a row as one text, nothing while a part of it is missing. */
export const naturalKeyOf = (
  sheet: SheetSchema,
  row: Readonly<Record<string, unknown>>,
): string | undefined =>
  sheet.unique.length && sheet.unique.every(k => row[k] !== undefined)
    ? JSON.stringify(sheet.unique.map(k => String(row[k]).toUpperCase()))
    : undefined

/** Lines that repeat an earlier one's natural key (IMP-6); the first stays good. */
export function findDuplicateLines(sheet: SheetSchema, lines: readonly SheetLine[]): SheetFault[] {
  const first = new Map<string, number>()
  const columns = sheet.columns.filter(c => sheet.unique.includes(c.key))
  return lines.flatMap(line => {
    const key = naturalKeyOf(sheet, line.row)
    const before = key === undefined ? undefined : first.get(key)
    if (key !== undefined && before === undefined) {
      first.set(key, line.line)
    }
    if (before === undefined) return []
    return [
      {
        line: line.line,
        column: columns.map(c => c.heading).join('、'),
        value: columns.map(c => line.texts[c.key] ?? '').join('、'),
        message: `与第 ${before} 行重复`,
        remedy: '保留一行，删除其余行',
      },
    ]
  })
}
