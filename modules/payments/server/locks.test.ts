import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { As } from '#kit/server/ground/world.ts'
import { addTempFee } from '#modules/bills/contract/temporary.ts'
import { addDeposit, convertDeposit, refundDeposit } from '#modules/deposits/contract/deposit.ts'
import { putSetting } from '#modules/estates/contract/estate.ts'
import { rebuildDay } from '#modules/fee-reports/contract/till.ts'
import { deductRooms, refundAccount, topUp } from '#modules/prestore/contract/account.ts'
import { faultsIn } from '../../../db/golden/books.ts'
import { golden } from '../../../db/golden/fill.ts'
import { openGolden, type GoldenWorld } from '../../../db/golden/world.ts'
import { addHandover, closeDay, confirmHandover, handoverPreview, reopenDay } from '../contract/close.ts'
import { createOrder } from '../contract/order.ts'
import { payBills } from '../contract/pay.ts'
import { oneRecord, recoverRecord, voidRecord } from '../contract/record.ts'
import { askRefund, cancelRefund } from '../contract/refund.ts'
import { confirm } from './order-confirm.ts'
import { dayLock } from './settle.ts'

let t: GoldenWorld
let me: As
let other: As
let owner = 0
let item = 0
let rooms: string[] = []
let n = 0
const project = { projectCode: 'GOLD0001' }
const day = '2026-11-21'

beforeAll(async () => {
  t = await openGolden({ works: true })
  me = await t.owner
  other = await t.as(golden.first.estateOnly)
  owner = (await t.store
    .reader('*')
    .one<{ ownerId: number }>(sql`select owner_id from manager where login_code = ${golden.first.owner}`))!
    .ownerId
  await t.store.tx('*', tx =>
    tx.run(
      sql`
        update manager
        set role_ids = (select array[id::text] from role where owner_id = ${owner} and everything limit 1)
        where login_code = ${golden.first.estateOnly}
      `,
    ),
  )
  item = (await t.store.tx(owner, tx =>
    tx.one<{ id: number }>(
      sql`
        insert into fee_item (
          owner_id, code, name, fee_type, category, income_kind, bill_mode, scene, allow_multi, auto_deduct,
          late_fee_switch, state
        )
        values (${owner}, 'LOCKS', '锁', 30, 10, 1, 1, 2, true, true, false, 10)
        returning id
      `,
    ),
  ))!.id
  rooms = (
    await t.store.reader(owner).rows<{ code: string }>(
      sql`
          select code
          from room
          where project_code = 'GOLD0001' and delete_tag = 0 and payer_id is null
          order by sort_key
          limit 6
        `,
    )
  ).map(r => r.code)
  await t.ask(putSetting, { ...project, key: 'RefundAuditFrom', value: '99999999' } as never, me)
})

afterAll(() => t?.close())
const room = (): string => rooms[n++ % rooms.length]!

const bill = async (code: string, amount: number): Promise<string> =>
  (
    await t.ask(
      addTempFee,
      {
        ...project,
        feeItemId: item,
        amount,
        sources: [{ sourceType: 'room', sourceCode: code }],
        beginDate: '2026-11-01',
        endDate: '2026-11-30',
        dueDate: '2026-12-31',
      } as never,
      me,
    )
  ).ids[0]!

const pay = (ids: readonly string[], sum: number, method = 'cash') =>
  t.ask(
    payBills,
    { ...project, billIds: ids, expectAmount: sum, methods: [{ method, amount: sum }] } as never,
    me,
  )

const put = (code: string, amount: number) =>
  t.ask(
    topUp,
    { ...project, ownerKind: 'room', ownerCode: code, methods: [{ method: 'cash', amount }] } as never,
    me,
  )

const one = async (sum: number, code = room()) =>
  t.ask(oneRecord, { id: (await pay([await bill(code, sum)], sum)).recordId }, me)

const back = (r: Awaited<ReturnType<typeof one>>, principal: number) =>
  t.ask(
    askRefund,
    {
      recordId: r.id,
      lines: [{ detailId: r.details[0]!.id, principal, late: 0 }],
      refundWay: 'cash',
      billAfter: 'owed',
      reason: '多收了',
    } as never,
    me,
  )

const undo = (id: number) => t.ask(voidRecord, { id, reason: '录错了' } as never, me)

