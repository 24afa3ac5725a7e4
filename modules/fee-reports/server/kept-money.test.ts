import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays } from '#kit/domain/day.ts'
import { asFen, formatYuan, parseYuan, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { seedBillRows, seedFeeItem } from '../../bills/server/fixtures.ts'
import { billState } from '#modules/bills/contract/choices.ts'
import { listDebtors } from '#modules/bills/contract/debtor.ts'
import { listBills } from '#modules/bills/contract/list.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { getCashierView } from '#modules/payments/contract/cashier.ts'
import { checkDayClose, previewHandover } from '#modules/payments/contract/day-close.ts'
import { exportRecords, exportTrades } from '#modules/payments/contract/import-export.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import {
  getRecord,
  listRecords,
  listTrades,
  recordSums,
  recoverRecord,
  summarizeRecords,
  voidRecord,
  type PayRecord,
} from '#modules/payments/contract/record.ts'
import { listWaitingPayments } from '#modules/invoices/contract/invoicing.ts'
import { payMethod } from '#modules/payments/contract/choices.ts'
import { isOffset, keptTenders } from '#modules/payments/domain/tender-sums.ts'
import { keysOf } from '#kit/contract/field.ts'
import { cancelRefund, requestRefund } from '#modules/payments/contract/refund.ts'
import { topUp } from '#modules/prestore/contract/account.ts'
import { cellToText, toRows } from '#kit/server/workbook/worksheet.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { askReport } from './fixtures.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { reportSources } from './index.ts'
import { feeSummary } from '../contract/month.ts'
import { unpaidBills } from '../contract/receivable.ts'
import { received } from '../contract/received.ts'
import { getChargeStatistic } from '../contract/statistic.ts'
import { dailyCollections } from '../contract/daily-collection.ts'
import { trade } from '../contract/trade.ts'

let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let item: Id = 0
let n = 0
let room = ''
const project = { projectCode: 'GOLD0001' }
const day = '2026-11-21'

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  ownerId = t.ownerId
  item = await t.database.tx(ownerId, tx => seedFeeItem(tx, ownerId, 'KEPT'))
  room = defined(
    await t.database.reader(ownerId).one<{ code: string }>(sql`
    select code from room where owner_id = ${ownerId} and project_code = 'GOLD0001' order by sort_key limit 1
  `),
  ).code
  await t.call(updateEstateSetting, { ...project, key: 'RefundAuditFrom', value: '99999999' }, me)
})

afterAll(() => t?.close())

const seedBill = async (amount: Fen): Promise<string> => {
  const begin = addDays('2000-01-01', n++)
  const [id] = await t.database.tx(ownerId, tx =>
    seedBillRows(tx, ownerId, item, [{ amount, source: room, begin, end: begin, due: '2026-12-31' }]),
  )
  return String(id)
}

const pay = async (sum: number, tenders: { method: 'cash' | 'transfer' | 'prestore'; amount: number }[]) => {
  const amount = asFen(sum)
  const methods = tenders.map(m => ({ ...m, amount: asFen(m.amount) }))
  return t.call(
    payBills,
    { ...project, billIds: [await seedBill(amount)], expectAmount: amount, methods },
    me,
  )
}

/** What may happen on a day, with the amounts that it is about. */
const stepOf = fc.record({
  kind: fc.constantFrom('cash', 'mixed', 'split', 'prestore'),
  amount: fc.integer({ min: 1000, max: 90_000 }),
  excess: fc.integer({ min: 0, max: 900_000 }),
  after: fc.constantFrom('stay', 'void', 'recover', 'refund', 'reverse', 'toPrestore'),
})

type Step = typeof stepOf extends fc.Arbitrary<infer S> ? S : never

