import { expect, it } from 'vitest'
import { rentIncreaseDays, rentOn } from './rent.ts'

const rent = { from: '2025-03-15', rent: '10000', every: 12, rate: '0.05' } as const

it('LEA-3: the rent rises on the rent before, from the contract’s day on', () => {
  expect(
    (['2025-03-15', '2026-03-14', '2026-03-15', '2027-03-15', '2028-03-15'] as const).map(day =>
      Number(rentOn(rent, day)),
    ),
  ).toEqual([10000, 10000, 10500, 11025, 11576.25])
})

it('LEA-3: the days on which it rises are inside a period, neither on its first day nor after its last', () => {
  const daysIn = (
    begin: '2025-03-15' | '2026-03-15' | '2026-03-01' | '2026-03-14',
    end: '2027-03-14' | '2026-03-15' | '2028-03-31',
  ) => rentIncreaseDays(rent, { begin, end })
  expect([
    daysIn('2025-03-15', '2027-03-14'),
    daysIn('2026-03-15', '2027-03-14'),
    daysIn('2026-03-14', '2026-03-15'),
    daysIn('2026-03-01', '2028-03-31'),
  ]).toEqual([['2026-03-15'], [], ['2026-03-15'], ['2026-03-15', '2027-03-15', '2028-03-15']])
  expect(
    rentIncreaseDays({ from: '2025-03-15', rent: '10000' }, { begin: '2025-01-01', end: '2030-01-01' }),
  ).toEqual([])
})
