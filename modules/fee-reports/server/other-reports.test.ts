import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen, parseYuan, type Fen } from '#kit/domain/money.ts'
import { asDay } from '#kit/domain/day.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { cellToText } from '#kit/server/workbook/worksheet.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { keyOf } from '#kit/contract/field.ts'
import { billState } from '#modules/bills/contract/choices.ts'
import { askReport } from './fixtures.ts'
import { seedBillRows, seedFeeItem, type SeededBill } from '../../bills/server/fixtures.ts'
import { rewriteBillMonths } from '../../bills/server/stored-bill.ts'
import { createMeterFixtures } from '../../meters/server/fixtures.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { listBills } from '#modules/bills/contract/list.ts'
import { getMeterReport as meterReport } from '#modules/meters/contract/report.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { listRecords, getRecord, voidRecord } from '#modules/payments/contract/record.ts'
import { requestRefund } from '#modules/payments/contract/refund.ts'
import { listAccounts, refundAccount, topUp } from '#modules/prestore/contract/account.ts'
import { listSummary } from '#modules/prestore/contract/summary.ts'
import { listInvoices } from '#modules/invoices/contract/record.ts'
import { addDeposit, receiveDeposit } from '#modules/deposits/contract/deposit.ts'
import { golden } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { issuedInvoices } from '../contract/invoice.ts'
import { parking } from '../contract/parking.ts'
import type { Report } from '../contract/report.ts'
import { prestoreMonths, prestoreSummary } from '../contract/prestore.ts'
import { feeBills, roomBills, sourceBills, getSourceBillTotals } from '../contract/room.ts'
import { trade } from '../contract/trade.ts'
import { meterMonths, meterReadings } from '../contract/meter.ts'

type PayInput = NonNullable<typeof payBills.input.T>

let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let items: Id[] = []
let room = ''
let n = 0
const project = { projectCode: 'GOLD0001' }

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  ownerId = t.ownerId
  items = await t.database.tx(ownerId, async tx => [
    await seedFeeItem(tx, ownerId, 'MORE1', { late: true }),
    await seedFeeItem(tx, ownerId, 'MORE2'),
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
type Row = Record<string, number> & { key?: string; name: string }

const loadReport = (r: Report, q: object = {}, as = me) =>
  askReport<Row>(t, r, { ...project, size: 500, ...q }, as)

const queryAmounts = async (q: RawBuilder<Record<string, string>>): Promise<Record<string, Fen>> =>
  Object.fromEntries(
    Object.entries(defined(await t.database.reader(ownerId).one(q))).map(([k, v]) => [
      k,
      parseYuan(v ?? '0'),
    ]),
  )

const seedBills = async (list: readonly SeededBill[], item = defined(items[0])): Promise<number[]> => {
  const ids = await t.database.tx(ownerId, tx =>
    seedBillRows(
      tx,
      ownerId,
      item,
      list.map(b => ({ source: `MORE${++n}`, due: '2026-12-31', ...b })),
    ),
  )
  const bare = ids.filter((_, i) => defined(list[i]).build === '')
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`
      update bill
      set build_code = null
      where id = any(${bare})
    `),
  )
  await t.database.tx(ownerId, async tx =>
    rewriteBillMonths(
      tx,
      ownerId,
      (
        await tx.rows<Record<string, string>>(
          sql`
            select id, project_code, fee_item_id, begin_date, end_date, amount::text,
              discount_amount::text as discount, paid_principal::text as paid, state
            from bill
            where id = any(${ids})
          `,
        )
      ).map(b => ({
        id: asId(Number(b.id)),
        projectCode: defined(b.projectCode),
        feeItemId: asId(Number(b.feeItemId)),
        feeType: 'cyclic' as const,
        beginDate: asDay(defined(b.beginDate)),
        endDate: asDay(defined(b.endDate)),
        amount: parseYuan(defined(b.amount)),
        discountAmount: parseYuan(defined(b.discount)),
        paidPrincipal: parseYuan(defined(b.paid)),
        state: defined(keyOf(billState, defined(b.state))),
      })),
    ),
  )
  return ids
}