const tendersOf = ({ kind, amount, excess }: Step): Parameters<typeof pay>[1] => {
  const half = Math.floor(amount / 2)
  if (kind === 'cash') return [{ method: 'cash', amount: amount + excess }]
  if (kind === 'split') return [{ method: 'transfer', amount }]
  return [
    { method: kind === 'prestore' ? 'prestore' : 'transfer', amount: half },
    { method: 'cash', amount: amount - half + excess },
  ]
}

async function runStep(step: Step): Promise<void> {
  const { recordId } = await pay(step.amount, tendersOf(step))
  if (step.after === 'void' || step.after === 'recover') {
    await t.call(voidRecord, { id: recordId, reason: '录错了' }, me)
  }
  if (step.after === 'recover') {
    await t.call(recoverRecord, { id: recordId }, me)
  }
  if (!['refund', 'reverse', 'toPrestore'].includes(step.after)) return
  const record = await t.call(getRecord, { id: recordId }, me)
  const refund = await t.call(
    requestRefund,
    {
      recordId,
      lines: [
        { detailId: defined(record.details[0]).id, principal: asFen(Math.ceil(step.amount / 3)), late: 0 },
      ],
      refundWay: step.after === 'toPrestore' ? 'prestore' : 'cash',
      billAfter: 'owed',
      reason: '多收了',
    },
    me,
  )
  if (step.after === 'reverse') {
    await t.call(cancelRefund, { id: refund.id, reason: '退错了' }, me)
  }
}

type Sums = Readonly<Record<string, number>>

const filters = [
  {},
  { payDayFrom: day, payDayTo: day },
  { recordType: ['payment'] },
  { recordType: ['refund'] },
  { state: ['normal'] },
  { state: ['voided'] },
  { receivedAmountFrom: asFen(20_000) },
] as const

/** What is owed: the home, the report, the list of bills and the list of who owes (C27-8, C27-13). */
async function expectArrearsAgreement(home: Awaited<ReturnType<typeof askHome>>, owed: Sums): Promise<void> {
  expect(home.unpaid).toBe(owed.unpaid)
  expect(home.unpaid).toBe(home.closing + defined(home.later) + defined(home.outOfRate))
  const later = await t.database.reader(ownerId).one<{ sum: string }>(sql`
    select coalesce(sum(m.receivable - m.paid), 0)::text as sum
    from bill_month m
    join bill b on b.id = m.bill_id
    where m.owner_id = ${ownerId}
      and b.owner_id = ${ownerId}
      and b.project_code = ${project.projectCode}
      and b.state = ${code(billState, 'normal')}
      and b.delete_tag = 0
      and m.month > ${home.month}
  `)
  expect(home.later).toBe(parseYuan(defined(later).sum))
  for (const filter of [{}, { dueDateTo: '2026-06-30' }, { dueDateFrom: '2026-07-01' }] as const) {
    const unpaid = { ...project, ...filter, state: ['normal' as const], payState: ['unpaid' as const] }
    const list = (await t.call(listBills, { ...unpaid, feesOnly: true, size: 1 }, me)).sum
    const report = (await askReport<Sums>(t, unpaidBills, { ...project, ...filter }, me)).sum
    const debtors = (await t.call(listDebtors, { ...project, ...filter, size: 1 }, me)).sum
    expect([
      filter,
      defined(report.unpaid) + defined(report.lateFee),
      Number(defined(debtors).unpaid),
    ]).toEqual([filter, Number(defined(list).unpaid), Number(defined(list).unpaid)])
  }
}

const askHome = () => t.call(getChargeStatistic, project, me)

const methodKeys = keysOf(payMethod)

/** What stayed of a record by one method, and is new money. */
const keptBy = (methods: readonly string[], r: PayRecord): number =>
  keptTenders(r.methods, r.changeAmount)
    .filter(m => methods.includes(m.method) && !isOffset(m.method))
    .reduce((sum, m) => sum + m.amount, 0)

const addSums = (all: readonly (Sums | undefined)[], keys: readonly string[]): number[] =>
  keys.map(key => all.reduce((sum, sums) => sum + Number(sums?.[key]), 0))

