import { dayOfSerial } from '#kit/domain/day.ts'
import { momentOfSerial } from '#kit/domain/moment.ts'
import type { Field } from './field.ts'
import { remedies, type Sheet, type SheetColumn } from './sheet.ts'
import { asCode, clean, halfWidth, plateOf } from './text.ts'
import { Unreadable, fault, manners } from './value.ts'

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
  | { readonly odd: keyof typeof oddities; readonly text?: string }

export const oddities = {
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
export interface Line<T = any> {
  readonly line: number
  readonly row: Partial<T>
  readonly named: Readonly<Record<string, string>>
  readonly faults: readonly SheetFault[]
}

const plainHeading = (s: string): string =>
  halfWidth(clean(s))
    .replace(/[\s*:]/g, '')
    .replace(/\([^()]*\)$/, '')
    .toLowerCase()

/** Columns that our own files carry and that say nothing to an import (IMP-3). */
const ours = new Set(['结果', '原因', '行号', '序号', '说明'])

export interface Matched {
  readonly head: number
  readonly at: readonly (SheetColumn & { readonly index: number })[]
  readonly faults: readonly SheetFault[]
  readonly warnings: readonly SheetFault[]
}

/**
 * Finds the line of headings among the first ten and says which column stands where. Unknown columns warn,
 * missing required ones are faults.
 */
export function matchHeadings(sheet: Sheet, rows: readonly (readonly Cell[])[]): Matched {
  const names = new Map(
    sheet.columns
      .flatMap(c =>
        [c.heading, c.field.label, ...(c.field.synonyms ?? [])].map(n => [plainHeading(n), c] as const),
      )
      .reverse(),
  )
  // A column's own name wins over another's synonym.
  for (const c of sheet.columns) {
    names.set(plainHeading(c.field.label), c)
  }
  const found = rows
    .slice(0, 10)
    .map(r => new Set(r.map(c => names.get(plainHeading(textOf(c)))).filter(c => c !== undefined)).size)
  const head = Math.max(0, found.indexOf(Math.max(...found, 0)))
  const at: (SheetColumn & { index: number })[] = []
  const faults: SheetFault[] = []
  const warnings: SheetFault[] = []
  const line = head + 1
  rows[head]?.forEach((cell, index) => {
    const said = textOf(cell)
    const plain = plainHeading(said)
    const column = names.get(plain)
    if (plain === '' || ours.has(plain)) return
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
  return { head, at, faults, warnings }
}

const isOdd = (c: Cell): c is { readonly odd: keyof typeof oddities; readonly text?: string } =>
  typeof c === 'object' && c !== null

/** As Excel shows it: fifteen digits, no power of ten. */
const digits = (n: number): string => {
  const t = String(Number(n.toPrecision(15)))
  return /e/i.test(t) ? n.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 }) : t
}

const textOf = (c: Cell): string =>
  c === null || c === undefined
    ? ''
    : isOdd(c)
      ? (c.text ?? '')
      : typeof c === 'number'
        ? digits(c)
        : typeof c === 'boolean'
          ? c
            ? '是'
            : '否'
          : clean(c)

const halfDigits = (s: string): string => s.replace(/[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/g, halfWidth)

/** A cell's text as its kind wants it, before it is read. */
function prepared(c: Cell, f: Field): string {
  if (typeof c === 'number' && (f.kind === 'day' || f.kind === 'month' || f.kind === 'moment')) {
    const said = digits(c)
    if (/^\d{8}$/.test(said) || (f.kind === 'month' && /^(19|20|21)\d{4}$/.test(said))) return said
    return (f.kind === 'moment' ? momentOfSerial(c) : dayOfSerial(c)) ?? said
  }
  const s = textOf(c)
  if (f.kind === 'text' && (!f.rule || f.rule.words)) return halfDigits(s)
  if (f.rule?.name === 'plate') return plateOf(s)
  return f.kind === 'text' || f.kind === 'int' || f.kind === 'decimal' || f.kind === 'money'
    ? asCode(s)
    : f.kind === 'choice' || f.kind === 'choices' || f.kind === 'ref'
      ? halfDigits(s).trim()
      : halfWidth(s).trim()
}

const made = (
  line: number,
  c: Pick<SheetColumn, 'heading' | 'field'>,
  value: string,
  says: string,
  remedy = remedies[c.field.kind](c.field),
): SheetFault => ({ line, column: c.heading, value, says, remedy })

/** Reads one line: every cell is tried, everything wrong comes back. Nothing for a line without any text. */
export function readLine<T>(m: Matched, cells: readonly Cell[], line: number): Line<T> | undefined {
  if (cells.every(c => textOf(c) === '' && !isOdd(c))) return undefined
  const row: Record<string, unknown> = {}
  const named: Record<string, string> = {}
  const faults: SheetFault[] = []
  for (const c of m.at) {
    const cell = cells[c.index]
    const f = c.field
    if (isOdd(cell)) {
      faults.push(made(line, c, cell.text ?? '', oddities[cell.odd][0], oddities[cell.odd][1]))
      continue
    }
    const s = prepared(cell, f)
    if (s === '') {
      if (f.initial !== undefined) {
        row[c.key] = f.initial
      } else if (c.required) {
        faults.push(made(line, c, '', `${f.label}不能为空`))
      }
      continue
    }
    if (
      f.kind === 'text' &&
      (/^\d(\.\d+)?E\+\d+$/i.test(s) ||
        (typeof cell === 'number' && Math.abs(cell) > Number.MAX_SAFE_INTEGER))
    ) {
      faults.push(made(line, c, s, '号码太长，已被 Excel 改成科学计数法', '把该列设为「文本」格式后重新填写'))
      continue
    }
    if (f.kind === 'ref') {
      named[c.key] = s
      continue
    }
    try {
      row[c.key] = manners[f.kind].read(s, f)
    } catch (e) {
      if (!(e instanceof Unreadable)) throw e
      faults.push(made(line, c, s, `${f.label}${e.message}`))
      continue
    }
    const says = fault(f, row[c.key])
    if (says) {
      faults.push(made(line, c, s, says.startsWith(f.label) ? says : `${f.label}：${says}`))
    }
  }
  return { line, row: row as Partial<T>, named, faults }
}

/** All lines under the headings. */
export function readSheet<T>(
  sheet: Sheet<T>,
  rows: readonly (readonly Cell[])[],
): Matched & { readonly lines: readonly Line<T>[] } {
  const m = matchHeadings(sheet, rows)
  return {
    ...m,
    lines: rows.slice(m.head + 1).flatMap((cells, i) => readLine<T>(m, cells, m.head + i + 2) ?? []),
  }
}

/** What the references of one column are called, each once: one query looks them all up. */
export const wanted = (lines: readonly Line[], key: string): string[] => [
  ...new Set(lines.flatMap(l => l.named[key] ?? [])),
]

/** Puts the found values in place. `find` answers all records of that name; none or several are faults. */
export function settle<T>(
  m: Matched,
  l: Line<T>,
  find: (key: string, named: string, row: Partial<T>) => readonly unknown[],
): Line<T> {
  const row: Record<string, unknown> = { ...l.row }
  const faults = [...l.faults]
  for (const c of m.at) {
    const name = l.named[c.key]
    if (name === undefined) continue
    const found = find(c.key, name, row as Partial<T>)
    if (found.length === 1) {
      row[c.key] = found[0]
    } else {
      faults.push(
        made(
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
export const naturalKey = (sheet: Sheet, row: Readonly<Record<string, unknown>>): string | undefined =>
  sheet.unique.length && sheet.unique.every(k => row[k] !== undefined)
    ? JSON.stringify(sheet.unique.map(k => String(row[k]).toUpperCase()))
    : undefined

/** Lines that repeat an earlier one's natural key (IMP-6); the first stays good. */
export function repeated(sheet: Sheet, lines: readonly Line[]): SheetFault[] {
  const first = new Map<string, number>()
  const columns = sheet.columns.filter(c => sheet.unique.includes(c.key))
  return lines.flatMap(l => {
    const key = naturalKey(sheet, l.row as Record<string, unknown>)
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
          .map(c => l.named[c.key] ?? String((l.row as Record<string, unknown>)[c.key]))
          .join('、'),
        says: `与第 ${before} 行重复`,
        remedy: '保留一行，删去其余的',
      },
    ]
  })
}
