import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it, assert } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { addTempFee } from '#modules/bills/contract/temporary.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { deductRooms, topUp } from '#modules/prestore/contract/account.ts'
import { findViolations } from '#db/golden/invariants.ts'
import { golden } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { addHandover, confirmHandover, previewHandover } from '../contract/day-close.ts'
import { payBills } from '../contract/payment.ts'
import { getRecord, voidRecord } from '../contract/record.ts'
import { requestRefund, auditRefund, cancelRefund } from '../contract/refund.ts'

type PayInput = NonNullable<typeof payBills.input.T>

/**
 * Many concurrent requests for one thing, on real PostgreSQL: one gets it once, the others get a message, and
 * the books hold.
 */
let t: GoldenApp
let me: CallOptions
let other: CallOptions
let ownerId: Id = 0
let item: Id = 0
let rooms: string[] = []
let n = 0
const project = { projectCode: 'GOLD0001' }

beforeAll(async () => {
  t = await openGoldenApp()
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
  item = await t.addFeeItem('CROWD', { name: '人多', feeType: 'temporary', multi: true, late: true })
  rooms = (
    await t.database.reader(ownerId).rows<{ code: string }>(
      sql`
          select code
          from room
          where project_code = 'GOLD0001' and delete_tag = 0 and payer_id is null
          order by sort_key
          limit 20
        `,
    )
  ).map(r => r.code)
  await t.call(updateEstateSetting, { ...project, key: 'RefundAuditFrom', value: '99999999' }, me)
})

afterAll(() => t?.close())

const nextRoom = (): string => defined(rooms[n++ % rooms.length])

const createBill = async (sourceCode: string, amount: Fen): Promise<string> =>
  defined(
    (
      await t.call(
        addTempFee,
        {
          ...project,
          feeItemId: item,
          amount,
          sources: [{ sourceType: 'room', sourceCode }],
          beginDate: '2026-11-01',
          endDate: '2026-11-30',
          dueDate: '2026-12-31',
        },
        me,
      )
    ).ids[0],
  )

const pay = (
  billIds: readonly string[],
  expectAmount: Fen,
  methods: PayInput['methods'] = [{ method: 'cash', amount: expectAmount }],
  as = me,
) => t.call(payBills, { ...project, billIds, expectAmount, methods }, as)

const topUpRoom = (ownerCode: string, amount: Fen) =>
  t.call(topUp, { ...project, ownerKind: 'room', ownerCode, methods: [{ method: 'cash', amount }] }, me)

const createPaidRecord = async (sum: number) =>
  t.call(getRecord, { id: (await pay([await createBill(nextRoom(), asFen(sum))], asFen(sum))).recordId }, me)

const requestRefundOf = (r: Awaited<ReturnType<typeof createPaidRecord>>, principal: Fen, as = me) =>
  t.call(
    requestRefund,
    {
      recordId: r.id,
      lines: [{ detailId: defined(r.details[0]).id, principal, late: 0 }],
      refundWay: 'cash',
      billAfter: 'owed',
      reason: '多收了',
    },
    as,
  )

/** How many did it; the rest were refused with a message that a person can act on, none by a deadlock. */
async function countSucceeded(all: readonly Promise<unknown>[]): Promise<number> {
  const results = await Promise.allSettled(all)
  const refusals = results.flatMap((s): unknown[] => (s.status === 'rejected' ? [s.reason] : []))
  for (const e of refusals) {
    assert(e instanceof Refused)
    expect(e.message).not.toContain('同时操作的人较多')
  }
  expect(await findViolations(t.database.reader(ownerId), ownerId)).toEqual([])
  return results.length - refusals.length
}

const runMany = <T>(k: number, work: (i: number) => Promise<T>): Promise<T>[] =>
  Array.from({ length: k }, (_, i) => work(i))

const paidPrincipalOf = async (id: string) =>
  defined(
    await t.database
      .reader(ownerId)
      .one<{ paid: string }>(sql`select paid_principal::text as paid from bill where id = ${id}`),
  ).paid

