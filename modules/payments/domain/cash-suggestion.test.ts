import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { suggestCashAmounts } from './cash-suggestion.ts'

it('offers what a customer is likely to hand over', () => {
  expect(suggestCashAmounts(asFen(245850))).toEqual([245850, 246000, 250000])
  expect(suggestCashAmounts(asFen(4850))).toEqual([4850, 5000, 10_000, 50_000])
  expect(suggestCashAmounts(asFen(10_000))).toEqual([10_000, 50_000])
})

it('offers the exact amount and at most three round ones, each once', () => {
  expect(suggestCashAmounts(asFen(101))).toEqual([101, 1000, 5000, 10_000])
})
