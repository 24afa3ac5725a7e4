import { defined } from '#kit/domain/defined.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import pg from 'pg'
import { columnOf, storedKeys, type Entity } from '#kit/contract/entity.ts'
import { columnType } from '#kit/server/column-storage.ts'
import { openTestDatabase } from '#kit/server/fixtures/test-database.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { localTables, placementOf, referenceTables } from './distribution/plan.ts'

interface Column {
  table_name: string
  column_name: string
  type: string
  required: boolean
}

const entities: Entity[] = (await loadInstalledModules()).flatMap(m => m.contract.entities)
let testDatabase: Awaited<ReturnType<typeof openTestDatabase>>
let columns: Column[]
let keys: Map<string, string[]>
let tenantPolicies: Set<string>
let uniques: { table: string; first: string; name: string; owned: boolean }[]
let foreignKeys: { name: string; first: string; owned: boolean }[]
let triggers: string[]
let policies: { name: string; using: string | null; check: string | null }[]

beforeAll(async () => {
  testDatabase = await openTestDatabase()
  const db = new pg.Client(testDatabase.url)
  await db.connect()
  const rows = async <T extends pg.QueryResultRow>(text: string): Promise<T[]> =>
    (await db.query<T>(text)).rows
  columns = await rows<Column>(`
      select c.relname as table_name, a.attname as column_name,
        format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required
      from pg_attribute a
      join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace
        and c.relkind in ('r', 'p')
        and a.attnum > 0
        and not a.attisdropped
    `)
  const indexes = await rows<{
    table: string
    name: string
    columns: string[]
    primary: boolean
    unique: boolean
    owned: boolean
  }>(`
    select c.relname as table,
      i.relname as name,
      x.indisprimary as primary,
      x.indisunique or x.indisexclusion as unique,
      exists (
        select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'owner_id' and not a.attisdropped
      ) as owned,
      array(
        select coalesce(a.attname, '(expression)')
        from unnest(x.indkey) with ordinality k(n, o)
        left join pg_attribute a on a.attrelid = c.oid and a.attnum = k.n and k.n > 0
        order by k.o
      )::text[] as columns
    from pg_index x
    join pg_class c on c.oid = x.indrelid
    join pg_class i on i.oid = x.indexrelid
    where c.relnamespace = 'public'::regnamespace
  `)
  keys = new Map(indexes.filter(i => i.primary).map(i => [i.table, i.columns]))
  uniques = indexes
    .filter(i => i.unique && !i.primary)
    .map(i => ({ table: i.table, first: defined(i.columns[0]), name: i.name, owned: i.owned }))
  foreignKeys = await rows(`
    select k.conname as name,
      (select a.attname from pg_attribute a where a.attrelid = k.conrelid and a.attnum = k.conkey[1])::text as first,
      exists (select 1 from pg_attribute a where a.attrelid = k.conrelid and a.attname = 'owner_id') as owned
    from pg_constraint k
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace
  `)
  triggers = (await rows<{ tgname: string }>(`select tgname from pg_trigger where not tgisinternal`)).map(
    t => t.tgname,
  )
  policies = await rows(
    `select policyname as name, qual as using, with_check as check from pg_policies where schemaname = 'public'`,
  )
  tenantPolicies = new Set(
    (
      await rows<{ relname: string }>(
        `select relname from pg_class where relrowsecurity and relforcerowsecurity`,
      )
    ).map(r => r.relname),
  )
  await db.end()
})

afterAll(() => testDatabase?.drop())

const scoped = entities.filter(e => e.tenancy !== 'platform')

it('there are entities to compare', () => expect(entities.length).toBeGreaterThan(3))

it('every stored field is a column of the right type, and what is required cannot be null', () => {
  const faults = entities.flatMap(e =>
    storedKeys(e).flatMap(k => {
      const f = defined(e.fields[k])
      const name = columnOf(k)
      const expectedType = columnType(f)
      const c = columns.find(x => x.table_name === e.table && x.column_name === name)
      if (!c) return [`${e.table}.${name}: no column for ${e.name}.${k}`]
      return [
        ...(c.type === expectedType
          ? []
          : [`${e.table}.${name} is ${c.type}, the field wants ${expectedType}`]),
        ...(f.required && !c.required ? [`${e.table}.${name} is nullable, the field is required`] : []),
      ]
    }),
  )
  expect(faults).toEqual([])
})

it('no column is unknown to its entity', () => {
  const kit = new Set(['owner_id', 'create_by', 'update_by', 'delete_tag'])
  const faults = entities.flatMap(e => {
    const knownColumns = new Set(storedKeys(e).map(columnOf))
    return columns
      .filter(
        c =>
          c.table_name === e.table &&
          !knownColumns.has(c.column_name) &&
          !kit.has(c.column_name) &&
          !c.column_name.startsWith('run_') &&
          !c.column_name.startsWith('sort_') &&
          !c.column_name.startsWith('search_'),
      )
      .map(c => `${c.table_name}.${c.column_name}`)
  })
  expect(faults).toEqual([])
})

// Found before a company is known: it says where to look and holds nobody's data (kit/server/directory.ts).
const directoryTables = new Set(['directory'])
const isPartition = (table: string): boolean => /_\d{6}$|_rest$/.test(table)

it('every table is spread by company, or is a reference or local table by name (docs/scale.md)', () => {
  const names = [...new Set(columns.map(c => c.table_name))].filter(name => !isPartition(name))
  const hasOwner = new Set(columns.filter(c => c.column_name === 'owner_id').map(c => c.table_name))
  expect(names.filter(name => !placementOf({ name, hasOwner: hasOwner.has(name) }))).toEqual([])
  expect([...localTables, ...referenceTables].filter(name => !names.includes(name))).toEqual([])
})

it('every company table has its company first in its primary key and is protected by the policy', () => {
  const owned = [...new Set(columns.filter(c => c.column_name === 'owner_id').map(c => c.table_name))].filter(
    t => !isPartition(t) && !directoryTables.has(t),
  )
  expect(scoped.map(e => e.table).filter(t => !owned.includes(t))).toEqual([])
  expect(owned.filter(t => !tenantPolicies.has(t))).toEqual([])
  expect(owned.filter(t => keys.get(t)?.[0] !== 'owner_id')).toEqual([])
})

it('every unique key, exclusion and foreign key of a company table begins with the company', () => {
  expect(
    uniques.filter(u => !directoryTables.has(u.table) && u.owned && u.first !== 'owner_id').map(u => u.name),
  ).toEqual([])
  expect(foreignKeys.filter(k => k.owned && k.first !== 'owner_id').map(k => k.name)).toEqual([])
})

it('no table has a trigger and no policy a sub-select', () => {
  expect(triggers).toEqual([])
  expect(policies.filter(p => /select/i.test(`${p.using} ${p.check}`))).toEqual([])
  // One shape for all company tables: the cost and the estimates of another one were measured to be worse.
  const own = policies.filter(p => p.name === 'own')
  expect(new Set(own.map(p => `${p.using} ${p.check}`)).size).toBe(1)
})
