import { expect, it } from 'vitest'
import { debtAgeOf } from './debt-age.ts'

it('colours a debt by its oldest due day (AGE-1)', () => {
  const today = '2026-11-21'
  expect(debtAgeOf('2026-11-20', today)).toBe('days30')
  expect(debtAgeOf('2026-10-22', today)).toBe('days30')
  expect(debtAgeOf('2026-10-21', today)).toBe('days90')
  expect(debtAgeOf('2026-08-23', today)).toBe('days90')
  expect(debtAgeOf('2026-08-22', today)).toBe('days365')
  expect(debtAgeOf('2025-11-21', today)).toBe('days365')
  expect(debtAgeOf('2025-11-20', today)).toBe('older')
})
