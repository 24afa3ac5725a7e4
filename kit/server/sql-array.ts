import { sql, type RawBuilder } from './db.ts'

type ArrayValue = string | number | boolean | null

/**
 * An array as PostgreSQL reads it; the driver inspects each value, which is a large part of what writing many
 * rows costs this process.
 */
const arrayLiteral = (type: string, values: readonly ArrayValue[]): string => {
  const quote = type === 'text' ? quoteText : String
  return `{${values.map(value => (value === null ? 'NULL' : quote(value))).join(',')}}`
}

const quoteText = (value: ArrayValue): string => {
  const text = String(value)
  return `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`
}

/**
 * JSON text holds no control character, so that one parts the documents: nothing in them is escaped a second
 * time.
 */
const documentSeparator = '\u001e'

/**
 * One column of many rows, for `unnest`: values of a PostgreSQL type whose texts need no quotes (numbers,
 * dates, booleans), `text`, or `jsonb` as JSON text. Written so, rows reach the database at less than half
 * the cost of rows as JSON.
 */
export const sqlArray = (type: string, values: readonly ArrayValue[]): RawBuilder<unknown> =>
  type === 'jsonb' && values.some(v => v !== null)
    ? sql`string_to_array(${values.map(v => v ?? '').join(documentSeparator)}::text, ${documentSeparator}::text, '')::jsonb[]`
    : sql`${arrayLiteral(type, values)}::${sql.raw(type)}[]`
