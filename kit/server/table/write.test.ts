import { afterAll, beforeAll, expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { openDatabase, sql, type Database } from '../db.ts'
import { createProbeTables, operators, probe, thing } from '../fixtures/probe.ts'
import { openTestDatabase, type TestDatabase } from '../fixtures/test-database.ts'
import { insertIdentified } from '../identified-rows.ts'
import { registerEntities } from '../registry.ts'
import { insert, insertAll, insertNew } from '../table.ts'

let testDatabase: TestDatabase
let database: Database

beforeAll(async () => {
  registerEntities(probe.contract.entities)
  testDatabase = await openTestDatabase()
  database = openDatabase(testDatabase.url)
  await createProbeTables(database)
})

afterAll(async () => {
  await database?.close()
  await testDatabase?.drop()
})

it('a new row bears the time of its request and who sent it, not the time of the database', async () => {
  const scope = {
    ...operators.boss,
    projectCode: '',
    ip: '',
    requestId: '',
    time: '2026-02-03T04:05:06.789Z',
  }
  const draft = (code: string) => ({ projectCode: 'P1', code, name: code, mood: 'glad' as const, live: true })
  await database.tx(1, async tx => {
    await insert(tx, thing, scope, draft('A'))
    await insertAll(tx, thing, scope, [draft('B'), draft('C')])
    await insertNew(tx, thing, scope, [draft('D')], ['code'])
    await insertIdentified(tx, thing, scope, [{ id: asId(900), values: draft('E') }])
  })
  const rows = await database.reader(1).rows<{
    code: string
    created: string
    updated: string
    by: number
  }>(sql`
    select code, to_json(create_time at time zone 'UTC') #>> '{}' as created,
      to_json(update_time at time zone 'UTC') #>> '{}' as updated, create_by as by
    from probe_thing
    where owner_id = 1
    order by code
  `)
  const stamp = { created: '2026-02-03T04:05:06.789', updated: '2026-02-03T04:05:06.789' }
  expect(rows).toEqual([...'ABCDE'].map(code => ({ code, ...stamp, by: operators.boss.operatorId })))
})
