import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  add,
  compare,
  parseDecimal,
  decimalOf,
  div,
  exactToFen,
  toFixed,
  fromFen,
  isDecimal,
  mul,
  parseExact,
  round,
  sub,
  sum,
  formatExact,
  toFen,
} from './decimal.ts'
import {
  divideExact,
  addExact,
  roundExact,
  multiplyExact,
  exactOf,
  type Exact,
  type RoundingMode,
} from './exact.ts'
import { asFen, formatYuan } from './money.ts'
import { mulRatio, ratio, ratioOf, roundRatio, sumRatios } from './ratio.ts'

const anyExact = fc.record({ units: fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), scale: fc.nat(8) })
const anyDec = anyExact.map(formatExact)
const modes: readonly RoundingMode[] = ['half-up', 'floor', 'ceil', 'half-even']

it('multiplies without binary rounding errors (G-3; T-FEE-01, 02, 05, 06)', () => {
  expect(round(mul('130.70', '0.15'), 2)).toBe('19.61')
  const line = mul('89.43', '2.50')
  expect(line).toBe('223.575')
  expect([
    round(line, 2),
    round(line, 2, 'ceil'),
    round(line, 2, 'floor'),
    round(line, 1),
    round(line, 0),
  ]).toEqual(['223.58', '223.58', '223.57', '223.6', '224'])
  expect([toFen(mul('98.65', '2.85')), toFen(mul('98.65', '2.85'), 'ceil')]).toEqual([28115, 28116])
  expect(toFen(mul(line, '12'))).toBe(268290)
})

it('rounds the whole line once (FEE-4, T-FEE-03)', () => {
  const month = mul('100.24', '1.4')
  expect(round(mul(month, '12'), 0)).toBe('1684')
  expect(mul(round(month, 0), '12')).toBe('1680')
  expect(mul(round(month, 2), '12')).toBe('1684.08')
})

it('evaluates tiers exactly (T-FEE-08) and late fees (T-LATE-01, 02, 05)', () => {
  expect(sum([mul('15', '2.8'), mul('10', '4.2'), mul('7', '8.4')])).toBe('142.8')
  expect(toFen(mul(mul('89.43', '0.0005'), '30'))).toBe(134)
  expect(toFen(mul(mul('562.31', '0.001'), '10'))).toBe(562)
  expect(toFen(add(mul(mul('1200', '0.0005'), '30'), mul(mul('700', '0.0005'), '40')))).toBe(3200)
})

it('drops digits by mode, on the magnitude (FEE-3)', () => {
  const table: readonly (readonly [string, ...string[]])[] = [
    ['0.125', '0.13', '0.12', '0.13', '0.12'],
    ['0.135', '0.14', '0.13', '0.14', '0.14'],
    ['0.1251', '0.13', '0.12', '0.13', '0.13'],
    ['0.121', '0.12', '0.12', '0.13', '0.12'],
    ['0.12', '0.12', '0.12', '0.12', '0.12'],
    ['0.001', '0', '0', '0.01', '0'],
  ]
  for (const [x, ...expected] of table) {
    expect(modes.map(m => round(x, 2, m))).toEqual(expected)
    expect(modes.map(m => round(`-${x}`, 2, m))).toEqual(expected.map(e => (e === '0' ? '0' : `-${e}`)))
  }
  expect(round('1250', -2)).toBe('1300')
})

it('keeps one text for one number', () => {
  expect(['+01.50', '-0.00', '.5', '5.', '-007', '100', '0.000001'].map(parseDecimal)).toEqual([
    '1.5',
    '0',
    '0.5',
    '5',
    '-7',
    '100',
    '0.000001',
  ])
  expect(['', '.', '-', '1e3', '1,000', '0x1', ' ', 'NaN', '1.2.3', '9'.repeat(61)].map(isDecimal)).toEqual(
    Array(10).fill(false),
  )
  expect(() => parseDecimal('1e3')).toThrow(RangeError)
  expect(() => decimalOf(0.1)).toThrow(RangeError)
  expect(() => div('1', '0', 2)).toThrow('除数不能为零')
  expect([compare('1.50', '1.5'), compare('-1', '0.1'), compare('10', '9')]).toEqual([0, -1, 1])
  expect([toFixed('2.5', 4), toFixed('-0.004', 2), toFixed('3', 0)]).toEqual(['2.5000', '0.00', '3'])
  expect([div('1', '3', 4), div('2', '3', 4), div('-2', '3', 0), div('1000', '0.003', 2)]).toEqual([
    '0.3333',
    '0.6667',
    '-1',
    '333333.33',
  ])
})

it('parse ∘ text = id; sums and differences undo each other', () => {
  fc.assert(
    fc.property(anyDec, anyDec, (a, b) => {
      expect(formatExact(parseExact(a))).toBe(a)
      expect(sub(add(a, b), b)).toBe(a)
      expect(add(a, b)).toBe(add(b, a))
      expect(compare(a, b)).toBe(-compare(b, a) + 0)
      expect(mul(a, add(b, '1'))).toBe(add(mul(a, b), a))
    }),
  )
})

it('a rounded value is within one unit, half-up within half of one, and a second rounding changes nothing', () => {
  const near = (x: Exact, y: Exact, twiceUnits: bigint, scale: number): boolean => {
    const d = addExact(x, { units: -y.units, scale: y.scale })
    const size = { units: d.units < 0n ? -d.units : d.units, scale: d.scale }
    return (
      compare(formatExact(multiplyExact(size, exactOf(2))), formatExact({ units: twiceUnits, scale })) <= 0
    )
  }
  fc.assert(
    fc.property(anyExact, fc.nat(8), fc.constantFrom(...modes), (x, scale, mode) => {
      const r = roundExact(x, scale, mode)
      expect(near(x, r, mode.startsWith('half') ? 1n : 2n, scale)).toBe(true)
      expect(formatExact(roundExact(r, scale, mode))).toBe(formatExact(r))
      expect(formatExact(divideExact(x, exactOf(1), scale, mode))).toBe(formatExact(r))
    }),
  )
})

it('fen and yuan are the same money', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 13), max: 10 ** 13 }), fen => {
      expect(toFen(fromFen(asFen(fen)))).toBe(fen)
      expect(toFixed(fromFen(asFen(fen)), 2)).toBe(formatYuan(asFen(fen)))
    }),
  )
  expect(() => exactToFen(parseExact('1000000000000'))).toThrow('金额超出范围')
})

it('keeps fractions of months until the one rounding (PRO-1, T-PRO-01, 02, 07)', () => {
  const month = ratioOf(parseExact('281.1525'))
  const billed = (...factors: readonly ReturnType<typeof ratio>[]): string =>
    formatExact(roundRatio(mulRatio(month, sumRatios(factors)), 2))
  expect(billed(ratio(14, 31))).toBe('126.97')
  expect(billed(ratio(14 * 12, 365))).toBe('129.41')
  expect(billed(ratio(14, 31), ratio(3))).toBe('970.43')
  const april = sumRatios([
    mulRatio(month, ratio(10, 30)),
    mulRatio(ratioOf(parseExact(mul('98.65', '3.10'))), ratio(20, 30)),
  ])
  expect(formatExact(roundRatio(april, 2))).toBe('297.59')
  expect(sumRatios([ratio(1, 3), ratio(1, 3), ratio(1, 3)])).toEqual(ratio(1))
  expect(() => ratio(1, 0)).toThrow(RangeError)
})
