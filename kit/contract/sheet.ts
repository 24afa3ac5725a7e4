import { excelSerialOf, isDay } from '#kit/domain/day.ts'
import { firstDay, isMonth } from '#kit/domain/month.ts'
import { defined } from '#kit/domain/defined.ts'
import { excelSerialOfMoment, isMoment } from '#kit/domain/moment.ts'
import type { Field, Fields, FieldKind } from './field.ts'
import type { Shape } from './shape.ts'
import { maskByKind } from './text.ts'
import { kindBehaviour } from './value.ts'

/** IMP-2, EXP-2, EXP-3, EXP-5: shown before an upload and enforced by the server. */
export const sheetLimits = {
  bytes: 10 * 1024 * 1024,
  rows: 20_000,
  types: ['xlsx', 'xls', 'csv'],
  directRows: 2000,
  xlsxRows: 50_000,
  retentionDays: 7,
  maxListed: 2000,
} as const

/** What the last line of an exported sheet begins with; an import leaves that line out. */
export const totalsLabel = '合计'

/** One column of a sheet, found by its heading, never by its position: people move columns. */
export interface SheetColumn {
  readonly key: string
  readonly heading: string
  readonly field: Field
  readonly required: boolean
  /** Excel's number format. */
  readonly format: string | undefined
  /** In characters of a half width. */
  readonly width: number
  /** What the template's pull-down offers; of references the server adds the live ones (IMP-7). */
  readonly options: readonly string[] | undefined
}

export interface SheetSchema<T = any> {
  readonly label: string
  readonly columns: readonly SheetColumn[]
  /** The natural key: lines that agree in all of these are duplicates (IMP-6). */
  readonly unique: readonly string[]
  readonly T?: T
}

const numberFormats: Partial<Record<FieldKind, string>> = {
  money: '0.00',
  text: '@',
  file: '@',
  list: '@',
  day: '@',
  month: '@',
  moment: '@',
}

const columnWidths: Record<FieldKind, number> = {
  id: 10,
  text: 18,
  int: 10,
  decimal: 12,
  money: 14,
  day: 12,
  moment: 18,
  month: 10,
  flag: 8,
  choice: 12,
  choices: 18,
  ref: 16,
  list: 20,
  lines: 8,
  part: 8,
  file: 20,
}

const optionsOf = (f: Field): readonly string[] | undefined =>
  f.kind === 'flag'
    ? ['是', '否']
    : f.kind === 'choice'
      ? Object.values(defined(f.choices).rows).map(r => r[1])
      : undefined

export const headingOf = (f: Field): string => (f.unit ? `${f.label}（${f.unit}）` : f.label)

/** Columns of the asked keys, or of all that belong in a sheet. Keys that are not there are left out. */
export const sheetColumns = (
  fields: Fields,
  keys: readonly string[] = Object.keys(fields).filter(
    k => isSheetField(defined(fields[k])) && !hasLookupColumn(fields, k),
  ),
): SheetColumn[] =>
  keys.flatMap(key => {
    const field = fields[key]
    return field
      ? [
          {
            key,
            field,
            heading: headingOf(field),
            required: field.required && field.initial === undefined,
            format: numberFormats[field.kind],
            width: Math.max(columnWidths[field.kind], headingOf(field).length * 2 + 2),
            options: optionsOf(field),
          },
        ]
      : []
  })

/** A reference whose name stands in the sheet already (`buildCode` beside `buildName`). */
const hasLookupColumn = (fields: Fields, key: string): boolean =>
  Object.values(fields).some(f => f.lookup?.[0] === key && isSheetField(f))

const isSheetField = (f: Field): boolean =>
  !f.hiddenIn?.includes('sheet') &&
  !['id', 'lines', 'part', 'file'].includes(f.kind) &&
  (!f.derived || f.lookup !== undefined)

/** The sheet of a draft: what its import reads, what its template asks. */
export function sheetSchemaOf<T>(
  label: string,
  source: Shape<T> | { readonly fields: Fields },
  about: {
    readonly keys?: readonly (keyof T & string)[]
    readonly unique?: readonly (keyof T & string)[]
  } = {},
): SheetSchema<T> {
  const stored = Object.fromEntries(Object.entries(source.fields).filter(([, f]) => !f.derived))
  return { label, columns: sheetColumns(stored, about.keys), unique: about.unique ?? [] }
}

