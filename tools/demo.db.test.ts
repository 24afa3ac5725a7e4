import { textOf } from '#kit/contract/fixtures.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import { seedOnce } from './database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase({ from: 'migrated' })
})

afterAll(() => database?.drop())

const query = async (text: string): Promise<pg.QueryResultRow[]> => {
  const client = new pg.Client(database.url)
  await client.connect()
  try {
    await client.query(`set app.owner_id = '*'`)
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const companies = async (): Promise<string[]> =>
  (await query('select company_name as name from property order by id')).map(row => textOf(row.name))

const company = async (name: string): Promise<void> => {
  await query(
    `insert into property (owner_id, id, company_name, edition, idle_minutes, state) values (1, 1, '${name}', 30, 30, 10)`,
  )
}

it('a demo whose seeding was killed is seeded again at the next start, and a complete one is left alone', async () => {
  await expect(
    seedOnce(database.url, true, async () => {
      await company('半个')
      throw new Error('killed')
    }),
  ).rejects.toThrow('killed')
  expect(await companies()).toEqual(['半个'])
  expect(await seedOnce(database.url, true, () => company('完整'))).toBe(true)
  expect(await companies()).toEqual(['完整'])
  expect(await seedOnce(database.url, true, () => company('又一个'))).toBe(false)
  expect(await companies()).toEqual(['完整'])
})

it('what a killed seeding left is removed also when no demo is wanted any more', async () => {
  await query('delete from property')
  await expect(
    seedOnce(database.url, true, async () => {
      await company('半个')
      throw new Error('killed')
    }),
  ).rejects.toThrow('killed')
  expect(await seedOnce(database.url, true)).toBe(false)
  expect(await companies()).toEqual([])
})

it('of two starts at once one seeds the demo, and the other waits until it is complete', async () => {
  await query('delete from property')
  const events: string[] = []
  const start = async (name: string) => {
    const seeded = await seedOnce(database.url, true, async () => {
      events.push(name)
      await company(name)
      await new Promise(resolve => setTimeout(resolve, 300))
      events.push('complete')
    })
    if (!seeded) {
      events.push('found')
    }
  }
  await Promise.all([start('甲'), start('乙')])
  expect(events.slice(1)).toEqual(['complete', 'found'])
  expect(await companies()).toEqual([events[0]])
})

it('in a given database nothing is removed: others may have set up their company there since', async () => {
  await query('delete from property')
  await expect(
    seedOnce(database.url, false, async () => {
      await company('半个')
      throw new Error('killed')
    }),
  ).rejects.toThrow('killed')
  await query(`update property set company_name = '别家的'`)
  const events = vi.spyOn(console, 'warn').mockImplementation(() => {})
  expect(await seedOnce(database.url, false, () => company('又一个'))).toBe(false)
  expect([await companies(), events.mock.calls.length]).toEqual([['别家的'], 1])
  // Reported once.
  expect(await seedOnce(database.url, false)).toBe(false)
  expect(events.mock.calls).toHaveLength(1)
  events.mockRestore()
})

it('no demo is laid beside a company that the scope does not show', async () => {
  await query('delete from property')
  await company('看不见')
  await query('alter policy own on property using (false)')
  expect(await companies()).toEqual([])
  expect(await seedOnce(database.url, false, () => company('演示'))).toBe(false)
  expect(await seedOnce(database.url, true, () => company('演示'))).toBe(false)
})
