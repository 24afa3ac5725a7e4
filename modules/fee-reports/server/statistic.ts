import { defined } from '#kit/domain/defined.ts'
import { columnOf } from '#kit/contract/entity.ts'
import { keyOf } from '#kit/contract/field.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import { addDays, daysBetween, type Day } from '#kit/domain/day.ts'
import { addMinutes, type Moment } from '#kit/domain/moment.ts'
import { asFen, parseYuan, subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import { firstDay, lastDay, monthOf, shiftMonth, type Month } from '#kit/domain/month.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { notDeleted } from '#kit/server/sql.ts'
import type { Scope } from '#kit/server/scope.ts'
import { tenantFilter } from '#kit/server/table.ts'
import { formatPercent } from '#kit/domain/percent.ts'
import { billAge } from '#modules/bills/contract/choices.ts'
import { feeMonth } from '../contract/month.ts'
import { getChargeStatistic } from '../contract/statistic.ts'
import { dailyCollections } from '../contract/daily-collection.ts'
import { sumCashForBills, dueOf, openingOf, paidOf, computeRates, type MonthFigures } from '../domain/rate.ts'
import { isNotCarriedOver, monthColumns, selectMonthRows, selectCollectionRows } from './month-rows.ts'
import { readReport, type ReportResult } from './report.ts'
import type { Sql } from './report-source.ts'
import { dailyCollectionSource } from './daily-collection.ts'

type MonthFigureKey = keyof MonthFigures

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
] as const satisfies readonly MonthFigureKey[]

const figureSums = sql.join(
  figureKeys.map(
    key =>
      sql`coalesce(sum(t.${sql.id(columnOf(key))}) filter (where i.in_rate), 0)::text as ${sql.id(columnOf(key))}`,
  ),
)

/** Stored figures this recent are shown as they are (STAT-14). */
const freshMinutes = 5

/** With no more bills a company is computed on the spot: its first bills and payments show at once. */
export const smallCompanyBills = 1000

interface StatisticRequest {
  readonly db: Db
  readonly scope: Scope
  readonly today: Day
  readonly projectCode: string | undefined
  readonly month: Month
}

/** When the month was last computed, where that is recent enough and there is much to compute. */
async function findBuildTime(
  { db, scope, month }: StatisticRequest,
  now: Moment,
): Promise<Moment | undefined> {
  const [[built], [bills]] = await db.all<[{ buildTime: Moment }, { count: number }]>(
    sql`
      select build_time
      from fee_pulse_time
      where owner_id = ${scope.ownerId}
        and month = ${month}
        and build_time > ${addMinutes(now, -freshMinutes)}
    `,
    sql`
      select count(*)::int as count
      from (
        select 1 from bill where owner_id = ${scope.ownerId} and ${notDeleted()} limit ${smallCompanyBills + 1}
      ) b
    `,
  )
  return bills && bills.count > smallCompanyBills ? built?.buildTime : undefined
}

interface AgeRow {
  readonly age: number
  readonly households: number
  readonly clear: number
  readonly count: number
  readonly sum: string
}

interface MonthAnswer {
  readonly figures: MonthFigures
  /** Including items that are not in the rate. */
  readonly allClosing: Fen
  readonly ages: readonly AgeRow[]
}

/**
 * The month's figures of the items that count in the rate, and unpaid bills by age: from the stored rows, or
 * on the spot.
 */
async function readMonth(
  { db, scope, today, projectCode, month }: StatisticRequest,
  isStored: boolean,
): Promise<MonthAnswer> {
  const ownerId = scope.ownerId
  const condition = projectCode ? sql`b.project_code = ${projectCode}` : sql`true`
  const open = sql`${condition} and ${isNotCarriedOver(ownerId, month)}`
  const months: Sql = isStored
    ? sql`fee_month`
    : sql`(
        select ${monthColumns}, 0 as delete_tag
        from fee_month
        where owner_id = ${ownerId} and month = ${month} and kept and ${notDeleted()}
        union all
        select ${monthColumns}, 0
        from (${selectMonthRows(ownerId, month, today, open)}) s
      )`
  const collection: Sql = isStored
    ? sql`fee_pulse`
    : sql`(select s.*, 0 as delete_tag from (${selectCollectionRows(ownerId, month, today, condition)}) s)`
  const [[sums], ages] = await db.all<[Partial<Record<MonthFigureKey | 'allClosing', string>>, AgeRow]>(
    sql`
      select ${figureSums}, coalesce(sum(t.closing), 0)::text as all_closing
      from ${months} t
      join fee_item i on i.owner_id = ${ownerId} and i.id = t.fee_item_id
      where ${tenantFilter(feeMonth, scope, projectCode)} and t.month = ${month}
    `,
    sql`
      select a.age::int as age, sum(t.households)::int as households, sum(t.clear)::int as clear,
        sum(a.count)::int as count, sum(a.sum)::text as sum
      from ${collection} t
      cross join unnest(t.age_counts, t.age_sums) with ordinality as a(count, sum, age)
      where ${tenantFilter(feeMonth, scope, projectCode)} and t.month = ${month}
      group by 1
      order by 1
    `,
  )
  const figure = (key: MonthFigureKey | 'allClosing'): Fen => parseYuan(sums?.[key] ?? '0')
  return {
    figures: {
      opening: figure('opening'),
      adjusted: figure('adjusted'),
      billed: figure('billed'),
      discount: figure('discount'),
      paidBefore: figure('paidBefore'),
      received: figure('received'),
      paidAfter: figure('paidAfter'),
      recovered: figure('recovered'),
      prepaid: figure('prepaid'),
      writtenOff: figure('writtenOff'),
      closing: figure('closing'),
    },
    allClosing: figure('allClosing'),
    ages,
  }
}