/** What to write instead, by kind. */
export const correctionHints: Record<FieldKind, (f: Field) => string> = {
  id: () => '填整数',
  text: f => f.help ?? (f.max ? `不超过 ${f.max} 个字` : '重新填写'),
  int: () => '填整数，不带单位',
  decimal: f => `填数字，最多 ${f.scale ?? 4} 位小数，不带单位`,
  money: () => '填金额，最多两位小数，不带单位',
  day: () => '填 2026-02-28 这样的日期',
  moment: () => '填 2026-02-28 09:12 这样的时间',
  month: () => '填 2026-02 这样的月份',
  flag: () => '填 是 或 否',
  choice: f => `填 ${defined(optionsOf(f)).join('、')} 之一`,
  choices: f =>
    `从 ${Object.values(defined(f.choices).rows)
      .map(r => r[1])
      .join('、')} 中选，用逗号分隔`,
  ref: f => `先在系统中新增该${f.label}，或改成已有的名称`,
  list: () => '多个用逗号分隔',
  lines: () => '在系统中填写',
  part: () => '在系统中填写',
  file: () => '在系统中上传',
}

/** How to fill a column, for the template's notes. */
export const columnHelp = (c: SheetColumn): string =>
  c.field.help
    ? `${correctionHints[c.field.kind](c.field)}；${c.field.help}`.replace(
        `${c.field.help}；${c.field.help}`,
        c.field.help,
      )
    : correctionHints[c.field.kind](c.field)

// ---------------------------------------------------------------- out

const isPercent = (f: Field): boolean => f.percent === true || (f.kind === 'decimal' && f.unit === '%')

/** How Excel shows what is exported: days, months and shares as such; amounts and areas with thousands. */
const exportFormatOf = (f: Field): string | undefined => {
  if (f.kind === 'day') return 'yyyy-mm-dd'
  if (f.kind === 'month') return 'yyyy-mm'
  if (f.kind === 'moment') return 'yyyy-mm-dd hh:mm'
  if (isPercent(f)) return '0.00%'
  if (f.kind === 'money' || (f.kind === 'decimal' && f.unit === '㎡')) return '#,##0.00'
  return numberFormats[f.kind]
}

/** Columns of an export: none is marked as required, figures are shown as what they are. */
export const exportColumns = (columns: readonly SheetColumn[]): SheetColumn[] =>
  columns.map(column => ({
    ...column,
    required: false,
    format: exportFormatOf(column.field),
    ...(isPercent(column.field) && column.heading === headingOf(column.field)
      ? { heading: column.field.label }
      : {}),
  }))

/** Cells by kind: figures as numbers, everything else as text. */
const cellValueByKind: Record<FieldKind, (v: any, f: Field) => string | number> = {
  id: v => v,
  int: v => v,
  money: v => v / 100,
  // Excel keeps 15 digits; longer ones stay text so that nothing is rounded behind people's backs.
  decimal: v => (String(v).replace(/\D/g, '').length > 15 ? v : Number(v)),
  text: v => v,
  file: v => v,
  day: v => v,
  month: v => v,
  moment: v => v,
  ref: v => v,
  flag: (v, f) => kindBehaviour.flag.format(v, f),
  choice: (v, f) => kindBehaviour.choice.format(v, f),
  choices: (v, f) => kindBehaviour.choices.format(v, f),
  list: (v, f) => kindBehaviour.list.format(v, f),
  lines: () => '',
  part: () => '',
}

/**
 * One row's cells; nothing is an empty cell. `mask` hides people's data from those who may not see it
 * (EXP-4).
 */
export const formatSheetRow = (
  columns: readonly SheetColumn[],
  row: Readonly<Record<string, unknown>>,
  mask = false,
): (string | number | undefined)[] =>
  columns.map(({ key, field }) => {
    const v = row[key]
    if (v === undefined || v === null) return undefined
    return mask && field.masked ? maskByKind[field.masked](String(v)) : cellValueByKind[field.kind](v, field)
  })

const serialOfDay = (v: string): string | number => (isDay(v) ? (excelSerialOf(v) ?? v) : v)

const exportValueByKind: Partial<Record<FieldKind, (v: string) => string | number>> = {
  day: serialOfDay,
  // Excel has no months: the first day of one, shown without it.
  month: v => (isMonth(v) ? serialOfDay(firstDay(v)) : v),
  moment: v => (isMoment(v) ? (excelSerialOfMoment(v) ?? v) : v),
}

/** `95.23%` as the number behind it; a text that says none stays as it is. */
const percentNumber = (cell: string | number): string | number => {
  const shown = typeof cell === 'number' ? cell : Number(/^(-?\d+(?:\.\d+)?)%$/.exec(cell)?.[1] ?? NaN)
  return Number.isNaN(shown) ? cell : Number((shown / 100).toPrecision(12))
}

/** The same with days, months and shares as Excel's numbers, for columns of `exportColumns`. */
export const formatExportRow = (
  columns: readonly SheetColumn[],
  row: Readonly<Record<string, unknown>>,
  mask = false,
): (string | number | undefined)[] =>
  formatSheetRow(columns, row, mask).map((cell, i) => {
    const { field } = defined(columns[i])
    if (cell === undefined) return undefined
    if (isPercent(field)) return percentNumber(cell)
    return typeof cell === 'string' ? (exportValueByKind[field.kind]?.(cell) ?? cell) : cell
  })
