import type { Id } from '#kit/domain/id.ts'
import type pg from 'pg'
import { feeSummary } from '#modules/fee-reports/contract/month.ts'
import { received } from '#modules/fee-reports/contract/received.ts'
import { getChargeStatistic } from '#modules/fee-reports/contract/statistic.ts'
import { monthlyCollections } from '#modules/fee-reports/contract/daily-collection.ts'
import { computeStatistic } from '#modules/fee-reports/server/statistic-refresh.ts'
import { rebuildPendingDays } from '#modules/fee-reports/server/daily-collection.ts'
import { atMost, median, measureMs, type BenchContext, type BenchRow } from './bench.ts'
import { openSideBySide, type SideBySide } from './side-by-side.ts'
import { billCount, seedBills } from './bill-data.ts'
import { seedCompany, roomsPerEstate } from './room-data.ts'
import { codeOf } from '#kit/contract/field.ts'
import { payState } from '#modules/bills/contract/choices.ts'
import { recordState } from '#modules/payments/contract/choices.ts'

export const name = 'reports'
const today = '2026-11-21'
const month = '2026-11'
const billsPerRoom = 5

/** What was paid of the bills, as records with their lines and moves; every bill's month. */
async function seedMoney(c: pg.Client, ownerId: Id): Promise<void> {
  const paid = `from bill b where b.owner_id = ${ownerId} and b.pay_state = ${codeOf(payState, 'paid')}`
  await c.query(
    `
      insert into bill_month (
        owner_id, bill_id, month, project_code, fee_item_id, days, receivable, discount, paid
      )
      select owner_id, id, belong_month, project_code, fee_item_id, 30, receivable, discount_amount,
        paid_principal
      from bill
      where owner_id = ${ownerId}
    `,
  )
  await c.query(
    `
      insert into bill_move (owner_id, bill_id, day, principal, late_fee, ref_type, ref_id)
      select b.owner_id, b.id, b.pay_time::date, b.paid_principal, 0, 'pay', b.id ${paid}
    `,
  )
  await c.query(`
    insert into pay_record (
      owner_id, id, project_code, record_no, record_type, source_name, build_code, principal_amount,
      tendered_amount, pay_method, methods, pay_time, pay_day, cashier_id, cashier_name, state
    )
    select b.owner_id, b.id, b.project_code, 'S' || b.id, 10, b.source_name, b.build_code, b.paid_principal,
      b.paid_principal, (array[10, 60, 30])[1 + b.id % 3], '[]', b.pay_time, b.pay_time::date, b.id % 20,
      '收费员', 10 ${paid}
  `)
  await c.query(`
    insert into pay_detail (
      owner_id, record_id, bill_id, bill_no, source_type, source_code, source_name, fee_item_id,
      fee_item_name, begin_date, end_date, principal, late_fee
    )
    select b.owner_id, b.id, b.id, b.bill_no, b.source_type, b.source_code, b.source_name, b.fee_item_id,
      b.fee_item_name, b.begin_date, b.end_date, b.paid_principal, 0 ${paid}
  `)
  await c.query(
    `
      insert into pay_line (owner_id, record_id, seq, method, amount)
      select b.owner_id, b.id, 0, (array[10, 60, 30])[1 + b.id % 3], b.paid_principal ${paid}
    `,
  )
  await c.query(
    `
      insert into fc_pending (owner_id, project_code, day)
      select distinct owner_id, project_code, pay_day
      from pay_record
      where owner_id = ${ownerId}
    `,
  )
  for (const table of ['bill_month', 'bill_move', 'pay_record', 'pay_detail', 'pay_line', 'fc_pending']) {
    await c.query(`vacuum analyze ${table}`)
  }
}

/**
 * The finance home, the month of arrears and what was received, each against one grouped scan of the same
 * rows on the bare driver; how long the figures take to make.
 */
export async function run({ database, log }: BenchContext): Promise<BenchRow[]> {
  const url = await database()
  const scope = await seedCompany(url, billCount / billsPerRoom / roomsPerEstate, { withRooms: true })
  const sides = await openSideBySide(url, scope.ownerId)
  try {
    await seedBills(sides.bare, scope.ownerId)
    await seedMoney(sides.bare, scope.ownerId)
    log(`${billCount} 张账单`)
    return [...(await measureRefresh(sides, scope.ownerId)), ...(await measureReports(sides, scope.ownerId))]
  } finally {
    await sides.close()
  }
}

const withinSeconds = (limit: number, label: string, ms: number): BenchRow => ({
  label,
  ours: ms / 1000,
  raw: limit,
  unit: 's',
  ratio: ms / 1000 / limit,
  bar: `≤ ${limit} s`,
  ok: ms / 1000 <= limit,
})

/** How long the figures of the finance home and of each day take to compute. */
async function measureRefresh({ t, bare }: SideBySide, ownerId: Id): Promise<BenchRow[]> {
  let days = 0
  const dailyCollections = await measureMs(async () => {
    for (let done = await rebuildPendingDays(t.app); done; done = await rebuildPendingDays(t.app)) {
      days += done
    }
  })
  const statistic = await measureMs(() =>
    computeStatistic(t.database, ownerId, month, today, `${today} 09:00:00`),
  )
  await bare.query('vacuum analyze fc_summary')
  await bare.query('vacuum analyze fee_month')
  return [
    withinSeconds(300, '首页的数算一遍（每三分钟一次）', statistic),
    withinSeconds(300, `收费日汇总 ${days} 天从头算`, dailyCollections),
  ]
}

/** Each report against one grouped scan of the same rows. */
async function measureReports({ t, token, bare }: SideBySide, ownerId: Id): Promise<BenchRow[]> {
  const scan = (text: string) => () => measureMs(() => bare.query(text))
  const callOf = (call: Parameters<typeof t.callRaw>[0], input: unknown) => () =>
    measureMs(() => t.callRaw(call, input, { token }))
  const monthSums = `
    select fee_item_id, month, sum(receivable), sum(discount), sum(paid)
    from bill_month
    where owner_id = ${ownerId}
    group by 1, 2
  `
  const paymentSums = `
    select d.fee_item_id, count(*), sum(d.principal), sum(d.late_fee)
    from pay_record r
    join pay_detail d on d.owner_id = r.owner_id and d.record_id = r.id
    where r.owner_id = ${ownerId}
      and r.state <> ${codeOf(recordState, 'voided')}
      and r.delete_tag = 0
      and r.pay_day between '2026-06-01' and '2026-11-21'
    group by 1
  `
  const grouped = await median(scan(monthSums))
  const found = await median(scan(paymentSums))
  const halfYear = { payDayFrom: '2026-06-01', payDayTo: '2026-11-21', size: 20 }
  return [
    atMost(1, {
      label: '财务首页，已算好（对一次分组扫描）',
      ours: await median(callOf(getChargeStatistic, { month })),
      raw: grouped,
      unit: 'ms',
    }),
    atMost(1, {
      label: '收费月汇总，半年（对收款明细的一次分组扫描）',
      ours: await median(callOf(monthlyCollections.list, { dayFrom: '2026-06-01', dayTo: today, size: 20 })),
      raw: found,
      unit: 'ms',
    }),
    atMost(1.5, {
      label: '已收报表，半年，当场加总',
      ours: await median(callOf(received.list, halfYear)),
      raw: found,
      unit: 'ms',
    }),
    withinSeconds(
      60,
      `当场算一个月的费用汇总（${billCount} 张账单）`,
      await median(callOf(feeSummary.list, { monthFrom: month, monthTo: month, size: 20 })),
    ),
  ]
}
