import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { builder, compiled } from './compiled.ts'

const long = sql.join(['a', 'b "quoted"'].map(k => sql`${sql.ref(`t.${k}`)} as ${sql.id(k)}`))

const asks = {
  'values, nested': sql`select ${1}, ${sql`x = ${'y'} and ${sql.raw('now()')}`}, ${null}, ${[1, 2]}`,
  'a list of columns, said twice': sql`
    select ${long}
    from ${sql.table('public.some_thing')} as t
    where a = ${7}
    union
    select ${long}
    from ${sql.table('other')}
  `,
  'joined, empty and not': sql`select 1 where a in (${sql.join([1, 2, 3])}) ${sql.join([])}`,
  'immediate values': sql`select ${sql.lit(5)}, ${3}`,
  'the builder inside': sql`
    with x as (${builder<{ t: { a: number } }>().selectFrom('t').select('a').where('a', '=', 4)})
    select *
    from x
    where b = ${2}
  `,
} as const

it.each(Object.entries(asks))('writes templates as the builder’s own compiler does: %s', (_, q) => {
  const said = q.compile(builder())
  for (let i = 0; i < 2; i++) {
    expect(compiled(q)).toMatchObject({ sql: said.sql, parameters: said.parameters })
  }
})
