import { parse } from 'libpg-query'
import { describe, expect, it } from 'vitest'
import { MIGRATIONS, readMigrations } from '#kit/server/postgres/migrate.ts'
import { migrationFaults, tablesMade, type ReleaseUse } from './migration-rules.ts'
import { readReleaseArchive } from './release-archive.ts'

type Statement = { readonly [key: string]: unknown }

const statementsOf = async (sql: string): Promise<Statement[]> => {
  const { stmts = [] }: { stmts?: { stmt?: object }[] } = await parse(sql)
  return stmts.map(({ stmt }) => ({ ...stmt }))
}

/** `fee_item` is written `feeItem` as well. */
const camelCase = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

async function readReleaseUse(): Promise<ReleaseUse> {
  const { files } = readReleaseArchive()
  const isMigration = (file: string): boolean => file.startsWith('db/migrations/')
  const entries = Object.entries(files)
  const migrations = await Promise.all(
    entries.filter(([file]) => isMigration(file)).map(([, text]) => statementsOf(text)),
  )
  const words = new Set(
    entries.flatMap(([file, text]) => (isMigration(file) ? [] : (text.match(/\w+/g) ?? []))),
  )
  return {
    tables: new Set(tablesMade(migrations.flat())),
    mentions: name => words.has(name) || words.has(camelCase(name)),
  }
}

const archived = new Set(Object.keys(readReleaseArchive().files))

it('every file since the previous version leaves it at work', async () => {
  const use = await readReleaseUse()
  expect(use.tables.size).toBeGreaterThan(100)
  const faults: string[] = []
  for (const { name, sql } of readMigrations(MIGRATIONS)) {
    if (archived.has(`db/migrations/${name}`)) continue
    const isTransaction = !/^--\s*no transaction\b/.test(sql)
    faults.push(
      ...migrationFaults(await statementsOf(sql), use, { isTransaction }).map(fault => `${name} ${fault}`),
    )
  }
  expect(faults).toEqual([])
})

describe('of a table that the previous version serves', () => {
  const use: ReleaseUse = {
    tables: new Set(['room', 'room_tag']),
    mentions: name => ['area', 'room', 'room_view'].includes(name),
  }
  const faultsOf = async (sql: string): Promise<string[]> =>
    migrationFaults(await statementsOf(sql), use, { isTransaction: true })

  it.each([
    'alter table room rename column area to size',
    'alter table room rename to house',
    'alter table room drop column area',
    'alter table room alter column area set not null',
    'alter table room alter column area type numeric',
    'alter table room add column height int not null',
    'alter table room add column code uuid default gen_random_uuid()',
    'alter table room add column text text generated always as (name) stored',
    'alter table room add column owner bigint references owner (id)',
    'alter table room add constraint high check (height > 0)',
    'alter table room add unique (owner_id, height)',
    'create index room_height on room (owner_id, height)',
    'drop table room',
    'drop view room_view',
    'truncate room',
    'lock table room',
    'alter table room add column height int; update room set height = 3',
    'update room_tag set name = $$x$$; alter table room add column height int',
  ])('refuses: %s', async sql => expect(await faultsOf(sql)).toHaveLength(1))

  it.each([
    'alter table room add column height int',
    'alter table room add column height int not null default 0',
    'alter table room add column seen timestamptz not null default now()',
    'alter table room drop column never_used',
    'alter table room add constraint high check (height > 0) not valid',
    'alter table room validate constraint high',
    'alter table room add constraint room_once unique using index room_once',
    'create index concurrently room_height on room (owner_id, height)',
    'create table house (id int not null); create index house_id on house (id); alter table house drop column id',
    'drop view room_view; create view room_view as select 1',
    'update room set height = 3',
  ])('takes: %s', async sql => expect(await faultsOf(sql)).toEqual([]))
})
