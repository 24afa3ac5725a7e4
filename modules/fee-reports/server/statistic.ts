import { columnOf } from '#kit/contract/entity.ts'
import { keyOf } from '#kit/contract/field.ts'
import { wrong } from '#kit/contract/wire.ts'
import { addMinutes, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { parseYuan, type Fen } from '#kit/domain/money.ts'
import { firstDay, lastDay, monthOf, shiftMonth, type Month } from '#kit/domain/month.ts'
import { sql, type Store } from '#kit/server/db.ts'
import { reads } from '#kit/server/handle.ts'
import { cron } from '#kit/server/jobs.ts'
import { wall } from '#kit/server/table.ts'
import { age } from '#modules/bills/contract/choices.ts'
import { feeMonth } from '../contract/month.ts'
import { chargeStatistic } from '../contract/statistic.ts'
import { tillDays } from '../contract/till.ts'
import { cashForBills, dueOf, oldOf, paidOf, percent, rates } from '../domain/rate.ts'
import { monthColumns, monthRows, pulseRows } from './month-rows.ts'
import { answer, type Sql } from './report.ts'
import { tillSource } from './till.ts'

const fen = (n: string | undefined): Fen => parseYuan(n ?? '0')

const figures = [
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

const sums = sql.join(
  figures.map(k => sql`coalesce(sum(t.${sql.id(columnOf(k))}), 0)::text as ${sql.id(columnOf(k))}`),
)

export const statisticHandlers = [
  reads(chargeStatistic, async ({ projectCode, month }, { db, scope, today, now }) => {
    const owner = scope.ownerId
    const of = month ?? monthOf(today)
    const asOf = lastDay(of) < today ? lastDay(of) : today
    if (of > monthOf(today))
      throw wrong([{ Field: 'Month', Message: `只能看到本月（${monthOf(today)}）为止` }])
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
      : sql`(select ${monthColumns}, 0 as delete_tag from (${monthRows(owner, of, today, mine)}) s)`
    const pulse: Sql = built
      ? sql`fee_pulse`
      : sql`(select s.*, 0 as delete_tag from (${pulseRows(owner, of, today, mine)}) s)`
    const q = projectCode ? { projectCode } : {}
    const about = { scope, today }
    const one = { size: 400, from: 0 }
    const since = firstDay(shiftMonth(of, -11))
    const [[all], ages] = await db.all<
      [Record<string, string>, { households: number; clear: number; n: number; count: number; sum: string }]
    >(
      sql`
        select ${sums}
        from ${months} t
        join fee_item i on i.owner_id = t.owner_id and i.id = t.fee_item_id and i.in_rate
        where ${wall(feeMonth, scope, projectCode)} and t.month = ${of}
      `,
      sql`
        select a.n::int as n, sum(t.households)::int as households, sum(t.clear)::int as clear,
          sum(a.count)::int as count, sum(a.sum)::text as sum
        from ${pulse} t
        cross join unnest(t.age_counts, t.age_sums) with ordinality as a(count, sum, n)
        where ${wall(feeMonth, scope, projectCode)} and t.month = ${of}
        group by 1
        order by 1
      `,
    )
    const day = await answer(db, tillDays, tillSource, { ...q, dayFrom: today, dayTo: today }, about, one)
    const days = await answer(
      db,
      tillDays,
      tillSource,
      { ...q, by: 'day', dayFrom: firstDay(of), dayTo: asOf },
      about,
      one,
    )
    const trend = await answer(
      db,
      tillDays,
      tillSource,
      { ...q, by: 'month', dayFrom: since, dayTo: asOf },
      about,
      one,
    )
    const m = Object.fromEntries(figures.map(k => [k, fen(all?.[k])])) as Record<
      (typeof figures)[number],
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
      ...rates(m),
      cash,
      other: cash - cashForBills(m),
      households,
      clear,
      householdRate: percent(clear, households),
      today: till(day.sum),
      tills: till(days.sum),
      trend: trend.rows.map(r => ({ month: r.key!, net: r.net as Fen, cash: r.cash as Fen })),
      days: days.rows.map(r => ({ day: r.key!, net: r.net as Fen })),
      ages: ages
        .filter(a => a.count > 0)
        .map(a => ({ age: keyOf(age, a.n - 1)!, count: a.count, sum: fen(a.sum) })),
    }
  }),
]

/**
 * Reckons a month of a company for the finance home: one scan of its months of bills, one of its unpaid
 * bills. What was carried over stays.
 */
export async function reckon(
  store: Store,
  owner: number,
  month: Month,
  today: string,
  now: Moment,
): Promise<void> {
  await store.tx(owner, async tx => {
    await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`fee_pulse/${month}`}, ${owner}))`)
    await tx.run(sql`delete from fee_month where owner_id = ${owner} and month = ${month} and not kept`)
    await tx.run(
      sql`
        insert into fee_month (${monthColumns})
        select s.*
        from (${monthRows(owner, month, today)}) s
        where not exists (
          select 1
          from fee_month k
          where k.owner_id = ${owner} and k.project_code = s.project_code and k.month = ${month} and k.kept
        )
      `,
    )
    await tx.run(sql`delete from fee_pulse where owner_id = ${owner} and month = ${month}`)
    await tx.run(
      sql`
        insert into fee_pulse (
          owner_id, project_code, month, build_code, households, clear, age_counts, age_sums
        ) ${pulseRows(owner, month, today)}
      `,
    )
    await tx.run(
      sql`
        insert into fee_pulse_time (owner_id, month, build_time)
        values (${owner}, ${month}, ${now})
        on conflict (owner_id, month) do update set build_time = excluded.build_time
      `,
    )
  })
}

let known = ''

/**
 * Every company's month, and the one before it in its first days; nothing where no bill has moved since,
 * which the database's own counters say.
 */
export async function reckonAll(world: {
  readonly store: Store
  readonly clock: () => number
}): Promise<number> {
  const now = fromInstant(world.clock())
  const today = now.slice(0, 10)
  const reader = world.store.reader('*')
  const moved = `${today}/${
    (await reader.one<{ n: string }>(sql`
    select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::text as n
    from pg_stat_user_tables
    where relname in ('bill', 'bill_month', 'bill_move', 'fee_item', 'day_close')
  `))!.n
  }`
  const month = monthOf(today)
  const months = today.endsWith('-01') || today.endsWith('-02') ? [month, shiftMonth(month, -1)] : [month]
  if (moved === known) {
    await world.store.tx('*', tx =>
      tx.run(sql`update fee_pulse_time set build_time = ${now} where month = any(${months as string[]})`),
    )
    return 0
  }
  const owners = await reader.rows<{ id: number }>(
    sql`select distinct owner_id as id from estate where delete_tag = 0 order by 1`,
  )
  for (const o of owners) {
    for (const m of months) {
      await reckon(world.store, o.id, m, today, now)
    }
  }
  known = moved
  return owners.length
}

export const pulseCron = cron({
  name: 'fee-reports-pulse',
  at: '*/3 * * * *',
  run: async world => {
    await reckonAll(world)
  },
})
