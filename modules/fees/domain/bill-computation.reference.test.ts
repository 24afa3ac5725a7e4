import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  addDays,
  addMonthsFrom,
  fromEpochDays,
  daysInMonth,
  firstOfMonth,
  type Day,
} from '#kit/domain/day.ts'
import { asFen } from '#kit/domain/money.ts'
import { computePeriodBills } from './bill-computation.ts'
import { explainAmount } from './amount-explanation.ts'
import { recompute } from './snapshot.ts'
import { prepareStandard, type Relation, type Source, type Standard } from './standard.ts'

// The engine again, day by day in plain fractions, sharing no code: what a day costs is its month's factor
// over its charged days.
type Rational = readonly [bigint, bigint]
const gcd = (a: bigint, b: bigint): bigint => (b ? gcd(b, a % b) : a < 0n ? -a : a)

const rational = (n: bigint, d: bigint): Rational => {
  const g = gcd(n, d) || 1n
  return d < 0n ? [-n / g, -d / g] : [n / g, d / g]
}

const add = (a: Rational, b: Rational): Rational => rational(a[0] * b[1] + b[0] * a[1], a[1] * b[1])
const multiply = (a: Rational, b: Rational): Rational => rational(a[0] * b[0], a[1] * b[1])
const divideBy = (a: Rational, n: number): Rational => rational(a[0], a[1] * BigInt(n))
const isLess = (a: Rational, b: Rational): boolean => a[0] * b[1] < b[0] * a[1]

const formatDecimal = (n: number, places: number): string =>
  `${Math.trunc(n / 10 ** places)}.${String(n % 10 ** places).padStart(places, '0')}`

const factors: Record<Standard['mode'], (n: number, of: number) => Rational> = {
  actual: (n, of) => rational(BigInt(n), BigInt(of)),
  thirty: n => (n > 30 ? rational(1n, 1n) : rational(BigInt(n), 30n)),
  year: n => rational(BigInt(12 * n), 365n),
  whole: () => rational(1n, 1n),
  half: n => (n < 16 ? rational(1n, 2n) : rational(1n, 1n)),
  none: () => rational(0n, 1n),
}

const round = (
  yuan: Rational,
  type: Standard['rounding']['type'],
  unit: Standard['rounding']['unit'],
): number => {
  const step = { fen: 1n, jiao: 10n, yuan: 100n }[unit]
  const n = yuan[0] * 100n
  const d = yuan[1] * step
  const low = n / d
  const remainder = n - low * d
  const doubled = remainder * 2n
  const up = {
    halfUp: doubled >= d,
    up: remainder > 0n,
    down: false,
    halfEven: doubled > d || (doubled === d && low % 2n === 1n),
  }[type]
  return Number((up ? low + 1n : low) * step)
}

const monthKeyOf = (d: Day, anchor: Day | undefined): { key: string; of: number } => {
  if (anchor === undefined) return { key: d.slice(0, 7), of: daysInMonth(d) }
  let n = 0
  while (addMonthsFrom(anchor, n + 1) <= d) {
    n++
  }
  const begin = addMonthsFrom(anchor, n)
  let of = 0
  for (let x = begin; x < addMonthsFrom(anchor, n + 1); x = addDays(x, 1)) {
    of++
  }
  return { key: begin, of }
}

const day = fc.integer({ min: 19_000, max: 20_500 }).map(fromEpochDays)
const cutArbitrary = fc.tuple(fc.nat(420), fc.integer({ min: 1, max: 9_999_999 }))

const caseArbitrary = fc.record({
  begin: fc.oneof(day, day.map(firstOfMonth)),
  days: fc.oneof(fc.constantFrom(13, 14, 15, 27, 28, 29, 30), fc.nat(45), fc.nat(400)),
  mode: fc.constantFrom('actual', 'thirty', 'year', 'whole', 'half', 'none'),
  type: fc.constantFrom('halfUp', 'up', 'down', 'halfEven'),
  unit: fc.constantFrom('fen', 'fen', 'jiao', 'yuan'),
  kind: fc.constantFrom<'area' | 'fixed' | 'custom'>('area', 'fixed', 'custom'),
  price: fc.nat(9_999_999),
  prices: fc.array(cutArbitrary, { maxLength: 3 }),
  area: fc.integer({ min: 1, max: 5_000_000 }),
  areas: fc.array(cutArbitrary, { maxLength: 2 }),
  payers: fc.array(fc.nat(420), { maxLength: 2 }),
  frees: fc.array(fc.tuple(fc.nat(420), fc.nat(40)), { maxLength: 2 }),
  extra: fc.option(fc.nat(99_999)),
  extraProrate: fc.boolean(),
  anchored: fc.option(fc.nat(500)),
  min: fc.option(fc.nat(500_000).map(asFen)),
  max: fc.option(fc.nat(500_000).map(asFen)),
  ratio: fc.option(fc.integer({ min: 1, max: 30_000 })),
})

