import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { asMoment } from '#kit/domain/moment.ts'
import type { AttendanceApply } from '../contract/apply.ts'
import { applicationTimes } from './application-actions.ts'

const row = (more: Partial<AttendanceApply>) =>
  ({
    id: asId(1),
    staffId: asId(2),
    applyType: 'out',
    reason: '外出',
    state: 'passed',
    ...more,
  }) as AttendanceApply

const timesOf = (more: Partial<AttendanceApply>): readonly string[] =>
  applicationTimes.map(({ text }) => text(row(more)))

it('a changed shift shows its days where other documents show their times', () => {
  expect(timesOf({ applyType: 'swap', workDay: '2026-11-28', restDay: '2026-11-30' })).toEqual([
    '2026-11-28 上班',
    '2026-11-30 休息',
  ])
  expect(timesOf({ applyType: 'swap', restDay: '2026-11-30' })).toEqual(['', '2026-11-30 休息'])
  const [beginTime, endTime] = [asMoment('2026-11-16 09:00:00'), asMoment('2026-11-16 18:00:00')]
  expect(timesOf({ beginTime, endTime })).toEqual(['2026-11-16 09:00', '2026-11-16 18:00'])
})
