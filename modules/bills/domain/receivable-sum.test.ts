import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { sumReceivable } from './receivable-sum.ts'

it('BILL-1: an abolished bill and one that was split count in no sum', () => {
  const rows = (['pending', 'normal', 'abolished', 'split', 'writtenOff'] as const).map((state, i) => ({
    state,
    receivable: asFen(10 ** i),
  }))
  expect(sumReceivable(rows)).toBe(10_011)
  expect(sumReceivable([])).toBe(0)
})