const held = (amount: number) =>
  t.ask(
    addDeposit,
    { ...project, kind: 'fitting', roomCode: room(), amount, methods: [{ method: 'cash', amount }] } as never,
    me,
  )

const sheet = async (): Promise<void> => {
  const p = await t.ask(handoverPreview, project as never, me)
  const h = await t.ask(
    addHandover,
    { ...project, endTime: p.endTime, expectCash: p.cashAmount, handAmount: p.cashAmount } as never,
    me,
  )
  await t.ask(confirmHandover, { id: h.id, pass: true } as never, other)
}

/** An order that a channel has been asked for. */
const ordered = async (code: string): Promise<number> => {
  const { orderNo } = await t.ask(
    createOrder,
    { ...project, billIds: [await bill(code, 100)], expectAmount: 100 } as never,
    me,
  )
  return t.store.tx(
    owner,
    async tx =>
      (await tx.one<{ id: number }>(
        sql`update pay_order set state = 60, channel = 10 where order_no = ${orderNo} returning id`,
      ))!.id,
  )
}

const clashes = async (): Promise<number> =>
  Number(
    (await t.store
      .reader('*')
      .one<{ n: string }>(
        sql`select deadlocks::text as n from pg_stat_database where datname = current_database()`,
      ))!.n,
  )

it('a crowd at the till while the day is closed and opened again, over and over: no two ever wait for each other in a ring', async () => {
  const before = await clashes()
  const said: unknown[] = []
  for (let round = 0; round < Number(process.env.LOCK_ROUNDS ?? 3); round++) {
    const two = [room(), room()]
    const ids: string[] = []
    const records: Awaited<ReturnType<typeof one>>[] = []
    for (const code of two) {
      await put(code, 3000)
      for (let i = 0; i < 4; i++) {
        ids.push(await bill(code, 500))
      }
    }
    for (let i = 0; i < 4; i++) {
      records.push(await one(900, two[i % 2]))
    }
    const dep = await held(5000)
    await sheet().catch(e => {
      if (!(e instanceof Refused)) throw e
    })
    records.push(await one(700, two[0]), await one(700, two[1]))
    const all = [
      () => t.ask(closeDay, { ...project, day } as never, me),
      () => pay([ids[0]!, ids[4]!], 1000),
      () => pay([ids[5]!, ids[1]!], 1000, 'prestore'),
      () => t.ask(deductRooms, { ...project, roomCodes: two } as never, me),
      () => put(two[0]!, 100),
      () => undo(records[4]!.id),
      () => back(records[0]!, 300),
      () => t.ask(reopenDay, { ...project, day, reason: '补录' } as never, me),
      () => back(records[1]!, 900),
      () => pay([ids[2]!, ids[6]!], 1000, 'prestore'),
      () => undo(records[5]!.id),
      () => t.ask(closeDay, { ...project, day } as never, me),
      () => t.ask(rebuildDay, { ...project, day } as never, me),
      () => sheet(),
      () =>
        t.ask(refundDeposit, { id: dep.id, amount: 100, method: 'cash', reason: '验收合格' } as never, me),
      () => put(two[1]!, 100),
      () => pay([ids[7]!, ids[3]!], 1000),
      () => t.ask(deductRooms, { ...project, roomCodes: two.toReversed() } as never, me),
      () => back(records[4]!, 100),
      () => t.ask(reopenDay, { ...project, day, reason: '补录' } as never, me),
      () =>
        t.ask(convertDeposit, { id: dep.id, amount: 100, to: 'prestore', reason: '业主要求' } as never, me),
      () => put(two[0]!, 100),
    ]
    for (const s of await Promise.allSettled(all.map(go => go()))) {
      if (s.status === 'rejected') {
        said.push(s.reason)
      }
    }
    await t.ask(reopenDay, { ...project, day, reason: '补录' } as never, me).catch(() => {})
  }
  for (const e of said) {
    expect(e).toBeInstanceOf(Refused)
    expect((e as Error).message).not.toContain('同时操作的人较多')
  }
  expect(await faultsIn(t.store.reader(owner), owner)).toEqual([])
  await new Promise(done => setTimeout(done, 1500))
  expect((await clashes()) - before).toBe(0)
}, 120_000)

