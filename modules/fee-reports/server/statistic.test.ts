import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen, parseYuan, type Fen } from '#kit/domain/money.ts'
import { fromInstant, dayOfMoment } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { findByIds } from '#kit/server/table.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { askReport } from './fixtures.ts'
import { testScope } from '../../bills/server/generate.fixtures.ts'
import { seedBillRows, seedFeeItem, type SeededBill } from '../../bills/server/fixtures.ts'
import { rewriteBillMonths } from '../../bills/server/stored-bill.ts'
import { bill } from '#modules/bills/contract/bill.ts'
import { listBills, getBillSummary } from '#modules/bills/contract/list.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { getRecord } from '#modules/payments/contract/record.ts'
import { requestRefund, cancelRefund } from '#modules/payments/contract/refund.ts'
import { golden } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import type { Report } from '../contract/report.ts'
import { rebuildDay } from '../contract/daily-collection.ts'
import { ageFigureKey, ageKeys, billSummary, receivables, unpaidBills } from '../contract/receivable.ts'
import { feeSummary } from '../contract/month.ts'
import { refunds } from '../contract/refund.ts'
import { getChargeStatistic } from '../contract/statistic.ts'
import { smallCompanyBills } from './statistic.ts'
import { computeStatistic, computeAllStatistics } from './statistic-refresh.ts'

let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let items: Id[] = []
let n = 0
const project = { projectCode: 'GOLD0001' }
const month = '2026-11'

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  ownerId = t.ownerId
  items = await t.database.tx(ownerId, async tx => [
    await seedFeeItem(tx, ownerId, 'STA1'),
    await seedFeeItem(tx, ownerId, 'STA2'),
  ])
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`update fee_item set in_rate = (id = ${defined(items[0])}) where owner_id = ${ownerId}`),
  )
  // Enough bills of another project that figures are stored at all.
  await t.database.tx(ownerId, tx =>
    seedBillRows(
      tx,
      ownerId,
      defined(items[0]),
      Array.from({ length: smallCompanyBills }, (_, i) => ({
        project: golden.estates[1],
        source: `MANY${i}`,
        begin: '2020-01-01',
        end: '2020-01-31',
        amount: asFen(100),
        paid: asFen(100),
      })),
    ),
  )
  await t.call(updateEstateSetting, { ...project, key: 'RefundAuditFrom', value: '99999999' }, me)
})

afterAll(() => t?.close())

const seedBills = (...list: SeededBill[]): Promise<Id[]> =>
  t.database.tx(ownerId, async tx => {
    const ids = await seedBillRows(
      tx,
      ownerId,
      defined(items[0]),
      list.map(b => ({ source: `STA${++n}`, due: '2026-11-10', ...b })),
    )
    await rewriteBillMonths(tx, ownerId, await findByIds(tx, bill, testScope(ownerId), ids))
    return ids
  })

const novemberBill = (amount: Fen, overrides: SeededBill = {}): SeededBill => ({
  begin: '2026-11-01',
  end: '2026-11-30',
  amount,
  ...overrides,
})

const payBill = (id: Id, due: Fen, paid = due) =>
  t.call(
    payBills,
    {
      ...project,
      billIds: [String(id)],
      expectAmount: due,
      methods: [{ method: 'cash', amount: paid }],
    },
    me,
  )

const askStatistic = (q: object = {}) => t.call(getChargeStatistic, { ...project, month, ...q }, me)
type Row = Record<string, number> & { key?: string; name: string; rate?: string }

const loadReport = (r: Report, q: object = {}, as = me) =>
  askReport<Row>(t, r, { ...project, size: 500, ...q }, as)

