import { defined } from '#kit/domain/defined.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ratio } from '#kit/domain/ratio.ts'
import { addDays, fromEpochDays, type Day, padDigits } from '#kit/domain/day.ts'
import { splitAt } from '#kit/domain/period.ts'
import type { Month } from '#kit/domain/month.ts'
import { parseFraction, add, multiply, type Fraction } from './fraction.ts'
import { sumShares, monthShares, countMonths, parseFactor, type ProrateMode } from './prorate.ts'
import { roundLine, defaultRounding } from './rounding.ts'

const modes: readonly ProrateMode[] = ['actual', 'thirty', 'year', 'whole', 'half', 'none']
const monthlyAmount = parseFraction('281.1525')
const yuan = (f: Fraction): number => roundLine(f, defaultRounding) / 100

const amountsByMode = (begin: Day, end: Day): number[] =>
  modes.map(m => yuan(multiply(monthlyAmount, countMonths({ begin, end }, m).value)))

it('T-PRO-01 the first fourteen days in every mode', () => {
  expect(amountsByMode('2025-03-18', '2025-03-31')).toEqual([126.97, 131.2, 129.41, 281.15, 140.58, 0])
})

it('T-PRO-02 a part and three whole months in one bill', () => {
  expect(amountsByMode('2025-03-18', '2025-06-30')).toEqual([970.43, 974.66, 972.86, 1124.61, 984.03, 843.46])
})

it('T-PRO-03 four bills are a fen less than one, which is no fault', () => {
  const parts = (
    [
      ['03-18', '03-31'],
      ['04-01', '04-30'],
      ['05-01', '05-31'],
      ['06-01', '06-30'],
    ] as const
  ).map(([b, e]) => defined(amountsByMode(`2025-${b}`, `2025-${e}`)[0]))
  expect([parts, Math.round(parts.reduce((a, b) => a + b, 0) * 100)]).toEqual([
    [126.97, 281.15, 281.15, 281.15],
    97042,
  ])
})

it('T-PRO-04 half a February', () => {
  expect(amountsByMode('2025-02-15', '2025-02-28').slice(0, 2)).toEqual([140.58, 131.2])
})

it('T-PRO-07 a price change cuts the month, the line is rounded once', () => {
  const april = { begin: '2025-04-01', end: '2025-04-30' } as const
  for (const mode of modes) {
    const [a, b] = monthShares(april, mode, splitAt(april, ['2025-04-11']), []).map(s => sumShares(s))
    expect([defined(a).text, defined(b).text]).toEqual(['10/30', '20/30'])
    expect(
      yuan(
        add(multiply(monthlyAmount, defined(a).value), multiply(parseFraction('305.815'), defined(b).value)),
      ),
    ).toBe(297.59)
  }
})

it('PRO-6 February and leap years need no case of their own', () => {
  const f = (month: Month, to: number) =>
    (['actual', 'half'] as const).map(
      m => countMonths({ begin: `${month}-01`, end: `${month}-${to}` }, m).text,
    )
  expect([f('2024-02', 29), f('2025-02', 28), f('2024-02', 14), f('2025-02', 14), f('2024-02', 16)]).toEqual([
    ['1', '1'],
    ['1', '1'],
    ['14/29', '1/2'],
    ['14/28', '1/2'],
    ['16/29', '1'],
  ])
})

it('PRO-2 a complete anniversary month is one, whatever its length', () => {
  expect(countMonths({ begin: '2025-01-31', end: '2025-03-30' }, 'actual', [], '2025-01-31').text).toBe('2')
  expect(countMonths({ begin: '2025-06-15', end: '2025-08-09' }, 'actual', [], '2025-01-10').text).toBe(
    '1+25/30',
  )
})

it('PRO-3 agrees with the other calculation before rounding', () => {
  const f = countMonths({ begin: '2023-01-12', end: '2023-09-14' }, 'actual')
  expect([f.text, (Number(f.value.numerator) / Number(f.value.denominator)).toFixed(4)]).toEqual([
    '7+20/31+14/30',
    '8.1118',
  ])
})

it('C2.4 the borders of each mode', () => {
  const days = (n: number, month: Month = '2025-03') =>
    modes.map(m => countMonths({ begin: `${month}-01`, end: `${month}-${padDigits(n)}` }, m).text)
  expect([days(15), days(16)].map(r => r[4])).toEqual(['1/2', '1'])
  expect([days(29)[1], days(30)[1], days(1)[2]]).toEqual(['29/30', '1', '12/365'])
  expect([days(28, '2025-02'), days(28, '2024-02')]).toEqual([
    ['1', '1', '1', '1', '1', '1'],
    ['28/29', '28/30', '336/365', '1', '1', '0'],
  ])
})

it('CYC-7 free days are not charged', () => {
  const march = { begin: '2025-03-01', end: '2025-03-31' } as const
  expect(modes.map(m => countMonths(march, m, [{ begin: '2025-03-10', end: '2025-03-20' }]).text)).toEqual([
    '20/31',
    '20/30',
    '240/365',
    '1',
    '1',
    '0',
  ])
  expect(countMonths(march, 'whole', [march]).text).toBe('0')
})

const day = fc.integer({ min: 10_000, max: 25_000 }).map(fromEpochDays)
const mode = fc.constantFrom(...modes)
const toRatio = (f: Fraction) => ratio(f.numerator, f.denominator)

it('parts add up: however a period is cut, in any mode, its months stay the same', () => {
  fc.assert(
    fc.property(
      day,
      fc.nat(500),
      mode,
      fc.array(fc.nat(500), { maxLength: 6 }),
      fc.array(fc.tuple(fc.nat(500), fc.nat(60)), { maxLength: 3 }),
      fc.option(fc.nat(400)),
      (begin, n, m, cuts, frees, before) => {
        const p = { begin, end: addDays(begin, n) }
        const free = frees.map(([a, b]) => ({ begin: addDays(begin, a), end: addDays(begin, a + b) }))
        const anchor = before === null ? undefined : addDays(begin, -before)
        const parts = monthShares(
          p,
          m,
          splitAt(
            p,
            cuts.map(c => addDays(begin, c)),
          ),
          free,
          anchor,
        ).map(sumShares)
        const whole = countMonths(p, m, free, anchor)
        expect(toRatio(parts.map(f => f.value).reduce(add))).toEqual(toRatio(whole.value))
        for (const f of [whole, ...parts]) {
          expect(toRatio(parseFactor(f.text))).toEqual(toRatio(f.value))
        }
      },
    ),
  )
})
