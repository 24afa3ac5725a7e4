import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen, formatYuan, parseYuan, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { cellToText } from '#kit/server/workbook/worksheet.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import type { Report } from '../contract/report.ts'
import { askReport } from './fixtures.ts'
import { seedBillRows, seedFeeItem } from '../../bills/server/fixtures.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import {
  addHandover,
  closeDay,
  confirmHandover,
  previewHandover,
  reopenDay,
} from '#modules/payments/contract/day-close.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { listRecords, getRecord, voidRecord } from '#modules/payments/contract/record.ts'
import { requestRefund } from '#modules/payments/contract/refund.ts'
import { refundAccount, listAccounts, topUp } from '#modules/prestore/contract/account.ts'
import { golden } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { received } from '../contract/received.ts'
import { rebuildDay, dailyCollections, monthlyCollections } from '../contract/daily-collection.ts'
import { rebuildPendingDays } from './daily-collection.ts'

type PayInput = NonNullable<typeof payBills.input.T>

let t: GoldenApp
let me: CallOptions
let other: CallOptions
let ownerId: Id = 0
let items: Id[] = []
let room = ''
let n = 0
const project = { projectCode: 'GOLD0001' }
const day = '2026-11-21'
const today = { ...project, day } as const

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  other = await t.signedInAs(golden.first.estateOnly)
  ownerId = t.ownerId
  items = await t.database.tx(ownerId, async tx => [
    await seedFeeItem(tx, ownerId, 'COLL1', { late: true }),
    await seedFeeItem(tx, ownerId, 'COLL2'),
  ])
  room = defined(
    await t.database.reader(ownerId).one<{ code: string }>(
      sql`
        select code
        from room
        where project_code = 'GOLD0001' and delete_tag = 0 and payer_id is not null
        order by sort_key
        limit 1
      `,
    ),
  ).code
  await t.call(updateEstateSetting, { ...project, key: 'RefundAuditFrom', value: '99999999' }, me)
})

afterAll(() => t?.close())

const seedBill = async (amount: Fen, item = defined(items[0]), overrides: object = {}): Promise<string> =>
  String(
    (
      await t.database.tx(ownerId, tx =>
        seedBillRows(tx, ownerId, item, [{ amount, source: `COLL${++n}`, due: '2026-12-31', ...overrides }]),
      )
    )[0],
  )

const payTestBills = (
  bills: string[],
  expectAmount: Fen,
  methods: PayInput['methods'],
  overrides: object = {},
) => t.call(payBills, { ...project, billIds: bills, expectAmount, methods, ...overrides }, me)

type Row = Record<string, number> & { key: string; name: string }

const loadReport = (report: Report, q: object = {}, as = me) =>
  askReport<Row>(t, report, { ...project, size: 100, ...q }, as)

const askDailyCollections = (q: object = {}, as = me) => loadReport(dailyCollections, q, as)

/** What was received by the records' own lines: what the summary must equal to the fen. */
const sumPayLines = async (): Promise<Record<string, Fen>> =>
  Object.fromEntries(
    (
      await t.database.reader(ownerId).rows<{ m: number; n: string }>(
        sql`
            select l.method::int as m, sum(l.amount)::text as n
            from pay_record r
            join pay_line l on l.owner_id = r.owner_id and l.record_id = r.id
            where r.owner_id = ${ownerId} and r.project_code = 'GOLD0001' and r.state <> 40
            group by 1
          `,
      )
    ).map(x => [String(x.m), parseYuan(x.n)]),
  )

const readStoredRows = () =>
  t.database.reader(ownerId).rows(
    sql`
        select project_code, day, build_code, cashier_id, kind, fee_item_id, method, history, count,
          received::text, refunded::text, net::text
        from fc_summary
        order by 1, 2, 3, 4, 5, 6, 7, 8
      `,
  )

const expectAgreement = async (): Promise<void> => {
  const by = await askDailyCollections({ by: 'method' })
  const want = await sumPayLines()
  expect(Object.fromEntries(by.rows.map(r => [r.key, r.settled]))).toEqual(want)
  for (const dim of ['day', 'month', 'cashier', 'item', 'kind', 'project'] as const) {
    const page = await askDailyCollections({ by: dim })
    expect(page.sum).toEqual(by.sum)
    expect(page.rows.reduce((net, r) => net + defined(r.net), 0)).toBe(page.sum.net)
  }
}

