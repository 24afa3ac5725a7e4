import { expect, it } from 'vitest'
import { closedDayRefusal, dayCloseRefusal, type DayCloseRequest } from './day-close.ts'

const request: DayCloseRequest = {
  day: '2026-11-21',
  today: '2026-11-21',
  openDays: [],
  isTodayConfirmed: false,
  goesToNextDay: true,
}

it('CLO-3 today is closed only by somebody who knows what becomes of its later takings', () => {
  expect(dayCloseRefusal(request)).toContain('计入次日 2026-11-22')
  expect(dayCloseRefusal({ ...request, goesToNextDay: false })).toContain('今天不能再收款')
  expect(dayCloseRefusal({ ...request, isTodayConfirmed: true })).toBeUndefined()
  expect(dayCloseRefusal({ ...request, day: '2026-11-20' })).toBeUndefined()
})

it('CLO-3 earlier open days come first, and the first five are named', () => {
  const openDays = [
    '2026-11-12',
    '2026-11-13',
    '2026-11-14',
    '2026-11-15',
    '2026-11-16',
    '2026-11-17',
  ] as const
  expect(dayCloseRefusal({ ...request, isTodayConfirmed: true, openDays: openDays.slice(0, 5) })).toBe(
    '请先日结以前的日期：2026-11-12、2026-11-13、2026-11-14、2026-11-15、2026-11-16',
  )
  expect(dayCloseRefusal({ ...request, isTodayConfirmed: true, openDays })).toBe(
    '请先日结以前的日期：2026-11-12、2026-11-13、2026-11-14、2026-11-15、2026-11-16 等',
  )
})

it('CLO-3 a closed day says who may open it again', () => {
  expect(closedDayRefusal('2026-11-21')).toContain('反日结')
})
