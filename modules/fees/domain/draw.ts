import type { Day } from '#kit/domain/day.ts'
import { shareOut, type Fen } from '#kit/domain/money.ts'
import { splitAt, type Period } from '#kit/domain/period.ts'
import { Incalculable } from './formula/fault.ts'
import { factsOn, lineOf, partOf, type Bounds, type Piece, type Weighed } from './line.ts'
import { nought, plus, type Fraction } from './fraction.ts'
import { byRegister } from './registers.ts'
import { factorOf, monthShares, type MonthShare } from './prorate.ts'
import { rises } from './rent.ts'
import type { Snapshot } from './snapshot.ts'
import type { Months, Prepared, Reading, Relation, Source } from './standard.ts'
import { reasonOf, type SkipReason } from './values.ts'
import { turns, versionOn } from './version.ts'

/** What one bill of a relation says; the rest (names, numbers) is the bill's own. */
export interface Drawn {
  readonly begin: Day
  readonly end: Day
  readonly payer: number | undefined
  readonly amount: Fen
  readonly snapshot: Snapshot
}

export interface Skipped {
  readonly reason: SkipReason
  readonly detail?: string
}

export type Outcome =
  | { readonly drawn: readonly Drawn[]; readonly skipped?: Skipped }
  | { readonly drawn?: undefined; readonly skipped: Skipped }

export const payerOn = (r: Relation, s: Source, d: Day): number | undefined =>
  r.payer ?? (s.payers.findLast(p => p.from <= d) ?? s.payers[0])?.payer

/** Where a period is cut: a price, a fact, the rent or the payer changes (PRO-7). */
function stretchesOf(
  p: Prepared,
  r: Relation,
  s: Source,
  period: Period,
  pricedOn: Day | undefined,
): Period[] {
  const { versions } = p.standard
  const last = versions.at(-1)
  const steady = pricedOn !== undefined || !last || (last.from <= period.begin && last.to === undefined)
  if (steady && s.facts.length < 2 && s.payers.length < 2 && !s.rent?.every) return [period]
  return splitAt(period, [
    ...(steady ? [] : turns(versions, period)),
    ...s.facts.map(f => f.from),
    ...(s.rent ? rises(s.rent, period) : []),
    ...(r.payer === undefined ? s.payers.map(x => x.from) : []),
  ])
}

interface Counted {
  readonly stretch: Period
  readonly months: readonly Months[]
}

const counted = (shares: readonly MonthShare[], begun: readonly MonthShare[], span: Period): Months => ({
  span,
  days: shares.reduce((n, x) => n + x.days, 0),
  of: shares[0]!.of,
  factor: factorOf(shares),
  begun: factorOf(begun),
})

function count(
  p: Prepared,
  period: Period,
  stretches: readonly Period[],
  free: readonly Period[],
  start: Day,
): Counted[] {
  const { cycle, mode } = p.standard
  const anchor = cycle.type === 'anniversary' ? start : undefined
  const key =
    stretches.length === 1 && !free.length && !p.byMonth ? `${period.begin}${period.end}${anchor ?? ''}` : ''
  const known = key && p.factors.get(key)
  if (known) return [{ stretch: period, months: [known] }]
  const shares = monthShares(period, mode, stretches, free, anchor)
  const begun = monthShares(period, 'whole', stretches, free, anchor)
  const out = stretches.map((stretch, i): Counted => {
    const mine = shares[i]!
    const all = begun[i]!
    if (!mine.length) return { stretch, months: [] }
    return {
      stretch,
      months: p.byMonth ? mine.map((m, j) => counted([m], [all[j]!], m)) : [counted(mine, all, stretch)],
    }
  })
  if (key) {
    p.factors.set(key, out[0]!.months[0]!)
  }
  return out
}

/** Stretches that follow each other and have one payer. */
function byPayer(
  list: readonly Counted[],
  payer: (d: Day) => number | undefined,
): { readonly payer: number | undefined; readonly list: Counted[] }[] {
  const out: { payer: number | undefined; list: Counted[] }[] = []
  for (const c of list) {
    const who = payer(c.stretch.begin)
    const last = out.at(-1)
    if (last && last.payer === who) {
      last.list.push(c)
    } else {
      out.push({ payer: who, list: [c] })
    }
  }
  return out
}

const monthsOf = (list: readonly Counted[]): Fraction =>
  list.flatMap(c => c.months).reduce((sum, m) => plus(sum, m.factor.value), nought)

/**
 * The least and the most are of a period, not of a bill: payers who follow each other share them as they
 * share its months (PRO-7). Nothing where one pays all.
 */
