import { expect, it } from 'vitest'
import { fractionOf, parseFraction, readFraction } from './fraction.ts'

it('reads a decimal text exactly', () => {
  expect(readFraction('12.50')).toEqual({ numerator: 1250n, denominator: 100n })
  expect(fractionOf({ units: 1n, scale: 70 })).toEqual({ numerator: 1n, denominator: 10n ** 70n })
  expect(readFraction('十')).toBeUndefined()
})

it('refuses what is no number, and names the first thirty characters', () => {
  expect(() => parseFraction('')).toThrow(new RangeError('“”不是数字'))
  const text = `x${'1'.repeat(28)}23456`
  expect(() => parseFraction(text)).toThrow(new RangeError(`“${text.slice(0, 30)}”不是数字`))
})