/** Whatever it is broken down by, the rows add up to the totals, and the totals stay the same (STAT-3). */
async function expectConsistentTotals(
  r: Report,
  q: object = {},
  but: readonly string[] = [],
): Promise<Record<string, number>> {
  const first = (await loadReport(r, q)).sum
  const exact = (x: unknown): number => Math.round(Number(x) * 10_000)
  for (const by of Object.keys(r.dimensions.rows)) {
    const page = await loadReport(r, { ...q, by })
    expect(page.total, `${r.key} by ${by}`).toBe(page.rows.length)
    for (const k of Object.keys(r.figures).filter(f => !but.includes(f))) {
      expect(exact(page.sum[k]), `${r.key} by ${by}: ${k}`).toBe(exact(first[k]))
      expect(
        page.rows.reduce((m, x) => m + exact(x[k]), 0),
        `${r.key} by ${by}: Σ ${k}`,
      ).toBe(exact(first[k]))
    }
  }
  return first
}

it('房间报表: bills in force to the fen, whatever they are broken down by; what has no building under 未归属 (STAT-1, STAT-3, STAT-13)', async () => {
  await seedBills([
    {
      amount: asFen(100000),
      paid: asFen(80000),
      source: 'R1',
      name: '1-1-101',
      begin: '2026-09-01',
      end: '2026-09-30',
    },
    {
      amount: asFen(20000),
      discount: asFen(5000),
      build: 'B2',
      due: '2026-10-31',
      begin: '2026-10-01',
      end: '2026-10-31',
    },
    { amount: asFen(12000), paid: asFen(12000), build: '' },
  ])
  await seedBills(
    [
      { amount: asFen(7700), state: 10 },
      { amount: asFen(8800), state: 30 },
      { amount: asFen(9900), state: 50 },
      { amount: asFen(333), project: 'GOLD0002' },
    ],
    items[1],
  )
  await seedBills(
    [
      {
        amount: asFen(4321),
        source: 'R1',
        name: '1-1-101',
        begin: '2025-01-01',
        end: '2025-12-31',
        due: '2025-01-31',
      },
    ],
    items[1],
  )
  const want = await queryAmounts(
    sql`
      select sum(amount)::text as amount, sum(discount_amount)::text as discount,
        sum(receivable)::text as receivable, sum(paid_principal)::text as paid, sum(unpaid)::text as unpaid
      from bill
      where project_code = 'GOLD0001' and state = 20 and delete_tag = 0
    `,
  )
  const sum = await expectConsistentTotals(roomBills)
  expect(sum).toMatchObject(want)
  expect(defined(sum.receivable) - defined(sum.paid) + defined(sum.lateFee)).toBe(sum.unpaid)
  const rooms = await loadReport(roomBills, { by: 'source', sourceCode: 'R1' })
  expect(rooms.rows.map(r => [r.name, r.count, r.receivable, r.paid, r.overdue, r.rate])).toEqual([
    ['1-1-101', 2, 104321, 80000, 4321, '76.69%'],
  ])
  expect(
    (await loadReport(roomBills, { feeItemId: [String(items[0])], sourceCode: 'R1' })).sum,
  ).toMatchObject({
    receivable: 100000,
    paid: 80000,
    rate: '80.00%',
  })
  const build = await loadReport(roomBills, { by: 'build' })
  const last = defined(build.rows.at(-1))
  expect([last.name, last.key, last.receivable]).toEqual(['未归属', undefined, 12000])
  // The list behind a figure finds the same bills.
  const behind = await t.call(listBills, { ...project, sourceCode: 'R1', sourceType: ['room'], size: 1 }, me)
  expect([behind.total, behind.sum?.receivable, behind.sum?.paidPrincipal]).toEqual([2, 104321, 80000])
  const owed = await t.call(listBills, { ...project, payState: ['unpaid'], size: 1 }, me)
  expect(owed.sum?.unpaid).toBe(sum.unpaid)
  expect((await t.call(listBills, { ...project, overdue: true, size: 1 }, me)).sum?.unpaid).toBe(sum.overdue)
})

