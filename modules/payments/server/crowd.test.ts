import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { As } from '#kit/server/ground/world.ts'
import { addTempFee } from '#modules/bills/contract/temporary.ts'
import { putSetting } from '#modules/estates/contract/estate.ts'
import { deductRooms, topUp } from '#modules/prestore/contract/account.ts'
import { faultsIn } from '../../../db/golden/books.ts'
import { golden } from '../../../db/golden/fill.ts'
import { openGolden, type GoldenWorld } from '../../../db/golden/world.ts'
import { addHandover, confirmHandover, handoverPreview } from '../contract/close.ts'
import { payBills } from '../contract/pay.ts'
import { oneRecord, voidRecord } from '../contract/record.ts'
import { askRefund, auditRefund, cancelRefund } from '../contract/refund.ts'

/**
 * Many at one thing at once, on real PostgreSQL: who may have it has it once, the others are told in words,
 * and the books hold.
 */
let t: GoldenWorld
let me: As
let other: As
let owner = 0
let item = 0
let rooms: string[] = []
let n = 0
const project = { projectCode: 'GOLD0001' }

beforeAll(async () => {
  t = await openGolden()
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
          late_fee_switch, late_rates, state
        )
        values (${owner}, 'CROWD', '人多', 30, 10, 1, 1, 2, true, true, true, '[{"rate":"0.0005"}]', 10)
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
          limit 20
        `,
    )
  ).map(r => r.code)
  await t.ask(putSetting, { ...project, key: 'RefundAuditFrom', value: '99999999' } as never, me)
})

afterAll(() => t?.close())

const room = (): string => rooms[n++ % rooms.length]!

const bill = async (sourceCode: string, amount: number): Promise<string> =>
  (
    await t.ask(
      addTempFee,
      {
        ...project,
        feeItemId: item,
        amount,
        sources: [{ sourceType: 'room', sourceCode }],
        beginDate: '2026-11-01',
        endDate: '2026-11-30',
        dueDate: '2026-12-31',
      } as never,
      me,
    )
  ).ids[0]!

const pay = (
  billIds: readonly string[],
  expectAmount: number,
  methods: object[] = [{ method: 'cash', amount: expectAmount }],
  as = me,
) => t.ask(payBills, { ...project, billIds, expectAmount, methods } as never, as)

const put = (ownerCode: string, amount: number) =>
  t.ask(
    topUp,
    { ...project, ownerKind: 'room', ownerCode, methods: [{ method: 'cash', amount }] } as never,
    me,
  )

const one = async (sum: number) =>
  t.ask(oneRecord, { id: (await pay([await bill(room(), sum)], sum)).recordId }, me)

const back = (r: Awaited<ReturnType<typeof one>>, principal: number, as = me) =>
  t.ask(
    askRefund,
    {
      recordId: r.id,
      lines: [{ detailId: r.details[0]!.id, principal, late: 0 }],
      refundWay: 'cash',
      billAfter: 'owed',
      reason: '多收了',
    } as never,
    as,
  )

/** How many did it; the rest were refused in words that a person can act on, none by a clash of locks. */
async function did(all: readonly Promise<unknown>[]): Promise<number> {
  const said = await Promise.allSettled(all)
  const lost = said.flatMap(s => (s.status === 'rejected' ? [s.reason as unknown] : []))
  for (const e of lost) {
    expect(e).toBeInstanceOf(Refused)
    expect((e as Error).message).not.toContain('同时操作的人较多')
  }
  expect(await faultsIn(t.store.reader(owner), owner)).toEqual([])
  return said.length - lost.length
}

const many = <T>(k: number, work: (i: number) => Promise<T>): Promise<T>[] =>
  Array.from({ length: k }, (_, i) => work(i))

const paidOf = async (id: string) =>
  (await t.store
    .reader(owner)
    .one<{ paid: string }>(sql`select paid_principal::text as paid from bill where id = ${id}`))!.paid

const purse = async (code: string) =>
  (await t.store.reader(owner).one<{ sum: string }>(
    sql`
        select coalesce(sum(balance), 0)::text as sum
        from prestore_account
        where owner_code = ${code} and project_code = 'GOLD0001'
      `,
  ))!.sum

it('fifty cashiers collect the bills of one room, in any order', async () => {
  const code = room()
  const ids = [await bill(code, 10000), await bill(code, 20000), await bill(code, 30000)]
  expect(
    await did(
      many(50, i =>
        pay(
          ids.map((_, k) => ids[(k + i) % 3]!),
          60000,
        ),
      ),
    ),
  ).toBe(1)
})

it('fifty cashiers take a tenth of one bill each: ten have it', async () => {
  const id = await bill(room(), 10000)
  const said = await Promise.allSettled(many(50, () => pay([id], 10000, [{ method: 'cash', amount: 1000 }])))
  expect(said.filter(s => s.status === 'fulfilled')).toHaveLength(1)
  for (let left = 9000; left > 0; left -= 1000) {
    expect(await did(many(3, () => pay([id], left, [{ method: 'transfer', amount: 1000 }])))).toBe(1)
  }
  expect(await paidOf(id)).toBe('100.00')
})

it('deduction against payment: the bill is paid by one of them', async () => {
  for (let i = 0; i < 6; i++) {
    const code = room()
    const id = await bill(code, 8000)
    await put(code, 8000)
    const held = Number(await purse(code))
    const deduct = () => t.ask(deductRooms, { ...project, roomCodes: [code] } as never, me)
    await did([pay([id], 8000), deduct(), pay([id], 8000, [{ method: 'prestore', amount: 8000 }]), deduct()])
    expect(await paidOf(id)).toBe('80.00')
    expect([held, held - 80]).toContain(Number(await purse(code)))
  }
})

it('top-ups, payments and deductions from one account: no one waits for another in a ring', async () => {
  const code = room()
  const ids: string[] = []
  await put(code, 100_000)
  for (let i = 0; i < 8; i++) {
    ids.push(await bill(code, 1000))
  }
  const before = Number(await purse(code))
  expect(
    await did([
      ...many(8, () => put(code, 500)),
      ...ids.map(id => pay([id], 1000, [{ method: 'prestore', amount: 1000 }])),
    ]),
  ).toBe(16)
  expect(Number(await purse(code))).toBe(before + 40 - 80)
})

it('two top-ups of one new account make one account', async () => {
  const code = rooms.at(-1)!
  expect(await did(many(8, () => put(code, 100)))).toBe(8)
  expect(
    await t.store.reader(owner).one(
      sql`
          select count(*) as n, sum(balance)::text as sum
          from prestore_account
          where owner_code = ${code} and project_code = 'GOLD0001'
        `,
    ),
  ).toEqual({ n: 1, sum: '8.00' })
})

it('refund against refund: never more than was paid', async () => {
  const r = await one(10000)
  expect(await did(many(8, () => back(r, 3000)))).toBe(3)
})

it('void against refund, and void against void: one of them', async () => {
  for (let i = 0; i < 4; i++) {
    const r = await one(5000)
    expect(
      await did([
        back(r, 5000),
        t.ask(voidRecord, { id: r.id, reason: '录错了' } as never, me),
        t.ask(voidRecord, { id: r.id, reason: '录错了' } as never, me),
      ]),
    ).toBe(1)
  }
})

it('a refund approved against its being given up: one of them', async () => {
  await t.ask(putSetting, { ...project, key: 'RefundAuditFrom', value: '0' } as never, me)
  for (let i = 0; i < 4; i++) {
    const f = await back(await one(5000), 5000)
    await did([
      ...many(3, () => t.ask(auditRefund, { id: f.id, pass: true } as never, other)),
      t.ask(auditRefund, { id: f.id, pass: false, note: '不退' } as never, other),
      t.ask(cancelRefund, { id: f.id, reason: '不退了' } as never, me),
    ])
    expect(
      await t.store
        .reader(owner)
        .one(sql`select count(*)::int as n from pay_record where origin_record_id = ${f.recordId}`),
    ).toEqual({
      n: (await t.store
        .reader(owner)
        .one<{ n: number }>(
          sql`select count(*)::int as n from fee_refund where id = ${f.id} and neg_record_id is not null`,
        ))!.n,
    })
  }
  await t.ask(putSetting, { ...project, key: 'RefundAuditFrom', value: '99999999' } as never, me)
})

it('hand-over against payment and void: a sheet holds what it says, or is not confirmed', async () => {
  for (let i = 0; i < 4; i++) {
    const r = await one(700)
    const ids = [await bill(room(), 100), await bill(room(), 100)]
    const p = await t.ask(handoverPreview, project as never, me)
    const hand = () =>
      t.ask(
        addHandover,
        { ...project, endTime: p.endTime, expectCash: p.cashAmount, handAmount: p.cashAmount } as never,
        me,
      )
    await did([
      ...ids.map(id => pay([id], 100)),
      hand(),
      hand(),
      t.ask(voidRecord, { id: r.id, reason: '录错了' } as never, me),
    ])
    const [h] = await t.store
      .reader(owner)
      .rows<{ id: number }>(sql`select id from cashier_handover where owner_id = ${owner} and state = 10`)
    if (!h) continue
    const r2 = (await t.store.reader(owner).one<{ id: number }>(
      sql`
          select max(id) as id
          from pay_record
          where owner_id = ${owner} and handover_id = ${h.id} and state = 10 and record_type = 10
        `,
    ))!
    await did([
      t.ask(confirmHandover, { id: h.id, pass: true } as never, other),
      ...(r2.id ? [t.ask(voidRecord, { id: r2.id, reason: '录错了' } as never, me)] : []),
    ])
    await did([t.ask(confirmHandover, { id: h.id, pass: false, reason: '重交' } as never, other)])
  }
})
