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
  /** What the template's drop-down offers; of references the server adds the live ones (IMP-7). */
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

const optionsOf = (field: Field): readonly string[] | undefined =>
  field.kind === 'flag'
    ? ['是', '否']
    : field.kind === 'choice'
      ? Object.values(defined(field.choices).rows).map(r => r[1])
      : undefined

export const headingOf = (field: Field): string =>
  field.unit ? `${field.label}（${field.unit}）` : field.label

/** Columns of the asked keys, or of all that belong in a sheet. Keys that are not there are left out. */
export const sheetColumns = (
  fields: Fields,
  keys: readonly string[] = Object.keys(fields).filter(
    key => isSheetField(defined(fields[key])) && !hasLookupColumn(fields, key),
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

/** A reference whose name is in the sheet already (`buildCode` beside `buildName`). */
const hasLookupColumn = (fields: Fields, key: string): boolean =>
  Object.values(fields).some(field => field.lookup?.[0] === key && isSheetField(field))

const isSheetField = (field: Field): boolean =>
  !field.hiddenIn?.includes('sheet') &&
  !['id', 'lines', 'part', 'file'].includes(field.kind) &&
  (!field.derived || field.lookup !== undefined)

/** The sheet of a draft: what its import reads, what its template asks. */
export function sheetSchemaOf<T>(
  label: string,
  source: Shape<T> | { readonly fields: Fields },
  about: {
    readonly keys?: readonly (keyof T & string)[]
    readonly unique?: readonly (keyof T & string)[]
  } = {},
): SheetSchema<T> {
  const stored = Object.fromEntries(Object.entries(source.fields).filter(([, field]) => !field.derived))
  return { label, columns: sheetColumns(stored, about.keys), unique: about.unique ?? [] }
}

/** What to write instead, by kind. */
export const correctionHints: Record<FieldKind, (field: Field) => string> = {
  id: () => '填整数',
  text: field => field.help ?? (field.max ? `不超过 ${field.max} 个字` : '重新填写'),
  int: () => '填整数，不带单位',
  decimal: field => `填数字，最多 ${field.scale ?? 4} 位小数，不带单位`,
  money: () => '填金额，最多两位小数，不带单位',
  day: () => '填 2026-02-28 这样的日期',
  moment: () => '填 2026-02-28 09:12 这样的时间',
  month: () => '填 2026-02 这样的月份',
  flag: () => '填 是 或 否',
  choice: field => `填 ${defined(optionsOf(field)).join('、')} 之一`,
  choices: field =>
    `从 ${Object.values(defined(field.choices).rows)
      .map(r => r[1])
      .join('、')} 中选，用逗号分隔`,
  ref: field => `填已有的名称，或先新增该${field.label}`,
  list: () => '多个用逗号分隔',
  lines: () => '在系统中填写',
  part: () => '在系统中填写',
  file: () => '在系统中上传',
}

/** How to fill a column, for the template's notes. */
export const columnHelp = (column: SheetColumn): string =>
  column.field.help
    ? `${correctionHints[column.field.kind](column.field)}；${column.field.help}`.replace(
        `${column.field.help}；${column.field.help}`,
        column.field.help,
      )
    : correctionHints[column.field.kind](column.field)

// ---------------------------------------------------------------- out

const isPercent = (field: Field): boolean =>
  field.percent === true || (field.kind === 'decimal' && field.unit === '%')

/** How Excel shows what is exported: days, months and shares as such; amounts and areas with thousands. */
const exportFormatOf = (field: Field): string | undefined => {
  if (field.kind === 'day') return 'yyyy-mm-dd'
  if (field.kind === 'month') return 'yyyy-mm'
  if (field.kind === 'moment') return 'yyyy-mm-dd hh:mm'
  if (isPercent(field)) return '0.00%'
  if (field.kind === 'money' || (field.kind === 'decimal' && field.unit === '㎡')) return '#,##0.00'
  return numberFormats[field.kind]
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
const cellValueByKind: Record<FieldKind, (value: any, field: Field) => string | number> = {
  id: value => value,
  int: value => value,
  money: value => value / 100,
  // Excel keeps 15 digits; longer ones stay text so that nothing is rounded behind people's backs.
  decimal: value => (String(value).replace(/\D/g, '').length > 15 ? value : Number(value)),
  text: value => value,
  file: value => value,
  day: value => value,
  month: value => value,
  moment: value => value,
  ref: value => value,
  flag: (value, field) => kindBehaviour.flag.format(value, field),
  choice: (value, field) => kindBehaviour.choice.format(value, field),
  choices: (value, field) => kindBehaviour.choices.format(value, field),
  list: (value, field) => kindBehaviour.list.format(value, field),
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
  { mask = false }: { readonly mask?: boolean } = {},
): (string | number | undefined)[] =>
  columns.map(({ key, field }) => {
    const value = row[key]
    if (value === undefined || value === null) return undefined
    return mask && field.masked
      ? maskByKind[field.masked](String(value))
      : cellValueByKind[field.kind](value, field)
  })

const serialOfDay = (value: string): string | number =>
  isDay(value) ? (excelSerialOf(value) ?? value) : value

const exportValueByKind: Partial<Record<FieldKind, (value: string) => string | number>> = {
  day: serialOfDay,
  // Excel has no months: the first day of one, shown without it.
  month: value => (isMonth(value) ? serialOfDay(firstDay(value)) : value),
  moment: value => (isMoment(value) ? (excelSerialOfMoment(value) ?? value) : value),
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
  { mask = false }: { readonly mask?: boolean } = {},
): (string | number | undefined)[] =>
  formatSheetRow(columns, row, { mask }).map((cell, i) => {
    const { field } = defined(columns[i])
    if (cell === undefined) return undefined
    if (isPercent(field)) return percentNumber(cell)
    return typeof cell === 'string' ? (exportValueByKind[field.kind]?.(cell) ?? cell) : cell
  })