it('物业账单汇总: a yearly bill counts a part in each of its months, Σ months = bills (STAT-2)', async () => {
  await seedBills(
    [
      {
        amount: asFen(120000),
        paid: asFen(30000),
        source: 'Y1',
        name: '年缴户',
        begin: '2024-01-01',
        end: '2024-12-31',
      },
    ],
    items[1],
  )
  const want = await queryAmounts(
    sql`
      select sum(receivable)::text as receivable, sum(discount_amount)::text as discount,
        sum(paid_principal)::text as paid, sum(unpaid_principal)::text as unpaid
      from bill
      where project_code = 'GOLD0001' and state = 20 and delete_tag = 0
    `,
  )
  for (const r of [feeBills, sourceBills]) {
    expect(await expectConsistentTotals(r)).toMatchObject(want)
  }
  const months = await loadReport(feeBills, { by: 'month', monthFrom: '2024-01', monthTo: '2024-12' })
  expect([
    months.rows.map(r => r.key).slice(0, 2),
    months.rows.length,
    months.sum.receivable,
    months.sum.paid,
    months.sum.rate,
  ]).toEqual([['2024-01', '2024-02'], 12, 120000, 30000, '25.00%'])
  expect(months.rows.every(r => defined(r.receivable) > 9000 && defined(r.receivable) < 11000)).toBe(true)
  expect(
    (await loadReport(sourceBills, { monthFrom: '2024-05', monthTo: '2024-05' })).rows.map(r => [
      r.name,
      r.receivable,
    ]),
  ).toEqual([['年缴户', defined(months.rows[4]).receivable]])
  const q = { by: 'source', monthFrom: '2024-01', monthTo: '2026-12' }
  const all = await loadReport(sourceBills, q)
  expect(await t.call(getSourceBillTotals, { ...project, ...q }, me)).toEqual({
    count: all.total,
    ...all.sum,
  })
})

it('交易报表: every record once, the same as its ways of paying to the fen; voided ones nowhere', async () => {
  const pay = (bills: number[], expectAmount: Fen, methods: PayInput['methods'], overrides: object = {}) =>
    t.call(payBills, { ...project, billIds: bills.map(String), expectAmount, methods, ...overrides }, me)
  const [a, b, c, d] = await seedBills([
    { amount: asFen(30000) },
    { amount: asFen(20000), build: 'B2' },
    { amount: asFen(10000) },
    { amount: asFen(700) },
  ])
  await pay([defined(a), defined(b)], asFen(50000), [
    { method: 'transfer', amount: asFen(18000) },
    { method: 'cash', amount: asFen(35000) },
  ])
  const done = await pay([defined(c)], asFen(10000), [{ method: 'cash', amount: asFen(10000) }])
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
  await t.call(
    voidRecord,
    {
      id: (await pay([defined(d)], asFen(700), [{ method: 'cash', amount: asFen(700) }])).recordId,
      reason: '录错了',
    },
    me,
  )
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
  const added = await t.call(
    addDeposit,
    { ...project, kind: 'fitting', roomCode: room, amount: asFen(2000) },
    me,
  )
  await t.call(receiveDeposit, { ...added, methods: [{ method: 'cash', amount: asFen(2000) }] }, me)
  const want = await queryAmounts(
    sql`
      select sum(l.amount)::text as net, sum(l.amount) filter (where l.amount > 0)::text as received,
        (-sum(l.amount) filter (where l.amount < 0))::text as refunded
      from pay_record r
      join pay_line l on l.owner_id = r.owner_id and l.record_id = r.id
      where r.project_code = 'GOLD0001' and r.state <> 40
    `,
  )
  const details = await queryAmounts(
    sql`
      select sum(d.principal)::text as principal, sum(d.late_fee)::text as late
      from pay_record r
      join pay_detail d on d.owner_id = r.owner_id and d.record_id = r.id
      where r.project_code = 'GOLD0001' and r.state <> 40
    `,
  )
  const sum = await expectConsistentTotals(trade, {}, ['count'])
  const times = defined(
    await t.database.reader(ownerId).one<{ records: number; tenders: number }>(sql`
      select count(distinct r.id)::int as records, count(distinct (r.id, l.method))::int as tenders
      from pay_record r
      join pay_line l on l.owner_id = r.owner_id and l.record_id = r.id
      where r.project_code = 'GOLD0001' and r.state <> 40
    `),
  )
  // Once each; by method a mixed payment once for each of its methods (PAY-15).
  for (const by of Object.keys(trade.dimensions.rows)) {
    const page = await loadReport(trade, { by })
    const counted = by === 'method' ? times.tenders : times.records
    expect([by, page.sum.count, page.rows.reduce((sumOfRows, x) => sumOfRows + Number(x.count), 0)]).toEqual([
      by,
      counted,
      counted,
    ])
  }
  expect(times.tenders).toBe(times.records + 1)
  expect(sum).toMatchObject({ ...want, principal: details.principal, lateFee: details.late, rest: 12000 })
  expect(sum.net).toBe(defined(sum.principal) + defined(sum.lateFee) + defined(sum.rest))
  expect((await loadReport(trade)).rows.map(x => [x.name, x.count, x.net])).toEqual([
    ['收款', 2, 60000],
    ['预存', 1, 10000],
    ['押金', 1, 2000],
    ['退款', 1, -4000],
  ])
  const behind = await t.call(
    listRecords,
    { ...project, receivedAmountTo: asFen(-1), state: ['normal', 'partRefunded', 'refunded'], size: 1 },
    me,
  )
  expect([behind.total, behind.sum?.receivedAmount]).toEqual([1, -defined(sum.refunded)])
})

