import { expect, it } from 'vitest'
import { keptUntil, nextRun, periodFault, retentionStart } from './retention.ts'

it('a period counts back in days, in months and in years, to the last day of a shorter month', () => {
  expect(retentionStart('2026-11-28', { amount: 30, unit: 'day' })).toBe('2026-10-29')
  expect(retentionStart('2026-08-31', { amount: 6, unit: 'month' })).toBe('2026-02-28')
  expect(retentionStart('2028-02-29', { amount: 10, unit: 'year' })).toBe('2018-02-28')
})

it('records of law are kept from the end of their year', () => {
  expect(keptUntil('2026-01-01', 30)).toBe('2056-12-31')
  expect(keptUntil('2026-12-31', 10)).toBe('2036-12-31')
  expect(keptUntil('9990-05-01', 100)).toBe('9999-12-31')
})

it('a period below the bound of the law is refused with the law, one above with the bound', () => {
  const rule = { min: 10, max: 100, label: '账簿', basis: '会计档案管理办法' }
  expect(periodFault(9, rule, '年')).toBe('「账簿」不能少于 10 年（会计档案管理办法）')
  expect(periodFault(10, rule, '年')).toBeUndefined()
  expect(periodFault(100, rule, '年')).toBeUndefined()
  expect(periodFault(101, rule, '年')).toBe('「账簿」不能超过 100 年')
})

it('the next run is tonight, or this morning where it has not gone yet', () => {
  expect(nextRun('2026-11-28 02:49:59')).toBe('2026-11-28 02:50:00')
  expect(nextRun('2026-11-28 02:50:00')).toBe('2026-11-29 02:50:00')
})