const balanceOf = async (code: string) =>
  defined(
    await t.database.reader(ownerId).one<{ sum: string }>(
      sql`
        select coalesce(sum(balance), 0)::text as sum
        from prestore_account
        where owner_code = ${code} and project_code = 'GOLD0001'
      `,
    ),
  ).sum

it('fifty cashiers collect the bills of one room, in any order', async () => {
  const code = nextRoom()
  const ids = [
    await createBill(code, asFen(10000)),
    await createBill(code, asFen(20000)),
    await createBill(code, asFen(30000)),
  ]
  expect(
    await countSucceeded(
      runMany(50, i =>
        pay(
          ids.map((_, k) => defined(ids[(k + i) % 3])),
          asFen(60000),
        ),
      ),
    ),
  ).toBe(1)
})

it('fifty cashiers take a tenth of one bill each: ten have it', async () => {
  const id = await createBill(nextRoom(), asFen(10000))
  const results = await Promise.allSettled(
    runMany(50, () => pay([id], asFen(10000), [{ method: 'cash', amount: asFen(1000) }])),
  )
  expect(results.filter(s => s.status === 'fulfilled')).toHaveLength(1)
  for (let remaining = 9000; remaining > 0; remaining -= 1000) {
    expect(
      await countSucceeded(
        runMany(3, () => pay([id], asFen(remaining), [{ method: 'transfer', amount: asFen(1000) }])),
      ),
    ).toBe(1)
  }
  expect(await paidPrincipalOf(id)).toBe('100.00')
})

it('deduction against payment: the bill is paid by one of them', async () => {
  for (let i = 0; i < 6; i++) {
    const code = nextRoom()
    const id = await createBill(code, asFen(8000))
    await topUpRoom(code, asFen(8000))
    const balanceBefore = Number(await balanceOf(code))
    const deduct = () => t.call(deductRooms, { ...project, roomCodes: [code] }, me)
    await countSucceeded([
      pay([id], asFen(8000)),
      deduct(),
      pay([id], asFen(8000), [{ method: 'prestore', amount: asFen(8000) }]),
      deduct(),
    ])
    expect(await paidPrincipalOf(id)).toBe('80.00')
    expect([balanceBefore, balanceBefore - 80]).toContain(Number(await balanceOf(code)))
  }
})

it('top-ups, payments and deductions from one account cause no deadlock', async () => {
  const code = nextRoom()
  const ids: string[] = []
  await topUpRoom(code, asFen(100_000))
  for (let i = 0; i < 8; i++) {
    ids.push(await createBill(code, asFen(1000)))
  }
  const before = Number(await balanceOf(code))
  expect(
    await countSucceeded([
      ...runMany(8, () => topUpRoom(code, asFen(500))),
      ...ids.map(id => pay([id], asFen(1000), [{ method: 'prestore', amount: asFen(1000) }])),
    ]),
  ).toBe(16)
  expect(Number(await balanceOf(code))).toBe(before + 40 - 80)
})

it('two top-ups of one new account make one account', async () => {
  const code = defined(rooms.at(-1))
  expect(await countSucceeded(runMany(8, () => topUpRoom(code, asFen(100))))).toBe(8)
  expect(
    await t.database.reader(ownerId).one(
      sql`
          select count(*) as n, sum(balance)::text as sum
          from prestore_account
          where owner_code = ${code} and project_code = 'GOLD0001'
        `,
    ),
  ).toEqual({ n: 1, sum: '8.00' })
})

it('refund against refund: never more than was paid', async () => {
  const r = await createPaidRecord(10000)
  expect(await countSucceeded(runMany(8, () => requestRefundOf(r, asFen(3000))))).toBe(3)
})

it('void against refund, and void against void: one of them', async () => {
  for (let i = 0; i < 4; i++) {
    const r = await createPaidRecord(5000)
    expect(
      await countSucceeded([
        requestRefundOf(r, asFen(5000)),
        t.call(voidRecord, { id: r.id, reason: '录错了' }, me),
        t.call(voidRecord, { id: r.id, reason: '录错了' }, me),
      ]),
    ).toBe(1)
  }
})