it('抄表报表, 抄表月度汇总: readings and meters once, a main meter with parts not counted, the same as the report of meters', async () => {
  const h = createMeterFixtures(t, me)
  const home = await h.home(0)
  const main = await h.meter({ meterKind: 'power', meterUse: 'main' })
  const part = await h.meter({
    meterKind: 'power',
    meterUse: 'household',
    sourceType: 'room',
    sourceCode: home.code,
    parentMeterId: main.id,
  })
  const cold = await h.meter()
  for (const [m, d, x, overrides] of [
    [main, '2026-09-30', '0', { isBase: true }],
    [main, '2026-10-31', '900', {}],
    [part, '2026-09-30', '0', { isBase: true }],
    [part, '2026-10-31', '200', {}],
    [cold, '2026-09-30', '0', { isBase: true }],
    [cold, '2026-10-31', '33.25', { isEstimate: true }],
  ] as const) {
    await h.read(m, d, x, overrides)
  }
  const q = { monthFrom: '2026-10', monthTo: '2026-10' }
  const sum = await expectConsistentTotals(meterReadings, q)
  expect([sum.count, sum.estimated, Number(sum.power), Number(sum.cold)]).toEqual([3, 1, 200, 33.25])
  const kinds = await loadReport(meterMonths, { ...q, by: 'kind' })
  const known = await t.call(meterReport, { ...project, fromMonth: '2026-10', toMonth: '2026-10' }, me)
  for (const k of ['due', 'read'] as const) {
    expect(kinds.sum[k]).toBe(known.reduce((m, r) => m + (k === 'due' ? r.meters : r.read), 0))
  }
  await expectConsistentTotals(meterMonths, { monthFrom: '2026-09', monthTo: '2026-11' })
  const months = await loadReport(meterMonths, { monthFrom: '2026-09', monthTo: '2026-11', by: 'month' })
  const october = defined(months.rows.find(r => r.key === '2026-10'))
  expect([
    october.read,
    defined(october.due) - defined(october.left),
    Number(october.power),
    Number(october.cold),
  ]).toEqual([3, 3, 200, 33.25])
  expect(months.sum.due).toBe(defined(months.sum.read) + defined(months.sum.left))
  expect(
    await refusalTextOf(loadReport(meterMonths, { monthFrom: '2020-01', monthTo: '2026-10' })),
  ).toContain('一次最多统计 36 个月')
})