const recordKeys = recordSums.filter(key => key !== 'refundedAmount')
const tradeKeys = ['principal', 'deposit', 'lateFee']
const reportKeys = ['received', 'refunded', 'net', 'principal', 'lateFee', 'rest', 'offset', 'roundOff']

/** What the rows that are not voided add up to. */
const sumRows = (rows: readonly { readonly state: string }[], keys: readonly string[]): number[] =>
  keys.map(key =>
    rows
      .filter(row => row.state !== 'voided')
      .flatMap(row => Object.entries(row).filter(([name]) => name === key))
      .reduce((sum, [, amount]) => sum + Number(amount), 0),
  )

/** A mixed payment is found by each of its methods and counts with the part of each (PAY-15). */
async function expectMethodAgreement(): Promise<void> {
  const lists: Sums[] = []
  const lines: Sums[] = []
  const reports: Sums[] = []
  for (const method of methodKeys) {
    const q = { ...project, payMethod: [method] }
    const list = await t.call(listRecords, { ...q, size: 2000 }, me)
    const kept = list.rows.filter(r => r.state !== 'voided').reduce((sum, r) => sum + keptBy([method], r), 0)
    const summary = await t.call(summarizeRecords, q, me)
    const traded = (await askReport<Sums>(t, trade, q, me)).sum
    const collected = (await askReport<Sums>(t, dailyCollections, { ...project, method: [method] }, me)).sum
    expect([method, Number(list.sum?.receivedAmount), summary.net, traded.net, collected.net]).toEqual([
      method,
      ...Array<number>(4).fill(kept),
    ])
    expect([method, sumRows(list.rows, recordKeys)]).toEqual([
      method,
      addSums([readSums(list.sum)], recordKeys),
    ])
    expect([summary.received, summary.refunded, traded.received, traded.refunded]).toEqual([
      collected.received,
      collected.refunded,
      collected.received,
      collected.refunded,
    ])
    const trades = await t.call(listTrades, { ...q, size: 2000 }, me)
    const ofMethod = trades.rows
      .filter(r => r.state !== 'voided')
      .map(r => r.methods.filter(m => m.method === method))
    expect(ofMethod.every(m => m.length)).toBe(true)
    expect(addSums([readSums(trades.sum)], tradeKeys).reduce((a, b) => a + b, 0)).toBe(
      ofMethod.flat().reduce((sum, m) => sum + m.amount, 0),
    )
    expect([method, sumRows(trades.rows, tradeKeys)]).toEqual([
      method,
      addSums([readSums(trades.sum)], tradeKeys),
    ])
    expect([trades.sum?.principal, trades.sum?.lateFee]).toEqual([traded.principal, traded.lateFee])
    lists.push(readSums(list.sum))
    lines.push(readSums(trades.sum))
    reports.push(traded)
  }
  const all = { ...project, size: 1 }
  expect(addSums(lists, recordKeys)).toEqual(
    addSums([readSums((await t.call(listRecords, all, me)).sum)], recordKeys),
  )
  expect(addSums(lines, tradeKeys)).toEqual(
    addSums([readSums((await t.call(listTrades, all, me)).sum)], tradeKeys),
  )
  const byMethod = await askReport<Sums>(t, trade, { ...project, by: 'method', size: 2000 }, me)
  const byType = await askReport<Sums>(t, trade, { ...project, by: 'type' }, me)
  expect(addSums(reports, reportKeys)).toEqual(addSums([byMethod.sum], reportKeys))
  expect(addSums([byMethod.sum], reportKeys)).toEqual(addSums([byType.sum], reportKeys))
}

const readSums = (sum: { readonly [key: string]: number | string } | undefined): Sums =>
  Object.fromEntries(Object.entries(sum ?? {}).map(([key, value]) => [key, Number(value)]))

