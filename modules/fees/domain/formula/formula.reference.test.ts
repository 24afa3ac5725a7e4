import { defined } from '#kit/domain/defined.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CalculationError } from './errors.ts'
import { findFormulaFault, compileFormula } from './formula.ts'
import { keysOfRecord } from '#kit/domain/records.ts'

// Any formula of the whole grammar, written as a person might (brackets only where they are needed), against
// a reference calculation of its own over plain fractions.
type Rational = readonly [bigint, bigint]
type Values = Readonly<Record<string, Rational>>

/** How tightly a text binds: 1 comparison, 2 sum, 3 product, 4 single. */
interface FormulaText {
  readonly text: string
  readonly binds: 2 | 3 | 4
  readonly value: (v: Values) => Rational | undefined
}

const rational = (n: bigint, d: bigint): Rational => (d < 0n ? [-n, -d] : [n, d])

const compareRational = (a: Rational, b: Rational): number => {
  const d = a[0] * b[1] - b[0] * a[1]
  return d < 0n ? -1 : d > 0n ? 1 : 0
}

const floorRational = ([n, d]: Rational): bigint => (n >= 0n ? n / d : -((-n + d - 1n) / d))

const roundRational = ([n, d]: Rational, digits: bigint): Rational => {
  const s = 10n ** digits
  const m = n < 0n ? -n : n
  const r = (2n * m * s + d) / (2n * d)
  return [n < 0n ? -r : r, s]
}

const variableSpellings = {
  建筑面积: ['建筑面积', 'S', 's', 'Ｓ'],
  单价: ['单价', 'P', 'p'],
  楼层: ['楼层', 'L'],
  用量: ['用量', 'Q'],
  系数: ['系数', 'X'],
  'A[朝向]': ['A[朝向]', 'a[ 朝向 ]'],
  电梯费: ['电梯费'],
} as const

/** What each comparison asks of the sign; any other operator is `<>`. */
const holdsByOperator: ReadonlyMap<string, (sign: number) => boolean> = new Map([
  ['>', (sign: number) => sign > 0],
  ['<', (sign: number) => sign < 0],
  ['=', (sign: number) => sign === 0],
  ['>=', (sign: number) => sign >= 0],
  ['≤', (sign: number) => sign <= 0],
])

const bracketIfLooser = (t: FormulaText, looseness: number): string =>
  t.binds < looseness ? `(${t.text})` : t.text

const combine =
  (a: FormulaText, b: FormulaText, f: (x: Rational, y: Rational) => Rational | undefined) =>
  (v: Values): Rational | undefined => {
    const x = a.value(v)
    const y = b.value(v)
    return x && y && f(x, y)
  }

