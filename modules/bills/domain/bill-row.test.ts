import { expect, it } from 'vitest'
import { formatPeriod } from './bill-row.ts'

it('says periods as people do', () => {
  expect([
    formatPeriod('2026-07-01', '2026-09-30'),
    formatPeriod('2026-11-01', '2026-11-30'),
    formatPeriod('2026-01-01', '2026-12-31'),
    formatPeriod('2025-12-01', '2026-01-31'),
    formatPeriod('2026-03-18', '2026-03-31'),
    formatPeriod('2026-03-18', '2026-03-18'),
    formatPeriod('2024-02-01', '2024-02-29'),
  ]).toEqual([
    '2026-07 ~ 09',
    '2026-11',
    '2026 全年',
    '2025-12 ~ 2026-01',
    '2026-03-18 ~ 03-31',
    '2026-03-18',
    '2024-02',
  ])
})

it('a quarter is no year, neither at its beginning nor at its end', () => {
  expect([
    formatPeriod('2026-01-01', '2026-03-31'),
    formatPeriod('2026-10-01', '2026-12-31'),
    formatPeriod('2026-07-01', '2026-07-30'),
    formatPeriod('2026-12-18', '2027-01-17'),
  ]).toEqual(['2026-01 ~ 03', '2026-10 ~ 12', '2026-07-01 ~ 07-30', '2026-12-18 ~ 2027-01-17'])
})