it('STAT-4, -5, -7, -8: the month computed on the spot equals the stored one; items out of the rate are in none', async () => {
  const [a, b, c, d] = await seedBills(
    novemberBill(asFen(60_000)),
    novemberBill(asFen(40_000), { source: 'STA-HOME' }),
    novemberBill(asFen(10_000), {
      source: 'STA-HOME',
      begin: '2026-12-01',
      end: '2026-12-31',
      due: '2027-01-10',
    }),
    novemberBill(asFen(50_000), { item: defined(items[1]) }),
  )
  const before = await askStatistic()
  expect(before).toMatchObject({
    due: 100_000,
    paid: 0,
    currentRate: '0.00%',
    owedRate: '100.00%',
    opening: 0,
    households: 2,
    clear: 0,
    householdRate: '0.00%',
    closing: 100_000,
  })
  expect(before.clearRate).toBeUndefined()
  await payBill(defined(a), asFen(60_000))
  await payBill(defined(b), asFen(40_000), asFen(20_000))
  await payBill(defined(c), asFen(10_000))
  await payBill(defined(d), asFen(50_000))
  const computed = await askStatistic()
  expect(computed).toMatchObject({
    due: 100_000,
    paid: 80_000,
    currentRate: '80.00%',
    owedRate: '20.00%',
    prepaid: 10_000,
    closing: 20_000,
    households: 2,
    clear: 1,
    householdRate: '50.00%',
    cash: 140_000,
    other: 50_000,
  })
  expect(computed.received + computed.recovered + computed.prepaid + computed.other).toBe(computed.cash)
  expect([
    computed.today.net,
    computed.thisMonth.net,
    computed.days.reduce((x, y) => x + y.net, 0),
    computed.trend.at(-1),
  ]).toEqual([140_000, 140_000, 140_000, { month, net: 140_000 }])
  await computeAllStatistics(t.app)
  const stored = await askStatistic()
  expect({ ...stored, builtTime: '' }).toEqual({ ...computed, builtTime: '' })
  // Nothing has moved: the figures are as good as new.
  await computeAllStatistics(t.app)
  // Older than five minutes is not shown but computed on the spot.
  const [laterBill] = await seedBills(novemberBill(asFen(100_000)))
  expect((await askStatistic()).due).toBe(100_000)
  t.advanceClock(6 * 60_000)
  expect((await askStatistic()).due).toBe(200_000)
  await payBill(defined(laterBill), asFen(100_000))
  expect(await refusalTextOf(t.call(getChargeStatistic, { ...project, month: '2027-01' }, me))).toContain(
    '只能看到本月',
  )
  // C27-13: the summary's rates are those of the home page; an item out of the rate has none.
  const rates = async (q: object) => {
    const { rows, sum } = await loadReport(feeSummary, { month: [month], ...q })
    return { all: [sum.currentRate, sum.clearRate], rows }
  }
  const now = await askStatistic()
  const { all, rows } = await rates({})
  expect(all).toEqual([now.currentRate, now.clearRate])
  expect(rows.find(r => r.key === String(items[1]))?.currentRate).toBeUndefined()
  expect(now.trend.map(each => each.month)).toHaveLength(12)
  // STAT-4: of a month that is over, also what has been paid for it since.
  const october = await loadReport(feeSummary, {
    month: ['2026-10'],
    monthFrom: '2026-10',
    monthTo: '2026-10',
  })
  expect(october.sum.currentRate).toBe((await askStatistic({ month: '2026-10' })).currentRate)
})

it('PAY-22: imported history is in the collection, not in what was taken at the cashier', async () => {
  const [id] = await seedBills(novemberBill(asFen(77_700)))
  const before = await askStatistic()
  const { recordId } = await payBill(defined(id), asFen(77_700))
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`update pay_record set is_history = true where owner_id = ${ownerId} and id = ${recordId}`),
  )
  await t.call(rebuildDay, { ...project, day: '2026-11-21' }, me)
  const home = await askStatistic()
  expect([home.cash, home.thisMonth, home.today, home.trend]).toEqual([
    before.cash,
    before.thisMonth,
    before.today,
    before.trend,
  ])
  expect(home.received).toBe(before.received + 77_700)
  expect(home.other).toBe(before.other - 77_700)
})

it('AGE-1: what waits by age, the same in the report, the list of bills and the home', async () => {
  const days = [-5, 0, 1, 30, 31, 60, 61, 90, 91, 180, 181, 365, 366, 730, 731, 1095, 1096, 2000]
  const due = (d: number): string =>
    new Date(Date.UTC(2026, 10, 21) - d * 86_400_000).toISOString().slice(0, 10)
  await seedBills(
    ...days.map((d, i) => ({
      begin: '2020-01-01',
      end: '2020-01-31',
      amount: asFen(100 + i),
      due: due(d),
      build: i % 2 ? 'B1' : 'B2',
    })),
  )
  const w = await loadReport(unpaidBills)
  const all = await t.call(getBillSummary, { ...project, state: ['normal'], payState: ['unpaid'] }, me)
  const home = await askStatistic()
  expect(w.rows.map(r => r.name)).toEqual([
    '未到期',
    '1–30 天',
    '31–60 天',
    '61–90 天',
    '91–180 天',
    '181–365 天',
    '1–2 年',
    '2–3 年',
    '3 年以上',
  ])
  expect(w.rows.map(r => [r.count, r.unpaid])).toEqual(all.ages.map(a => [a.count, a.sum]))
  expect(home.ages.map(a => [a.age, a.count, a.sum])).toEqual(all.ages.map(a => [a.age, a.count, a.sum]))
  for (const [i, k] of ageKeys.entries()) {
    expect(w.sum[ageFigureKey(k)]).toBe(defined(w.rows[i]).unpaid)
  }
  expect(ageKeys.reduce((x, k) => x + defined(w.sum[ageFigureKey(k)]), 0)).toBe(w.sum.unpaid)
  expect(w.sum.overdue).toBe(defined(w.sum.unpaid) - defined(w.sum.ageOpen))
  for (const by of Object.keys(unpaidBills.dimensions.rows)) {
    const s = await loadReport(unpaidBills, { by })
    expect(s.sum).toEqual(w.sum)
    expect(s.rows.reduce((x, r) => x + defined(r.unpaid), 0)).toBe(w.sum.unpaid)
  }
})

