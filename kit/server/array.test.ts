import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { arrayOf } from './array.ts'
import { openStore, sql, type Store } from './db.ts'
import { freshDatabase, type FreshDatabase } from './ground/testing.ts'

let fresh: FreshDatabase
let store: Store

beforeAll(async () => {
  fresh = await freshDatabase({ from: 'nothing' })
  store = openStore(fresh.url, { pool: 1, bulk: 1 })
})

afterAll(async () => {
  await store?.close()
  await fresh?.drop()
})

const said = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(...'"\\{},\n\t NULLnull\''),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
  })
  .map(s => s.replaceAll('\0', ''))

const back = async (
  type: string,
  values: readonly (string | number | boolean | null)[],
): Promise<unknown[]> =>
  (
    await store.reader('*').rows<{ v?: unknown }>(
      sql`
          select to_jsonb(v) as v
          from unnest(${arrayOf(type, values)}) with ordinality as x(v, n)
          order by n
        `,
    )
  ).map(r => r.v ?? null)

it('property: what goes in comes out, whatever the texts hold', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.option(said), { maxLength: 8 }), async all => {
      expect(await back('text', all)).toEqual(all)
    }),
    { numRuns: 200 },
  ))

it('property: documents come out as they were, those that are missing as nothing', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(fc.dictionary(fc.constantFrom('a', '名', '"'), said)), {
        minLength: 1,
        maxLength: 5,
      }),
      async all => {
        expect(
          await back(
            'jsonb',
            all.map(v => v && JSON.stringify(v)),
          ),
        ).toEqual(all)
      },
    ),
    { numRuns: 100 },
  ))

it('numbers, days and yes or no, with gaps', async () => {
  expect(await back('numeric', ['12.30', null, -7])).toEqual([12.3, null, -7])
  expect(await back('date', ['2026-02-28', null])).toEqual(['2026-02-28', null])
  expect(await back('boolean', [true, false, null])).toEqual([true, false, null])
  expect(await back('bigint', [])).toEqual([])
})
