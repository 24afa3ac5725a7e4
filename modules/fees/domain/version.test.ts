import type { Day } from '#kit/domain/day.ts'
import { expect, it } from 'vitest'
import { insertVersion, versionChangeDays, versionOn } from './version.ts'

const versions: readonly { readonly from: Day; readonly to?: Day }[] = [
  { from: '2024-01-01', to: '2024-12-31' },
  { from: '2025-03-01', to: '2025-04-10' },
  { from: '2025-04-11' },
]

it('FEE-6 finds the version of a day and the days on which a period is cut', () => {
  expect(
    (['2023-12-31', '2024-12-31', '2025-01-01', '2025-04-10', '2025-04-11', '2030-01-01'] as const).map(
      d => versionOn(versions, d)?.from,
    ),
  ).toEqual([undefined, '2024-01-01', undefined, '2025-03-01', '2025-04-11', '2025-04-11'])
  expect(versionChangeDays(versions, { begin: '2025-04-01', end: '2025-04-30' })).toEqual([
    '2025-04-11',
    '2025-04-11',
  ])
})

it('FEE-6 a new price shortens the one before and stops at the one after', () => {
  expect(insertVersion(versions, '2025-06-01')).toEqual({
    shorten: { version: versions[2], to: '2025-05-31' },
  })
  expect(insertVersion(versions, '2025-03-15')).toEqual({
    shorten: { version: versions[1], to: '2025-03-14' },
    to: '2025-04-10',
  })
  expect(insertVersion(versions, '2025-01-15', '2025-02-15')).toEqual({ to: '2025-02-15' })
  expect(insertVersion(versions, '2023-01-15', '2024-02-15')).toEqual({ to: '2023-12-31' })
  expect(insertVersion(versions, '2026-03-01', '2026-03-01')).toMatchObject({ to: '2026-03-01' })
  expect(() => insertVersion(versions, '2025-03-01')).toThrow('已有一个价格版本')
  expect(() => insertVersion(versions, '2026-03-01', '2026-02-01')).toThrow('不能早于')
})
