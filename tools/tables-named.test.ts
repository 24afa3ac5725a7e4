import { expect, it } from 'vitest'
import { tablesNamedIn } from './tables-named.ts'

const tables = new Set(['bill', 'room', 'resident', 'company'])
const entities: Readonly<Record<string, string>> = { person: 'resident' }

const namedIn = (text: string, file = 'query.ts') => {
  const { read, written } = tablesNamedIn(file, text, {
    isTable: name => tables.has(name),
    tableOfEntity: name => entities[name],
  })
  return { read: [...new Set(read)].toSorted(), written: [...new Set(written)].toSorted() }
}

it('finds the tables behind the words of a statement', () => {
  expect(namedIn('sql`select 1 from bill b join room r on r.id = b.room_id`').read).toEqual(['bill', 'room'])
  expect(namedIn('sql`update bill set a = 1 from room r where true`')).toEqual({
    read: ['room'],
    written: ['bill'],
  })
  expect(namedIn('sql`delete from bill b using room`')).toEqual({ read: ['room'], written: ['bill'] })
  expect(namedIn('-- from room\nmerge into bill t using (select 1 from company) s', 'query.sql')).toEqual({
    read: ['company'],
    written: ['bill'],
  })
})

it('finds every table of a list', () => {
  expect(
    namedIn('sql`select 1 from bill b, room r, unnest(a, company) c, resident where true`').read,
  ).toEqual(['bill', 'resident', 'room'])
  expect(namedIn('sql`select 1 from bill b join room r on true, company c`').read).toEqual([
    'bill',
    'company',
    'room',
  ])
  expect(namedIn('sql`from bill b ${rest}`; sql`, room r`').read).toEqual(['bill', 'room'])
  expect(namedIn('sql`select b.a, room from bill b where a in (1, 2) order by a, company`').read).toEqual([
    'bill',
  ])
  expect(namedIn("sql`select a is distinct from room, ', company'`").read).toEqual([])
})

it('finds what `sql.table` names', () => {
  expect(namedIn("sql`select 1 from bill, ${sql.table('room')} r`").read).toEqual(['bill', 'room'])
  expect(namedIn('sql`update ${sql.table(person.table)} set a = 1`').written).toEqual(['resident'])
  expect(namedIn('sql`select ${value} from ${sql.table(person.table)}`')).toEqual({
    read: ['resident'],
    written: [],
  })
})

it('counts every table or entity that a file names where `sql.table` has a parameter', () => {
  expect(namedIn("for (const t of ['bill', 'room']) sql`update ${sql.table(t)} set a = 1`").written).toEqual([
    'bill',
    'room',
  ])
  expect(
    namedIn("import { person } from './person.ts'\nconst t = sql.table(entity.table)\nsql`from ${t}`"),
  ).toEqual({ read: ['resident'], written: ['resident'] })
  expect(namedIn("const f = (t: 'bill' | 'company') => sql`delete from ${sql.table(t)}`").written).toEqual([
    'bill',
    'company',
  ])
})
