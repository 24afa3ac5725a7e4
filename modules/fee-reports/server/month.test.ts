import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { addFen, asFen, parseYuan, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { findByIds } from '#kit/server/table.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { keysOf } from '#kit/contract/field.ts'
import { askReport } from './fixtures.ts'
import { findClosedMonths } from '../../bills/server/closed-months.ts'
import { testScope } from '../../bills/server/generate.fixtures.ts'
import { seedBillRows, seedFeeItem, type SeededBill } from '../../bills/server/fixtures.ts'
import { rewriteBillMonths } from '../../bills/server/stored-bill.ts'
import {
  abolishBills,
  recoverBills,
  reverseWriteOff,
  writeOffBills,
} from '#modules/bills/contract/actions.ts'
import { setDiscount } from '#modules/bills/contract/adjustments.ts'
import { bill } from '#modules/bills/contract/bill.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { listRecords, getRecord, voidRecord } from '#modules/payments/contract/record.ts'
import { requestRefund } from '#modules/payments/contract/refund.ts'
import { golden, password } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { getChargeStatistic } from '../contract/statistic.ts'
import { feeMonths, feeSummary, generateSummary, summaryFigure } from '../contract/month.ts'
import { received } from '../contract/received.ts'
import { dailyCollections } from '../contract/daily-collection.ts'
import { computeImbalance, type MonthFigures } from '../domain/rate.ts'
import { carryMonthsOver } from './month.ts'

let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let items: Id[] = []
let day = '2026-11-21'
let n = 0
const project = { projectCode: 'GOLD0001' }

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  ownerId = t.ownerId
  items = await t.database.tx(ownerId, async tx => [
    await seedFeeItem(tx, ownerId, 'MON1'),
    await seedFeeItem(tx, ownerId, 'MON2'),
  ])
  await t.call(updateEstateSetting, { ...project, key: 'RefundAuditFrom', value: '99999999' }, me)
})

afterAll(() => t?.close())

/** The clock was turned past the session's end. */
const signInAgain = async (): Promise<void> => {
  me = {
    token: (await t.call(login, { loginCode: golden.first.owner, password })).token,
    projectCode: 'GOLD0001',
  }
}

const seedBills = (...list: SeededBill[]): Promise<Id[]> =>
  t.database.tx(ownerId, async tx => {
    const ids = await seedBillRows(
      tx,
      ownerId,
      defined(items[0]),
      list.map(b => ({ source: `MON${++n}`, due: '2027-12-31', ...b })),
    )
    await rewriteBillMonths(tx, ownerId, await findByIds(tx, bill, testScope(ownerId), ids))
    return ids
  })

/** Money of an earlier day, as the ledger writes it. */
const seedPayment = (id: Id, on: string, principal: Fen): Promise<unknown> =>
  t.database.tx(ownerId, async tx => {
    await tx.execute(
      sql`
        insert into bill_move (owner_id, bill_id, day, principal, late_fee, ref_type, ref_id)
        values (${ownerId}, ${id}, ${on}, ${principal / 100}, 0, 'test', ${++n})
      `,
    )
    await tx.execute(
      sql`update bill set paid_principal = paid_principal + ${principal / 100} where id = ${id}`,
    )
    await rewriteBillMonths(tx, ownerId, await findByIds(tx, bill, testScope(ownerId), [id]))
  })

type Row = MonthFigures & { key: string; name: string; currentRate?: string; clearRate?: string }

const askSummary = (of: typeof feeSummary, q: object = {}) =>
  askReport<Row>(t, of, { ...project, size: 500, ...q }, me)

const askMonth = (m: string, q: object = {}) => askSummary(feeSummary, { monthFrom: m, monthTo: m, ...q })
const toMonthFigures = (r: Row): MonthFigures => ({ ...r, paidAfter: 0 })

const withReason = (...ids: Id[]) => ({ ids: ids.map(String), reason: '录入有误' })

const monthBill = (begin: string, amount: Fen, item = defined(items[0])): SeededBill => ({
  begin,
  end: `${begin.slice(0, 8)}28`,
  amount,
  item,
})

