import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { companyScopeSql } from '#kit/server/company-scope.ts'
import { openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import { migrate, MIGRATIONS, readMigrations } from '#kit/server/postgres/migrate.ts'
import { nameColumns } from './folders.ts'

const migration = '20261128-1200-file-name-form.sql'
let database: TestDatabase
let client: pg.Client

const accented = 'é'
const decomposed = accented.normalize('NFD')
/** 100 characters, of which the last one before the end gives way to a number. */
const longName = (letter: string): string => `${'字'.repeat(95)}${letter}.pdf`

/** Number, name as it was kept, day of its making, delete tag. */
const folders: readonly (readonly [number, string, number, number])[] = [
  [1, `caf${decomposed}`, 1, 0],
  [2, `caf${accented}`, 2, 0],
  [3, `caf${accented}(1)`, 3, 0],
  [4, `caf${decomposed}`, 4, 1],
]
const files: readonly (readonly [number, string, number, number])[] = [
  [1, `合同${accented}.pdf`, 1, 0],
  [2, `合同${decomposed}.pdf`, 2, 0],
  [3, `CAF${'É'.normalize('NFD')}`, 9, 0],
  [4, longName(accented), 5, 0],
  [5, longName(decomposed), 6, 0],
  [6, '普通.txt', 7, 0],
]

/** Stores a name the old way: in the Unicode form in which it arrived. */
function columnsOf(name: string): unknown[] {
  const { sortName, searchText } = nameColumns(name)
  return [name, sortName, name.toLowerCase(), searchText]
}

beforeAll(async () => {
  database = await openTestDatabase({ from: 'nothing' })
  client = new pg.Client(database.url)
  await client.connect()
  const before = readMigrations(MIGRATIONS)
    .map(({ name }) => name)
    .filter(name => name < migration)
  await migrate(client, { upTo: new Set(before) })
  await client.query(`begin; ${companyScopeSql('*')}`)
  for (const [id, name, day, tag] of folders) {
    await client.query(
      `insert into file_dir (
         owner_id, id, project_code, name, sort_name, name_key, search_text, create_time, delete_tag, bin_key, file_label
       ) values (1, $1, 'P', $2, $3, $4, $5, $6, $7, $8, $9)`,
      [id, ...columnsOf(name), `2026-01-0${day}`, tag, tag ? 'k' : null, [decomposed, '甲', accented]],
    )
  }
  for (const [id, name, day] of files) {
    await client.query(
      `insert into file_info (
         owner_id, id, project_code, name, sort_name, name_key, search_text, create_time, file_key, file_size
       ) values (1, $1, 'P', $2, $3, $4, $5, $6, 'k', 1)`,
      [id, ...columnsOf(name), `2026-01-0${day}`],
    )
  }
  await client.query('commit')
  await migrate(client)
  await client.query(`begin; ${companyScopeSql('*')}`)
})

afterAll(async () => {
  await client?.end()
  await database?.drop()
})

interface NameRow {
  readonly id: string
  readonly name: string
  readonly sort_name: string
  readonly name_key: string
  readonly search_text: string
  readonly file_label: string[]
}

const rowsOf = async (table: string): Promise<NameRow[]> =>
  (await client.query<NameRow>(`select * from ${table} order by id`)).rows

it('FILE-2: names kept in two forms become one form; the younger of two alike gets a number', async () => {
  const dirs = await rowsOf('file_dir')
  expect(dirs.map(row => row.name)).toEqual(['café', 'café(2)', 'café(1)', 'café'])
  expect(dirs.map(row => row.file_label)).toEqual(dirs.map(() => ['é', '甲']))
  const kept = await rowsOf('file_info')
  expect(kept.map(row => row.name)).toEqual([
    '合同é.pdf',
    '合同é(1).pdf',
    'CAFÉ(3)',
    longName(accented),
    `${'字'.repeat(93)}(1).pdf`,
    '普通.txt',
  ])
  expect(kept).toHaveLength(files.length)
})

it('FILE-2: key and order are those that the program computes, and the number is found', async () => {
  const all = [...(await rowsOf('file_dir')), ...(await rowsOf('file_info'))]
  for (const { name, name_key, sort_name } of all.filter(row => row.name.length < 100)) {
    expect({ name, name_key, sort_name }).toEqual({
      name,
      name_key: nameColumns(name).nameKey,
      sort_name: nameColumns(name).sortName,
    })
  }
  const numbered = all.find(row => row.name === '合同é(1).pdf')
  for (const word of nameColumns('合同é(1).pdf').searchText.split(' ').slice(0, 1)) {
    expect(numbered?.search_text).toContain(word)
  }
})
