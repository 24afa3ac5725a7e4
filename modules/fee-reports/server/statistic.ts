import { asDay, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { columnOf } from '#kit/contract/entity.ts'
import { keyOf } from '#kit/contract/field.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import { addMinutes, fromInstant, type Moment, dayOfMoment } from '#kit/domain/moment.ts'
import { parseYuan, type Fen } from '#kit/domain/money.ts'
import { firstDay, lastDay, monthOf, shiftMonth, type Month, asMonth } from '#kit/domain/month.ts'
import { sql, type Database } from '#kit/server/db.ts'
import { forEachCompany, forEachDueCompany, listDueCompanies } from '#kit/server/directory.ts'
import { reads } from '#kit/server/handler.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { countTableChanges } from '#kit/server/table-activity.ts'
import { tenantFilter } from '#kit/server/table.ts'
import { live } from '#kit/server/sql.ts'
import { billAge } from '#modules/bills/contract/choices.ts'
import { feeMonth } from '../contract/month.ts'
import { getChargeStatistic } from '../contract/statistic.ts'
import { tillDays } from '../contract/till.ts'
import { sumCashForBills, dueOf, oldOf, paidOf, formatPercent, computeRates } from '../domain/rate.ts'
import { monthColumns, selectMonthRows, selectCollectionRows } from './month-rows.ts'
import { readReport, type Sql } from './report.ts'
import { tillSource } from './till.ts'

const toFen = (n: string | undefined): Fen => parseYuan(n ?? '0')

const figureKeys = [
  'opening',
  'adjusted',
  'billed',
  'discount',
  'paidBefore',
  'received',
  'recovered',
  'writtenOff',
  'closing',
  'prepaid',
  'paidAfter',
] as const

const figureSums = sql.join(
  figureKeys.map(k => sql`coalesce(sum(t.${sql.id(columnOf(k))}), 0)::text as ${sql.id(columnOf(k))}`),
)

export const statisticHandlers = [
  reads(getChargeStatistic, async ({ projectCode, month }, { db, scope, today, now }) => {
    const owner = scope.ownerId
    const of = month ?? monthOf(today)
    const asOf = lastDay(of) < today ? lastDay(of) : today
    if (of > monthOf(today))
      throw invalidInput([{ Field: 'Month', Message: `只能看到本月（${monthOf(today)}）为止` }])
    const built = await db.one<{ at: Moment }>(
      sql`
        select build_time as at
        from fee_pulse_time
        where owner_id = ${owner} and month = ${of} and build_time > ${addMinutes(now, -5)}
      `,
    )
    const mine = projectCode ? sql`b.project_code = ${projectCode}` : sql`true`
    // What was reckoned within five minutes (STAT-14); else, and for months gone by, on the spot.
    const months: Sql = built
      ? sql`fee_month`
      : sql`(select ${monthColumns}, 0 as delete_tag from (${selectMonthRows(owner, of, today, mine)}) s)`
    const pulse: Sql = built
      ? sql`fee_pulse`
      : sql`(select s.*, 0 as delete_tag from (${selectCollectionRows(owner, of, today, mine)}) s)`
    const q = projectCode ? { projectCode } : {}
    const about = { scope, today }
    const one = { size: 400, from: 0 }
    const since = firstDay(shiftMonth(of, -11))
    const [[all], ages] = await db.all<
      [Record<string, string>, { households: number; clear: number; n: number; count: number; sum: string }]
    >(
      sql`
        select ${figureSums}
        from ${months} t
        join fee_item i on i.owner_id = t.owner_id and i.id = t.fee_item_id and i.in_rate
        where ${tenantFilter(feeMonth, scope, projectCode)} and t.month = ${of}
      `,
      sql`
        select a.n::int as n, sum(t.households)::int as households, sum(t.clear)::int as clear,
          sum(a.count)::int as count, sum(a.sum)::text as sum
        from ${pulse} t
        cross join unnest(t.age_counts, t.age_sums) with ordinality as a(count, sum, n)
        where ${tenantFilter(feeMonth, scope, projectCode)} and t.month = ${of}
        group by 1
        order by 1
      `,
    )
    const day = await readReport(db, tillDays, tillSource, { ...q, dayFrom: today, dayTo: today }, about, one)
    const days = await readReport(
      db,
      tillDays,
      tillSource,
      { ...q, by: 'day', dayFrom: firstDay(of), dayTo: asOf },
      about,
      one,
    )
    const trend = await readReport(
      db,
      tillDays,
      tillSource,
      { ...q, by: 'month', dayFrom: since, dayTo: asOf },
      about,
      one,
    )
    const m = Object.fromEntries(figureKeys.map(k => [k, toFen(all?.[k])])) as Record<
      (typeof figureKeys)[number],
      Fen
    >
    const till = (s: Readonly<Record<string, unknown>>) => ({
      received: s.received as Fen,
      refunded: s.refunded as Fen,
      net: s.net as Fen,
      cash: s.cash as Fen,
    })
    const cash = days.sum.cash as Fen
    const households = ages[0]?.households ?? 0
    const clear = ages[0]?.clear ?? 0
    return {
      month: of,
      asOf,
      builtTime: built?.at ?? now,
      due: dueOf(m),
      paid: paidOf(m),
      opening: oldOf(m),
      recovered: m.recovered,
      received: m.received,
      prepaid: m.prepaid,
      writtenOff: m.writtenOff,
      closing: m.closing,
      ...computeRates(m),
      cash,
      other: cash - sumCashForBills(m),
      households,
      clear,
      householdRate: formatPercent(clear, households),
      today: till(day.sum),
      tills: till(days.sum),
      trend: trend.rows.map(r => ({
        month: asMonth(defined(r.key)),
        net: r.net as Fen,
        cash: r.cash as Fen,
      })),
      days: days.rows.map(r => ({ day: asDay(defined(r.key)), net: r.net as Fen })),
      ages: ages
        .filter(a => a.count > 0)
        .map(a => ({ age: defined(keyOf(billAge, a.n - 1)), count: a.count, sum: toFen(a.sum) })),
    }
  }),
]

/**
 * Reckons a month of a company for the finance home: one scan of its months of bills, one of its unpaid
 * bills. What was carried over stays.
 */
export async function computeStatistic(
  database: Database,
  owner: number,
  month: Month,
  today: Day,
  now: Moment,
): Promise<void> {
  await database.tx(owner, async tx => {
    await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`fee_pulse/${month}`}, ${owner}))`)
    await tx.execute(sql`delete from fee_month where owner_id = ${owner} and month = ${month} and not kept`)
    await tx.execute(
      sql`
        insert into fee_month (${monthColumns})
        select s.*
        from (${selectMonthRows(owner, month, today)}) s
        where s.project_code <> all(
          array(select k.project_code from fee_month k where k.owner_id = ${owner} and k.month = ${month} and k.kept)
        )
      `,
    )
    await tx.execute(sql`delete from fee_pulse where owner_id = ${owner} and month = ${month}`)
    await tx.execute(
      sql`
        insert into fee_pulse (
          owner_id, project_code, month, build_code, households, clear, age_counts, age_sums
        ) ${selectCollectionRows(owner, month, today)}
      `,
    )
    await tx.execute(
      sql`
        insert into fee_pulse_time (owner_id, month, build_time)
        values (${owner}, ${month}, ${now})
        on conflict (owner_id, month) do update set build_time = excluded.build_time
      `,
    )
  })
}

const statisticTables = ['bill', 'bill_month', 'bill_move', 'fee_item', 'day_close']
let lastSeenChange = ''

/**
 * Every company's month, and the one before it in its first days; nothing where no bill has moved since,
 * which the database's own counters say.
 */
export async function computeAllStatistics(app: {
  readonly database: Database
  readonly clock: () => number
}): Promise<number> {
  const now = fromInstant(app.clock())
  const today = dayOfMoment(now)
  const changes = await countTableChanges(app.database.reader('*'), statisticTables)
  const moved = `${today}/${changes}`
  const month = monthOf(today)
  const months = today.endsWith('-01') || today.endsWith('-02') ? [month, shiftMonth(month, -1)] : [month]
  if (moved === lastSeenChange) {
    await forEachDueCompany(
      app.database,
      sql`select distinct owner_id from fee_pulse_time where month = any(${months})`,
      (tx, ownerId) =>
        tx.execute(
          sql`
            update fee_pulse_time
            set build_time = ${now}
            where owner_id = ${ownerId} and month = any(${months})
          `,
        ),
    )
    return 0
  }
  const owners = await listDueCompanies(
    app.database,
    sql`select distinct owner_id from estate where ${live()} order by 1`,
  )
  await forEachCompany(owners, async ownerId => {
    for (const m of months) {
      await computeStatistic(app.database, ownerId, m, today, now)
    }
  })
  lastSeenChange = moved
  return owners.length
}

export const statisticCron = defineCron({
  name: 'fee-reports-pulse',
  schedule: '*/3 * * * *',
  run: async app => {
    await computeAllStatistics(app)
  },
})
