import { dayFromExcelSerial } from '#kit/domain/day.ts'
import { momentFromExcelSerial } from '#kit/domain/moment.ts'
import type { Field } from './field.ts'
import { correctionHints, type SheetSchema, type SheetColumn } from './sheet.ts'
import { normalizeCode, cleanText, toHalfWidth, normalizePlate } from './text.ts'
import { UnreadableValue, validateValue, kindBehaviour } from './value.ts'

/**
 * What a reader hands over per cell: text, number, boolean, nothing. Days as `yyyy-MM-dd[ HH:mm:ss]` or as
 * Excel's number. A formula, a merged area or an error value is handed over as such and refused (IMP-5).
 */
export type Cell =
  | string
  | number
  | boolean
  | null
  | undefined
  | { readonly problem: keyof typeof cellProblems; readonly text?: string }

export const cellProblems = {
  formula: ['是公式', '复制该列，用「选择性粘贴 › 值」贴回后再导入'],
  merged: ['在合并单元格内', '取消合并，每一行都填上自己的值'],
  error: ['是错误值', '改正公式或重新填写'],
} as const

export interface SheetFault {
  readonly line: number
  readonly column: string
  readonly value: string
  readonly says: string
  readonly remedy: string
}

/**
 * A line as read. `named` holds what references are called in the sheet; `settle` turns them into values.
 * Lines count from 1, as Excel does.
 */
export interface SheetLine<T = any> {
  readonly line: number
  readonly row: Partial<T>
  readonly referenceNames: Readonly<Record<string, string>>
  readonly faults: readonly SheetFault[]
}

const normalizeHeading = (s: string): string =>
  toHalfWidth(cleanText(s))
    .replace(/[\s*:]/g, '')
    .replace(/\([^()]*\)$/, '')
    .toLowerCase()

/** Columns that our own files carry and that say nothing to an import (IMP-3). */
const ignoredHeadings = new Set(['结果', '原因', '行号', '序号', '说明'])

export interface MatchedHeadings {
  readonly headingIndex: number
  readonly columns: readonly (SheetColumn & { readonly index: number })[]
  readonly faults: readonly SheetFault[]
  readonly warnings: readonly SheetFault[]
}

/**
 * Finds the line of headings among the first ten and says which column stands where. Unknown columns warn,
 * missing required ones are faults.
 */
export function matchHeadings(sheet: SheetSchema, rows: readonly (readonly Cell[])[]): MatchedHeadings {
  const names = new Map(
    sheet.columns
      .flatMap(c =>
        [c.heading, c.field.label, ...(c.field.synonyms ?? [])].map(n => [normalizeHeading(n), c] as const),
      )
      .reverse(),
  )
  // A column's own name wins over another's synonym.
  for (const c of sheet.columns) {
    names.set(normalizeHeading(c.field.label), c)
  }
  const found = rows
    .slice(0, 10)
    .map(
      r => new Set(r.map(c => names.get(normalizeHeading(cellToText(c)))).filter(c => c !== undefined)).size,
    )
  const head = Math.max(0, found.indexOf(Math.max(...found, 0)))
  const at: (SheetColumn & { index: number })[] = []
  const faults: SheetFault[] = []
  const warnings: SheetFault[] = []
  const line = head + 1
  rows[head]?.forEach((cell, index) => {
    const said = cellToText(cell)
    const plain = normalizeHeading(said)
    const column = names.get(plain)
    if (plain === '' || ignoredHeadings.has(plain)) return
    if (!column) {
      warnings.push({
        line,
        column: said,
        value: '',
        says: `不认识「${said}」这一列，已忽略`,
        remedy: '不需要就不用管；需要则改成模板里的列名',
      })
    } else if (at.some(a => a.key === column.key)) {
      faults.push({
        line,
        column: said,
        value: '',
        says: `「${column.heading}」这一列出现了两次`,
        remedy: '只保留一列',
      })
    } else {
      at.push({ ...column, index })
    }
  })
  for (const c of sheet.columns) {
    if (c.required && !at.some(a => a.key === c.key)) {
      faults.push({
        line,
        column: c.heading,
        value: '',
        says: `缺少「${c.heading}」这一列`,
        remedy: '按模板补上这一列',
      })
    }
  }
  return { headingIndex: head, columns: at, faults, warnings }
}

const isProblemCell = (
  c: Cell,
): c is { readonly problem: keyof typeof cellProblems; readonly text?: string } =>
  typeof c === 'object' && c !== null

/** As Excel shows it: fifteen digits, no power of ten. */
const formatNumber = (n: number): string => {
  const t = String(Number(n.toPrecision(15)))
  return /e/i.test(t) ? n.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 }) : t
}

const cellToText = (c: Cell): string =>
  c === null || c === undefined
    ? ''
    : isProblemCell(c)
      ? (c.text ?? '')
      : typeof c === 'number'
        ? formatNumber(c)
        : typeof c === 'boolean'
          ? c
            ? '是'
            : '否'
          : cleanText(c)

