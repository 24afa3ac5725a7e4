import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import { splitByWeight, type Fen } from '#kit/domain/money.ts'
import { splitAt, type Period } from '#kit/domain/period.ts'
import { CalculationError } from './formula/errors.ts'
import {
  findFactsOn,
  composeLine,
  computePart,
  type AmountBounds,
  type PartInput,
  type PricedPart,
} from './bill-line.ts'
import { zero, add, type Fraction } from './fraction.ts'
import { splitByRegister } from './registers.ts'
import { sumShares, monthShares, type MonthShare } from './prorate.ts'
import { rentIncreaseDays } from './rent.ts'
import type { Snapshot } from './snapshot.ts'
import type { MonthCount, PreparedStandard, Reading, Relation, Source } from './standard.ts'
import { skipReasonOf, type SkipReason } from './formula-values.ts'
import { versionChangeDays, versionOn } from './version.ts'

/** The computed part of one bill of a relation. */
export interface ComputedBill {
  readonly begin: Day
  readonly end: Day
  readonly payer: number | undefined
  readonly amount: Fen
  readonly snapshot: Snapshot
}

export interface SkippedBill {
  readonly reason: SkipReason
  readonly detail?: string
}

export type BillOutcome =
  | { readonly drawn: readonly ComputedBill[]; readonly skipped?: SkippedBill }
  | { readonly drawn?: undefined; readonly skipped: SkippedBill }

export const payerOn = (r: Relation, s: Source, d: Day): number | undefined =>
  r.payer ?? (s.payers.findLast(p => p.from <= d) ?? s.payers[0])?.payer

/** Where a period is cut: a price, a fact, the rent or the payer changes (PRO-7). */
function cutIntoStretches(
  prepared: PreparedStandard,
  relation: Relation,
  source: Source,
  period: Period,
  pricedOn: Day | undefined,
): Period[] {
  const { versions } = prepared.standard
  const last = versions.at(-1)
  const steady = pricedOn !== undefined || !last || (last.from <= period.begin && last.to === undefined)
  if (steady && source.facts.length < 2 && source.payers.length < 2 && !source.rent?.every) return [period]
  return splitAt(period, [
    ...(steady ? [] : versionChangeDays(versions, period)),
    ...source.facts.map(f => f.from),
    ...(source.rent ? rentIncreaseDays(source.rent, period) : []),
    ...(relation.payer === undefined ? source.payers.map(x => x.from) : []),
  ])
}

interface CountedStretch {
  readonly stretch: Period
  readonly months: readonly MonthCount[]
}

const toMonthCount = (
  shares: readonly MonthShare[],
  startedMonths: readonly MonthShare[],
  span: Period,
): MonthCount => ({
  span,
  days: shares.reduce((n, x) => n + x.days, 0),
  of: defined(shares[0]).of,
  factor: sumShares(shares),
  startedMonths: sumShares(startedMonths),
})

function countStretches(
  prepared: PreparedStandard,
  period: Period,
  stretches: readonly Period[],
  free: readonly Period[],
  start: Day,
): CountedStretch[] {
  const { cycle, mode } = prepared.standard
  const anchor = cycle.type === 'anniversary' ? start : undefined
  const key =
    stretches.length === 1 && !free.length && !prepared.byMonth
      ? `${period.begin}${period.end}${anchor ?? ''}`
      : ''
  const known = key && prepared.factors.get(key)
  if (known) return [{ stretch: period, months: [known] }]
  const shares = monthShares(period, mode, stretches, free, anchor)
  const startedMonths = monthShares(period, 'whole', stretches, free, anchor)
  const out = stretches.map((stretch, i): CountedStretch => {
    const charged = defined(shares[i])
    const begunShares = defined(startedMonths[i])
    if (!charged.length) return { stretch, months: [] }
    return {
      stretch,
      months: prepared.byMonth
        ? charged.map((m, j) => toMonthCount([m], [defined(begunShares[j])], m))
        : [toMonthCount(charged, begunShares, stretch)],
    }
  })
  if (key) {
    prepared.factors.set(key, defined(defined(out[0]).months[0]))
  }
  return out
}

/** Stretches that follow each other and have one payer. */
function groupByPayer(
  list: readonly CountedStretch[],
  payer: (d: Day) => number | undefined,
): { readonly payer: number | undefined; readonly list: CountedStretch[] }[] {
  const out: { payer: number | undefined; list: CountedStretch[] }[] = []
  for (const countedStretch of list) {
    const currentPayer = payer(countedStretch.stretch.begin)
    const last = out.at(-1)
    if (last && last.payer === currentPayer) {
      last.list.push(countedStretch)
    } else {
      out.push({ payer: currentPayer, list: [countedStretch] })
    }
  }
  return out
}

const sumMonths = (list: readonly CountedStretch[]): Fraction =>
  list.flatMap(c => c.months).reduce((sum, m) => add(sum, m.factor.value), zero)

/**
 * The least and the most are of a period, not of a bill: payers who follow each other share them as they
 * share its months (PRO-7). Nothing where one pays all.
 */
