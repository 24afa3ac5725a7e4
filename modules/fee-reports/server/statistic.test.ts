import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { parseYuan, type Fen } from '#kit/domain/money.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { byIds } from '#kit/server/table.ts'
import type { As } from '#kit/server/ground/world.ts'
import { scopeOf } from '../../bills/server/generate.ground.ts'
import { layBills, layItem, type Laid } from '../../bills/server/ground.ts'
import { respread } from '../../bills/server/stored-bill.ts'
import { bill } from '#modules/bills/contract/bill.ts'
import { listBills, summary } from '#modules/bills/contract/list.ts'
import { putSetting } from '#modules/estates/contract/estate.ts'
import { payBills } from '#modules/payments/contract/pay.ts'
import { oneRecord } from '#modules/payments/contract/record.ts'
import { askRefund, cancelRefund } from '#modules/payments/contract/refund.ts'
import { golden } from '../../../db/golden/fill.ts'
import { openGolden, type GoldenWorld } from '../../../db/golden/world.ts'
import type { Report } from '../contract/report.ts'
import { ageKey, agesAt, billSummary, shouldCollect, waiting } from '../contract/owed.ts'
import { refunds } from '../contract/refund.ts'
import { chargeStatistic } from '../contract/statistic.ts'
import { reckon, reckonAll } from './statistic.ts'

let t: GoldenWorld
let me: As
let owner = 0
let items: number[] = []
let n = 0
const project = { projectCode: 'GOLD0001' }
const month = '2026-11'

beforeAll(async () => {
  t = await openGolden()
  me = await t.owner
  owner = (await t.store
    .reader('*')
    .one<{ ownerId: number }>(sql`select owner_id from manager where login_code = ${golden.first.owner}`))!
    .ownerId
  items = await t.store.tx(owner, async tx => [
    await layItem(tx, owner, 'STA1'),
    await layItem(tx, owner, 'STA2'),
  ])
  await t.store.tx(owner, tx =>
    tx.run(sql`update fee_item set in_rate = (id = ${items[0]!}) where owner_id = ${owner}`),
  )
  await t.ask(putSetting, { ...project, key: 'RefundAuditFrom', value: '99999999' } as never, me)
})

afterAll(() => t?.close())

const lay = (...list: Laid[]): Promise<number[]> =>
  t.store.tx(owner, async tx => {
    const ids = await layBills(
      tx,
      owner,
      items[0]!,
      list.map(b => ({ source: `STA${++n}`, due: '2026-11-10', ...b })),
    )
    await respread(tx, owner, await byIds(tx, bill, scopeOf(owner), ids))
    return ids
  })

const nov = (amount: Fen, more: Laid = {}): Laid => ({
  begin: '2026-11-01',
  end: '2026-11-30',
  amount,
  ...more,
})

const pay = (id: number, due: Fen, paid = due) =>
  t.ask(
    payBills,
    {
      ...project,
      billIds: [String(id)],
      expectAmount: due,
      methods: [{ method: 'cash', amount: paid }],
    } as never,
    me,
  )

const stat = (q: object = {}) => t.ask(chargeStatistic, { ...project, month, ...q } as never, me)
type Row = Record<string, number> & { key?: string; name: string; rate?: string }

const asks = async (r: Report, q: object = {}): Promise<{ total: number; rows: Row[]; sum: Row }> =>
  (await t.ask(r.list, { ...project, size: 500, ...q } as never, me)) as never

