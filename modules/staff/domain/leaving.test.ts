import { expect, it } from 'vitest'
import { leaveDateFaults } from './leaving.ts'

const today = '2026-11-21'

it('who leaves has a day of it, after the entry and not after today (G-10)', () => {
  const faults = (facts: Parameters<typeof leaveDateFaults>[0]) => leaveDateFaults(facts, today)
  expect(faults({ state: 'active' })).toEqual([])
  expect(faults({ state: 'left' })).toEqual(['离职请填写离职日期'])
  expect(faults({ state: 'left', leaveDate: today, entryDate: today })).toEqual([])
  expect(faults({ state: 'left', leaveDate: '2026-11-22' })).toEqual(['离职日期不能晚于今天，请到当天再办理'])
  expect(faults({ state: 'left', leaveDate: '2026-11-20', entryDate: today })).toEqual([
    '离职日期不能早于入职日期',
  ])
})