it('CLO-1: a day by cashier, item and way of paying, prestore and deposits beside, from the records alone', async () => {
  const a = await seedBill(asFen(30000))
  const b = await seedBill(asFen(20000), items[1])
  // 500.00 for two items, paid in two ways with change: 18 to the one, 32 laid over both
  await payTestBills([a, b], asFen(50000), [
    { method: 'transfer', amount: asFen(18000) },
    { method: 'cash', amount: asFen(35000) },
  ])
  await t.call(
    topUp,
    {
      ...project,
      ownerKind: 'room',
      ownerCode: room,
      feeItemId: 0,
      methods: [{ method: 'cash', amount: asFen(10000) }],
    },
    me,
  )
  const item = await askDailyCollections({ by: 'item' })
  expect(item.rows.map(r => [r.name, r.received, r.net])).toEqual([
    ['项目COLL1', 30000, 30000],
    ['项目COLL2', 20000, 20000],
    ['未归属', 10000, 10000],
  ])
  expect(item.sum).toMatchObject({
    received: 60000,
    refunded: 0,
    net: 60000,
    settled: 60000,
    offset: 0,
    prestoreIn: 10000,
  })
  expect((await askDailyCollections({ by: 'method' })).rows.map(r => [r.name, r.net])).toEqual([
    ['现金', 42000],
    ['银行转账', 18000],
  ])
  expect(
    (await askDailyCollections({ by: 'kind', method: ['cash'] })).rows.map(r => [r.name, r.net, r.count]),
  ).toEqual([
    ['费用本金', 32000, 2],
    ['预存', 10000, 1],
  ])
  await expectAgreement()
  const account = defined((await t.call(listAccounts, { ownerCode: room }, me)).rows[0])
  await t.call(refundAccount, { id: account.id, amount: 4000, method: 'cash', reason: '退房' }, me)
  expect((await askDailyCollections()).sum).toMatchObject({
    refunded: 4000,
    net: 56000,
    prestoreIn: 10000,
    prestoreOut: 4000,
  })
  await expectAgreement()
})

it('what prestore paid leads to the records it paid, whose sum it is (STAT-1)', async () => {
  await t.call(
    topUp,
    {
      ...project,
      ownerKind: 'room',
      ownerCode: room,
      feeItemId: 0,
      methods: [{ method: 'cash', amount: asFen(20000) }],
    },
    me,
  )
  const owes = await seedBill(asFen(9000), items[0], { source: room })
  await payTestBills([owes], asFen(9000), [
    { method: 'prestore', amount: asFen(7000) },
    { method: 'cash', amount: asFen(2000) },
  ])
  const found = (q: object) =>
    t.call(
      listRecords,
      {
        ...project,
        payDayFrom: day,
        payDayTo: day,
        state: ['normal', 'partRefunded', 'refunded'],
        size: 100,
        ...q,
      },
      me,
    )
  const offset = (await askDailyCollections({ dayFrom: day, dayTo: day })).sum.offset
  const list = await found({ offset: true })
  const all = await found({})
  expect(offset).toBe(7000)
  expect(Number(defined(list.sum).prestoreAmount) + Number(defined(list.sum).couponAmount)).toBe(offset)
  expect([list.rows.every(r => r.prestoreAmount !== 0 || r.couponAmount !== 0), list.total]).toEqual([
    true,
    all.rows.filter(r => r.prestoreAmount !== 0 || r.couponAmount !== 0).length,
  ])
  expect((await found({ offset: false })).total).toBe(all.total - list.total)
})

