import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it, assert } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { addTempFee } from '#modules/bills/contract/temporary.ts'
import { addDeposit, convertDeposit, refundDeposit } from '#modules/deposits/contract/deposit.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { rebuildDay } from '#modules/fee-reports/contract/daily-collection.ts'
import { deductRooms, refundAccount, topUp } from '#modules/prestore/contract/account.ts'
import { findViolations } from '#db/golden/invariants.ts'
import { golden } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { addHandover, closeDay, confirmHandover, previewHandover, reopenDay } from '../contract/day-close.ts'
import { createOrder } from '../contract/order.ts'
import { payBills } from '../contract/payment.ts'
import { getRecord, recoverRecord, voidRecord } from '../contract/record.ts'
import { requestRefund, cancelRefund } from '../contract/refund.ts'
import { confirmPayment } from './order-confirmation.ts'
import { lockDay } from './day-lock.ts'

type PayMethod = NonNullable<typeof payBills.input.T>['methods'][number]['method']

let t: GoldenApp
let me: CallOptions
let other: CallOptions
let ownerId: Id = 0
let item: Id = 0
let rooms: string[] = []
let n = 0
const project = { projectCode: 'GOLD0001' }
const day = '2026-11-21'

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  other = await t.signedInAs(golden.first.estateOnly)
  ownerId = t.ownerId
  await t.database.tx('*', tx =>
    tx.execute(
      sql`
        update manager
        set role_ids = (select array[id::text] from role where owner_id = ${ownerId} and everything limit 1)
        where login_code = ${golden.first.estateOnly}
      `,
    ),
  )
  item = await t.addFeeItem('LOCKS', { name: '锁', feeType: 'temporary', multi: true })
  rooms = (
    await t.database.reader(ownerId).rows<{ code: string }>(
      sql`
          select code
          from room
          where project_code = 'GOLD0001' and delete_tag = 0 and payer_id is null
          order by sort_key
          limit 6
        `,
    )
  ).map(r => r.code)
  await t.call(updateEstateSetting, { ...project, key: 'RefundAuditFrom', value: '99999999' }, me)
})

afterAll(() => t?.close())
const nextRoom = (): string => defined(rooms[n++ % rooms.length])

const createBill = async (code: string, amount: Fen): Promise<string> =>
  defined(
    (
      await t.call(
        addTempFee,
        {
          ...project,
          feeItemId: item,
          amount,
          sources: [{ sourceType: 'room', sourceCode: code }],
          beginDate: '2026-11-01',
          endDate: '2026-11-30',
          dueDate: '2026-12-31',
        },
        me,
      )
    ).ids[0],
  )

const pay = (ids: readonly string[], sum: Fen, method: PayMethod = 'cash') =>
  t.call(payBills, { ...project, billIds: ids, expectAmount: sum, methods: [{ method, amount: sum }] }, me)

const topUpRoom = (code: string, amount: Fen) =>
  t.call(topUp, { ...project, ownerKind: 'room', ownerCode: code, methods: [{ method: 'cash', amount }] }, me)

const createPaidRecord = async (sum: number, code = nextRoom()) =>
  t.call(getRecord, { id: (await pay([await createBill(code, asFen(sum))], asFen(sum))).recordId }, me)

const requestRefundOf = (r: Awaited<ReturnType<typeof createPaidRecord>>, principal: Fen) =>
  t.call(
    requestRefund,
    {
      recordId: r.id,
      lines: [{ detailId: defined(r.details[0]).id, principal, late: 0 }],
      refundWay: 'cash',
      billAfter: 'owed',
      reason: '多收了',
    },
    me,
  )

const voidPaidRecord = (id: Id) => t.call(voidRecord, { id, reason: '录错了' }, me)

const createDeposit = (amount: Fen) =>
  t.call(
    addDeposit,
    {
      ...project,
      kind: 'fitting',
      roomCode: nextRoom(),
      amount,
      methods: [{ method: 'cash', amount }],
    },
    me,
  )

const addSheet = async (): Promise<void> => {
  const p = await t.call(previewHandover, project, me)
  const h = await t.call(
    addHandover,
    { ...project, endTime: p.endTime, expectCash: p.cashAmount, handAmount: p.cashAmount },
    me,
  )
  await t.call(confirmHandover, { id: h.id, pass: true }, other)
}

/** An order that a channel has been asked for. */
const createQueriedOrder = async (code: string): Promise<Id> => {
  const { orderNo } = await t.call(
    createOrder,
    { ...project, billIds: [await createBill(code, asFen(100))], expectAmount: asFen(100) },
    me,
  )
  return t.database.tx(
    ownerId,
    async tx =>
      defined(
        await tx.one<{ id: Id }>(
          sql`update pay_order set state = 60, channel = 10 where order_no = ${orderNo} returning id`,
        ),
      ).id,
  )
}

