import { correctionHints, type SheetColumn } from '../sheet.ts'
import { UnreadableValue, kindBehaviour, validateValue } from '../value.ts'
import type { Field } from '../field.ts'
import { countCharacters } from '../text.ts'
import { cellProblems, cellToText, isProblemCell, prepareCell, type Cell } from './cell.ts'
import type { MatchedHeadings } from './headings.ts'

export interface SheetFault {
  readonly line: number
  readonly column: string
  readonly value: string
  readonly message: string
  readonly remedy: string
}

/**
 * A line as read. `referenceNames` holds what references are called in the sheet; `resolveReferences` turns
 * them into values. Lines count from 1, as Excel does.
 */
export interface SheetLine<T = unknown> {
  readonly line: number
  readonly row: Partial<T>
  readonly referenceNames: Readonly<Record<string, string>>
  /** The cells as typed, by key: what a message about the line shows. */
  readonly texts: Readonly<Record<string, string>>
  readonly faults: readonly SheetFault[]
}

/** What to do about a text that is missing, too long or not as its rule asks. */
function textRemedy(field: Field, text: string): string {
  const length = countCharacters(text)
  if (length === 0) return `填写${field.label}`
  if (field.max !== undefined && length > field.max) return `改成不超过 ${field.max} 个字`
  if (field.rule?.hint) return `按格式填写：${field.rule.hint}`
  return field.help ?? '改正后重新填写'
}

export const remedyFor = (field: Field, text: string): string => {
  if (field.kind === 'text') return textRemedy(field, text)
  return text === '' && field.kind === 'ref' ? `填写${field.label}` : correctionHints[field.kind](field)
}

export const makeFault = (
  line: number,
  column: Pick<SheetColumn, 'heading' | 'field'>,
  value: string,
  message: string,
  remedy = remedyFor(column.field, value),
): SheetFault => ({ line, column: column.heading, value, message, remedy })

/** A number that Excel has rounded, or written with a power of ten: its last digits are lost. */
const isRoundedByExcel = (cell: Cell, text: string): boolean =>
  /^\d(\.\d+)?E\+\d+$/i.test(text) || (typeof cell === 'number' && Math.abs(cell) > Number.MAX_SAFE_INTEGER)

type CellReading =
  | { readonly value: unknown; readonly fault?: SheetFault }
  | { readonly referenceName: string }
  | { readonly fault: SheetFault }
  | undefined

/** One cell: its value, the name of the record it refers to, what is wrong with it; nothing when empty. */
function readCell(cell: Cell, column: SheetColumn, line: number): CellReading {
  const { field } = column
  if (isProblemCell(cell)) {
    const [message, remedy] = cellProblems[cell.problem]
    return { fault: makeFault(line, column, cell.text ?? '', message, remedy) }
  }
  const text = prepareCell(cell, field)
  if (text === '') {
    if (field.initial !== undefined) return { value: field.initial }
    return column.required ? { fault: makeFault(line, column, '', `${field.label}不能为空`) } : undefined
  }
  if (field.kind === 'text' && isRoundedByExcel(cell, text)) {
    const remedy = '把该列设为「文本」格式后重新填写'
    return { fault: makeFault(line, column, text, '号码太长，已被 Excel 改成科学计数法', remedy) }
  }
  if (field.kind === 'ref') return { referenceName: text }
  try {
    const value = kindBehaviour[field.kind].parse(text, field)
    const message = validateValue(field, value)
    if (!message) return { value }
    const named = message.startsWith(field.label) ? message : `${field.label}：${message}`
    return { value, fault: makeFault(line, column, text, named) }
  } catch (e) {
    if (!(e instanceof UnreadableValue)) throw e
    return { fault: makeFault(line, column, text, `${field.label}${e.message}`) }
  }
}

/** Reads one line: every cell is tried, everything wrong comes back. Nothing for a line without any text. */
export function readLine<T>(
  headings: MatchedHeadings,
  cells: readonly Cell[],
  line: number,
): SheetLine<T> | undefined {
  if (cells.every(cell => cellToText(cell) === '' && !isProblemCell(cell))) return undefined
  const row: Record<string, unknown> = {}
  const referenceNames: Record<string, string> = {}
  const texts: Record<string, string> = {}
  const faults: SheetFault[] = []
  for (const column of headings.columns) {
    const cell = cells[column.index]
    const reading = readCell(cell, column, line)
    if (!reading) continue
    texts[column.key] = isProblemCell(cell) ? (cell.text ?? '') : prepareCell(cell, column.field)
    if ('value' in reading) {
      row[column.key] = reading.value
    }
    if ('referenceName' in reading) {
      referenceNames[column.key] = reading.referenceName
    } else if (reading.fault) {
      faults.push(reading.fault)
    }
  }
  // The columns are the schema's own: what they parse is the row's type.
  return { line, row: row as Partial<T>, referenceNames, texts, faults }
}
