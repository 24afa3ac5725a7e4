import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { migrate } from './migrate.ts'
import { splitStatements } from './sql-split.ts'
import { openTestDatabase, type TestDatabase } from '../fixtures/test-database.ts'

let database: TestDatabase
let dir: string
let client: pg.Client

beforeEach(async () => {
  database = await openTestDatabase({ from: 'nothing' })
  dir = mkdtempSync(join(tmpdir(), 'migrate-'))
  client = new pg.Client(database.url)
  await client.connect()
})

afterEach(async () => {
  await client.end()
  await database.drop()
  rmSync(dir, { recursive: true })
})

const writeMigration = (name: string, sql: string) => writeFileSync(join(dir, name), sql)

const appliedNames = async () =>
  (await client.query('select name from schema_migration order by name')).rows.map(row => row.name)

it('applies pending files in order and only once', async () => {
  writeMigration('20260102-0900-second.sql', 'alter table house add column floor int;')
  writeMigration('20260101-0900-first.sql', `create table house (id int); insert into house values (1);`)
  expect(await migrate(database.url, { dir })).toEqual([
    '20260101-0900-first.sql',
    '20260102-0900-second.sql',
  ])
  expect(await migrate(client, { dir })).toEqual([])
  writeMigration('20260103-0900-third.sql', 'insert into house values (2, 3);')
  expect(await migrate(client, { dir })).toEqual(['20260103-0900-third.sql'])
  expect((await client.query('select * from house order by id')).rows).toEqual([
    { id: 1, floor: null },
    { id: 2, floor: 3 },
  ])
})

it('does not wait for the disk after every file, and leaves the session as it was', async () => {
  const setting = `current_setting('synchronous_commit')`
  writeMigration('20260101-0900-first.sql', `create table waits as select ${setting} as commits;`)
  await client.query('set synchronous_commit = on')
  await migrate(client, { dir })
  expect((await client.query(`select commits, ${setting} as now from waits`)).rows).toEqual([
    { commits: 'off', now: 'on' },
  ])
})

it('a file changes the rows of all companies, which policies of rows hide from whom no company is set', async () => {
  writeMigration(
    '20260101-0900-first.sql',
    `
    create table house (owner_id text, floor int);
    insert into house values ('1', 1), ('2', 1);
    alter table house enable row level security;
    alter table house force row level security;
    create policy own on house
      using (owner_id = current_setting('app.owner_id', true) or current_setting('app.owner_id', true) = '*');
    `,
  )
  await client.query(`set app.owner_id = '2'`)
  await migrate(client, { dir })
  writeMigration('20260102-0900-second.sql', 'update house set floor = 2;')
  await migrate(client, { dir })
  expect((await client.query('select * from house')).rows).toEqual([{ owner_id: '2', floor: 2 }])
  await client.query(`set app.owner_id = '*'`)
  expect((await client.query('select * from house where floor = 2')).rows).toHaveLength(2)
})

it('refuses to start when an applied file has changed, and changes nothing', async () => {
  writeMigration('20260101-0900-first.sql', 'create table house (id int);')
  await migrate(database.url, { dir })
  writeMigration('20260101-0900-first.sql', 'create table house (id bigint);')
  writeMigration('20260102-0900-second.sql', 'create table room (id int);')
  await expect(migrate(database.url, { dir })).rejects.toThrow('迁移文件被改动：20260101-0900-first.sql')
  expect(await appliedNames()).toEqual(['20260101-0900-first.sql'])
})

it('takes line ends for the same', async () => {
  writeMigration('20260101-0900-first.sql', 'create table house (\n id int);\n')
  await migrate(database.url, { dir })
  writeMigration('20260101-0900-first.sql', 'create table house (\r\n id int);\r\n')
  expect(await migrate(database.url, { dir })).toEqual([])
})

it('undoes a failing file whole, says where, and goes on after the repair', async () => {
  writeMigration('20260101-0900-first.sql', 'create table house (id int);')
  writeMigration('20260102-0900-second.sql', 'create table room (id int);\n\ncreate table room (id int);')
  await expect(migrate(database.url, { dir })).rejects.toThrow(/20260102-0900-second\.sql 失败，未作任何改动/)
  writeMigration('20260102-0900-second.sql', 'create table room (id int);\n\nselect nothing;')
  await expect(migrate(database.url, { dir })).rejects.toThrow('第 3 行')
  expect((await client.query(`select to_regclass('room') as room`)).rows[0].room).toBeNull()
  writeMigration('20260102-0900-second.sql', 'create table room (id int);')
  expect(await migrate(database.url, { dir })).toEqual(['20260102-0900-second.sql'])
})

it('runs a file outside a transaction when it asks for that', async () => {
  writeMigration(
    '20260101-0900-first.sql',
    `-- no transaction
    create table house (id int, "a;b" text);
    create index concurrently house_id on house (id); -- a comment; with a semicolon
    create function f() returns text language sql as $x$ select 'a;b'; $x$;`,
  )
  await migrate(database.url, { dir })
  expect((await client.query(`select to_regclass('house_id') is not null as ok, f()`)).rows).toEqual([
    { ok: true, f: 'a;b' },
  ])
})

it('lets two programs start at once', async () => {
  writeMigration('20260101-0900-first.sql', 'create table house (id int); select pg_sleep(0.2);')
  const both = await Promise.all([migrate(database.url, { dir }), migrate(database.url, { dir })])
  expect(both.flat()).toEqual(['20260101-0900-first.sql'])
})

it('refuses a name out of pattern and a database that is not there', async () => {
  writeMigration('first.sql', 'select 1')
  await expect(migrate(database.url, { dir })).rejects.toThrow('迁移文件名 first.sql 不合规则')
  rmSync(join(dir, 'first.sql'))
  await expect(migrate('postgres://nobody@127.0.0.1:1/none', { dir })).rejects.toThrow('连接不上数据库')
})

it('splits statements at the right semicolons', () => {
  const pieces = [
    `select 'it''s; fine', E'a\\';b', "x;y";`,
    ` /* one; /* two; */ three; */ do $do$ begin perform 1; end $do$;`,
    ` select '\\'; -- end; of line\n`,
  ]
  expect(splitStatements(pieces.join(''))).toEqual([pieces[0], pieces[1], " select '\\';"])
  expect(splitStatements(' -- nothing;\n /* at all; */ ;')).toEqual([])
})

it('gives way to callers while a long transaction holds the table that a file changes', async () => {
  writeMigration('20260101-0900-first.sql', 'create table house (id int);')
  await migrate(client, { dir })
  const holder = new pg.Client(database.url)
  const caller = new pg.Client(database.url)
  await holder.connect()
  await caller.connect()
  await holder.query('begin; select * from house')
  writeMigration('20260102-0900-second.sql', 'alter table house add column floor int;')
  const migrating = migrate(client, { dir })
  const isWaiting = async (): Promise<boolean> =>
    (await holder.query(`select from pg_locks where not granted and relation = 'house'::regclass`))
      .rowCount === 1
  while (!(await isWaiting())) {
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  // Behind the file that waits, and answered although the holder goes on.
  await caller.query('select * from house')
  await holder.query('commit')
  expect(await migrating).toEqual(['20260102-0900-second.sql'])
  await Promise.all([holder.end(), caller.end()])
})
