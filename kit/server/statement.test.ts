import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { queryBuilder, compileStatement } from './statement.ts'

const columnList = sql.join(['a', 'b "quoted"'].map(k => sql`${sql.ref(`t.${k}`)} as ${sql.id(k)}`))

const statements = {
  'values, nested': sql`select ${1}, ${sql`x = ${'y'} and ${sql.raw('now()')}`}, ${null}, ${[1, 2]}`,
  'a list of columns, expected twice': sql`
    select ${columnList}
    from ${sql.table('public.some_thing')} as t
    where a = ${7}
    union
    select ${columnList}
    from ${sql.table('other')}
  `,
  'joined, empty and not': sql`select 1 where a in (${sql.join([1, 2, 3])}) ${sql.join([])}`,
  'immediate values': sql`select ${sql.lit(5)}, ${3}`,
  'the builder inside': sql`
    with x as (${queryBuilder<{ t: { a: number } }>().selectFrom('t').select('a').where('a', '=', 4)})
    select *
    from x
    where b = ${2}
  `,
} as const

it.each(Object.entries(statements))('writes templates as the builder’s own compiler does: %s', (_, q) => {
  const expected = q.compile(queryBuilder())
  for (let i = 0; i < 2; i++) {
    expect(compileStatement(q)).toMatchObject({ sql: expected.sql, parameters: expected.parameters })
  }
})
