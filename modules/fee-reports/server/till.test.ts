import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { formatYuan, parseYuan, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { As } from '#kit/server/ground/world.ts'
import { textOf } from '#kit/server/workbook/sheet.ts'
import { readWorkbook } from '#kit/server/workbook/read.ts'
import { layBills, layItem } from '../../bills/server/ground.ts'
import { putSetting } from '#modules/estates/contract/estate.ts'
import {
  addHandover,
  closeDay,
  confirmHandover,
  handoverPreview,
  reopenDay,
} from '#modules/payments/contract/close.ts'
import { payBills } from '#modules/payments/contract/pay.ts'
import { listRecords, oneRecord, voidRecord } from '#modules/payments/contract/record.ts'
import { askRefund } from '#modules/payments/contract/refund.ts'
import { refundAccount, listAccounts, topUp } from '#modules/prestore/contract/account.ts'
import { golden } from '../../../db/golden/fill.ts'
import { openGolden, type GoldenWorld } from '../../../db/golden/world.ts'
import { received } from '../contract/received.ts'
import { rebuildDay, tillDays, tillMonths } from '../contract/till.ts'
import { tendDays } from './till.ts'

let t: GoldenWorld
let me: As
let other: As
let owner = 0
let items: number[] = []
let room = ''
let n = 0
const project = { projectCode: 'GOLD0001' }
const day = '2026-11-21'
const today = { ...project, day }

beforeAll(async () => {
  t = await openGolden({ works: true })
  me = await t.owner
  other = await t.as(golden.first.estateOnly)
  owner = (await t.store
    .reader('*')
    .one<{ ownerId: number }>(sql`select owner_id from manager where login_code = ${golden.first.owner}`))!
    .ownerId
  items = await t.store.tx(owner, async tx => [
    await layItem(tx, owner, 'TILL1', { late: true }),
    await layItem(tx, owner, 'TILL2'),
  ])
  room = (await t.store.reader(owner).one<{ code: string }>(
    sql`
        select code
        from room
        where project_code = 'GOLD0001' and delete_tag = 0 and payer_id is not null
        order by sort_key
        limit 1
      `,
  ))!.code
  await t.ask(putSetting, { ...project, key: 'RefundAuditFrom', value: '99999999' } as never, me)
})

afterAll(() => t?.close())

const bill = async (amount: Fen, item = items[0]!, more: object = {}): Promise<string> =>
  String(
    (
      await t.store.tx(owner, tx =>
        layBills(tx, owner, item, [{ amount, source: `TILL${++n}`, due: '2026-12-31', ...more }]),
      )
    )[0],
  )

const pay = (
  bills: string[],
  expectAmount: Fen,
  methods: { method: string; amount: Fen }[],
  more: object = {},
) => t.ask(payBills, { ...project, billIds: bills, expectAmount, methods, ...more } as never, me)

const refusal = async (p: Promise<unknown>): Promise<string> => {
  const e = await p.then(
    () => undefined,
    x => x,
  )
  expect(e).toBeInstanceOf(Refused)
  const d = (e as { data?: { Message: string }[] }).data
  return d?.[0]?.Message ?? (e as Error).message
}

type Row = Record<string, number> & { key: string; name: string }

const days = async (q: object = {}, as = me) =>
  (await t.ask(tillDays.list, { ...project, size: 100, ...q } as never, as)) as unknown as {
    total: number
    rows: Row[]
    sum: Record<string, number>
  }

/** The tills by their own lines: what the summary must equal to the fen. */
const lines = async (): Promise<Record<string, Fen>> =>
  Object.fromEntries(
    (
      await t.store.reader(owner).rows<{ m: number; n: string }>(
        sql`
            select l.method::int as m, sum(l.amount)::text as n
            from pay_record r
            join pay_line l on l.owner_id = r.owner_id and l.record_id = r.id
            where r.owner_id = ${owner} and r.project_code = 'GOLD0001' and r.state <> 40
            group by 1
          `,
      )
    ).map(x => [String(x.m), parseYuan(x.n)]),
  )

const stored = () =>
  t.store.reader(owner).rows(
    sql`
        select project_code, day, build_code, cashier_id, kind, fee_item_id, method, history, count,
          received::text, refunded::text, net::text
        from fc_summary
        order by 1, 2, 3, 4, 5, 6, 7, 8
      `,
  )

const agrees = async (): Promise<void> => {
  const by = await days({ by: 'method' })
  const want = await lines()
  expect(Object.fromEntries(by.rows.map(r => [r.key, r.net]))).toEqual(want)
  for (const dim of ['day', 'month', 'cashier', 'item', 'kind', 'project'] as const) {
    const said = await days({ by: dim })
    expect(said.sum).toEqual(by.sum)
    expect(said.rows.reduce((n, r) => n + r.net!, 0)).toBe(said.sum.net)
  }
}

it('CLO-1: a day by cashier, item and way of paying, prestore and deposits beside, from the records alone', async () => {
  const a = await bill(30000)
  const b = await bill(20000, items[1])
  // 500.00 for two items, paid in two ways with change: 18 to the one, 32 laid over both
  await pay([a, b], 50000, [
    { method: 'transfer', amount: 18000 },
    { method: 'cash', amount: 35000 },
  ])
  await t.ask(
    topUp,
    {
      ...project,
      ownerKind: 'room',
      ownerCode: room,
      feeItemId: 0,
      methods: [{ method: 'cash', amount: 10000 }],
    } as never,
    me,
  )
  const item = await days({ by: 'item' })
  expect(item.rows.map(r => [r.name, r.received, r.net])).toEqual([
    ['项目TILL1', 30000, 30000],
    ['项目TILL2', 20000, 20000],
    ['未归属', 10000, 10000],
  ])
  expect(item.sum).toMatchObject({
    received: 60000,
    refunded: 0,
    net: 60000,
    cash: 60000,
    offset: 0,
    prestoreIn: 10000,
  })
  expect((await days({ by: 'method' })).rows.map(r => [r.name, r.net])).toEqual([
    ['现金', 42000],
    ['银行转账', 18000],
  ])
  expect((await days({ by: 'kind', method: ['cash'] })).rows.map(r => [r.name, r.net, r.count])).toEqual([
    ['费用本金', 32000, 2],
    ['预存', 10000, 1],
  ])
  await agrees()
  const account = (await t.ask(listAccounts, { ownerCode: room } as never, me)).rows[0]!
  await t.ask(refundAccount, { id: account.id, amount: 4000, method: 'cash', reason: '退房' } as never, me)
  expect((await days()).sum).toMatchObject({
    refunded: 4000,
    net: 56000,
    prestoreIn: 10000,
    prestoreOut: 4000,
  })
  await agrees()
})

it('what prestore paid leads to the records it paid, whose sum it is (STAT-1)', async () => {
  await t.ask(
    topUp,
    {
      ...project,
      ownerKind: 'room',
      ownerCode: room,
      feeItemId: 0,
      methods: [{ method: 'cash', amount: 20000 }],
    } as never,
    me,
  )
  const owes = await bill(9000, items[0], { source: room })
  await pay([owes], 9000, [
    { method: 'prestore', amount: 7000 },
    { method: 'cash', amount: 2000 },
  ])
  const found = (q: object) =>
    t.ask(
      listRecords,
      {
        ...project,
        payDayFrom: day,
        payDayTo: day,
        state: ['normal', 'partRefunded', 'refunded'],
        size: 100,
        ...q,
      } as never,
      me,
    ) as unknown as Promise<{
      total: number
      rows: { prestoreAmount: Fen; couponAmount: Fen }[]
      sum: { prestoreAmount: Fen; couponAmount: Fen }
    }>
  const said = (await days({ dayFrom: day, dayTo: day })).sum.offset
  const list = await found({ offset: true })
  const all = await found({})
  expect(said).toBe(7000)
  expect(list.sum.prestoreAmount + list.sum.couponAmount).toBe(said)
  expect([list.rows.every(r => r.prestoreAmount !== 0 || r.couponAmount !== 0), list.total]).toEqual([
    true,
    all.rows.filter(r => r.prestoreAmount !== 0 || r.couponAmount !== 0).length,
  ])
  expect((await found({ offset: false })).total).toBe(all.total - list.total)
})

it('a refund stands on its own day, a voided record nowhere; stored or on the spot it is the same', async () => {
  const before = (await days()).sum
  const done = await pay([await bill(10000)], 10000, [{ method: 'cash', amount: 10000 }])
  const r = await t.ask(oneRecord, { id: done.recordId }, me)
  await t.ask(
    askRefund,
    {
      recordId: r.id,
      lines: [{ detailId: r.details[0]!.id, principal: 4000, late: 0 }],
      refundWay: 'cash',
      billAfter: 'owed',
      reason: '多收了',
    } as never,
    me,
  )
  const wrong = await pay([await bill(700)], 700, [{ method: 'cash', amount: 700 }])
  await t.ask(voidRecord, { id: wrong.recordId, reason: '录错了' } as never, me)
  const spot = await days({ by: 'item' })
  expect(spot.sum).toMatchObject({
    received: before.received! + 10000,
    refunded: before.refunded! + 4000,
    net: before.net! + 6000,
  })
  expect(await stored()).toEqual([])
  expect(await tendDays(t.world)).toBeGreaterThan(0)
  expect(await t.store.reader(owner).rows(sql`select 1 from fc_pending`)).toEqual([])
  expect((await stored()).length).toBeGreaterThan(0)
  expect(await days({ by: 'item' })).toEqual(spot)
  await agrees()
})

it('CLO-2: a day made anew is the same day; a closed one is refused and keeps its rows', async () => {
  const a = await t.ask(rebuildDay, today as never, me)
  const rows = await stored()
  expect(await t.ask(rebuildDay, today as never, me)).toEqual(a)
  expect(await stored()).toEqual(rows)
  expect(formatYuan(a.net)).toBe(formatYuan((await days({ dayFrom: day, dayTo: day })).sum.net!))
  expect(await refusal(t.ask(rebuildDay, { ...project, day: '2026-11-22' } as never, me))).toBe(
    '这一天还没到，不用重算',
  )
  const late = await pay([await bill(900)], 900, [{ method: 'cash', amount: 900 }])
  const p = await t.ask(handoverPreview, project as never, me)
  const h = await t.ask(
    addHandover,
    { ...project, endTime: p.endTime, expectCash: p.cashAmount, handAmount: p.cashAmount } as never,
    me,
  )
  await t.ask(confirmHandover, { id: h.id, pass: true } as never, other)
  await t.ask(closeDay, today as never, me)
  // Closing wrote the last payment down.
  const closed = await stored()
  expect(closed).not.toEqual(rows)
  expect(await t.store.reader(owner).rows(sql`select 1 from fc_pending`)).toEqual([])
  expect(await refusal(t.ask(rebuildDay, today as never, me))).toBe(
    '2026-11-21 已日结，汇总不再改动；确需重算请先反日结',
  )
  // Whatever happened to the records behind the product's back, the closed day stays; history comes in beside
  // it.
  await t.store.tx(owner, tx => tx.run(sql`update pay_record set state = 40 where id = ${late.recordId}`))
  await t.store.tx(owner, tx =>
    tx.run(sql`insert into fc_pending (owner_id, project_code, day) values (${owner}, 'GOLD0001', ${day})`),
  )
  const sum = (await days()).sum
  await tendDays(t.world)
  expect(await stored()).toEqual(closed)
  expect((await days()).sum).toEqual(sum)
  await t.store.tx(owner, tx => tx.run(sql`update pay_record set state = 10 where id = ${late.recordId}`))
  await t.ask(reopenDay, { ...today, reason: '更正' } as never, me)
  expect(await t.ask(rebuildDay, today as never, me)).toMatchObject({ net: sum.net })
})

it('Σ days = month; the totals are of the whole filter, not of the page (STAT-1, CLO-4)', async () => {
  const past = await bill(5000)
  await pay([past], 5000, [{ method: 'cash', amount: 5000 }], { payTime: '2026-11-20 10:00:00' })
  const one = (await t.ask(
    tillDays.list,
    { ...project, size: 1, order: 'name' } as never,
    me,
  )) as unknown as Awaited<ReturnType<typeof days>>
  const all = await days()
  const months = (await t.ask(tillMonths.list, { ...project, size: 100 } as never, me)) as unknown as Awaited<
    ReturnType<typeof days>
  >
  expect([one.rows.length, one.total, one.sum]).toEqual([1, all.total, all.sum])
  expect(months.rows.map(r => [r.key, r.net])).toEqual([
    ['2026-11', all.rows.reduce((n, r) => n + r.net!, 0)],
  ])
  expect((await t.ask(tillDays.list, { ...project, size: 1, page: 9 } as never, me)).sum).toEqual(all.sum)
})

it('the received report is the lines of the records; what has no building stands under 未归属 (STAT-3, STAT-6)', async () => {
  await pay(
    [await bill(1100, items[0], { build: 'B1' }), await bill(1300, items[0], { build: 'B2' })],
    2400,
    [{ method: 'cash', amount: 2400 }],
  )
  const of = async (q: object) =>
    (await t.ask(received.list, { ...project, size: 100, ...q } as never, me)) as unknown as Awaited<
      ReturnType<typeof days>
    >
  const want = (await t.store.reader(owner).one<{ p: string; l: string }>(
    sql`
        select sum(d.principal)::text as p, sum(d.late_fee)::text as l
        from pay_record r
        join pay_detail d on d.owner_id = r.owner_id and d.record_id = r.id
        where r.project_code = 'GOLD0001' and r.state <> 40
      `,
  ))!
  for (const by of Object.keys(received.by.rows)) {
    const s = await of({ by })
    expect([s.sum.principal, s.sum.lateFee, s.rows.reduce((n, r) => n + r.net!, 0)]).toEqual([
      parseYuan(want.p),
      parseYuan(want.l),
      s.sum.net,
    ])
  }
  const build = await of({ by: 'build' })
  expect([build.rows.at(-1)!.name, build.rows.at(-1)!.key]).toEqual(['未归属', undefined])
  expect(build.rows.at(-1)!.net).toBeGreaterThanOrEqual(2400)
  expect((await of({ by: 'item', feeItem: items[1] })).rows.map(r => r.name)).toEqual(['项目TILL2'])
})

it("an export is the screen's own rows with the totals last; a task does the same", async () => {
  const q = { ...project, by: 'item' }
  const all = await days({ by: 'item' })
  const file = (await t.ask(tillDays.export.get, { ...q, expected: all.total } as never, me)) as unknown as {
    name: string
    body: AsyncIterable<Uint8Array>
  }
  const bytes: Uint8Array[] = []
  for await (const b of file.body) {
    bytes.push(b)
  }
  const sheet = await readWorkbook(Buffer.concat(bytes))
  const cells = sheet.lines.map(l => l.cells.map(textOf))
  expect([file.name, sheet.heading.slice(0, 5)]).toEqual([
    '收费日汇总_20261121.xlsx',
    ['收费项目', '笔次', '收款', '退款', '净额'],
  ])
  expect(cells.map(c => c[0])).toEqual([...all.rows.map(r => r.name), '合计'])
  expect(parseYuan(Number(cells.at(-1)![4]).toFixed(2))).toBe(all.sum.net)
  expect(await refusal(t.ask(tillDays.export.get, { ...q, expected: 99 } as never, me))).toContain(
    '请刷新后重新导出',
  )
  const done = await t.ended(await t.ask(tillDays.export.start, q as never, me))
  expect([done.state, done.success]).toEqual([30, all.total])
})

it('only what lies in the data domain, building by building; none without the right', async () => {
  const engineer = await t.as(golden.first.ofRole('engineer'))
  const keeper = await t.as(golden.first.buildingOnly)
  expect(await refusal(t.ask(tillDays.list, project as never, engineer))).toContain('无权执行此操作')
  expect(
    await refusal(t.ask(tillDays.list, { projectCode: golden.estates[1], size: 10 } as never, other)),
  ).toBe('无权访问该项目')
  const b1 = (await t.store.reader(owner).one<{ n: string }>(
    sql`
        select coalesce(sum(l.amount), 0)::text as n
        from pay_record r
        join pay_line l on l.owner_id = r.owner_id and l.record_id = r.id
        where r.project_code = 'GOLD0001' and r.build_code = 'B1' and r.state <> 40
      `,
  ))!.n
  expect(formatYuan((await days({}, keeper)).sum.net!)).toBe(b1)
  expect(parseYuan(b1)).toBeLessThan((await days()).sum.net!)
})