const countDeadlocks = async (): Promise<number> =>
  Number(
    defined(
      await t.database
        .reader('*')
        .one<{ n: string }>(
          sql`select deadlocks::text as n from pg_stat_database where datname = current_database()`,
        ),
    ).n,
  )

it('many cashiers while the day is closed and reopened repeatedly cause no deadlock', async () => {
  const before = await countDeadlocks()
  const refusals: unknown[] = []
  for (let round = 0; round < Number(process.env.LOCK_ROUNDS ?? 3); round++) {
    const two = [nextRoom(), nextRoom()]
    const ids: string[] = []
    const records: Awaited<ReturnType<typeof createPaidRecord>>[] = []
    for (const code of two) {
      await topUpRoom(code, asFen(3000))
      for (let i = 0; i < 4; i++) {
        ids.push(await createBill(code, asFen(500)))
      }
    }
    for (let i = 0; i < 4; i++) {
      records.push(await createPaidRecord(900, two[i % 2]))
    }
    const dep = await createDeposit(asFen(5000))
    await addSheet().catch(e => {
      if (!(e instanceof Refused)) throw e
    })
    records.push(await createPaidRecord(700, two[0]), await createPaidRecord(700, two[1]))
    const all = [
      () => t.call(closeDay, { ...project, day, isTodayConfirmed: true }, me),
      () => pay([defined(ids[0]), defined(ids[4])], asFen(1000)),
      () => pay([defined(ids[5]), defined(ids[1])], asFen(1000), 'prestore'),
      () => t.call(deductRooms, { ...project, roomCodes: two }, me),
      () => topUpRoom(defined(two[0]), asFen(100)),
      () => voidPaidRecord(defined(records[4]).id),
      () => requestRefundOf(defined(records[0]), asFen(300)),
      () => t.call(reopenDay, { ...project, day, reason: '补录' }, me),
      () => requestRefundOf(defined(records[1]), asFen(900)),
      () => pay([defined(ids[2]), defined(ids[6])], asFen(1000), 'prestore'),
      () => voidPaidRecord(defined(records[5]).id),
      () => t.call(closeDay, { ...project, day, isTodayConfirmed: true }, me),
      () => t.call(rebuildDay, { ...project, day }, me),
      () => addSheet(),
      () => t.call(refundDeposit, { id: dep.id, amount: 100, method: 'cash', reason: '验收合格' }, me),
      () => topUpRoom(defined(two[1]), asFen(100)),
      () => pay([defined(ids[7]), defined(ids[3])], asFen(1000)),
      () => t.call(deductRooms, { ...project, roomCodes: two.toReversed() }, me),
      () => requestRefundOf(defined(records[4]), asFen(100)),
      () => t.call(reopenDay, { ...project, day, reason: '补录' }, me),
      () => t.call(convertDeposit, { id: dep.id, amount: 100, to: 'prestore', reason: '业主要求' }, me),
      () => topUpRoom(defined(two[0]), asFen(100)),
    ]
    for (const s of await Promise.allSettled(all.map(go => go()))) {
      if (s.status === 'rejected') {
        refusals.push(s.reason)
      }
    }
    await t.call(reopenDay, { ...project, day, reason: '补录' }, me).catch(() => {})
  }
  for (const e of refusals) {
    assert(e instanceof Refused)
    expect(e.message).not.toContain('同时操作的人较多')
  }
  expect(await findViolations(t.database.reader(ownerId), ownerId)).toEqual([])
  await new Promise(done => setTimeout(done, 1500))
  expect((await countDeadlocks()) - before).toBe(0)
}, 120_000)

it('deductions of several rooms against payments of theirs: the receipt counter is locked last', async () => {
  const before = await countDeadlocks()
  const code = rooms.slice(0, 4)
  for (let round = 0; round < 3; round++) {
    const ids: string[][] = []
    for (const c of code) {
      await topUpRoom(c, asFen(4000))
      ids.push([
        await createBill(c, asFen(500)),
        await createBill(c, asFen(500)),
        await createBill(c, asFen(500)),
      ])
    }
    const all = [
      () => t.call(deductRooms, { ...project, roomCodes: code }, me),
      ...[3, 2, 1, 0].flatMap(k => [
        () => pay([defined(defined(ids[k])[0]), defined(defined(ids[(k + 1) % 4])[1])], asFen(1000)),
        () => pay([defined(defined(ids[k])[2])], asFen(500), 'prestore'),
      ]),
      () => t.call(deductRooms, { ...project, roomCodes: code }, me),
    ]
    for (const s of await Promise.allSettled(all.map(go => go()))) {
      if (s.status === 'rejected') {
        assert(s.reason instanceof Refused)
        expect(s.reason.message).not.toContain('同时操作的人较多')
      }
    }
  }
  expect(await findViolations(t.database.reader(ownerId), ownerId)).toEqual([])
  await new Promise(done => setTimeout(done, 1500))
  expect((await countDeadlocks()) - before).toBe(0)
}, 60_000)