it('a refund is on its own day, a voided record nowhere; stored or on the spot it is the same', async () => {
  const before = (await askDailyCollections()).sum
  const done = await payTestBills([await seedBill(asFen(10000))], asFen(10000), [
    { method: 'cash', amount: asFen(10000) },
  ])
  const r = await t.call(getRecord, { id: done.recordId }, me)
  await t.call(
    requestRefund,
    {
      recordId: r.id,
      lines: [{ detailId: defined(r.details[0]).id, principal: asFen(4000), late: 0 }],
      refundWay: 'cash',
      billAfter: 'owed',
      reason: '多收了',
    },
    me,
  )
  const wrong = await payTestBills([await seedBill(asFen(700))], asFen(700), [
    { method: 'cash', amount: asFen(700) },
  ])
  await t.call(voidRecord, { id: wrong.recordId, reason: '录错了' }, me)
  const computed = await askDailyCollections({ by: 'item' })
  expect(computed.sum).toMatchObject({
    received: defined(before.received) + 10000,
    refunded: defined(before.refunded) + 4000,
    net: defined(before.net) + 6000,
  })
  expect(await readStoredRows()).toEqual([])
  expect(await rebuildPendingDays(t.app)).toBeGreaterThan(0)
  expect(await t.database.reader(ownerId).rows(sql`select 1 from fc_pending`)).toEqual([])
  expect((await readStoredRows()).length).toBeGreaterThan(0)
  expect(await askDailyCollections({ by: 'item' })).toEqual(computed)
  await expectAgreement()
})

it('CLO-2: a rebuilt day equals the day; a closed one is refused and keeps its rows', async () => {
  const a = await t.call(rebuildDay, today, me)
  const rows = await readStoredRows()
  expect(await t.call(rebuildDay, today, me)).toEqual(a)
  expect(await readStoredRows()).toEqual(rows)
  expect(formatYuan(a.net)).toBe(
    formatYuan(asFen(defined((await askDailyCollections({ dayFrom: day, dayTo: day })).sum.net))),
  )
  expect(await refusalTextOf(t.call(rebuildDay, { ...project, day: '2026-11-22' }, me))).toBe(
    '该日未到，无需重算',
  )
  const late = await payTestBills([await seedBill(asFen(900))], asFen(900), [
    { method: 'cash', amount: asFen(900) },
  ])
  const p = await t.call(previewHandover, project, me)
  const h = await t.call(
    addHandover,
    { ...project, endTime: p.endTime, expectCash: p.cashAmount, handAmount: p.cashAmount },
    me,
  )
  await t.call(confirmHandover, { id: h.id, pass: true }, other)
  await t.call(closeDay, { ...today, isTodayConfirmed: true }, me)
  // Closing wrote the last payment down.
  const closed = await readStoredRows()
  expect(closed).not.toEqual(rows)
  expect(await t.database.reader(ownerId).rows(sql`select 1 from fc_pending`)).toEqual([])
  expect(await refusalTextOf(t.call(rebuildDay, today, me))).toBe(
    '2026-11-21 已日结，汇总不再改动；确需重算请先反日结',
  )
  // Whatever happened to the records behind the product's back, the closed day stays; history comes in beside
  // it.
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`update pay_record set state = 40 where id = ${late.recordId}`),
  )
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`insert into fc_pending (owner_id, project_code, day) values (${ownerId}, 'GOLD0001', ${day})`,
    ),
  )
  const sum = (await askDailyCollections()).sum
  await rebuildPendingDays(t.app)
  expect(await readStoredRows()).toEqual(closed)
  expect((await askDailyCollections()).sum).toEqual(sum)
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`update pay_record set state = 10 where id = ${late.recordId}`),
  )
  await t.call(reopenDay, { ...today, reason: '更正' }, me)
  expect(await t.call(rebuildDay, today, me)).toMatchObject({ net: sum.net })
})

it('Σ days = month; the totals are of the whole filter, not of the page (STAT-1, CLO-4)', async () => {
  const past = await seedBill(asFen(5000))
  await payTestBills([past], asFen(5000), [{ method: 'cash', amount: asFen(5000) }], {
    payTime: '2026-11-20 10:00:00',
  })
  const one = await askDailyCollections({ size: 1, order: 'name' })
  const all = await askDailyCollections()
  const months = await loadReport(monthlyCollections)
  expect([one.rows.length, one.total, one.sum]).toEqual([1, all.total, all.sum])
  expect(months.rows.map(r => [r.key, r.net])).toEqual([
    ['2026-11', all.rows.reduce((net, r) => net + defined(r.net), 0)],
  ])
  expect((await t.call(dailyCollections.list, { ...project, size: 1, page: 9 }, me)).sum).toEqual(all.sum)
})

