import { expect, it } from 'vitest'
import { billStateLabel } from './bill-state.tsx'

it('a day whose differences are all dealt with does not say that the two sides agreed (CLO-5)', () => {
  expect(billStateLabel({ state: 'same', diffCount: 0 })).toBe('已平')
  expect(billStateLabel({ state: 'same', diffCount: 2 })).toBe('差异已处理')
  expect(billStateLabel({ state: 'different', diffCount: 2 })).toBe('有差异')
})
