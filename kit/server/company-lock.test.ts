import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { lockCompanyWrites } from './company-lock.ts'
import { CompanyLocked } from './company-scope.ts'
import { openDatabase, sql, type Database } from './db.ts'
import { refusalMessageOf } from './fixtures/refusal.ts'
import { openTestDatabase, type TestDatabase } from './fixtures/test-database.ts'

const company = asId(1)
const other = asId(2)
const third = asId(3)
let testDatabase: TestDatabase
let database: Database

beforeAll(async () => {
  testDatabase = await openTestDatabase({ from: 'nothing' })
  // Fewer than may wait: of these connections the exclusive work has one.
  database = openDatabase(testDatabase.url, { pool: 4, bulk: 1 })
})

afterAll(async () => {
  await database?.close()
  await testDatabase?.drop()
})

const write = (ownerId = company): Promise<unknown> =>
  database.tx(ownerId, tx => tx.rows(sql`select 1 as one`))

/** Keeps the company alone until it is ended. */
async function holdCompany(): Promise<() => Promise<void>> {
  let end = (): void => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  let work: Promise<void> = Promise.resolve()
  await new Promise<void>(locked => {
    work = database.tx(company, async tx => {
      await lockCompanyWrites(tx, company)
      locked()
      await ended
    })
  })
  return async () => {
    end()
    await work
  }
}

it('who waits for a locked company keeps no connection from others, and goes on when it is free', async () => {
  const release = await holdCompany()
  const waiting = Array.from({ length: 4 }, () => write())
  await pause(200)
  const times: number[] = []
  for (let i = 0; i < 20; i++) {
    const began = performance.now()
    await write(other)
    times.push(performance.now() - began)
  }
  expect(database.connectionStats().waiting).toBe(0)
  expect(Math.max(...times)).toBeLessThan(500)
  await release()
  expect(await Promise.all(waiting)).toHaveLength(4)
})

it.concurrent('who waits too long, and who comes when many wait, is refused in words', async () => {
  const release = await holdCompany()
  const began = performance.now()
  const waiting = Array.from({ length: 4 }, () => write().catch((error: unknown) => error))
  await pause(150)
  await expect(write()).rejects.toThrow('系统繁忙，请稍后重试')
  expect(performance.now() - began).toBeLessThan(1500)
  await expect(database.bulk(company, async () => undefined)).rejects.toThrow(CompanyLocked)
  for (const answer of await Promise.all(waiting)) {
    expect(answer).toBeInstanceOf(CompanyLocked)
  }
  expect(performance.now() - began).toBeLessThan(8000)
  await release()
  await write()
})

it('nothing that was sent behind a refused begin takes effect', async () => {
  await database.tx(other, tx => tx.execute(sql`create table probe (n int)`))
  const release = await holdCompany()
  let isFree = false
  const writing = database.tx(company, async tx => {
    await tx.execute(sql`insert into probe (n) values (${isFree ? 1 : 0})`)
  })
  await pause(300)
  isFree = true
  await release()
  await writing
  expect(await database.reader(other).rows(sql`select n from probe`)).toEqual([{ n: 1 }])
})

it.concurrent('the exclusive work waits a few seconds for a long transaction, and is refused in words', async () => {
  let end = (): void => {}
  const long = database.tx(third, async tx => {
    await tx.rows(sql`select 1 as one`)
    await new Promise<void>(resolve => {
      end = resolve
    })
  })
  const began = performance.now()
  const refused = refusalMessageOf(database.tx(third, tx => lockCompanyWrites(tx, third)))
  expect(await refused).toContain('请稍后重试')
  expect(performance.now() - began).toBeLessThan(9000)
  end()
  await long
})