/** The five places, and the two reports beside them, speak of the same money. */
async function expectAgreement(): Promise<void> {
  for (const filter of filters) {
    const list = await t.call(listRecords, { ...project, ...filter, size: 2000 }, me)
    const notVoided = list.rows.filter(r => r.state !== 'voided')
    const rows = notVoided.reduce((sum, r) => sum + r.receivedAmount, 0)
    const summary = await t.call(summarizeRecords, { ...project, ...filter }, me)
    expect([filter, defined(list.sum).receivedAmount, summary.net]).toEqual([filter, rows, rows])
    expect(summary.received - summary.refunded).toBe(summary.net)
    expect(summary.methods.reduce((sum, m) => sum + m.received - m.refunded, 0)).toBe(summary.net)
    if ('state' in filter || 'receivedAmountFrom' in filter) continue
    const traded = (await askReport<Sums>(t, trade, { ...project, ...filter }, me)).sum
    expect(traded).toMatchObject({ received: summary.received, refunded: summary.refunded, net: rows })
    const report = (await askReport<Sums>(t, received, { ...project, ...filter }, me)).sum
    expect([report.principal, report.lateFee]).toEqual([
      defined(list.sum).principalAmount,
      defined(list.sum).lateFeeAmount,
    ])
    expect(report.net).toBe(defined(traded.net) + defined(traded.offset) - defined(traded.rest))
  }
  await expectMethodAgreement()
  const today = await t.call(summarizeRecords, { ...project, payDayFrom: day, payDayTo: day }, me)
  const close = await t.call(checkDayClose, { ...project, day }, me)
  expect([close.received, close.refunded]).toEqual([today.received, today.refunded])
  const shift = await t.call(previewHandover, project, me)
  expect([shift.totalReceived, shift.totalRefund]).toEqual([today.received, today.refunded])
  const collection = (
    await askReport<Sums>(t, dailyCollections, { ...project, dayFrom: day, dayTo: day }, me)
  ).sum
  expect(collection).toMatchObject({
    received: today.received,
    refunded: today.refunded,
    net: today.net,
    offset: today.offset,
  })
  const home = await askHome()
  expect(home.today).toEqual({
    received: collection.received,
    refunded: collection.refunded,
    net: collection.net,
  })
  const monthDays = { dayFrom: `${day.slice(0, 7)}-01`, dayTo: day }
  const month = (await askReport<Sums>(t, dailyCollections, { ...project, ...monthDays }, me)).sum
  expect(home.thisMonth).toEqual({ received: month.received, refunded: month.refunded, net: month.net })
  const byMonth = { ...project, monthFrom: day.slice(0, 7), monthTo: day.slice(0, 7) }
  const summary = (await askReport<Sums>(t, feeSummary, byMonth, me)).sum
  const owed = (await askReport<Sums>(t, unpaidBills, project, me)).sum
  expect(home).toMatchObject({ closing: summary.closing, writtenOff: summary.writtenOff })
  expect(home.ages.reduce((sum, age) => sum + age.sum, 0)).toBe(owed.unpaid)
  await expectArrearsAgreement(home, owed)
  expect(home.cash).toBe(home.received + home.recovered + home.prepaid + home.other)
  expect(home.cash).toBe(home.thisMonth.net)
}

it('C27-9: 9,000.00 laid down for 414.19 is 414.19 in every list, sheet and total', async () => {
  const before = await t.call(summarizeRecords, project, me)
  const { recordId, ...paid } = await pay(41_419, [{ method: 'cash', amount: 900_000 }])
  expect(paid).toMatchObject({ tendered: 900_000, change: 858_581, received: 41_419 })
  expect(await t.call(getRecord, { id: recordId }, me)).toMatchObject({
    tenderedAmount: 900_000,
    changeAmount: 858_581,
    receivedAmount: 41_419,
  })
  expect((await t.call(summarizeRecords, project, me)).net - before.net).toBe(41_419)
  const source = await t.call(getCashierView, { ...project, sourceType: 'room', sourceCode: room }, me)
  expect(source.lastPayAmount).toBe(41_419)
  const sheet = await t.call(exportRecords.get, { ...project, ids: [String(recordId)] }, me)
  const cells = toRows(await readWorkbook(t.upload('x.xlsx', await readBody(sheet)).path))
    .filter(r => r.length)
    .map(r => r.map(cellToText))
  const headings = cells.findIndex(r => r.includes('实收'))
  const at = defined(cells[headings]).indexOf('实收')
  expect([defined(cells[headings + 1])[at], defined(cells[headings]).includes('找零')]).toEqual([
    formatYuan(asFen(41_419)),
    false,
  ])
})