it('deductions of several rooms against payments of theirs: the receipt’s counter is nobody’s while he still wants bills', async () => {
  const before = await clashes()
  const code = rooms.slice(0, 4)
  for (let round = 0; round < 3; round++) {
    const ids: string[][] = []
    for (const c of code) {
      await put(c, 4000)
      ids.push([await bill(c, 500), await bill(c, 500), await bill(c, 500)])
    }
    const all = [
      () => t.ask(deductRooms, { ...project, roomCodes: code } as never, me),
      ...[3, 2, 1, 0].flatMap(k => [
        () => pay([ids[k]![0]!, ids[(k + 1) % 4]![1]!], 1000),
        () => pay([ids[k]![2]!], 500, 'prestore'),
      ]),
      () => t.ask(deductRooms, { ...project, roomCodes: code } as never, me),
    ]
    for (const s of await Promise.allSettled(all.map(go => go()))) {
      if (s.status === 'rejected') {
        expect(s.reason).toBeInstanceOf(Refused)
        expect((s.reason as Error).message).not.toContain('同时操作的人较多')
      }
    }
  }
  expect(await faultsIn(t.store.reader(owner), owner)).toEqual([])
  await new Promise(done => setTimeout(done, 1500))
  expect((await clashes()) - before).toBe(0)
}, 60_000)

it('the day comes first: while one is being closed, whoever waits for it holds nothing that another till needs', async () => {
  const code = room()
  await t.ask(reopenDay, { ...project, day, reason: '补录' } as never, me).catch(() => {})
  await put(code, 3000)
  const [a, b, c, d] = [
    await bill(code, 500),
    await bill(code, 500),
    await one(900, code),
    await one(700, code),
  ]
  const gone = await one(100, code)
  const dep = await held(5000)
  const paidBack = await back(c, 100)
  await undo(gone.id)
  const purse = (await t.store
    .reader(owner)
    .one<{ id: number }>(
      sql`select id from prestore_account where owner_code = ${code} and project_code = 'GOLD0001'`,
    ))!.id
  const raw = await ordered(code)
  const waiting: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['payment', () => pay([a], 500)],
    ['payment by prestore', () => pay([b], 500, 'prestore')],
    ['deduction', () => t.ask(deductRooms, { ...project, roomCodes: [code] } as never, me)],
    ['top-up', () => put(code, 100)],
    [
      'prestore paid back',
      () => t.ask(refundAccount, { id: purse, amount: 100, method: 'cash', reason: '业主要求' } as never, me),
    ],
    ['void', () => undo(d.id)],
    ['recovery', () => t.ask(recoverRecord, { id: gone.id } as never, me)],
    ['refund', () => back(c, 200)],
    ['refund taken back', () => t.ask(cancelRefund, { id: paidBack.id, reason: '退错了' } as never, me)],
    ['deposit', () => held(100)],
    [
      'deposit paid back',
      () =>
        t.ask(refundDeposit, { id: dep.id, amount: 100, method: 'cash', reason: '验收合格' } as never, me),
    ],
    [
      'order',
      () =>
        confirm(t.world, owner, raw, {
          transactionId: `W${raw}`,
          amount: 100,
          channel: 'wechat',
          source: 'notified',
        }),
    ],
    ['summary', () => t.ask(rebuildDay, { ...project, day } as never, me)],
  ]
  for (const [what, go] of waiting) {
    let work: Promise<unknown> = Promise.resolve()
    let closing: Promise<unknown> = work
    const queue = () =>
      t.store.reader('*').rows<{ pid: number; closes: boolean }>(
        sql`
            select pid, mode = 'ExclusiveLock' as closes
            from pg_locks
            where locktype = 'advisory'
              and not granted
              and database = (select oid from pg_database where datname = current_database())
          `,
      )
    await t.store.tx(owner, async tx => {
      await dayLock(tx, owner, 'GOLD0001', day)
      closing = t.ask(closeDay, { ...project, day } as never, me).catch(e => e as unknown)
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
          await t.store.reader('*').rows<{ name: string }>(
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
    const said = await work
    if (said instanceof Error) {
      expect(said).toBeInstanceOf(Refused)
    }
    await t.ask(reopenDay, { ...project, day, reason: '补录' } as never, me).catch(() => {})
  }
}, 60_000)
