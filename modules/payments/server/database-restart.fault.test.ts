import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { openDatabase, sql, type Database } from '#kit/server/db.ts'
import { openCluster, type Cluster } from '#kit/server/postgres/cluster.ts'
import { migrate } from '#kit/server/postgres/migrate.ts'
import { openTestCluster, type TestCluster } from '#kit/server/fixtures/test-database.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { addTempFee } from '#modules/bills/contract/temporary.ts'
import { topUp } from '#modules/prestore/contract/account.ts'
import { findViolations } from '#db/golden/invariants.ts'
import { seedFeeItem } from '#db/golden/seed-fee-item.ts'
import { seedGolden, golden, password } from '#db/golden/golden-data.ts'
import { openKillableServer, type KillableServer } from '#db/golden/killable-server.ts'
import { payBills } from '../contract/payment.ts'

/** A cluster of its own: the database itself is stopped and started here. */
let firstCluster: TestCluster
let secondCluster: Cluster | undefined
let s: KillableServer
let store: Database
let me: CallOptions
let ownerId: Id = 0
let item: Id = 0
let rooms: string[] = []
const dir = mkdtempSync(join(tmpdir(), 'restart-'))
const project = { projectCode: 'GOLD0001' }

beforeAll(async () => {
  firstCluster = await openTestCluster()
  await migrate(firstCluster.cluster.url)
  await seedGolden(firstCluster.cluster.url)
  store = openDatabase(firstCluster.cluster.url, { pool: 4, bulk: 1 })
  ownerId = defined(
    await store
      .reader('*')
      .one<{ ownerId: Id }>(sql`select owner_id from manager where login_code = ${golden.first.owner}`),
  ).ownerId
  item = await store.tx(ownerId, tx =>
    seedFeeItem(tx, ownerId, 'RESTART', { name: '重启', feeType: 'temporary', multi: true }),
  )
  rooms = (
    await store.reader(ownerId).rows<{ code: string }>(
      sql`
          select code
          from room
          where owner_id = ${ownerId} and project_code = 'GOLD0001' and delete_tag = 0
          order by code
          limit 8
        `,
    )
  ).map(r => r.code)
  s = await openKillableServer(firstCluster.cluster.url, dir)
  me = { token: defined(await s.send(login, { loginCode: golden.first.owner, password }, {})).decode().token }
}, 120_000)

afterAll(async () => {
  await s?.kill()
  await store?.close()
  await secondCluster?.close()
  await firstCluster?.close()
  rmSync(dir, { recursive: true, force: true })
})

it('PostgreSQL is restarted amid payments: each asks again with its own number, is booked once, and the server goes on as it is', async () => {
  const made = await s.send(
    addTempFee,
    {
      ...project,
      feeItemId: item,
      amount: asFen(5000),
      sources: rooms.map(sourceCode => ({ sourceType: 'room' as const, sourceCode })),
      beginDate: '2026-11-01',
      endDate: '2026-11-30',
      dueDate: '2026-12-31',
    },
    { ...me, uuid: 'bills' },
  )
  const bills = defined(made).decode().ids
  const count = { done: 0, away: 0, over: false }
  const sure = async (
    send: (uuid: string) => ReturnType<KillableServer['send']>,
    uuid: string,
  ): Promise<void> => {
    for (;;) {
      const a = defined(await send(uuid))
      if (a.status === 200 && a.text.includes('"Code":10000')) break
      expect([a.status, a.text]).toEqual([503, expect.stringContaining('数据库暂时不可用，请稍后重试')])
      count.away++
      await pause(50)
    }
    count.done++
  }
  const paying = Promise.all(
    rooms.map(async (ownerCode, i) => {
      await sure(
        uuid =>
          s.send(
            topUp,
            { ...project, ownerKind: 'room', ownerCode, methods: [{ method: 'cash', amount: asFen(100) }] },
            { ...me, uuid },
          ),
        `top-${i}`,
      )
      let owed = 5000
      for (let k = 0; owed > 0 && (!count.over || k < 20); k++) {
        await sure(
          uuid =>
            s.send(
              payBills,
              {
                ...project,
                billIds: [defined(bills[i])],
                expectAmount: asFen(owed),
                methods: [{ method: 'cash', amount: asFen(50) }],
              },
              { ...me, uuid },
            ),
          `pay-${i}-${k}`,
        )
        owed -= 50
      }
      return owed
    }),
  )
  while (count.done < 12) {
    await pause(5)
  }
  await firstCluster.cluster.close()
  await pause(300)
  secondCluster = await openCluster({
    dataDir: firstCluster.cluster.dataDir,
    port: firstCluster.cluster.port,
    tuning: 'test',
  })
  count.over = true
  const result = await paying
  expect(count.away).toBeGreaterThan(0)
  expect(
    (
      await store.reader(ownerId).rows<{ rest: string }>(
        sql`
            select unpaid_principal::text as rest
            from bill
            where owner_id = ${ownerId} and fee_item_id = ${item}
            order by id
          `,
      )
    ).map(b => Math.round(Number(b.rest) * 100)),
  ).toEqual(result)
  expect(
    await store.reader(ownerId).one(
      sql`
          select count(*)::int as n, count(distinct account_id)::int as accounts
          from prestore_entry
          where owner_id = ${ownerId}
        `,
    ),
  ).toEqual({ n: 8, accounts: 8 })
  expect(await findViolations(store.reader(ownerId), ownerId)).toEqual([])
}, 120_000)
