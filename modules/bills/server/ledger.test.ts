import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen, formatYuan, type Fen } from '#kit/domain/money.ts'
import { Refused } from '#kit/contract/wire.ts'
import { sql, type Statement, type Tx } from '#kit/server/db.ts'
import { unrestrictedDomain, type Scope } from '#kit/server/scope.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { allocate } from '../domain/allocation.ts'
import { writeBills } from './stored-bill.ts'
import { bookRefund, holdBills, releaseBills, payableBills, bookPayment, type Allocation } from './ledger.ts'
import { undoBooking } from './ledger-undo.ts'

let t: GoldenApp
let scope: Scope
let item = 0
let n = 0

beforeAll(async () => {
  t = await openGoldenApp()
  scope = {
    ownerId: t.ownerId,
    operatorId: asId(1),
    name: '测试',
    isOwner: true,
    permissions: new Set(),
    domain: unrestrictedDomain,
    canSeePersonalData: true,
    projectCode: '',
    ip: '',
    requestId: 'test',
    time: '2026-11-21T01:00:00.000Z',
  }
  item = await t.addFeeItem('LEDGER', { name: '台账测试', multi: true, late: true })
})

afterAll(() => t?.close())

interface Planned {
  begin: string
  end: string
  due: string
  amount: Fen
  source?: string
  free?: boolean
  root?: number
  item?: number
}

const insertBill = (tx: Tx, p: Planned): Promise<{ id: Id } | undefined> =>
  tx.one(sql`
    insert into bill (
      owner_id, project_code, bill_no, source_type, source_code, source_name, fee_item_id, fee_item_name,
      fee_type, begin_date, end_date, belong_month, amount, due_date, state, bill_source, run_free, run_split_root
    )
    values (
      ${scope.ownerId}, 'GOLD0001', ${`T${++n}`}, 10, ${p.source ?? `S${n}`}, '1-1-101', ${p.item ?? item},
      '台账测试', 10, ${p.begin}, ${p.end}, ${p.begin.slice(0, 7)}, ${formatYuan(p.amount)}, ${p.due}, 20, 10,
      ${p.free ?? false}, ${p.root ?? null}
    )
    returning id
  `)

const makeBills = async (...list: Planned[]): Promise<Id[]> =>
  t.database.tx(scope.ownerId, async tx => {
    const ids: Id[] = []
    for (const p of list) {
      ids.push(defined(await insertBill(tx, p)).id)
    }
    return ids
  })

const now = '2025-04-10 10:00:00'

const pay = (
  ids: readonly Id[],
  amount: Fen,
  day: Day,
  record: Id,
  order: 'lateFirst' | 'principalFirst' = 'lateFirst',
) =>
  t.database.tx(scope.ownerId, async tx => {
    const list = await payableBills(tx, scope, ids, day, { lock: true })
    const { shares, unallocated } = allocate(
      list.map(s => s.owed),
      amount,
      order,
    )
    const allocations: Allocation[] = shares.map(s => ({
      billId: s.id,
      principal: s.principal,
      late: s.late,
    }))
    await bookPayment(tx, scope, list, allocations, {
      day,
      at: `${day} 10:00:00`,
      from: { type: 'test', id: record },
    })
    return { shares, unallocated }
  })

const readBill = async (id: Id) =>
  defined(
    await t.database.reader(scope.ownerId).one<Record<string, unknown>>(
      sql`
        select paid_principal::text as paid, unpaid_principal::text as rest, late_fee_due::text as due,
          late_fee_paid::text as late, late_fee_unpaid::text as late_rest, unpaid::text as unpaid,
          pay_state, refund_state, state, lock_order_id as lock
        from bill
        where id = ${id}
      `,
    ),
  )

const months = (id: Id) =>
  t.database
    .reader(scope.ownerId)
    .rows<{ month: string; receivable: string; paid: string }>(
      sql`select month, receivable::text, paid::text from bill_month where bill_id = ${id} order by month`,
    )

const abc = (): Planned[] =>
  [
    ['2025-01-01', '2025-01-31', '2025-01-31'],
    ['2025-02-01', '2025-02-28', '2025-02-28'],
    ['2025-03-01', '2025-03-31', '2025-03-31'],
  ].map(([begin, end, due]) => ({
    begin: defined(begin),
    end: defined(end),
    due: defined(due),
    amount: asFen(30000),
  }))