function shareBounds(
  { standard: { min, max } }: PreparedStandard,
  months: readonly Fraction[],
): AmountBounds[] | undefined {
  if (months.length < 2 || (min === undefined && max === undefined) || months.every(m => m.numerator === 0n))
    return undefined
  const commonDenominator = months.reduce((n, m) => n * m.denominator, 1n)
  const weights = months.map(m => ({ units: m.numerator * (commonDenominator / m.denominator), scale: 0 }))
  const low = min === undefined ? undefined : splitByWeight(min, weights)
  const high = max === undefined ? undefined : splitByWeight(max, weights)
  return months.map((_, i) => ({ min: low?.[i], max: high?.[i] }))
}

const catchCalculationError = (prepared: PreparedStandard, work: () => BillOutcome): BillOutcome => {
  if (prepared.fault) return { skipped: { reason: 'formulaInvalid', detail: prepared.fault } }
  try {
    return work()
  } catch (e) {
    if (e instanceof CalculationError) return { skipped: { reason: skipReasonOf(e), detail: e.message } }
    throw e
  }
}

const requireVersion = (p: PreparedStandard, d: Day) => {
  const version = versionOn(p.standard.versions, d)
  if (!version) throw new CalculationError('missing', `${d} 没有生效的价格`, '单价')
  return version
}

const dropZeroBills = (drawn: readonly ComputedBill[]): BillOutcome =>
  drawn.some(d => d.amount > 0)
    ? { drawn: drawn.filter(d => d.amount > 0) }
    : { skipped: { reason: 'amountZero' } }

/** The priced parts of one stretch; none in months that are free. */
function priceStretch(
  prepared: PreparedStandard,
  relation: Relation,
  source: Source,
  { stretch, months }: CountedStretch,
  pricedOn: Day | undefined,
): PricedPart[] {
  if (!months.length) return []
  const version = requireVersion(prepared, pricedOn ?? stretch.begin)
  const facts = findFactsOn(source, stretch.begin)
  return months.map(monthCount =>
    computePart(prepared, relation, source, {
      ...monthCount.span,
      version,
      facts,
      factor: monthCount.factor,
      extraFactor: version.extraProrate ? monthCount.factor : monthCount.startedMonths,
      days: monthCount.days,
      monthDays: monthCount.of,
    } satisfies PartInput),
  )
}

/**
 * The bills of one period: one per payer, each with its stretches (PRO-7), or why there is none (GEN-6).
 * `start`: where charging began. `pricedOn`: the day whose price holds throughout (TMP-2).
 */
export function computePeriodBills(
  prepared: PreparedStandard,
  relation: Relation,
  source: Source,
  period: Period,
  start: Day,
  pricedOn?: Day,
): BillOutcome {
  return catchCalculationError(prepared, () => {
    if (prepared.standard.cycle.type === 'once') {
      const { begin } = period
      const version = requireVersion(prepared, pricedOn ?? begin)
      const facts = findFactsOn(source, begin)
      const part = computePart(prepared, relation, source, { ...period, version, facts })
      return dropZeroBills([
        {
          ...period,
          payer: payerOn(relation, source, begin),
          ...composeLine(prepared, [part], { isBounded: true }),
        },
      ])
    }
    const free = relation.free?.length
      ? relation.free.filter(f => f.begin <= period.end && f.end >= period.begin)
      : []
    const list = countStretches(
      prepared,
      period,
      cutIntoStretches(prepared, relation, source, period, pricedOn),
      free,
      start,
    )
    if (list.every(c => !c.months.length)) return { skipped: { reason: 'freePeriod' } }
    const bills = groupByPayer(list, d => payerOn(relation, source, d))
    const months = bills.map(b => sumMonths(b.list))
    const bounds = shareBounds(prepared, months)
    return dropZeroBills(
      bills.map(({ payer, list: stretches }, i) => ({
        begin: defined(stretches[0]).stretch.begin,
        end: defined(stretches.at(-1)).stretch.end,
        payer,
        ...composeLine(
          prepared,
          stretches.flatMap(s => priceStretch(prepared, relation, source, s, pricedOn)),
          { isBounded: defined(months[i]).numerator > 0n, bounds: bounds?.[i] },
        ),
      })),
    )
  })
}

/** The bill of one reading: price, facts and payer of its last day; no share of time (PRO-5). */
export function computeReadingBill(
  prepared: PreparedStandard,
  relation: Relation,
  source: Source,
  reading: Reading,
): BillOutcome {
  if (reading.last === undefined) return { skipped: { reason: 'meterBaseMissing' } }
  if (reading.doubtful) return { skipped: { reason: 'meterReadingMissing', detail: '读数异常，待确认' } }
  return catchCalculationError(prepared, () => {
    const { begin, end } = reading
    const version = requireVersion(prepared, end)
    const facts = findFactsOn(source, end)
    const parts = prepared.standard.formulaType === 'usage' ? splitByRegister(reading) : undefined
    // An extra is charged once, with the first of them.
    const pricedParts = parts?.map((usage, i) =>
      computePart(prepared, usage.price ? { ...relation, price: usage.price } : relation, source, {
        begin,
        end,
        version: i ? { ...version, extra: undefined } : version,
        facts,
        reading: {
          ...reading,
          ...usage,
          beside: usage.price === undefined && usage.current === reading.current ? reading.beside : undefined,
        },
        register: usage.name,
      }),
    )
    return dropZeroBills([
      {
        begin,
        end,
        payer: payerOn(relation, source, end),
        ...composeLine(
          prepared,
          pricedParts ?? [computePart(prepared, relation, source, { begin, end, version, facts, reading })],
          { isBounded: true },
        ),
      },
    ])
  })
}