it('PAY-15: a mixed payment is found, summed and written by each of its methods', async () => {
  const sumsOf = async (method: 'cash' | 'transfer') => {
    const { total, sum } = await t.call(listRecords, { ...project, payMethod: [method], size: 1 }, me)
    return { total, received: Number(sum?.receivedAmount) }
  }
  const before = { cash: await sumsOf('cash'), transfer: await sumsOf('transfer') }
  const { recordId } = await pay(10_982, [
    { method: 'transfer', amount: 4982 },
    { method: 'cash', amount: 6000 },
  ])
  for (const [method, amount] of [
    ['cash', 6000],
    ['transfer', 4982],
  ] as const) {
    const was = before[method]
    expect(await sumsOf(method)).toEqual({ total: was.total + 1, received: was.received + amount })
  }
  const trades = await t.call(listTrades, { ...project, recordId, payMethod: ['transfer'] }, me)
  expect(trades.rows.map(r => r.methods)).toEqual([
    [
      { method: 'cash', amount: 6000 },
      { method: 'transfer', amount: 4982 },
    ],
  ])
  expect(trades.sum?.principal).toBe(4982)
  const waiting = await t.call(listWaitingPayments, { ...project, payMethod: ['transfer'], size: 2000 }, me)
  expect(waiting.rows.find(r => r.id === recordId)?.methods.map(m => m.method)).toEqual(['transfer', 'cash'])
  for (const [call, totalsOf] of [
    [exportRecords, '实收'],
    [exportTrades, '本金'],
  ] as const) {
    const q = { ...project, payMethod: ['transfer' as const] }
    const sheet = await t.call(call.get, q, me)
    const { heading, lines } = await readWorkbook(t.upload('x.xlsx', await readBody(sheet)).path)
    const cells = lines.map(l => l.cells.map(cellToText))
    const list = call === exportRecords ? await t.call(listRecords, q, me) : await t.call(listTrades, q, me)
    expect(Number(cells.at(-1)?.[heading.indexOf(totalsOf)])).toBe(
      Number(list.sum?.[call === exportRecords ? 'receivedAmount' : 'principal']) / 100,
    )
    const mixed = cells.filter(c => /银行转账 49.82/.test(String(c[heading.indexOf('支付方式')])))
    expect(mixed.map(c => Number(c[heading.indexOf(totalsOf)]))).toEqual([49.82])
  }
})

it('an exported sheet ends with the totals of its list: what is voided is shown and not summed (EXP-1)', async () => {
  const { recordId } = await pay(30_300, [{ method: 'cash', amount: 30_300 }])
  await t.call(voidRecord, { id: recordId, reason: '录错了' }, me)
  const list = await t.call(listRecords, { ...project, size: 5 }, me)
  const sheet = await t.call(exportRecords.get, { ...project, expected: list.total }, me)
  const { heading, lines } = await readWorkbook(t.upload('x.xlsx', await readBody(sheet)).path)
  expect(lines).toHaveLength(list.total + 1)
  const totals = defined(lines.at(-1)).cells.map(cellToText)
  expect(Number(totals[heading.indexOf('实收')])).toBe(Number(defined(list.sum).receivedAmount) / 100)
  const added = lines.slice(0, -1).map(l => Number(cellToText(l.cells[heading.indexOf('实收')])) || 0)
  expect(added.reduce((a, b) => a + b, 0)).toBeGreaterThan(Number(defined(list.sum).receivedAmount) / 100)
})