it('T-PAY-01: late fee first, oldest first; bills, moves and months agree', async () => {
  const [a, b, c] = await makeBills(...abc())
  const result = await pay([defined(c), defined(a), defined(b)], asFen(50000), '2025-04-10', asId(1))
  expect(result).toEqual({
    unallocated: 0,
    shares: [
      { id: a, principal: 30000, late: 1035 },
      { id: b, principal: 18350, late: 615 },
    ],
  })
  expect(await readBill(defined(a))).toMatchObject({
    paid: '300.00',
    late: '10.35',
    unpaid: '0.00',
    payState: 1,
  })
  expect(await readBill(defined(b))).toMatchObject({
    paid: '183.50',
    rest: '116.50',
    lateRest: '0.00',
    payState: 0,
  })
  expect(await months(defined(b))).toEqual([{ month: '2025-02', receivable: '300.00', paid: '183.50' }])
  const [, , open] = await t.database.tx(scope.ownerId, tx =>
    payableBills(tx, scope, [defined(a), defined(b), defined(c)], '2025-04-10'),
  )
  expect(defined(open).owed).toMatchObject({ id: c, principal: 30000, late: 150 })
})

it('T-PAY-02: principal first', async () => {
  const [a, b, c] = await makeBills(...abc())
  const result = await pay(
    [defined(a), defined(b), defined(c)],
    asFen(50000),
    '2025-04-10',
    asId(2),
    'principalFirst',
  )
  expect(result.shares).toEqual([
    { id: a, principal: 30000, late: 1035 },
    { id: b, principal: 18965, late: 0 },
  ])
})

it('LATE-13: the late fee is beside the principal, and no month of the bill counts it as collected', async () => {
  const [a] = await makeBills({
    begin: '2025-01-01',
    end: '2025-01-31',
    due: '2025-01-31',
    amount: asFen(30000),
  })
  // 300.00 × 0.0005 × 20 days
  expect((await pay([defined(a)], asFen(30300), '2025-02-20', asId(33))).shares).toEqual([
    { id: a, principal: 30000, late: 300 },
  ])
  expect(await readBill(defined(a))).toMatchObject({ paid: '300.00', late: '3.00' })
  expect(await months(defined(a))).toEqual([{ month: '2025-01', receivable: '300.00', paid: '300.00' }])
})

it('T-LATE-05: the late fee follows what was paid when', async () => {
  const [a] = await makeBills({
    begin: '2025-01-01',
    end: '2025-01-31',
    due: '2025-01-31',
    amount: asFen(120000),
  })
  await pay([defined(a)], asFen(50000), '2025-03-02', asId(3), 'principalFirst')
  const [s] = await t.database.tx(scope.ownerId, tx => payableBills(tx, scope, [defined(a)], '2025-04-11'))
  expect(defined(s).owed).toMatchObject({ principal: 70000, late: 3200 })
})

it('T-REF-01, T-REF-02: a refund opens the bill again, or abolishes it', async () => {
  const [a, b] = await makeBills(...abc())
  const day = '2025-04-10'
  const from = { type: 'refund', id: asId(9) }
  await pay([defined(a)], asFen(31035), day, asId(4))
  await t.database.tx(scope.ownerId, tx =>
    bookRefund(tx, scope, [{ billId: defined(a), principal: asFen(10000), late: 0 }], 'owed', { day, from }),
  )
  expect(await readBill(defined(a))).toMatchObject({
    paid: '200.00',
    payState: 0,
    refundState: 1,
    unpaid: '100.00',
  })
  const [s] = await t.database.tx(scope.ownerId, tx => payableBills(tx, scope, [defined(a)], '2025-04-20'))
  // 100.00 × 0.0005 × 10 days since the refund, on top of the 10.35 already paid (LATE-11).
  expect(defined(s).owed.late).toBe(50)
  await pay([defined(b)], asFen(30615), day, asId(5))
  await t.database.tx(scope.ownerId, tx =>
    bookRefund(tx, scope, [{ billId: defined(b), principal: asFen(30000), late: asFen(615) }], 'abolished', {
      day,
      from,
    }),
  )
  expect(await readBill(defined(b))).toMatchObject({ state: 30, paid: '0.00', refundState: 2 })
  expect(await months(defined(b))).toEqual([])
})

