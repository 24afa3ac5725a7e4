import { afterAll, beforeAll, expect, it } from 'vitest'
import { openProbe, operators, type Probe } from './fixtures/probe.ts'
import { openTestDatabase, type TestDatabase } from './fixtures/test-database.ts'

/** Two server processes over one database, each with its own cache of sessions. */
let testDatabase: TestDatabase
let first: Probe
let second: Probe

beforeAll(async () => {
  testDatabase = await openTestDatabase()
  first = await openProbe(testDatabase.url, { runsJobs: false })
  second = await openProbe(testDatabase.url, { runsJobs: false })
})

afterAll(async () => {
  await first?.close()
  await second?.close()
  await testDatabase?.drop()
})

const statusAt = async (server: Probe, token: string): Promise<number> =>
  (await server.inject('GET', '/api/Probe/Get?ProjectCode=P1', { token })).status

it("refuses an ended session's very next request, on every node (PERM-10)", async () => {
  const { ownerId, operatorId } = operators.boss
  for (let round = 0; round < 20; round++) {
    const token = await first.token('boss')
    expect(await Promise.all([statusAt(first, token), statusAt(second, token)])).not.toContain(401)
    await first.app.sessions.endAll(ownerId, operatorId)
    expect(await Promise.all([statusAt(second, token), statusAt(first, token)])).toEqual([401, 401])
  }
})

it('refuses it when the session is ended within the transaction of a write', async () => {
  const { ownerId, operatorId } = operators.boss
  const token = await first.token('boss')
  expect(await statusAt(second, token)).not.toBe(401)
  await first.app.database.tx(ownerId, async tx => {
    tx.onCommit(() => first.app.sessions.endAll(ownerId, operatorId))
  })
  expect([await statusAt(second, token), await statusAt(first, token)]).toEqual([401, 401])
})

it('does not wait for nodes that have closed', async () => {
  const third = await openProbe(testDatabase.url, { runsJobs: false })
  await third.close()
  const startedAt = Date.now()
  await first.app.sessions.refresh(operators.boss.ownerId, 'all')
  expect(Date.now() - startedAt).toBeLessThan(3000)
})
