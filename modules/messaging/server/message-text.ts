import { sql, type RawBuilder } from '#kit/server/db.ts'
import { smsSignName } from '#modules/accounts/server/public.ts'

export { smsSignName }

type Sql = RawBuilder<unknown>

/** What puts a link, a number to call or a variable into a message, also in full-width characters. */
const notInNames = [
  '[:@\\\\{}<>]',
  '//',
  '[.。][^[:space:]]',
  '[0-9]{6}',
  'http|www',
  '[a-z0-9].*/|/.*[a-z0-9]',
].join('|')

/**
 * A person's name as messages have it. Others choose it: one that carries an address, a number or a variable
 * is not the name of a person, and would put a link into the message.
 */
const personName = (column: Sql): Sql => sql`case
  when coalesce(${column}, '') = '' or normalize(${column}, NFKC) ~* ${notInNames} then '住户'::text
  else left(${column}, 30)
  end`

/** Rooms and projects have the names that the company gave them: whole, but for links. */
const ownName = (column: Sql): Sql => sql`left(
  regexp_replace(coalesce(${column}, ''), '[[:cntrl:]]|https?:[^[:space:]]*|//[^[:space:]]*|www[.][^[:space:]]*', '', 'gi'),
  100
)`

const commonContentSql = (text: Sql): Sql => sql`replace(
  replace(
    replace(${text}, '{name}', ${personName(sql`c.name`)}),
    '{room}', ${ownName(sql`c.room`)}
  ),
  '{project}', ${ownName(sql`e.name`)}
)`

/** What a company's own file fills in: like its names, and never a variable itself. */
const fileValue = (row: Sql, name: string): Sql =>
  sql`translate(${ownName(sql`${row}.variables ->> ${name}::text`)}, '{}', '')`

/**
 * A text with the variables of the row `c` of its receiver and of the project `e` filled in, and those that
 * the receiver's line of a file has.
 */
export const contentSql = (text: Sql, fileVariables: readonly string[] = []): Sql =>
  fileVariables.reduce(
    (content, name) =>
      sql`replace(${content}, ${`{${name}}`}::text, coalesce(${fileValue(sql`c`, name)}, ''))`,
    commonContentSql(text),
  )

const variableSql = (row: Sql, name: string): Sql =>
  name === 'room' ? ownName(sql`${row}.room`) : fileValue(row, name)

/** Whether one of the variables has no value in the row of a receiver, and would leave a hole in the text. */
export const missesVariable = (row: Sql, names: readonly string[]): Sql =>
  names.length
    ? sql.join(
        names.map(name => sql`btrim(coalesce(${variableSql(row, name)}, '')) = ''`),
        sql` or `,
      )
    : sql`false`

/** The parameters of a template, filled in alike; null where there are none. */
export const paramsSql = (params: Readonly<Record<string, string>> | undefined): Sql =>
  params && Object.keys(params).length
    ? sql`jsonb_build_object(${sql.join(
        Object.entries(params).flatMap(([key, value]) => [
          sql`${key}::text`,
          contentSql(sql`${value}::text`),
        ]),
      )})`
    : sql`null::jsonb`

/** SMS-1, as `segmentsOf` counts: the signature is part of the text, and a rare character counts twice. */
export const segmentsSql = (content: Sql, signName: string): Sql => {
  const signature = `【${signName}】`.length
  const length = sql`(
    char_length(${content}) + regexp_count(${content}, '[\\U00010000-\\U0010ffff]') + ${signature}::integer
  )`
  return sql`case when ${length} <= 70 then 1 else ceil(${length} / 67.0)::integer end`
}