it('PAY-21: a payment entered by mistake leaves no trace', async () => {
  const [a] = await makeBills(defined(abc()[0]))
  const before = await readBill(defined(a))
  await pay([defined(a)], asFen(20000), '2025-01-20', asId(6))
  await t.database.tx(scope.ownerId, tx => undoBooking(tx, scope, { type: 'test', id: asId(6) }))
  expect(await readBill(defined(a))).toEqual(before)
})

it('BILL-3: an order locks its bills until it releases or pays them', async () => {
  const [a] = await makeBills(defined(abc()[0]))
  const hold = (order: Id) =>
    t.database.tx(scope.ownerId, async tx =>
      holdBills(
        tx,
        scope,
        await payableBills(tx, scope, [defined(a)], '2025-04-10', { lock: true }),
        order,
        '2025-04-10 10:15:00',
        now,
      ),
    )
  await hold(asId(71))
  await hold(asId(71))
  await expect(hold(asId(72))).rejects.toThrow(/正在支付中/)
  await t.database.tx(scope.ownerId, tx => releaseBills(tx, scope.ownerId, asId(71)))
  await hold(asId(72))
  expect((await readBill(defined(a))).lock).toBe(72)
})

it('fifty cashiers pay one bill at once: it is paid once', async () => {
  const [a] = await makeBills(defined(abc()[0]))
  const payOnce = (k: number) =>
    t.database.tx(scope.ownerId, async tx => {
      const list = await payableBills(tx, scope, [defined(a)], '2025-01-20', { lock: true })
      if (defined(list[0]).owed.principal === 0) throw new Refused(10001, '账单已缴清')
      await bookPayment(tx, scope, list, [{ billId: defined(a), principal: asFen(30000), late: 0 }], {
        day: '2025-01-20',
        at: '2025-01-20 10:00:00',
        from: { type: 'test', id: asId(100 + k) },
      })
    })
  const results = await Promise.allSettled(Array.from({ length: 50 }, (_, k) => payOnce(k)))
  expect(results.filter(s => s.status === 'fulfilled').length).toBe(1)
  expect(
    await t.database
      .reader(scope.ownerId)
      .one(
        sql`select count(*) as n, sum(principal)::text as sum from bill_move where bill_id = ${defined(a)}`,
      ),
  ).toEqual({ n: 1, sum: '300.00' })
})

it('GEN-2: no two live bills of one item on one object charge the same day; halves of one split may', async () => {
  const own = await t.addFeeItem('GUARD', { name: '防重' })
  const p = {
    begin: '2025-05-01',
    end: '2025-05-31',
    due: '2025-05-31',
    amount: asFen(100),
    source: 'G1',
    item: own,
  }
  const [a] = await makeBills(p)
  await expect(makeBills({ ...p, begin: '2025-05-31', end: '2025-06-30' })).rejects.toThrow(/bill_overlap/)
  await makeBills(
    { ...p, source: 'G2' },
    { ...p, begin: '2025-06-01', end: '2025-06-30' },
    { ...p, free: true },
    { ...p, root: defined(a) },
  )
  await t.database.tx(scope.ownerId, tx =>
    tx.execute(sql`update bill set state = 30 where source_code = 'G2'`),
  )
  await makeBills({ ...p, source: 'G2' })
  await expect(
    t.database.tx(scope.ownerId, tx =>
      tx.execute(sql`update bill set state = 20 where source_code = 'G2' and state = 30`),
    ),
  ).rejects.toThrow(/bill_overlap/)
})

it.each([1, 2])('%i bills are written by their keys, however few are believed to be there', async count => {
  const ids = await makeBills(...abc().slice(0, count))
  const plan = await t.database.tx(scope.ownerId, async tx => {
    const statements: Statement[] = []
    const payable = await payableBills(tx, scope, ids, '2025-04-10', { lock: true })
    await writeBills(
      {
        ...tx,
        execute: async (q: Statement) => {
          statements.push(q)
          return count
        },
      },
      scope,
      payable.map(({ row }) => ({ row, change: {} })),
    )
    await tx.execute(sql`set local enable_seqscan = off`)
    return JSON.stringify(await tx.rows(sql`explain (format json) ${defined(statements[0])}`))
  })
  expect(plan).toMatch(count === 1 ? /"Index Cond":"[^"]*\(id = '/ : /"Index Cond":"[^"]*\(id = ANY/)
})