it('a refund approved against its being given up: one of them', async () => {
  await t.call(updateEstateSetting, { ...project, key: 'RefundAuditFrom', value: '0' }, me)
  for (let i = 0; i < 4; i++) {
    const f = await requestRefundOf(await createPaidRecord(5000), asFen(5000))
    await countSucceeded([
      ...runMany(3, () => t.call(auditRefund, { id: f.id, pass: true }, other)),
      t.call(auditRefund, { id: f.id, pass: false, note: '不退' }, other),
      t.call(cancelRefund, { id: f.id, reason: '不退了' }, me),
    ])
    expect(
      await t.database
        .reader(ownerId)
        .one(sql`select count(*)::int as n from pay_record where origin_record_id = ${f.recordId}`),
    ).toEqual({
      n: defined(
        await t.database
          .reader(ownerId)
          .one<{ n: number }>(
            sql`select count(*)::int as n from fee_refund where id = ${f.id} and neg_record_id is not null`,
          ),
      ).n,
    })
  }
  await t.call(updateEstateSetting, { ...project, key: 'RefundAuditFrom', value: '99999999' }, me)
})

it('hand-over against payment and void: a sheet holds what it says, or is not confirmed', async () => {
  for (let i = 0; i < 4; i++) {
    const r = await createPaidRecord(700)
    const ids = [await createBill(nextRoom(), asFen(100)), await createBill(nextRoom(), asFen(100))]
    const p = await t.call(previewHandover, project, me)
    const hand = () =>
      t.call(
        addHandover,
        { ...project, endTime: p.endTime, expectCash: p.cashAmount, handAmount: p.cashAmount },
        me,
      )
    await countSucceeded([
      ...ids.map(id => pay([id], asFen(100))),
      hand(),
      hand(),
      t.call(voidRecord, { id: r.id, reason: '录错了' }, me),
    ])
    const [h] = await t.database
      .reader(ownerId)
      .rows<{ id: Id }>(sql`select id from cashier_handover where owner_id = ${ownerId} and state = 10`)
    if (!h) continue
    const r2 = defined(
      await t.database.reader(ownerId).one<{ id: Id }>(
        sql`
          select max(id) as id
          from pay_record
          where owner_id = ${ownerId} and handover_id = ${h.id} and state = 10 and record_type = 10
        `,
      ),
    )
    await countSucceeded([
      t.call(confirmHandover, { id: h.id, pass: true }, other),
      ...(r2.id ? [t.call(voidRecord, { id: r2.id, reason: '录错了' }, me)] : []),
    ])
    await countSucceeded([t.call(confirmHandover, { id: h.id, pass: false, reason: '重交' }, other)])
  }
})

it('PAY-23: a payment that commits while its cashier hands over waits for the next sheet', async () => {
  const handOver = async () => {
    const { endTime, cashAmount } = await t.call(previewHandover, project, me)
    return t.call(addHandover, { ...project, endTime, expectCash: cashAmount, handAmount: cashAmount }, me)
  }
  const waitsForSheets = async () =>
    defined(
      await t.database.reader('*').one<{ found: boolean }>(sql`
        select exists (
          select
          from pg_locks
          where relation = 'cashier_handover'::regclass and not granted
        ) as found
      `),
    ).found
  const early = await createPaidRecord(700)
  const lateBill = await createBill(nextRoom(), asFen(300))
  let handing: ReturnType<typeof handOver> | undefined
  let late: Id = 0
  await t.database.tx(ownerId, async tx => {
    await tx.execute(sql`lock table cashier_handover in share mode`)
    handing = handOver()
    await expect.poll(waitsForSheets, { timeout: 5000, interval: 10 }).toBe(true)
    late = (await pay([lateBill], asFen(300))).recordId
  })
  const sheet = await defined(handing)
  expect(await t.call(getRecord, { id: early.id }, me)).toMatchObject({ handoverId: sheet.id })
  expect((await t.call(getRecord, { id: late }, me)).handoverId).toBeUndefined()
  await t.call(confirmHandover, { id: sheet.id, pass: true }, other)
  const next = await handOver()
  expect(next).toMatchObject({ cashAmount: 300, totalReceived: 300, totalRefund: 0 })
  await t.call(confirmHandover, { id: next.id, pass: true }, other)
  expect(await findViolations(t.database.reader(ownerId), ownerId)).toEqual([])
})