it('the received report is the lines of the records; what has no building is under 未归属 (STAT-3, STAT-6)', async () => {
  await payTestBills(
    [
      await seedBill(asFen(1100), items[0], { build: 'B1' }),
      await seedBill(asFen(1300), items[0], { build: 'B2' }),
    ],
    asFen(2400),
    [{ method: 'cash', amount: asFen(2400) }],
  )
  const of = (q: object) => loadReport(received, q)
  const want = defined(
    await t.database.reader(ownerId).one<{ p: string; l: string }>(
      sql`
        select sum(d.principal)::text as p, sum(d.late_fee)::text as l
        from pay_record r
        join pay_detail d on d.owner_id = r.owner_id and d.record_id = r.id
        where r.project_code = 'GOLD0001' and r.state <> 40
      `,
    ),
  )
  for (const by of Object.keys(received.dimensions.rows)) {
    const s = await of({ by })
    expect([s.sum.principal, s.sum.lateFee, s.rows.reduce((net, r) => net + defined(r.net), 0)]).toEqual([
      parseYuan(want.p),
      parseYuan(want.l),
      s.sum.net,
    ])
  }
  const build = await of({ by: 'build' })
  expect([defined(build.rows.at(-1)).name, defined(build.rows.at(-1)).key]).toEqual(['未归属', undefined])
  expect(defined(build.rows.at(-1)).net).toBeGreaterThanOrEqual(2400)
  expect((await of({ by: 'item', feeItem: items[1] })).rows.map(r => r.name)).toEqual(['项目COLL2'])
})

it("an export is the screen's own rows with the totals last; a task does the same", async () => {
  const q = { ...project, by: 'item' }
  const all = await askDailyCollections({ by: 'item' })
  const file = await t.call(dailyCollections.export.get, { ...q, expected: all.total }, me)
  const sheet = await readWorkbook(await readBody(file))
  const cells = sheet.lines.map(l => l.cells.map(cellToText))
  expect([file.name, sheet.heading.slice(0, 5)]).toEqual([
    '收费日汇总_20261121.xlsx',
    ['收费项目', '笔次', '实收', '退款', '净收'],
  ])
  expect(cells.map(c => c[0])).toEqual([...all.rows.map(r => r.name), '合计'])
  expect(parseYuan(Number(defined(cells.at(-1))[4]).toFixed(2))).toBe(all.sum.net)
  expect(await refusalTextOf(t.call(dailyCollections.export.get, { ...q, expected: 99 }, me))).toContain(
    '请刷新后重新导出',
  )
  const done = await t.waitForTask(await t.call(dailyCollections.export.start, q, me))
  expect([done.state, done.success]).toEqual([30, all.total])
})

it('only what is in the data domain, building by building; none without the right', async () => {
  const engineer = await t.signedInAs(golden.first.ofRole('engineer'))
  const keeper = await t.signedInAs(golden.first.buildingOnly)
  expect(await refusalTextOf(t.call(dailyCollections.list, project, engineer))).toContain('无权执行此操作')
  expect(
    await refusalTextOf(t.call(dailyCollections.list, { projectCode: golden.estates[1], size: 10 }, other)),
  ).toBe('无权访问该项目')
  const b1 = defined(
    await t.database.reader(ownerId).one<{ n: string }>(
      sql`
        select coalesce(sum(l.amount), 0)::text as n
        from pay_record r
        join pay_line l on l.owner_id = r.owner_id and l.record_id = r.id
        where r.project_code = 'GOLD0001' and r.build_code = 'B1' and r.state <> 40
      `,
    ),
  ).n
  expect(formatYuan(asFen(defined((await askDailyCollections({}, keeper)).sum.settled)))).toBe(b1)
  expect(parseYuan(b1)).toBeLessThan(defined((await askDailyCollections()).sum.settled))
})
