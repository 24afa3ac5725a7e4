import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import { connectCoordinator, takeTurn } from './distribution/cluster-check.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase({ from: 'nothing' })
})

afterAll(() => database?.drop())

it('a second run says why it waits, and goes on when the first has ended, or was killed', async () => {
  const first = await connectCoordinator(database.url)
  const second = await connectCoordinator(database.url)
  const events: string[] = []
  await takeTurn(first, line => events.push(line))
  const waiting = takeTurn(second, line => events.push(line)).then(() => events.push('second'))
  await expect.poll(() => events).toHaveLength(1)
  expect(events[0]).toContain('等它结束')
  await new Promise(done => setTimeout(done, 100))
  expect(events).toHaveLength(1)
  await first.end()
  await waiting
  expect(events[1]).toBe('second')
  await second.end()
})