it('T-STAT-01…05: the example month from bills and money of their days', async () => {
  const [old, now, next] = await seedBills(
    monthBill('2026-08-01', asFen(4_000_000)),
    monthBill('2026-09-01', asFen(10_000_000)),
    monthBill('2026-10-01', asFen(900_000)),
  )
  await seedPayment(defined(now), '2026-08-20', asFen(900_000))
  await seedPayment(defined(now), '2026-09-10', asFen(7_100_000))
  await seedPayment(defined(old), '2026-09-30', asFen(600_000))
  await seedPayment(defined(next), '2026-09-15', asFen(500_000))
  const { sum } = await askMonth('2026-09', { feeItemId: [String(items[0])] })
  expect(sum).toMatchObject({
    opening: 4_000_000,
    adjusted: 0,
    billed: 10_000_000,
    discount: 0,
    paidBefore: 900_000,
    received: 7_100_000,
    recovered: 600_000,
    prepaid: 500_000,
    writtenOff: 0,
    closing: 5_400_000,
    currentRate: '80.00%',
    clearRate: '15.00%',
  })
  expect(sum.received + sum.recovered + sum.prepaid).toBe(8_200_000)
  const after = (await askMonth('2026-10', { feeItemId: [String(items[0])] })).sum
  expect(after).toMatchObject({
    opening: 5_400_000,
    billed: 900_000,
    paidBefore: 500_000,
    received: 0,
    closing: 5_800_000,
  })
  // The three bills are out of the way of what follows.
  await t.call(abolishBills, withReason(defined(old), defined(now), defined(next)), me).catch(() => undefined)
})

it('STAT-2: a quarter counts in three months, its money in the first that are due; floors of the running total, to the fen', async () => {
  const [q] = await seedBills({
    begin: '2026-07-01',
    end: '2026-09-30',
    amount: asFen(10_000),
    item: defined(items[1]),
  })
  await seedPayment(defined(q), '2026-09-05', asFen(3_333))
  const of = (m: string) => askMonth(m, { feeItemId: [String(items[1])] })
  const three = await Promise.all(['2026-07', '2026-08', '2026-09'].map(of))
  const stored = await t.database.reader(ownerId).rows<{ r: string; p: string }>(
    sql`
      select receivable::text as r, paid::text as p
      from bill_month
      where bill_id = ${defined(q)}
      order by month
    `,
  )
  expect(three.map(x => x.sum.billed)).toEqual(stored.map(k => parseYuan(k.r)))
  expect([
    defined(three[2]).sum.received,
    defined(three[2]).sum.recovered,
    defined(three[2]).sum.closing,
  ]).toEqual([
    parseYuan(defined(stored[2]).p),
    parseYuan(defined(stored[0]).p) + parseYuan(defined(stored[1]).p),
    6_667,
  ])
  for (const x of three) {
    expect(computeImbalance(toMonthFigures(x.sum))).toBe(0)
  }
})

