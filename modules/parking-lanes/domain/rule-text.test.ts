import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import type { FeeTerms } from './fee-terms.ts'
import { ruleText } from './rule-text.ts'

const terms: FeeTerms = {
  freeMinutes: 30,
  isFreeIncluded: false,
  firstMinutes: 60,
  firstFee: asFen(500),
  stepMinutes: 60,
  stepFee: asFen(200),
  capType: 'hours',
  capFee: asFen(2000),
  isFirstEachBlock: true,
  leaveFreeMinutes: 15,
}
const textOf = (changed: Partial<FeeTerms>): string => ruleText({ ...terms, ...changed })

it('says all by which two rules of the same prices differ (C10.2)', () => {
  const plain = '免费 30 分钟，首 60 分钟 5.00，之后每 60 分钟 2.00，24 小时封顶 20.00'
  expect(textOf({})).toBe(plain)
  expect(textOf({ isFreeIncluded: true })).toBe(plain.replace('30 分钟', '30 分钟（超时后也不计费）'))
  expect(textOf({ isFirstEachBlock: false })).toBe(`${plain}，次日不重计首段`)
  expect(textOf({ isFirstEachBlock: false, capType: 'stay' })).not.toContain('首段')
})
