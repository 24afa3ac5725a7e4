import { expect, it } from 'vitest'
import { dueAfter, lastNoticedDay, nextYear } from './due-days.ts'

const done = { isPassed: true, doneDay: '2026-11-20' } as const

it('maintenance is due again after the cycle, an inspection after a year (ELV-1)', () => {
  expect(dueAfter({}, 15, { ...done, maintainType: 'halfMonth' })).toEqual({
    lastMaintainDate: '2026-11-20',
    nextMaintainDate: '2026-12-05',
  })
  expect(dueAfter({}, 15, { ...done, maintainType: 'inspection' })).toEqual({
    lastInspectDate: '2026-11-20',
    nextInspectDate: '2027-11-20',
  })
  expect(dueAfter({}, 15, { ...done, maintainType: 'year', nextDate: '2026-12-01' })).toEqual({
    lastMaintainDate: '2026-11-20',
    nextMaintainDate: '2026-12-01',
  })
})

it('a repair, a failed inspection and what is entered late move nothing (ELV-1)', () => {
  expect(dueAfter({}, 15, { ...done, maintainType: 'repair' })).toEqual({})
  expect(dueAfter({}, 15, { ...done, isPassed: false, maintainType: 'inspection' })).toEqual({})
  const before = { lastMaintainDate: '2026-11-21', lastInspectDate: '2026-11-21' } as const
  expect(dueAfter(before, 15, { ...done, maintainType: 'quarter' })).toEqual({})
  expect(dueAfter(before, 15, { ...done, maintainType: 'inspection' })).toEqual({})
})

it('an inspection is announced thirty days before; a year after a leap day is the 28th (ELV-1)', () => {
  expect(lastNoticedDay('2026-11-20')).toBe('2026-12-20')
  expect(nextYear('2028-02-29')).toBe('2029-02-28')
  expect(nextYear('2027-02-28')).toBe('2028-02-28')
})