it('FEE-2, PRO-1, PRO-7, CYC-7, FEE-24 any price, area, days, mode, payers and free days: equals a plain day-by-day calculation to the fen', () => {
  fc.assert(
    fc.property(caseArbitrary, x => {
      const end = addDays(x.begin, x.days)
      const at = (n: number): Day => addDays(x.begin, n)
      const uniq = (list: readonly (readonly [number, number])[]) =>
        [...new Map(list.map(([n, v]) => [n + 1, v])).entries()].toSorted((a, b) => a[0] - b[0])
      const extra = x.extra === null ? undefined : formatDecimal(x.extra, 2)
      const cuts = uniq(x.prices)
      const versions = [[-1000, x.price] as const, ...cuts].map(([n, v], i) => ({
        id: asId(i),
        from: at(n),
        to: cuts[i] ? at(cuts[i][0] - 1) : undefined,
        price: formatDecimal(v, 6),
        extra,
        extraProrate: x.extraProrate,
      }))
      const areas = [[-1000, x.area] as const, ...uniq(x.areas)]
      const payers = [...new Set(x.payers)].toSorted((a, b) => a - b)
      const source: Source = {
        enabled: true,
        dates: {},
        facts: areas.map(([n, v]) => ({ from: at(n), buildArea: formatDecimal(v, 4) })),
        payers: [{ from: at(-1000), payer: 1 }, ...payers.map((n, i) => ({ from: at(n + 1), payer: i + 2 }))],
      }
      const start = x.anchored === null ? x.begin : addDays(x.begin, -x.anchored)
      const free = x.frees.map(([a, b]) => ({ begin: at(a), end: at(a + b) }))
      const [min, max] =
        x.min !== null && x.max !== null && x.min > x.max
          ? [x.max, x.min]
          : [x.min ?? undefined, x.max ?? undefined]
      const ratio = x.ratio === null ? undefined : formatDecimal(x.ratio, 4)
      const r: Relation = { id: asId(1), state: 'charging', begin: start, free, ...(ratio ? { ratio } : {}) }
      const s: Standard = {
        id: asId(1),
        feeType: 'cyclic',
        allowMulti: false,
        formulaType: x.kind,
        ...(x.kind === 'area' ? { areaKind: 'build' as const } : {}),
        expression: 'IF(S > 100, 100 + (S - 100) × 2, S) × P ÷ 3',
        parameters: [],
        cycle: { type: x.anchored === null ? 'natural' : 'anniversary', months: 12, alignYear: false },
        timing: { mode: 'ahead', advanceDays: 0, delayDays: 0 },
        startRule: 'fixedDate',
        mode: x.mode,
        due: { base: 'begin', days: 0 },
        rounding: { type: x.type, unit: x.unit },
        min: min,
        max: max,
        versions,
      }
      const days: {
        d: Day
        key: string
        of: number
        free: boolean
        price: Rational
        area: Rational
        payer: number
      }[] = []
      for (let n = 0; n <= x.days; n++) {
        const d = at(n)
        days.push({
          d,
          ...monthKeyOf(d, x.anchored === null ? undefined : start),
          free: free.some(f => f.begin <= d && d <= f.end),
          price: rational(
            BigInt(defined([[-1000, x.price] as const, ...cuts].findLast(c => c[0] <= n))[1]),
            10n ** 6n,
          ),
          area: rational(BigInt(defined(areas.findLast(a => a[0] <= n))[1]), 10n ** 4n),
          payer: payers.filter(p => p + 1 <= n).length + 1,
        })
      }
      const charged = days.filter(d => !d.free)
      const counts = Map.groupBy(charged, d => d.key)
      const rate = (d: (typeof days)[number]): Rational => {
        const plus100 = isLess(rational(100n, 1n), d.area)
          ? add(multiply(d.area, rational(2n, 1n)), rational(-100n, 1n))
          : d.area
        const one =
          x.kind === 'fixed'
            ? d.price
            : x.kind === 'area'
              ? multiply(d.area, d.price)
              : multiply(multiply(plus100, d.price), rational(1n, 3n))
        return x.kind !== 'custom' && ratio ? multiply(one, rational(BigInt(defined(x.ratio)), 10_000n)) : one
      }
      // A payer who comes back would be another bill: payers only ever change to new ones here.
      // The least and the most belong to the period: every day carries as much of them as of its month, odd
      // fen going where the most is cut off.
      const weigh = (d: (typeof days)[number]): Rational => {
        const n = counts.get(d.key)?.length ?? 0
        return d.free
          ? rational(0n, 1n)
          : divideBy(n === d.of ? rational(1n, 1n) : factors[x.mode](n, d.of), n)
      }
      const groups = [...Map.groupBy(days, d => d.payer).values()]
      const weights = groups.map(g => g.map(weigh).reduce(add, rational(0n, 1n)))
      const totalWeight = weights.reduce(add, rational(0n, 1n))
      const portions = (of: number | undefined): (number | undefined)[] => {
        if (of === undefined || totalWeight[0] === 0n || groups.length < 2) return groups.map(() => of)
        const exact = weights.map(w =>
          multiply(multiply(rational(BigInt(of), 1n), w), rational(totalWeight[1], totalWeight[0])),
        )
        const low = exact.map(e => Number(e[0] / e[1]))
        const odd = of - low.reduce((a, b) => a + b, 0)
        const order = exact
          .map((e, i) => ({ rest: rational(e[0] % e[1], e[1]), i }))
          .toSorted((a, b) => (isLess(b.rest, a.rest) ? -1 : isLess(a.rest, b.rest) ? 1 : a.i - b.i))
          .slice(0, odd)
          .map(o => o.i)
        return low.map((n, i) => n + (order.includes(i) ? 1 : 0))
      }
      const lows = portions(min)
      const highs = portions(max)
      const bills = groups
        .map((share, i) => {
          const ownLeast = lows[i]
          const ownMost = highs[i]
          let sum = rational(0n, 1n)
          let counted = false
          for (const d of share.filter(m => !m.free)) {
            const n = defined(counts.get(d.key)).length
            const f = n === d.of ? rational(1n, 1n) : factors[x.mode](n, d.of)
            if (f[0] > 0n) {
              counted = true
            }
            sum = add(sum, multiply(rate(d), divideBy(f, n)))
            if (x.extra) {
              sum = add(
                sum,
                multiply(rational(BigInt(x.extra), 100n), divideBy(x.extraProrate ? f : rational(1n, 1n), n)),
              )
            }
          }
          if (counted && ownLeast !== undefined && isLess(sum, rational(BigInt(ownLeast), 100n))) {
            sum = rational(BigInt(ownLeast), 100n)
          }
          if (counted && ownMost !== undefined && isLess(rational(BigInt(ownMost), 100n), sum)) {
            sum = rational(BigInt(ownMost), 100n)
          }
          return {
            begin: defined(share[0]).d,
            end: defined(share.at(-1)).d,
            amount: round(sum, x.type, x.unit),
          }
        })
        .filter(b => b.amount > 0)
      fc.pre(bills.every(b => b.amount <= 9_999_999_999))
      const result = computePeriodBills(prepareStandard(s), r, source, { begin: x.begin, end }, start)
      if (!bills.length) {
        expect(result.skipped?.reason).toBe(charged.length ? 'amountZero' : 'freePeriod')
        return
      }
      expect(result.drawn?.map(d => ({ begin: d.begin, end: d.end, amount: d.amount }))).toEqual(bills)
      for (const d of defined(result.drawn)) {
        expect(recompute(d.snapshot)).toBe(d.amount)
        expect(explainAmount(d.snapshot)).toContain('元')
      }
    }),
    { numRuns: Number(process.env.RUNS ?? 300) },
  )
})
