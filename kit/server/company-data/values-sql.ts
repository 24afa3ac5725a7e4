import type { PlannedColumn } from './plan.ts'

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`

/**
 * Texts that a spreadsheet would run as a formula, or show as a date or a shorter number. A tab is before
 * them in the file; the import takes one tab off, so that every text comes back as it was.
 */
const guardedText = String.raw`^[=+\-@\t\r＝＋－＠]|^(0\d+|\d{12,}|\d{1,4}[-/]\d{1,2}|\d+e\d+)$`

/** The column of `t` as it is in the file. */
export function exportedValue({ name, type, codes }: PlannedColumn): string {
  const column = `t.${quoteName(name)}`
  if (type === 'boolean') return `case when ${column} then '是' when not ${column} then '否' end`
  if (type === 'text')
    return `case when ${column} ~* ${quoteText(guardedText)} then E'\\t' || ${column} else ${column} end`
  if (!codes?.length) return column
  const cases = codes.map(([code, label]) => `when ${code} then ${quoteText(`${code} ${label}`)}`)
  return `case ${column} ${cases.join(' ')} else ${column}::text end`
}

/** The text of a file's field `value` as the column's value again. */
export function importedValue({ type, codes }: Pick<PlannedColumn, 'type' | 'codes'>, value: string): string {
  if (type === 'boolean')
    return `case ${value} when '是' then true when '否' then false else ${value}::boolean end`
  if (type === 'text')
    return `case when left(${value}, 1) = E'\\t' then substr(${value}, 2) else ${value} end`
  return codes ? `split_part(${value}, ' ', 1)::${type}` : `${value}::${type}`
}

/** What is in a column that must have a value, and whose own stayed behind. */
export function emptyValue(type: string): string {
  if (type === 'text') return `''`
  if (type === 'bytea') return `'\\x'::bytea`
  if (type === 'boolean') return 'false'
  if (type.startsWith('json')) return `'{}'::${type}`
  if (type.endsWith('[]')) return `'{}'::${type}`
  if (type.startsWith('timestamp')) return `'epoch'::${type}`
  return `0::${type}`
}