/** Enough for the days of a month and of a year. */
const maxCollectionRows = 400

const readCollections = (
  { db, scope, today, projectCode }: StatisticRequest,
  by: 'day' | 'month',
  dayFrom: Day,
  dayTo: Day,
): Promise<ReportResult> =>
  readReport(
    db,
    dailyCollections,
    dailyCollectionSource,
    // Cash is what the cashiers took: history that was imported is none (PAY-22).
    { ...(projectCode ? { projectCode } : {}), by, dayFrom, dayTo, history: false },
    { scope, today },
    { size: maxCollectionRows, offset: 0 },
  )

const amountOf = (figures: Readonly<Record<string, unknown>>, key: string): Fen =>
  asFen(Number(figures[key] ?? 0))

const toCollection = (figures: Readonly<Record<string, unknown>>) => ({
  received: amountOf(figures, 'received'),
  refunded: amountOf(figures, 'refunded'),
  net: amountOf(figures, 'net'),
})

/** The month and the eleven before it; nothing came in where there is no row. */
function toTwelveMonths(month: Month, rows: ReportResult['rows']) {
  const netByMonth = new Map(rows.map(row => [row.key, amountOf(row, 'net')]))
  return Array.from({ length: 12 }, (_, i) => {
    const each = shiftMonth(month, i - 11)
    return { month: each, net: netByMonth.get(each) ?? asFen(0) }
  })
}

/** Every day of a range; nothing came in where there is no row. */
function toDays(from: Day, to: Day, rows: ReportResult['rows']) {
  const netByDay = new Map(rows.map(row => [row.key, amountOf(row, 'net')]))
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, i) => {
    const day = addDays(from, i)
    return { day, net: netByDay.get(day) ?? asFen(0) }
  })
}

function toMonthStatistic(figures: MonthFigures) {
  return {
    due: dueOf(figures),
    paid: paidOf(figures),
    opening: openingOf(figures),
    recovered: figures.recovered,
    received: figures.received,
    prepaid: figures.prepaid,
    writtenOff: figures.writtenOff,
    closing: figures.closing,
    ...computeRates(figures),
  }
}

export const chargeStatisticHandler = reads(
  getChargeStatistic,
  async ({ projectCode, month: requestedMonth }, { db, scope, today, now }) => {
    const month = requestedMonth ?? monthOf(today)
    const asOf = lastDay(month) < today ? lastDay(month) : today
    if (month > monthOf(today))
      throw invalidInput([{ Field: 'Month', Message: `只能看到本月（${monthOf(today)}）为止` }])
    const request = { db, scope, today, projectCode, month }
    const buildTime = await findBuildTime(request, now)
    const { figures, allClosing, ages } = await readMonth(request, buildTime !== undefined)
    const unpaid = sumFen(ages.map(age => parseYuan(age.sum)))
    const day = await readCollections(request, 'day', today, today)
    const days = await readCollections(request, 'day', firstDay(month), asOf)
    const trend = await readCollections(request, 'month', firstDay(shiftMonth(month, -11)), asOf)
    const cash = amountOf(days.sum, 'net')
    const households = ages[0]?.households ?? 0
    const clear = ages[0]?.clear ?? 0
    return {
      month,
      asOf,
      builtTime: buildTime ?? now,
      ...toMonthStatistic(figures),
      // The ages are of today: they say nothing of an earlier month's arrears.
      ...(month === monthOf(today)
        ? {
            unpaid,
            later: subtractFen(unpaid, allClosing),
            outOfRate: subtractFen(allClosing, figures.closing),
          }
        : {}),
      cash,
      other: subtractFen(cash, sumCashForBills(figures)),
      households,
      clear,
      householdRate: formatPercent(clear, households),
      today: toCollection(day.sum),
      thisMonth: toCollection(days.sum),
      trend: toTwelveMonths(month, trend.rows),
      days: toDays(firstDay(month), asOf, days.rows),
      ages: ages
        .filter(row => row.count > 0)
        .map(row => ({
          age: defined(keyOf(billAge, row.age - 1)),
          count: row.count,
          sum: parseYuan(row.sum),
        })),
    }
  },
)