const { tree } = fc.letrec<{ tree: FormulaText; leaf: FormulaText }>(tie => ({
  leaf: fc.oneof(
    // Small ones meet: a comparison must also be of equals.
    fc.nat(3).map((n): FormulaText => ({ text: String(n), binds: 4, value: () => [BigInt(n), 1n] })),
    fc.tuple(fc.nat(9999), fc.nat(99)).map(([a, b]): FormulaText => ({
      text: b ? `${a}.${String(b).padStart(2, '0')}` : String(a),
      binds: 4,
      value: () => [BigInt(a * 100 + b), 100n],
    })),
    fc
      .constantFrom(...keysOfRecord(variableSpellings))
      .chain(n =>
        fc
          .constantFrom(...variableSpellings[n])
          .map((text): FormulaText => ({ text, binds: 4, value: v => v[n] })),
      ),
  ),
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.tuple(tie('tree'), fc.constantFrom('+', ' - ', '−'), tie('tree')).map(([a, op, b]): FormulaText => ({
      text: bracketIfLooser(a, 2) + op + bracketIfLooser(b, 3),
      binds: 2,
      value: combine(a, b, (x, y) =>
        rational(x[0] * y[1] + (op === '+' ? 1n : -1n) * y[0] * x[1], x[1] * y[1]),
      ),
    })),
    fc
      .tuple(tie('tree'), fc.constantFrom('*', ' × ', '/', '÷'), tie('tree'))
      .map(([a, op, b]): FormulaText => ({
        text: bracketIfLooser(a, 3) + op + bracketIfLooser(b, 4),
        binds: 3,
        value: combine(a, b, (x, y) =>
          /[/÷]/.test(op)
            ? y[0] === 0n
              ? undefined
              : rational(x[0] * y[1], x[1] * y[0])
            : rational(x[0] * y[0], x[1] * y[1]),
        ),
      })),
    tie('tree').map((a): FormulaText => ({
      text: `-${bracketIfLooser(a, 4)}`,
      binds: 4,
      value: v => {
        const x = a.value(v)
        return x && [-x[0], x[1]]
      },
    })),
    fc
      .tuple(
        fc.constantFrom('>', '<', '=', '>=', '≤', '<>'),
        tie('tree'),
        tie('tree'),
        tie('tree'),
        tie('tree'),
      )
      .map(([op, a, b, c, d]): FormulaText => ({
        text: `IF(${bracketIfLooser(a, 2)}${op}${bracketIfLooser(b, 2)},${c.text}, ${d.text})`,
        binds: 4,
        value: v => {
          const x = a.value(v)
          const y = b.value(v)
          if (!x || !y) return undefined
          const s = compareRational(x, y)
          const isTrue = holdsByOperator.get(op) ?? ((sign: number) => sign !== 0)
          return (isTrue(s) ? c : d).value(v)
        },
      })),
    fc
      .tuple(fc.constantFrom('MIN', 'max'), fc.array(tie('tree'), { minLength: 2, maxLength: 4 }))
      .map(([f, all]): FormulaText => ({
        text: `${f}(${all.map(a => a.text).join(',')})`,
        binds: 4,
        value: v =>
          all
            .map(a => a.value(v))
            .reduce((m, x) => m && x && (compareRational(x, m) < 0 === (f === 'MIN') ? x : m)),
      })),
    fc.tuple(tie('tree'), fc.nat(6)).map(([a, n]): FormulaText => ({
      text: `ROUND(${a.text}, ${n})`,
      binds: 4,
      value: v => {
        const x = a.value(v)
        return x && roundRational(x, BigInt(n))
      },
    })),
    fc.tuple(fc.constantFrom('CEIL', 'Floor'), tie('tree')).map(([f, a]): FormulaText => ({
      text: `${f}(${a.text})`,
      binds: 4,
      value: v => {
        const x = a.value(v)
        return x && [f === 'CEIL' ? -floorRational([-x[0], x[1]]) : floorRational(x), 1n]
      },
    })),
    fc
      .tuple(
        tie('tree'),
        fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 3 }),
        fc.array(tie('leaf'), { minLength: 4, maxLength: 4 }),
      )
      .map(([a, bounds, prices]): FormulaText => {
        const up = bounds.toSorted((x, y) => x - y)
        return {
          text: `STEP(${a.text}; ${up.map((b, i) => `${b},${defined(prices[i]).text}`).join('; ')}; *,${defined(prices[up.length]).text})`,
          binds: 4,
          value: v => {
            const x = a.value(v)
            if (!x || x[0] < 0n) return undefined
            let sum: Rational = [0n, 1n]
            for (const [i, from] of [0, ...up].entries()) {
              const low: Rational = [BigInt(from), 1n]
              const high: Rational =
                up[i] === undefined || compareRational(x, [BigInt(up[i]), 1n]) < 0 ? x : [BigInt(up[i]), 1n]
              if (compareRational(high, low) <= 0) continue
              const p = defined(prices[i]).value(v)
              if (!p) return undefined
              sum = rational(
                sum[0] * high[1] * p[1] + (high[0] - low[0] * high[1]) * p[0] * sum[1],
                sum[1] * high[1] * p[1],
              )
            }
            return sum
          },
        }
      }),
  ),
}))

it('FEE-21 every part of the grammar, in any nesting, equals the reference calculation', () => {
  const number = fc
    .oneof(fc.tuple(fc.nat(3), fc.constant(0)), fc.tuple(fc.nat(99_999), fc.nat(3)))
    .map(([n, s]): Rational => [BigInt(n), 10n ** BigInt(s)])
  fc.assert(
    fc.property(tree, fc.array(number, { minLength: 7, maxLength: 7 }), (t, numbers) => {
      const values = Object.fromEntries(
        Object.keys(variableSpellings).map((n, i) => [n, defined(numbers[i])]),
      )
      const fault = findFormulaFault(t.text, ['电梯费'])
      // What can never be computed, or is too long or too deep, is refused where it is saved.
      if (fault) {
        expect(fault.message).toMatch(/除数为零|最多|阶梯计价的用量不能为负/)
        return
      }
      const f = compileFormula(t.text, ['电梯费'])
      const want = t.value(values)
      let result: Rational | undefined
      try {
        const r = f.run(
          f.variables.map(n => ({ numerator: defined(values[n])[0], denominator: defined(values[n])[1] })),
        )
        result = [r.numerator, r.denominator]
      } catch (e) {
        if (!(e instanceof CalculationError)) throw e
      }
      expect(result && want ? result[0] * want[1] === want[0] * result[1] : result === want).toBe(true)
    }),
    { numRuns: Number(process.env.RUNS ?? 1000) },
  )
})
