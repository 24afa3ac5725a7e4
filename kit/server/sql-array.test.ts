import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sqlArray } from './sql-array.ts'
import { openDatabase, sql, type Database } from './db.ts'
import { openTestDatabase, type TestDatabase } from './fixtures/test-database.ts'

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

const anyText = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(...'"\\{},\n\t NULLnull\''),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
  })
  .map(s => s.replaceAll('\0', ''))

const readBack = async (
  type: string,
  values: readonly (string | number | boolean | null)[],
): Promise<unknown[]> =>
  (
    await store.reader('*').rows<{ v?: unknown }>(
      sql`
          select to_jsonb(v) as v
          from unnest(${sqlArray(type, values)}) with ordinality as x(v, n)
          order by n
        `,
    )
  ).map(r => r.v ?? null)

it('property: what goes in comes out, whatever the texts hold', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.option(anyText), { maxLength: 8 }), async all => {
      expect(await readBack('text', all)).toEqual(all)
    }),
    { numRuns: 200 },
  ))

it('property: documents come out as they were, those that are missing as nothing', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(fc.dictionary(fc.constantFrom('a', '名', '"'), anyText)), {
        minLength: 1,
        maxLength: 5,
      }),
      async all => {
        expect(
          await readBack(
            'jsonb',
            all.map(v => v && JSON.stringify(v)),
          ),
        ).toEqual(all)
      },
    ),
    { numRuns: 100 },
  ))

it('numbers, days and yes or no, with gaps', async () => {
  expect(await readBack('numeric', ['12.30', null, -7])).toEqual([12.3, null, -7])
  expect(await readBack('date', ['2026-02-28', null])).toEqual(['2026-02-28', null])
  expect(await readBack('boolean', [true, false, null])).toEqual([true, false, null])
  expect(await readBack('bigint', [])).toEqual([])
})