it('the day is locked first: a transaction that waits for a day close holds no other lock', async () => {
  const code = nextRoom()
  await t.call(reopenDay, { ...project, day, reason: '补录' }, me).catch(() => {})
  await topUpRoom(code, asFen(3000))
  const [a, b, c, d] = [
    await createBill(code, asFen(500)),
    await createBill(code, asFen(500)),
    await createPaidRecord(900, code),
    await createPaidRecord(700, code),
  ]
  const voidedRecord = await createPaidRecord(100, code)
  const dep = await createDeposit(asFen(5000))
  const paidBack = await requestRefundOf(c, asFen(100))
  await voidPaidRecord(voidedRecord.id)
  const accountId = defined(
    await t.database
      .reader(ownerId)
      .one<{ id: Id }>(
        sql`select id from prestore_account where owner_code = ${code} and project_code = 'GOLD0001'`,
      ),
  ).id
  const raw = await createQueriedOrder(code)
  const waiting: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['payment', () => pay([a], asFen(500))],
    ['payment by prestore', () => pay([b], asFen(500), 'prestore')],
    ['deduction', () => t.call(deductRooms, { ...project, roomCodes: [code] }, me)],
    ['top-up', () => topUpRoom(code, asFen(100))],
    [
      'prestore paid back',
      () => t.call(refundAccount, { id: accountId, amount: 100, method: 'cash', reason: '业主要求' }, me),
    ],
    ['void', () => voidPaidRecord(d.id)],
    ['recovery', () => t.call(recoverRecord, { id: voidedRecord.id }, me)],
    ['refund', () => requestRefundOf(c, asFen(200))],
    ['refund taken back', () => t.call(cancelRefund, { id: paidBack.id, reason: '退错了' }, me)],
    ['deposit', () => createDeposit(asFen(100))],
    [
      'deposit paid back',
      () => t.call(refundDeposit, { id: dep.id, amount: 100, method: 'cash', reason: '验收合格' }, me),
    ],
    [
      'order',
      () =>
        confirmPayment(t.app, ownerId, raw, {
          transactionId: `W${raw}`,
          amount: asFen(100),
          channel: 'wechat',
          source: 'notified',
        }),
    ],
    ['summary', () => t.call(rebuildDay, { ...project, day }, me)],
  ]
  for (const [what, go] of waiting) {
    let work: Promise<unknown> = Promise.resolve()
    let closing: Promise<unknown> = work
    const queue = () =>
      t.database.reader('*').rows<{ pid: number; closes: boolean }>(
        sql`
            select pid, mode = 'ExclusiveLock' as closes
            from pg_locks
            where locktype = 'advisory'
              and not granted
              and database = (select oid from pg_database where datname = current_database())
          `,
      )
    await t.database.tx(ownerId, async tx => {
      await lockDay(tx, ownerId, 'GOLD0001', day)
      closing = t.call(closeDay, { ...project, day, isTodayConfirmed: true }, me).catch(e => e as unknown)
      for (let i = 0; i < 200 && !(await queue()).some(q => q.closes); i++) {
        await new Promise(done => setTimeout(done, 10))
      }
      work = go().catch(e => e as unknown)
      let at: { pid: number; closes: boolean } | undefined
      for (let i = 0; i < 200 && !at; i++) {
        at = (await queue()).find(q => !q.closes)
        if (!at) {
          await new Promise(done => setTimeout(done, 10))
        }
      }
      // Tables of which it has locked or written rows.
      const touched =
        at &&
        (
          await t.database.reader('*').rows<{ name: string }>(
            sql`
                select distinct c.relname::text as name
                from pg_locks l
                join pg_class c on c.oid = l.relation and c.relkind in ('r', 'p')
                where l.pid = ${at.pid} and l.mode in ('RowShareLock', 'RowExclusiveLock')
              `,
          )
        ).map(r => r.name)
      expect({ what, waits: at !== undefined, touched }).toEqual({ what, waits: true, touched: [] })
    })
    await closing
    const result = await work
    if (result instanceof Error) {
      expect(result).toBeInstanceOf(Refused)
    }
    await t.call(reopenDay, { ...project, day, reason: '补录' }, me).catch(() => {})
  }
}, 60_000)
