import { dayFromExcelSerial } from '#kit/domain/day.ts'
import { momentFromExcelSerial } from '#kit/domain/moment.ts'
import type { Field } from '../field.ts'
import { cleanText, normalizeCode, toHalfWidth } from '../text.ts'

export const cellProblems = {
  formula: ['是公式', '复制该列，用「选择性粘贴 › 值」贴回后再导入'],
  merged: ['在合并单元格内', '取消合并，每一行分别填写'],
  error: ['是错误值', '改正公式或重新填写'],
} as const

interface ProblemCell {
  readonly problem: keyof typeof cellProblems
  readonly text?: string
}

/**
 * What a reader hands over per cell: text, number, boolean, nothing. Days as `yyyy-MM-dd[ HH:mm:ss]` or as
 * Excel's number. A formula, a merged area or an error value is handed over as such and refused (IMP-5).
 */
export type Cell = string | number | boolean | null | undefined | ProblemCell

export const isProblemCell = (cell: Cell): cell is ProblemCell => typeof cell === 'object' && cell !== null

/** The number as Excel shows it: fifteen digits, without an exponent. */
const formatNumber = (n: number): string => {
  const text = String(Number(n.toPrecision(15)))
  return /e/i.test(text) ? n.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 }) : text
}

export function cellToText(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (isProblemCell(cell)) return cell.text ?? ''
  if (typeof cell === 'number') return formatNumber(cell)
  if (typeof cell === 'boolean') return cell ? '是' : '否'
  return cleanText(cell)
}

const toHalfWidthAlphanumeric = (text: string): string =>
  text.replace(/[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/g, toHalfWidth)

/** A number in a column of days: `20260131` (or `202601` for a month) as it is, else Excel's serial. */
function dateTextOf(n: number, kind: Field['kind']): string {
  const text = formatNumber(n)
  if (/^\d{8}$/.test(text) || (kind === 'month' && /^(19|20|21)\d{4}$/.test(text))) return text
  return (kind === 'moment' ? momentFromExcelSerial(n) : dayFromExcelSerial(n)) ?? text
}

/** A cell's text as its kind wants it, before it is read. */
export function prepareCell(cell: Cell, field: Field): string {
  const { kind, rule } = field
  if (typeof cell === 'number' && (kind === 'day' || kind === 'month' || kind === 'moment'))
    return dateTextOf(cell, kind)
  const text = cellToText(cell)
  if (kind === 'text' && (!rule || rule.keepsSpaces)) return toHalfWidthAlphanumeric(text)
  if (rule?.normalize) return rule.normalize(text)
  if (kind === 'text' || kind === 'int' || kind === 'decimal' || kind === 'money') return normalizeCode(text)
  if (kind === 'choice' || kind === 'choices' || kind === 'ref') return toHalfWidthAlphanumeric(text).trim()
  return toHalfWidth(text).trim()
}