it('预存汇总: opening + in − offset − refund + other = closing, month opens with what the month before closed with (CLO-4)', async () => {
  await t.call(
    topUp,
    {
      ...project,
      ownerKind: 'room',
      ownerCode: room,
      feeItemId: items[0],
      methods: [{ method: 'cash', amount: asFen(5000) }],
      gift: asFen(300),
    },
    me,
  )
  const account = defined(
    (await t.call(listAccounts, { ...project, ownerCode: room }, me)).rows.find(a => a.feeItemId === 0),
  )
  await t.call(refundAccount, { id: account.id, amount: 1500, method: 'cash', reason: '退房' }, me)
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        update prestore_entry
        set entry_time = '2026-08-31 16:30:00+00'
        where entry_type = 10 and account_id = ${account.id}
      `,
    ),
  ) // 1 September in Shanghai
  const today = '2026-11-21'
  const whole = await queryAmounts(
    sql`
      select sum(balance + gift_balance)::text as close
      from prestore_account
      where project_code = 'GOLD0001' and delete_tag = 0
    `,
  )
  const sum = await expectConsistentTotals(prestoreSummary, { dayFrom: '2026-11-01', dayTo: today })
  expect(sum).toEqual({ open: 10000, came: 5300, offset: 0, refund: 1500, other: 0, close: whole.close })
  expect(
    (await loadReport(prestoreSummary, { dayFrom: '2026-09-01', dayTo: '2026-09-30' })).sum,
  ).toMatchObject({
    open: 0,
    came: 10000,
    close: 10000,
  })
  expect(
    (await loadReport(prestoreSummary, { dayFrom: '2026-08-01', dayTo: '2026-08-31' })).sum,
  ).toMatchObject({
    came: 0,
    close: 0,
  })
  expect(
    (await loadReport(prestoreSummary, { by: 'item', dayFrom: '2026-11-01', dayTo: today })).rows.map(r => [
      r.name,
      r.close,
    ]),
  ).toEqual([
    ['通用', 8500],
    ['项目MORE1', 5300],
  ])
  const months = await loadReport(prestoreMonths, { dayFrom: '2026-08-01', dayTo: today })
  expect(months.rows.map(r => [r.key, r.open, r.came, r.refund, r.close])).toEqual([
    ['2026-09', 0, 10000, 0, 10000],
    ['2026-10', 10000, 0, 0, 10000],
    ['2026-11', 10000, 5300, 1500, 13800],
  ])
  for (const r of months.rows) {
    expect(defined(r.open) + defined(r.came) - defined(r.offset) - defined(r.refund) + defined(r.other)).toBe(
      r.close,
    )
  }
  expect(months.sum).toEqual({ open: 0, came: 15300, offset: 0, refund: 1500, other: 0, close: 13800 })
  // A range that begins within a month opens with what was there on its first day.
  expect((await loadReport(prestoreMonths, { dayFrom: '2026-09-15', dayTo: today })).sum).toMatchObject({
    open: 10000,
    came: 5300,
    close: 13800,
  })
  const known = await t.call(listSummary, { ...project, size: 100 }, me)
  expect(
    known.rows.map(r => [r.month, r.open, r.came, r.offset, r.refund, r.other, r.close]).toReversed(),
  ).toEqual(months.rows.map(r => [r.key, r.open, r.came, r.offset, r.refund, r.other, r.close]))
  expect(await refusalTextOf(loadReport(prestoreMonths, { dayFrom: '2020-01-01', dayTo: today }))).toContain(
    '一次最多 36 个月',
  )
})

it('停车报表: places under their car park, cars under 未归属, nothing else', async () => {
  const place = defined(
    await t.database.reader(ownerId).one<{ code: string; park: string; id: string }>(
      sql`
        select p.code, k.name as park, k.id::text as id
        from park_place p
        join park k on k.owner_id = p.owner_id and k.id = p.park_id
        where p.project_code = 'GOLD0001' and p.delete_tag = 0
        order by p.id
        limit 1
      `,
    ),
  )
  await seedBills([
    { type: 30, source: place.code, name: 'A-001', amount: asFen(15000), paid: asFen(9000), build: '' },
    { type: 20, source: 'CAR1', name: '粤B12345', amount: asFen(30000), due: '2026-10-01', build: '' },
  ])
  const want = await queryAmounts(
    sql`
      select sum(receivable)::text as receivable, sum(paid_principal)::text as paid,
        sum(unpaid)::text as unpaid
      from bill
      where project_code = 'GOLD0001' and state = 20 and delete_tag = 0 and source_type in (20, 30)
    `,
  )
  expect(await expectConsistentTotals(parking)).toMatchObject(want)
  expect(
    (await loadReport(parking)).rows.map(r => [r.name, r.receivable, r.paid, r.overdue, r.rate]),
  ).toEqual([
    [place.park, 15000, 9000, 0, '60.00%'],
    ['未归属', 30000, 0, 30000, '0.00%'],
  ])
  expect(
    (await loadReport(parking, { by: 'place', park: [place.id] })).rows.map(r => [r.name, r.receivable]),
  ).toEqual([['A-001', 15000]])
})

it('发票报表: what went out by its own day, red against blue; net and tax make the total', async () => {
  let no = 0
  const insertInvoice = (x: {
    total: string
    net: string
    state: number
    at?: string
    build?: string
    original?: number
    project?: string
  }) =>
    t.database.tx(
      ownerId,
      async tx =>
        defined(
          await tx.one<{
            id: Id
          }>(sql`
          insert into invoice_record (
            owner_id, project_code, serial_no, invoice_type, medium, is_red, title, buyer_name, seller,
            payer_name, source_name, build_code, lines, net_amount, tax_amount, total_amount, record_ids,
            channel, set_id, issue_time, original_id, state
          )
          values (
            ${ownerId}, ${x.project ?? 'GOLD0001'}, ${`RPT${++no}`}, 10, 10, ${x.original !== undefined},
            '{}', '购买方', '{}', '张三', '1-1-101', ${x.build ?? 'B1'}, '[]', ${x.net}::numeric,
            ${x.total}::numeric - ${x.net}::numeric, ${x.total}::numeric, '{}', 10, 1, ${x.at ?? null},
            ${x.original ?? null}, ${x.state}
          )
          returning id
        `),
        ).id,
    )
  // 1 November in Shanghai
  await insertInvoice({ total: '1060.00', net: '1000.00', state: 30, at: '2026-10-31 16:30:00+00' })
  const back = await insertInvoice({
    total: '106.00',
    net: '100.00',
    state: 60,
    at: '2026-10-05 02:00:00+00',
    build: 'B2',
  })
  await insertInvoice({
    total: '-106.00',
    net: '-100.00',
    state: 30,
    at: '2026-11-02 02:00:00+00',
    build: 'B2',
    original: back,
  })
  await insertInvoice({ total: '53.00', net: '50.00', state: 10 })
  await insertInvoice({ total: '53.00', net: '50.00', state: 70, at: '2026-11-03 02:00:00+00' })
  await insertInvoice({
    total: '9.99',
    net: '9.99',
    state: 30,
    at: '2026-11-03 02:00:00+00',
    project: 'GOLD0002',
  })
  const sum = await expectConsistentTotals(issuedInvoices)
  expect(sum).toEqual({ count: 3, blue: 116600, red: 10600, total: 106000, net: 100000, tax: 6000 })
  expect(
    (await loadReport(issuedInvoices, { by: 'month' })).rows.map(r => [r.key, r.count, r.total]),
  ).toEqual([
    ['2026-10', 1, 10600],
    ['2026-11', 2, 95400],
  ])
  const q = { dayFrom: '2026-11-01', dayTo: '2026-11-30' }
  const some = await loadReport(issuedInvoices, q)
  expect(some.sum).toMatchObject({ count: 2, blue: 106000, red: 10600 })
  const behind = await t.call(
    listInvoices,
    {
      ...project,
      issueTimeFrom: '2026-11-01 00:00:00',
      issueTimeTo: '2026-11-30 00:00:00',
      state: ['issued', 'redDue', 'red'],
      size: 1,
    },
    me,
  )
  expect([behind.total, behind.sum?.totalAmount]).toEqual([2, some.sum.total])
  expect(
    (await loadReport(issuedInvoices, {}, await t.signedInAs(golden.first.buildingOnly))).sum.total,
  ).toBe(106000)
})

it('only what is in the data domain, building by building; none without the right', async () => {
  const keeper = await t.signedInAs(golden.first.buildingOnly)
  const other = await t.signedInAs(golden.first.estateOnly)
  const engineer = await t.signedInAs(golden.first.ofRole('engineer'))
  const all = [
    roomBills,
    feeBills,
    sourceBills,
    trade,
    meterReadings,
    meterMonths,
    prestoreSummary,
    prestoreMonths,
    parking,
    issuedInvoices,
  ]
  for (const r of all) {
    expect(await refusalTextOf(t.call(r.list, project, engineer)), r.key).toContain('无权执行此操作')
    expect(
      await refusalTextOf(t.call(r.list, { projectCode: golden.estates[1], size: 10 }, other)),
      r.key,
    ).toBe('无权访问该项目')
  }
  const limited = await queryAmounts(
    sql`
      select sum(receivable)::text as bills
      from bill
      where project_code = 'GOLD0001' and build_code = 'B1' and state = 20 and delete_tag = 0
    `,
  )
  for (const r of [roomBills, feeBills, sourceBills]) {
    expect([r.key, (await loadReport(r, {}, keeper)).sum.receivable]).toEqual([r.key, limited.bills])
  }
  expect((await loadReport(trade, {}, keeper)).sum.net).toBe(
    (
      await queryAmounts(
        sql`
          select sum(l.amount)::text as n
          from pay_record r
          join pay_line l on l.owner_id = r.owner_id and l.record_id = r.id
          where r.project_code = 'GOLD0001' and r.build_code = 'B1' and r.state <> 40
        `,
      )
    ).n,
  )
  expect((await loadReport(parking, {}, keeper)).total).toBe(0)
  expect(Number((await loadReport(meterReadings, {}, keeper)).sum.cold)).toBe(0)
  expect((await loadReport(prestoreSummary, {}, keeper)).sum.close).toBe(
    (
      await queryAmounts(
        sql`
          select sum(balance + gift_balance)::text as n
          from prestore_account
          where project_code = 'GOLD0001' and build_code = 'B1'
        `,
      )
    ).n,
  )
  // All projects of one who has them all: another project's bill is in it.
  expect(
    (
      await loadReport(
        roomBills,
        { projectCode: undefined, by: 'project' },
        await t.signedInAs(golden.first.owner, ''),
      )
    ).rows.map(r => r.receivable),
  ).toContain(333)
})

it("exports are the screen's rows with the totals last", async () => {
  for (const r of [roomBills, trade, meterReadings, meterMonths, prestoreSummary, parking]) {
    const all = await loadReport(r)
    const file = await t.call(r.export.get, { ...project, expected: all.total }, me)
    const sheet = await readWorkbook(await readBody(file))
    const cells = sheet.lines.map(l => l.cells.map(cellToText))
    expect([r.key, file.name, cells.map(c => c[0])]).toEqual([
      r.key,
      `${r.title}_20261121.xlsx`,
      [...all.rows.map(x => x.name), '合计'],
    ])
  }
  const done = await t.waitForTask(await t.call(roomBills.export.start, project, me))
  expect([done.state, done.success]).toEqual([30, (await loadReport(roomBills)).total])
})