it('the cashier shows the last payment that stands, not one that was voided', async () => {
  const lastAmount = async () =>
    (await t.call(getCashierView, { ...project, sourceType: 'room', sourceCode: room }, me)).lastPayAmount
  await pay(10_100, [{ method: 'cash', amount: 10_100 }])
  const { recordId } = await pay(20_200, [{ method: 'cash', amount: 20_200 }])
  expect(await lastAmount()).toBe(20_200)
  await t.call(voidRecord, { id: recordId, reason: '录错了' }, me)
  expect(await lastAmount()).toBe(10_100)
})

it('C27-9: lists, summary, day sheet, shift and reports agree to the fen on random days', async () => {
  await t.call(
    topUp,
    {
      ...project,
      ownerKind: 'room',
      ownerCode: room,
      methods: [{ method: 'transfer', amount: asFen(9_000_000) }],
    },
    me,
  )
  await fc.assert(
    fc.asyncProperty(fc.array(stepOf, { minLength: 4, maxLength: 8 }), async steps => {
      for (const step of steps) {
        await runStep(step)
      }
      await expectAgreement()
    }),
    { numRuns: Number(process.env.KEPT_RUNS ?? 4) },
  )
})

const billParts = [
  ['receivable', '+amount', '-discount'],
  ['unpaid', '+receivable', '-paid'],
] as const

/** What a column is the sum of, by report: signs before the parts. */
const parts: Readonly<Record<string, readonly (readonly [sum: string, ...parts: string[]])[]>> = {
  dailyCollections: [
    ['net', '+received', '-refunded'],
    ['settled', '+net', '+offset'],
  ],
  monthlyCollections: [
    ['net', '+received', '-refunded'],
    ['settled', '+net', '+offset'],
  ],
  trade: [
    ['net', '+received', '-refunded'],
    ['rest', '+net', '+offset', '-principal', '-lateFee'],
  ],
  received: [
    ['net', '+principal', '+lateFee'],
    ['net', '+received', '-refunded'],
  ],
  refunds: [['amount', '+principal', '+lateFee']],
  shouldCollect: billParts,
  billSummary: billParts,
  roomBills: [
    ['receivable', '+amount', '-discount'],
    ['unpaid', '+receivable', '-paid', '+lateFee'],
  ],
  parking: [['unpaid', '+receivable', '-paid', '+lateFee']],
  feeBills: [['unpaid', '+receivable', '-paid']],
  sourceBills: [['unpaid', '+receivable', '-paid']],
  issuedInvoices: [
    ['total', '+blue', '-red'],
    ['total', '+net', '+tax'],
  ],
}

const sumParts = (row: Sums, of: readonly string[]): number =>
  of.reduce((sum, part) => sum + (part.startsWith('-') ? -1 : 1) * defined(row[part.slice(1)]), 0)

it('C27-13: every column is the sum of its parts and every footer of its rows, by every dimension', async () => {
  for (const [report] of reportSources) {
    for (const by of Object.keys(report.dimensions.rows)) {
      const page = await askReport<Sums>(t, report, { ...project, by, size: 2000 }, me)
      const additive = Object.entries(report.figures)
        .filter(([key, field]) => !report.edges[key] && ['money', 'int'].includes(field.kind))
        .map(([key]) => key)
      const sums = additive.map(key => [key, page.rows.reduce((sum, row) => sum + defined(row[key]), 0)])
      expect([report.key, by, sums]).toEqual([report.key, by, additive.map(key => [key, page.sum[key]])])
      for (const [sum, ...of] of parts[report.key] ?? []) {
        for (const row of [...page.rows, page.sum]) {
          expect([report.key, by, sum, row[sum]]).toEqual([report.key, by, sum, sumParts(row, of)])
        }
      }
    }
  }
})