it('STAT-4, -5, -7, -8: the month on the spot and as reckoned is the same; items out of the rate are in none', async () => {
  const [a, b, c, d] = await lay(
    nov(60_000),
    nov(40_000, { source: 'STA-HOME' }),
    nov(10_000, { source: 'STA-HOME', begin: '2026-12-01', end: '2026-12-31', due: '2027-01-10' }),
    nov(50_000, { item: items[1]! }),
  )
  const before = await stat()
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
  await pay(a!, 60_000)
  await pay(b!, 40_000, 20_000)
  await pay(c!, 10_000)
  await pay(d!, 50_000)
  const spot = await stat()
  expect(spot).toMatchObject({
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
  expect(spot.received + spot.recovered + spot.prepaid + spot.other).toBe(spot.cash)
  expect([
    spot.today.net,
    spot.tills.net,
    spot.days.reduce((x, y) => x + y.net, 0),
    spot.trend.at(-1),
  ]).toEqual([140_000, 140_000, 140_000, { month, net: 140_000, cash: 140_000 }])
  await reckonAll(t.world)
  const said = await stat()
  expect({ ...said, builtTime: '' }).toEqual({ ...spot, builtTime: '' })
  // Nothing has moved: the figures are as good as new.
  await reckonAll(t.world)
  // More than five minutes old is not shown: reckoned on the spot.
  const [more] = await lay(nov(100_000))
  expect((await stat()).due).toBe(100_000)
  t.turn(6 * 60_000)
  expect((await stat()).due).toBe(200_000)
  await pay(more!, 100_000)
  expect(
    await t.ask(chargeStatistic, { ...project, month: '2027-01' } as never, me).then(
      () => '',
      (e: Refused) => (e as { data?: { Message: string }[] }).data?.[0]?.Message,
    ),
  ).toContain('只能看到本月')
})

it('AGE-1: what waits by age, the same in the report, the list of bills and the home', async () => {
  const days = [-5, 0, 1, 30, 31, 60, 61, 90, 91, 180, 181, 365, 366, 730, 731, 1095, 1096, 2000]
  const due = (d: number): string =>
    new Date(Date.UTC(2026, 10, 21) - d * 86_400_000).toISOString().slice(0, 10)
  await lay(
    ...days.map((d, i) => ({
      begin: '2020-01-01',
      end: '2020-01-31',
      amount: 100 + i,
      due: due(d),
      build: i % 2 ? 'B1' : 'B2',
    })),
  )
  const w = await asks(waiting)
  const all = await t.ask(summary, { ...project, state: ['normal'], payState: ['unpaid'] } as never, me)
  const home = await stat()
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
  for (const [i, k] of agesAt.entries()) {
    expect(w.sum[ageKey(k)]).toBe(w.rows[i]!.unpaid)
  }
  expect(agesAt.reduce((x, k) => x + w.sum[ageKey(k)]!, 0)).toBe(w.sum.unpaid)
  expect(w.sum.overdue).toBe(w.sum.unpaid! - w.sum.ageOpen!)
  for (const by of Object.keys(waiting.by.rows)) {
    const s = await asks(waiting, { by })
    expect(s.sum).toEqual(w.sum)
    expect(s.rows.reduce((x, r) => x + r.unpaid!, 0)).toBe(w.sum.unpaid)
  }
})

it('what should be collected is the list of bills in force; each way of summing gives one total (STAT-1)', async () => {
  const list = await t.ask(listBills, { ...project, size: 1 } as never, me)
  const s = await asks(shouldCollect)
  expect([s.sum.count, s.sum.receivable, s.sum.paid]).toEqual([
    list.total,
    list.sum!.receivable,
    list.sum!.paidPrincipal,
  ])
  expect(s.sum.receivable! - s.sum.paid!).toBe(s.sum.unpaid)
  for (const by of Object.keys(shouldCollect.by.rows)) {
    expect((await asks(shouldCollect, { by })).sum).toEqual(s.sum)
  }
  await t.store.tx(owner, tx =>
    tx.run(
      sql`
        update bill
        set state = 30
        where owner_id = ${owner} and id = (select max(id) from bill where source_code like 'STA%')
      `,
    ),
  )
  const states = await asks(billSummary, { by: 'state' })
  const stored = (await t.store.reader(owner).one<{ n: string }>(
    sql`
        select sum(amount)::text as n
        from bill
        where owner_id = ${owner} and project_code = 'GOLD0001' and delete_tag = 0
      `,
  ))!.n
  expect(states.rows.map(r => r.name)).toContain('已作废')
  expect(states.sum.amount).toBe(parseYuan(stored))
  expect((await asks(shouldCollect)).sum.count).toBe(s.sum.count! - 1)
})

it('STAT-6: a refund stands on its own day; one taken back stands nowhere', async () => {
  const [a] = await lay(nov(30_000))
  const r = await t.ask(oneRecord, { id: (await pay(a!, 30_000)).recordId }, me)
  const ask = (principal: Fen) =>
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
  await ask(1_000)
  const second = await ask(2_500)
  expect((await asks(refunds, { by: 'way' })).rows).toMatchObject([
    { name: '现金', count: 2, principal: 3_500, amount: 3_500 },
  ])
  await t.ask(cancelRefund, { id: second.id, reason: '申请有误' } as never, me)
  for (const by of Object.keys(refunds.by.rows)) {
    expect((await asks(refunds, { by })).sum).toMatchObject({ count: 1, amount: 1_000 })
  }
  expect((await asks(refunds, { by: 'day', payDayTo: '2026-11-20' })).rows).toEqual([])
})

it('a keeper of one building sees its bills alone, in reports and at home', async () => {
  const keeper = await t.as(golden.first.buildingOnly)
  const owed = (await t.store.reader(owner).one<{ n: string }>(
    sql`
        select coalesce(sum(unpaid_principal), 0)::text as n
        from bill
        where owner_id = ${owner}
          and project_code = 'GOLD0001'
          and build_code = 'B1'
          and state = 20
          and pay_state = 0
          and delete_tag = 0
      `,
  ))!.n
  expect(
    ((await t.ask(waiting.list, { ...project, size: 10 } as never, keeper)) as unknown as { sum: Row }).sum
      .unpaid,
  ).toBe(parseYuan(owed))
  // Straight away: the database's own counters, which reckonAll goes by, tell of a change up to a second
  // late.
  const now = fromInstant(t.world.clock())
  await reckon(t.store, owner, month, now.slice(0, 10), now)
  const mine = await t.ask(chargeStatistic, { ...project } as never, keeper)
  const whole = await stat()
  expect(mine.ages.reduce((x, a) => x + a.sum, 0)).toBe(parseYuan(owed))
  expect(mine.due).toBeLessThanOrEqual(whole.due)
})