it('what should be collected is the list of bills in force; each way of summing gives one total (STAT-1)', async () => {
  const list = await t.call(listBills, { ...project, size: 1 }, me)
  const s = await loadReport(receivables)
  expect([s.sum.count, s.sum.receivable, s.sum.paid]).toEqual([
    list.total,
    defined(list.sum).receivable,
    defined(list.sum).paidPrincipal,
  ])
  expect(defined(s.sum.receivable) - defined(s.sum.paid)).toBe(s.sum.unpaid)
  for (const by of Object.keys(receivables.dimensions.rows)) {
    expect((await loadReport(receivables, { by })).sum).toEqual(s.sum)
  }
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        update bill
        set state = 30
        where owner_id = ${ownerId} and id = (select max(id) from bill where source_code like 'STA%')
      `,
    ),
  )
  const states = await loadReport(billSummary, { by: 'state' })
  const stored = defined(
    await t.database.reader(ownerId).one<{ n: string }>(
      sql`
        select sum(amount)::text as n
        from bill
        where owner_id = ${ownerId} and project_code = 'GOLD0001' and delete_tag = 0 and state <> 30
      `,
    ),
  ).n
  expect(states.rows.map(r => r.name)).toContain('已作废')
  expect(states.sum.amount).toBe(parseYuan(stored))
  // Elsewhere what is counted is what is summed (C27-9).
  const byItem = await loadReport(billSummary, { by: 'item' })
  expect(byItem.sum.amount).toBe(states.sum.amount)
  expect(byItem.sum.count).toBeLessThan(defined(states.sum.count))
  expect((await loadReport(receivables)).sum.count).toBe(defined(s.sum.count) - 1)
})

it('STAT-6: a refund is on its own day; one taken back is nowhere', async () => {
  const [a] = await seedBills(novemberBill(asFen(30_000)))
  const r = await t.call(getRecord, { id: (await payBill(defined(a), asFen(30_000))).recordId }, me)
  const requestPartialRefund = (principal: Fen) =>
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
  await requestPartialRefund(asFen(1_000))
  const second = await requestPartialRefund(asFen(2_500))
  expect((await loadReport(refunds, { by: 'way' })).rows).toMatchObject([
    { name: '现金', count: 2, principal: 3_500, amount: 3_500 },
  ])
  await t.call(cancelRefund, { id: second.id, reason: '申请有误' }, me)
  for (const by of Object.keys(refunds.dimensions.rows)) {
    expect((await loadReport(refunds, { by })).sum).toMatchObject({ count: 1, amount: 1_000 })
  }
  expect((await loadReport(refunds, { by: 'day', payDayTo: '2026-11-20' })).rows).toEqual([])
})

it('a keeper of one building sees its bills alone, in reports and at home', async () => {
  const keeper = await t.signedInAs(golden.first.buildingOnly)
  const owed = defined(
    await t.database.reader(ownerId).one<{ n: string }>(
      sql`
        select coalesce(sum(unpaid_principal), 0)::text as n
        from bill
        where owner_id = ${ownerId}
          and project_code = 'GOLD0001'
          and build_code = 'B1'
          and state = 20
          and pay_state = 0
          and delete_tag = 0
      `,
    ),
  ).n
  expect((await loadReport(unpaidBills, { size: 10 }, keeper)).sum.unpaid).toBe(parseYuan(owed))
  // Straight away: the database's own counters, which computeAllStatistics goes by, show a change up to
  // a second late.
  const now = fromInstant(t.app.clock())
  await computeStatistic(t.database, ownerId, month, dayOfMoment(now), now)
  const limited = await t.call(getChargeStatistic, { ...project }, keeper)
  const statistic = await askStatistic()
  expect(limited.ages.reduce((x, a) => x + a.sum, 0)).toBe(parseYuan(owed))
  expect(limited.due).toBeLessThanOrEqual(statistic.due)
})
