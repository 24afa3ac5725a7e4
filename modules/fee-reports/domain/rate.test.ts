import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { formatPercent } from '#kit/domain/percent.ts'
import { sumCashForBills, computeImbalance, computeRates, type MonthFigures } from './rate.ts'

/** C25, the example month: yuan × 100. */
const exampleMonth: MonthFigures = {
  opening: asFen(4_000_000),
  adjusted: 0,
  billed: asFen(10_000_000),
  discount: 0,
  paidBefore: asFen(900_000),
  received: asFen(7_100_000),
  paidAfter: 0,
  recovered: asFen(600_000),
  prepaid: asFen(500_000),
  writtenOff: 0,
  closing: asFen(5_400_000),
}

it('T-STAT-01, -02, -03: 当期收缴率、清欠率、综合收缴率 of the example month', () =>
  expect(computeRates(exampleMonth)).toEqual({
    currentRate: '80.00%',
    clearRate: '15.00%',
    overallRate: '61.43%',
    owedRate: '20.00%',
  }))

it('T-STAT-04, -05: 现金实收 82 000, 期末欠费 54 000; the month balances', () => {
  expect(sumCashForBills(exampleMonth)).toBe(8_200_000)
  expect(computeImbalance(exampleMonth)).toBe(0)
  expect(computeImbalance({ ...exampleMonth, closing: asFen(5_400_001) })).toBe(-1)
})

it('T-STAT-06, STAT-13: two decimals half up; nothing to divide by is no rate', () => {
  expect([
    formatPercent(412, 520),
    formatPercent(1, 8),
    formatPercent(12345, 1_000_000),
    formatPercent(-1, 3),
    formatPercent(5, 0),
    formatPercent(0, 7),
  ]).toEqual(['79.23%', '12.50%', '1.23%', '-33.33%', undefined, '0.00%'])
  expect(formatPercent(125, 100_000)).toBe('0.13%')
})
