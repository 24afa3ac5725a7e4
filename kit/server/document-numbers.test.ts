import { castForTest } from '#kit/domain/fixtures.ts'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, type Day } from '#kit/domain/day.ts'
import { openDatabase, sql, type Database, type Tx } from './db.ts'
import { openTestDatabase, type TestDatabase } from './fixtures/test-database.ts'

/** Two server processes on one database, each with few connections. */
let testDatabase: TestDatabase
let nodes: Database[]
let today: Day = '2026-11-21'

beforeAll(async () => {
  testDatabase = await openTestDatabase()
  nodes = [1, 2].map(() => openDatabase(testDatabase.url, { pool: 2, bulk: 1 }))
})

afterAll(async () => {
  await Promise.all(nodes?.map(node => node.close()) ?? [])
  await testDatabase?.drop()
})

const company = asId(7001)
const nodeOf = (i: number): Database => defined(nodes[i % nodes.length])
const times = <T>(count: number, work: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)))
const sequenceOf = (number: string): number => Number(number.slice(10))

it('two nodes number 200 documents at once: none twice, each of the day (G-14)', async () => {
  today = addDays(today, 1)
  const numbers = await times(200, i => nodeOf(i).tx(company, tx => tx.numbers.next(company, 'DD', today)))
  expect(new Set(numbers).size).toBe(200)
  expect(numbers.filter(no => !/^DD20261122\d{6}$/.test(no))).toEqual([])
  // Unused space in blocks is all that is left out.
  expect(Math.max(...numbers.map(sequenceOf))).toBeLessThanOrEqual(200 + 2 * 20)
})

it('with every connection held by a transaction that needs a number, nobody hangs (G-14)', async () => {
  today = addDays(today, 1)
  const [node] = nodes
  let waiting = 0
  let release = (): void => {}
  const allIn = new Promise<void>(resolve => {
    release = resolve
  })
  const numbers = await times(2, i =>
    defined(node).tx(company, async tx => {
      await tx.rows(sql`select 1 as x`)
      if (++waiting === 2) {
        release()
      }
      await allIn
      return tx.numbers.nextMany(company, `P${i}`, today, 3)
    }),
  )
  expect(numbers).toEqual([
    ['P020261123000001', 'P020261123000002', 'P020261123000003'],
    ['P120261123000001', 'P120261123000002', 'P120261123000003'],
  ])
})

it('who holds a number does not make others wait, whatever the order of what both lock (G-14)', async () => {
  today = addDays(today, 1)
  const lock = (tx: Tx, key: number): Promise<unknown> => tx.rows(sql`select pg_advisory_xact_lock(${key})`)
  const [first, second] = await Promise.all([
    defined(nodes[0]).tx(company, async tx => {
      const number = await tx.numbers.next(company, 'YJ', today)
      await lock(tx, 1)
      return number
    }),
    defined(nodes[1]).tx(company, async tx => {
      await lock(tx, 1)
      return tx.numbers.next(company, 'YJ', today)
    }),
  ])
  expect(first).not.toBe(second)
})

it('each company, each prefix and each day begins with 1; a day that is over goes on where it was (G-14)', async () => {
  today = addDays(today, 1)
  const tomorrow = addDays(today, 1)
  const [node] = nodes
  const next = (ownerId: Id, prefix: string, day: Day): Promise<number> =>
    defined(node).numbers.next(ownerId, prefix, day).then(sequenceOf)
  expect([await next(company, 'JZ', today), await next(company, 'JZ', today)]).toEqual([1, 2])
  expect(await next(asId(company + 1), 'JZ', today)).toBe(1)
  expect(await next(company, 'SK', today)).toBe(1)
  expect(await next(company, 'JZ', tomorrow)).toBe(1)
  // Work that began before midnight, and work of long ago, whose block is no longer kept.
  expect(await next(company, 'JZ', today)).toBe(3)
  await next(company, 'JZ', addDays(today, 30))
  const late = await next(company, 'JZ', today)
  expect([late > 3, late <= 21 + 20]).toEqual([true, true])
})

it('a failed transaction leaves a gap; a restarted node continues after the highest number (G-14)', async () => {
  today = addDays(today, 1)
  const taken: string[] = []
  await expect(
    defined(nodes[0]).tx(company, async tx => {
      taken.push(await tx.numbers.next(company, 'TK', today))
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  taken.push(await defined(nodes[0]).numbers.next(company, 'TK', today))
  const restarted = openDatabase(testDatabase.url, { pool: 1, bulk: 1 })
  try {
    taken.push(...(await restarted.numbers.nextMany(company, 'TK', today, 30)))
  } finally {
    await restarted.close()
  }
  taken.push(...(await defined(nodes[1]).numbers.nextMany(company, 'TK', today, 30)))
  expect(new Set(taken).size).toBe(62)
})

it('past 999999 a day’s numbers have seven digits, and none is double (G-14)', async () => {
  today = addDays(today, 1)
  const [node] = nodes
  await defined(node).tx(company, tx =>
    tx.execute(
      sql`
        insert into document_counter (owner_id, prefix, day, last)
        values (${company}, 'ZD', ${today}, 999998)
      `,
    ),
  )
  const numbers = await times(3, () => defined(node).numbers.next(company, 'ZD', today))
  expect(numbers.map(no => no.slice(10)).toSorted()).toEqual(['1000000', '1000001', '999999'])
})

it('a draw that fails fails those who wait for it, and no one after', async () => {
  const lost = openDatabase(testDatabase.url, { pool: 1, bulk: 1 })
  try {
    const draws = await Promise.allSettled([
      lost.numbers.next(company, 'FP', castForTest('no day')),
      lost.numbers.next(company, 'FP', castForTest('no day')),
    ])
    expect(draws.map(d => d.status)).toEqual(['rejected', 'rejected'])
    expect(await lost.numbers.next(company, 'FP', today)).toMatch(/^FP\d{8}000001$/)
  } finally {
    await lost.close()
  }
})

it('codes of things go on past 999999 and are not cut (G-14)', async () => {
  const codes = await defined(nodes[0]).tx('*', async tx => {
    await tx.rows(sql`select setval('natural_code_seq', 999999)`)
    return tx.rows<{ code: string }>(sql`select next_code('R') as code from generate_series(1, 2)`)
  })
  expect(codes.map(c => c.code)).toEqual(['R1000000', 'R1000001'])
})
