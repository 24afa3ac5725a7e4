import { totalsLabel, type SheetSchema } from './sheet.ts'
import { cellToText, type Cell } from './sheet/cell.ts'
import { matchHeadings, type MatchedHeadings } from './sheet/headings.ts'
import { makeFault, readLine, type SheetFault, type SheetLine } from './sheet/line.ts'

export { cellProblems, type Cell } from './sheet/cell.ts'
export { matchHeadings, type MatchedHeadings } from './sheet/headings.ts'
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
  const m = matchHeadings(sheet, rows)
  return {
    ...m,
    lines: withoutTotals(rows)
      .slice(m.headingIndex + 1)
      .flatMap((cells, i) => readLine<T>(m, cells, m.headingIndex + i + 2) ?? []),
  }
}

/** What the references of one column are called, each once: one query looks them all up. */
export const referencedNames = (lines: readonly SheetLine[], key: string): string[] => [
  ...new Set(lines.flatMap(l => l.referenceNames[key] ?? [])),
]

/** Puts the found values in place. `find` returns all records of that name; none or several are faults. */
export function resolveReferences<T>(
  m: MatchedHeadings,
  l: SheetLine<T>,
  find: (key: string, named: string, row: Partial<T>) => readonly unknown[],
): SheetLine<T> {
  const row: Record<string, unknown> = { ...l.row }
  const faults = [...l.faults]
  for (const c of m.columns) {
    const name = l.referenceNames[c.key]
    if (name === undefined) continue
    const found = find(c.key, name, row as Partial<T>)
    if (found.length === 1) {
      row[c.key] = found[0]
    } else {
      faults.push(
        makeFault(
          l.line,
          c,
          name,
          found.length
            ? `名称为「${name}」的${c.field.label}有 ${found.length} 个`
            : `${c.field.label}「${name}」不存在`,
          found.length ? '改填它的编码' : undefined,
        ),
      )
    }
  }
  return { ...l, row: row as Partial<T>, faults }
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
  return lines.flatMap(l => {
    const key = naturalKeyOf(sheet, l.row)
    const before = key === undefined ? undefined : first.get(key)
    if (key !== undefined && before === undefined) {
      first.set(key, l.line)
    }
    if (before === undefined) return []
    return [
      {
        line: l.line,
        column: columns.map(c => c.heading).join('、'),
        value: columns.map(c => l.texts[c.key] ?? '').join('、'),
        message: `与第 ${before} 行重复`,
        remedy: '保留一行，删除其余行',
      },
    ]
  })
}