function parted({ standard: { least, most } }: Prepared, months: readonly Fraction[]): Bounds[] | undefined {
  if (months.length < 2 || (least === undefined && most === undefined) || months.every(m => m.top === 0n))
    return undefined
  const all = months.reduce((n, m) => n * m.bottom, 1n)
  const weights = months.map(m => ({ n: m.top * (all / m.bottom), s: 0 }))
  const low = least === undefined ? undefined : shareOut(least, weights)
  const high = most === undefined ? undefined : shareOut(most, weights)
  return months.map((_, i) => ({ least: low?.[i], most: high?.[i] }))
}

const guarded = (p: Prepared, work: () => Outcome): Outcome => {
  if (p.fault) return { skipped: { reason: 'formulaInvalid', detail: p.fault } }
  try {
    return work()
  } catch (e) {
    if (e instanceof Incalculable) return { skipped: { reason: reasonOf(e), detail: e.message } }
    throw e
  }
}

const versionFor = (p: Prepared, d: Day) => {
  const version = versionOn(p.standard.versions, d)
  if (!version) throw new Incalculable('missing', `${d} 没有生效的价格`, '单价')
  return version
}

const kept = (drawn: readonly Drawn[]): Outcome =>
  drawn.some(d => d.amount > 0)
    ? { drawn: drawn.filter(d => d.amount > 0) }
    : { skipped: { reason: 'amountZero' } }

/**
 * The bills of one period: one per payer, each with its stretches (PRO-7), or why there is none (GEN-6).
 * `start`: where charging began. `pricedOn`: the day whose price holds throughout (TMP-2).
 */
export function drawPeriod(
  p: Prepared,
  r: Relation,
  s: Source,
  period: Period,
  start: Day,
  pricedOn?: Day,
): Outcome {
  return guarded(p, () => {
    if (p.standard.cycle.type === 'once') {
      const version = versionFor(p, pricedOn ?? period.begin)
      return kept([
        {
          ...period,
          payer: payerOn(r, s, period.begin),
          ...lineOf(p, [partOf(p, r, s, { ...period, version, facts: factsOn(s, period.begin) })], true),
        },
      ])
    }
    const free = r.free?.length ? r.free.filter(f => f.begin <= period.end && f.end >= period.begin) : []
    const list = count(p, period, stretchesOf(p, r, s, period, pricedOn), free, start)
    if (list.every(c => !c.months.length)) return { skipped: { reason: 'freePeriod' } }
    const pieces = ({ stretch, months }: Counted): Weighed[] => {
      if (!months.length) return []
      const version = versionFor(p, pricedOn ?? stretch.begin)
      const facts = factsOn(s, stretch.begin)
      return months.map(m =>
        partOf(p, r, s, {
          ...m.span,
          version,
          facts,
          factor: m.factor,
          extraFactor: version.extraProrate ? m.factor : m.begun,
          days: m.days,
          monthDays: m.of,
        } satisfies Piece),
      )
    }
    const bills = byPayer(list, d => payerOn(r, s, d))
    const months = bills.map(b => monthsOf(b.list))
    const bounds = parted(p, months)
    return kept(
      bills.map(({ payer, list: mine }, i) => ({
        begin: mine[0]!.stretch.begin,
        end: mine.at(-1)!.stretch.end,
        payer,
        ...lineOf(p, mine.flatMap(pieces), months[i]!.top > 0n, bounds?.[i]),
      })),
    )
  })
}

/** The bill of one reading: price, facts and payer of its last day; no share of time (PRO-5). */
export function drawReading(p: Prepared, r: Relation, s: Source, reading: Reading): Outcome {
  if (reading.last === undefined) return { skipped: { reason: 'meterBaseMissing' } }
  if (reading.doubtful) return { skipped: { reason: 'meterReadingMissing', detail: '读数异常，待确认' } }
  return guarded(p, () => {
    const { begin, end } = reading
    const version = versionFor(p, end)
    const facts = factsOn(s, end)
    const parts = p.standard.formulaType === 'usage' ? byRegister(reading) : undefined
    // An extra is charged once, with the first of them.
    const pieces = parts?.map((x, i) =>
      partOf(p, x.price ? { ...r, price: x.price } : r, s, {
        begin,
        end,
        version: i ? { ...version, extra: undefined } : version,
        facts,
        reading: {
          ...reading,
          ...x,
          beside: x.price === undefined && x.current === reading.current ? reading.beside : undefined,
        },
        register: x.name,
      }),
    )
    return kept([
      {
        begin,
        end,
        payer: payerOn(r, s, end),
        ...lineOf(p, pieces ?? [partOf(p, r, s, { begin, end, version, facts, reading })], true),
      },
    ])
  })
}