const toHalfWidthAlphanumeric = (s: string): string =>
  s.replace(/[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/g, toHalfWidth)

/** A cell's text as its kind wants it, before it is read. */
function prepareCell(c: Cell, f: Field): string {
  if (typeof c === 'number' && (f.kind === 'day' || f.kind === 'month' || f.kind === 'moment')) {
    const said = formatNumber(c)
    if (/^\d{8}$/.test(said) || (f.kind === 'month' && /^(19|20|21)\d{4}$/.test(said))) return said
    return (f.kind === 'moment' ? momentFromExcelSerial(c) : dayFromExcelSerial(c)) ?? said
  }
  const s = cellToText(c)
  if (f.kind === 'text' && (!f.rule || f.rule.keepsSpaces)) return toHalfWidthAlphanumeric(s)
  if (f.rule?.name === 'plate') return normalizePlate(s)
  return f.kind === 'text' || f.kind === 'int' || f.kind === 'decimal' || f.kind === 'money'
    ? normalizeCode(s)
    : f.kind === 'choice' || f.kind === 'choices' || f.kind === 'ref'
      ? toHalfWidthAlphanumeric(s).trim()
      : toHalfWidth(s).trim()
}

const makeFault = (
  line: number,
  c: Pick<SheetColumn, 'heading' | 'field'>,
  value: string,
  says: string,
  remedy = correctionHints[c.field.kind](c.field),
): SheetFault => ({ line, column: c.heading, value, says, remedy })

/** Reads one line: every cell is tried, everything wrong comes back. Nothing for a line without any text. */
export function readLine<T>(
  m: MatchedHeadings,
  cells: readonly Cell[],
  line: number,
): SheetLine<T> | undefined {
  if (cells.every(c => cellToText(c) === '' && !isProblemCell(c))) return undefined
  const row: Record<string, unknown> = {}
  const named: Record<string, string> = {}
  const faults: SheetFault[] = []
  for (const c of m.columns) {
    const cell = cells[c.index]
    const f = c.field
    if (isProblemCell(cell)) {
      faults.push(
        makeFault(line, c, cell.text ?? '', cellProblems[cell.problem][0], cellProblems[cell.problem][1]),
      )
      continue
    }
    const s = prepareCell(cell, f)
    if (s === '') {
      if (f.initial !== undefined) {
        row[c.key] = f.initial
      } else if (c.required) {
        faults.push(makeFault(line, c, '', `${f.label}不能为空`))
      }
      continue
    }
    if (
      f.kind === 'text' &&
      (/^\d(\.\d+)?E\+\d+$/i.test(s) ||
        (typeof cell === 'number' && Math.abs(cell) > Number.MAX_SAFE_INTEGER))
    ) {
      faults.push(
        makeFault(line, c, s, '号码太长，已被 Excel 改成科学计数法', '把该列设为「文本」格式后重新填写'),
      )
      continue
    }
    if (f.kind === 'ref') {
      named[c.key] = s
      continue
    }
    try {
      row[c.key] = kindBehaviour[f.kind].parse(s, f)
    } catch (e) {
      if (!(e instanceof UnreadableValue)) throw e
      faults.push(makeFault(line, c, s, `${f.label}${e.message}`))
      continue
    }
    const says = validateValue(f, row[c.key])
    if (says) {
      faults.push(makeFault(line, c, s, says.startsWith(f.label) ? says : `${f.label}：${says}`))
    }
  }
  return { line, row: row as Partial<T>, referenceNames: named, faults }
}

/** All lines under the headings. */
export function readSheet<T>(
  sheet: SheetSchema<T>,
  rows: readonly (readonly Cell[])[],
): MatchedHeadings & { readonly lines: readonly SheetLine<T>[] } {
  const m = matchHeadings(sheet, rows)
  return {
    ...m,
    lines: rows
      .slice(m.headingIndex + 1)
      .flatMap((cells, i) => readLine<T>(m, cells, m.headingIndex + i + 2) ?? []),
  }
}

/** What the references of one column are called, each once: one query looks them all up. */
export const referencedNames = (lines: readonly SheetLine[], key: string): string[] => [
  ...new Set(lines.flatMap(l => l.referenceNames[key] ?? [])),
]

/** Puts the found values in place. `find` answers all records of that name; none or several are faults. */
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
            ? `有 ${found.length} 个${c.field.label}叫「${name}」`
            : `没有叫「${name}」的${c.field.label}`,
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
    const key = naturalKeyOf(sheet, l.row as Record<string, unknown>)
    const before = key === undefined ? undefined : first.get(key)
    if (key !== undefined && before === undefined) {
      first.set(key, l.line)
    }
    if (before === undefined) return []
    return [
      {
        line: l.line,
        column: columns.map(c => c.heading).join('、'),
        value: columns
          .map(c => l.referenceNames[c.key] ?? String((l.row as Record<string, unknown>)[c.key]))
          .join('、'),
        says: `与第 ${before} 行重复`,
        remedy: '保留一行，删去其余的',
      },
    ]
  })
}
