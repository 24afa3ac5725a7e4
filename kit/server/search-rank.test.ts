import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { matchSearch, searchLevel } from '#kit/domain/search-rank.ts'
import { openDatabase, sql, type Database } from './db.ts'
import { openTestDatabase, type TestDatabase } from './fixtures/test-database.ts'
import { searchLevelSql } from './search-rank.ts'

let testDatabase: TestDatabase
let store: Database

beforeAll(async () => {
  testDatabase = await openTestDatabase({ from: 'nothing' })
  store = openDatabase(testDatabase.url, { pool: 1, bulk: 1 })
})

afterAll(async () => {
  await store?.close()
  await testDatabase?.drop()
})

interface Found {
  readonly path: string
  readonly name: string
  readonly mobile: string
}

const levelInDatabase = async (typed: string, rows: readonly Found[]): Promise<number[]> => {
  const level = searchLevelSql(typed, [
    { column: sql`r.path`, isPath: true },
    { column: sql`r.name` },
    { column: sql`r.mobile`, isSecondary: true },
  ])
  const found = await store.reader('*').rows<{ level: number }>(sql`
    select ${level} as level
    from unnest(
      ${rows.map(row => row.path)}::text[], ${rows.map(row => row.name)}::text[],
      ${rows.map(row => row.mobile)}::text[]
    ) with ordinality as r(path, name, mobile, n)
    order by r.n
  `)
  return found.map(row => row.level)
}

const levelInProduct = (typed: string, { path, name, mobile }: Found): number =>
  searchLevel(
    matchSearch(typed, [
      { label: '房号', text: path, isPath: true },
      { label: '姓名', text: name },
      { label: '手机号', text: mobile, isSecondary: true },
    ]),
  )

describe('BILL-11: the database ranks as the product does', () => {
  const rows = [
    '3-2-1502',
    '1-1-502',
    '12-2-1501',
    '6-11-101',
    '1-1-1515',
    'A-1-301',
    '办公楼-1-301',
    '15-15',
    '1-12-1501',
    '2-1-1501',
    '十二栋-2-1501',
    '一期-3-2-101',
    '商业街-商业-101',
    '商业街-101',
    '翠园3-1-101',
  ].flatMap(path => ['杨建国', '15度咖啡', 'a_%\\c'].map(name => ({ path, name, mobile: '13812341502' })))
  it.each(
    (
      '15,150,1502,3-2-1502,321502,215,12 1501,12栋1501室,12栋,2-15,6-1-,１５０２,a座 301,办公楼 301,' +
      '杨建国,建国,杨,4150,yjg,-,_%,\\,3.* 2,2-1501,2 15,12-,2单元,2单元1501,1501室,12室,十二栋 1501,十二栋,3栋101,' +
      '一期 3栋 101,12座1501,商业街,商业街101,商业街-101,商业街10,翠园3-101,一期3栋101'
    ).split(','),
  )('%s', async typed => {
    expect(await levelInDatabase(typed, rows)).toEqual(rows.map(row => levelInProduct(typed, row)))
  })

  const part = fc.string({ unit: fc.constantFrom(...'1250A座'), minLength: 1, maxLength: 4 })
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map(parts => parts.join('-'))
  const typedText = fc.oneof(
    path,
    fc.array(part, { minLength: 1, maxLength: 3 }).map(parts => parts.join(' ')),
    fc
      .array(fc.tuple(part, fc.constantFrom('栋', '单元', '室', '-', ' ')), { minLength: 1, maxLength: 3 })
      .map(parts => parts.flat().join('')),
    fc.string({ unit: fc.constantFrom(...'1250Aa栋-室座二十号 .*%_\\'), minLength: 1, maxLength: 6 }),
  )
  it('property: whatever the addresses and the keyword', () =>
    fc.assert(
      fc.asyncProperty(fc.array(path, { minLength: 1, maxLength: 20 }), typedText, async (paths, typed) => {
        fc.pre(typed.trim() !== '')
        const found = paths.map(text => ({ path: text, name: text, mobile: '13812341502' }))
        expect(await levelInDatabase(typed, found)).toEqual(found.map(row => levelInProduct(typed, row)))
      }),
      { numRuns: 300 },
    ))
})