/** Numbers that look like chance and are the same each time. */
function createRandom(seed: number): (limit: number) => number {
  let s = seed
  return limit => {
    s = (s * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((s / 2_147_483_648) * limit)
  }
}

interface LiveBill {
  readonly id: Id
  readonly unpaid: Fen
  readonly amount: Fen
  readonly state: number
  readonly version: number
}

const listLiveBills = async (): Promise<LiveBill[]> =>
  (
    await t.database
      .reader(ownerId)
      .rows<{ id: Id; unpaid: string; amount: string; state: number; version: number }>(
        sql`
          select id, unpaid_principal::text as unpaid, amount::text, state::int, version
          from bill
          where owner_id = ${ownerId} and source_code like 'MON%' and delete_tag = 0
          order by id
        `,
      )
  ).map(b => ({ ...b, unpaid: parseYuan(b.unpaid), amount: parseYuan(b.amount) }))

const queryFen = async (q: ReturnType<typeof sql<{ n: string }>>): Promise<Fen> =>
  parseYuan(defined(await t.database.reader(ownerId).one<{ n: string }>(q)).n)

/**
 * Whatever happened: each row of the month balances, its closing is what the bills owe, its money what the
 * records say.
 */
async function expectBalance(m: string, first: string): Promise<void> {
  for (const by of ['item', 'build', 'project'] as const) {
    const { rows, sum } = await askMonth(m, { by })
    for (const r of [...rows, sum]) {
      expect(computeImbalance(toMonthFigures(r))).toBe(0)
    }
    expect(rows.reduce((x, r) => x + r.closing, 0)).toBe(sum.closing)
  }
  const { sum } = await askMonth(m)
  const next = `${m}-31`
  expect(sum.closing).toBe(
    await queryFen(
      sql`
        select coalesce(sum(m.receivable - m.paid), 0)::text as n
        from bill_month m
        join bill b on b.owner_id = m.owner_id and b.id = m.bill_id
        where b.owner_id = ${ownerId} and b.project_code = 'GOLD0001' and b.state = 20 and m.month <= ${m}
      `,
    ),
  )
  expect(sum.received + sum.recovered + sum.prepaid).toBe(
    await queryFen(
      sql`
        select coalesce(sum(d.principal), 0)::text as n
        from pay_record r
        join pay_detail d on d.owner_id = r.owner_id and d.record_id = r.id
        where r.owner_id = ${ownerId}
          and r.project_code = 'GOLD0001'
          and r.state <> 40
          and r.pay_day between ${first} and ${next.endsWith('12-31') ? next : `${m}-30`}
      `,
    ),
  )
}

/**
 * Each figure leads to bills whose own parts of the month add up to it, to the fen; a row leads to those of
 * its item, building and project.
 */
async function expectDrilldown(m: string, keys: readonly (keyof typeof summaryFigure.rows)[]): Promise<void> {
  const { sum, rows } = await askMonth(m)
  for (const k of keys) {
    const down = await askMonth(m, { by: 'bill', nonZeroFigures: [k] })
    expect([down.sum[k], down.rows.reduce((all, r) => all + r[k], 0)], k).toEqual([sum[k], sum[k]])
    expect(
      down.rows.filter(r => r[k] === 0),
      k,
    ).toEqual([])
  }
  for (const r of rows) {
    expect(
      (await askMonth(m, { by: 'bill', nonZeroFigures: ['opening', 'adjusted'], feeItemId: [r.key] })).sum,
    ).toMatchObject({ opening: r.opening, adjusted: r.adjusted })
  }
  for (const r of (await askMonth(m, { by: 'project' })).rows) {
    expect(
      (
        await t.call(
          feeSummary.list,
          {
            projectCode: r.key,
            monthFrom: m,
            monthTo: m,
            by: 'bill',
            nonZeroFigures: ['closing'],
            size: 500,
          },
          me,
        )
      ).sum,
    ).toMatchObject({ closing: r.closing })
  }
}

const allFigures = keysOf(summaryFigure)

async function runRandomAction(roll: (limit: number) => number): Promise<void> {
  const all = await listLiveBills()
  const pick = <T>(list: readonly T[]): T | undefined => list[roll(list.length)]
  const owing = all.filter(b => b.state === 20 && b.unpaid > 0)
  const b = pick(owing)
  const ledgerActions: (() => Promise<unknown>)[] = [
    () =>
      seedBills(
        monthBill(`2026-${String(9 + roll(4)).padStart(2, '0')}-01`, asFen(1 + roll(90_000)), items[roll(2)]),
        {
          begin: '2026-08-15',
          end: '2027-01-20',
          amount: asFen(1 + roll(90_000)),
          item: defined(items[roll(2)]),
          build: defined(['B1', 'B2'][roll(2)]),
        },
      ),
    async () => {
      if (!b) return
      const some = [b, ...owing.filter(x => x.id !== b.id).slice(0, roll(3))]
      const due = asFen(some.reduce((x, y) => x + y.unpaid, 0))
      const part = asFen(roll(3) ? due : 1 + roll(due))
      await t.call(
        payBills,
        {
          ...project,
          billIds: some.map(x => String(x.id)),
          expectAmount: due,
          methods:
            part > 1
              ? [
                  { method: 'cash', amount: asFen(part - 1) },
                  { method: 'transfer', amount: asFen(1) },
                ]
              : [{ method: 'cash', amount: part }],
        },
        me,
      )
    },
    async () => {
      if (b) {
        await t.call(
          setDiscount,
          { ...withReason(b.id), kind: 'amount', amount: asFen(roll(b.unpaid + 1)) },
          me,
        )
      }
    },
    async () => {
      if (b) {
        await t.call(writeOffBills, withReason(b.id), me)
      }
    },
    async () => {
      const off = pick(all.filter(x => x.state === 50))
      if (off) {
        await t.call(reverseWriteOff, withReason(off.id), me)
      }
    },
    async () => {
      if (b) {
        await t.call(abolishBills, withReason(b.id), me)
      }
    },
    async () => {
      const abolished = pick(all.filter(x => x.state === 30))
      if (abolished) {
        await t.call(recoverBills, withReason(abolished.id), me)
      }
    },
    async () => {
      const records = (
        await t.call(
          listRecords,
          { ...project, size: 50, recordType: ['payment'], state: ['normal', 'partRefunded'] },
          me,
        )
      ).rows
      const r = pick(records)
      if (!r) return
      if (roll(3) === 0) {
        await t.call(voidRecord, { id: r.id, reason: '录错了' }, me)
        return
      }
      const d = (await t.call(getRecord, { id: r.id }, me)).details.find(
        x => x.principal > x.refundedPrincipal,
      )
      if (d) {
        await t.call(
          requestRefund,
          {
            recordId: r.id,
            lines: [
              { detailId: d.id, principal: asFen(1 + roll(d.principal - d.refundedPrincipal)), late: 0 },
            ],
            refundWay: 'cash',
            billAfter: defined((['owed', 'owed', 'kept'] as const)[roll(3)]),
            reason: '多收了',
          },
          me,
        )
      }
    },
  ]
  // A rule may say no (paid, partly discounted, already voided): then nothing happened, which must balance
  // too.
  await defined(ledgerActions[roll(ledgerActions.length + 3) % ledgerActions.length])().catch(e => {
    if (!(e instanceof Refused)) throw e
  })
}

it('CLO-4: whatever is billed, paid, refunded, discounted, written off and abolished, the month balances to 0.00 and agrees with the records', async () => {
  // Money of tests above has no record behind it.
  await t.database.tx(ownerId, async tx => {
    await tx.execute(sql`delete from bill_move where owner_id = ${ownerId} and ref_type = 'test'`)
    await tx.execute(
      sql`delete from bill_month where bill_id in (select id from bill where source_code like 'MON%')`,
    )
    await tx.execute(sql`update bill set delete_tag = 1 where source_code like 'MON%'`)
  })
  for (const seed of [7, 20_261_121]) {
    const roll = createRandom(seed)
    for (let i = 0; i < 60; i++) {
      await runRandomAction(roll)
      if (i % 12 === 11) {
        await expectBalance('2026-11', '2026-11-01')
      }
    }
  }
  const { sum } = await askMonth('2026-11')
  const result = await askReport<{ principal: Fen }>(
    t,
    received,
    { ...project, payDayFrom: '2026-11-01', payDayTo: '2026-11-30', size: 1 },
    me,
  )
  const collections = await askReport<{ net: Fen }>(
    t,
    dailyCollections,
    { ...project, dayFrom: '2026-11-01', dayTo: '2026-11-30', kind: ['fee'], size: 1 },
    me,
  )
  expect([result.sum.principal, collections.sum.net]).toEqual([
    sum.received + sum.recovered + sum.prepaid,
    sum.received + sum.recovered + sum.prepaid,
  ])
  expect(sum.received).not.toBe(0)
  expect(sum.writtenOff + sum.discount).toBeGreaterThan(0)
  expect(sum.opening).toBeGreaterThan(0)
  await expectDrilldown('2026-11', allFigures)
  // A bill over several months is in each with its own part of it.
  const spread = await askSummary(feeMonths, { monthFrom: '2026-09', monthTo: '2026-11' })
  for (const r of spread.rows) {
    expect((await askMonth(r.key, { by: 'bill', nonZeroFigures: ['billed'] })).sum.billed).toBe(r.billed)
  }
}, 120_000)

it('a month that was carried over stays; what changes of it later is 往期调整 of the next, which still balances', async () => {
  expect(await refusalTextOf(t.call(generateSummary, { ...project, month: '2026-11' }, me))).toBe(
    '2026-11 尚未结束，不能结转',
  )
  t.advanceClock(11 * 86_400_000)
  day = '2026-12-02'
  await signInAgain()
  const before = await askMonth('2026-11')
  const done = await t.call(generateSummary, { ...project, month: '2026-11' }, me)
  expect([done.opening, done.closing]).toEqual([before.sum.opening, before.sum.closing])
  expect((await askMonth('2026-11')).sum).toEqual(before.sum)
  expect(await refusalTextOf(t.call(generateSummary, { ...project, month: '2026-11' }, me))).toContain(
    '2026-11 已结转',
  )
  // The months before the first that is carried over go along: none may change behind the chain (CLO-4).
  expect(await refusalTextOf(t.call(generateSummary, { ...project, month: '2026-10' }, me))).toContain(
    '2026-10 已结转',
  )
  // The person who adds a bill for it gets a message.
  expect([
    ...(await findClosedMonths(t.database.reader(ownerId), ownerId, project.projectCode, [
      '2026-10',
      '2026-11',
      '2026-12',
    ])),
  ]).toEqual(['2026-10', '2026-11'])
  // A bill of November found in December, and a discount of an old one.
  await seedBills(monthBill('2026-11-01', asFen(12_345)))
  const old = defined((await listLiveBills()).find(b => b.state === 20 && b.unpaid > 100))
  await t.call(setDiscount, { ...withReason(old.id), kind: 'amount', amount: asFen(100) }, me)
  expect((await askMonth('2026-11')).sum).toEqual(before.sum)
  // The home says of it what the report says (C27-13).
  const home = await t.call(getChargeStatistic, { ...project, month: '2026-11' }, me)
  const inRate = (await askMonth('2026-11', { inRate: true })).sum
  expect([home.opening, home.closing]).toEqual([
    addFen(asFen(inRate.opening), asFen(inRate.adjusted)),
    inRate.closing,
  ])
  const now = await askMonth('2026-12')
  expect([now.sum.opening, computeImbalance(toMonthFigures(now.sum))]).toEqual([before.sum.closing, 0])
  expect(now.sum.adjusted).not.toBe(0)
  await expectDrilldown('2026-12', ['adjusted', 'closing'])
  expect((await askMonth('2026-12', { by: 'bill' })).sum).toMatchObject({
    opening: now.sum.opening,
    closing: now.sum.closing,
  })
  const roll = createRandom(99)
  for (let i = 0; i < 24; i++) {
    await runRandomAction(roll)
    if (i % 12 === 11) {
      await expectBalance('2026-12', '2026-12-01')
    }
  }
  const chain = await askSummary(feeMonths, { monthFrom: '2026-08', monthTo: '2026-12' })
  expect(computeImbalance(toMonthFigures(chain.sum))).toBe(0)
  const two = await askSummary(feeMonths, { monthFrom: '2026-11', monthTo: '2026-12' })
  expect(two.rows.map(r => r.key)).toEqual(['2026-11', '2026-12'])
  expect([two.sum.opening, two.sum.closing, computeImbalance(toMonthFigures(two.sum))]).toEqual([
    defined(two.rows[0]).opening,
    defined(two.rows[1]).closing,
    0,
  ])
  expect(day).toBe('2026-12-02')
}, 120_000)

it('the first of a month carries the last one over automatically, once', async () => {
  t.advanceClock(31 * 86_400_000)
  await signInAgain()
  expect(await carryMonthsOver(t.app)).toBeGreaterThan(0)
  expect(
    (
      await t.database.reader(ownerId).rows<{ month: string }>(
        sql`
            select distinct month
            from fee_month
            where owner_id = ${ownerId} and project_code = 'GOLD0001' and kept
            order by 1
          `,
      )
    ).map(r => r.month),
  ).toEqual(['2026-08', '2026-09', '2026-10', '2026-11', '2026-12'])
  expect(await carryMonthsOver(t.app)).toBe(0)
})

it('months are asked for one year at most, none to come', async () => {
  expect(await refusalTextOf(askSummary(feeMonths, { monthFrom: '2025-01', monthTo: '2026-01' }))).toBe(
    '一次最多看 12 个月',
  )
  expect(await refusalTextOf(askMonth('2027-12'))).toContain('只能看到本月')
})
