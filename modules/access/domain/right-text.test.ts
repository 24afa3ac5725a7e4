import { expect, it } from 'vitest'
import { windowsText } from '#kit/domain/week-window.ts'
import { rightText } from './right-text.ts'

it('says because of what a door opens, and when (ACS-2)', () => {
  expect(rightText({ source: 'publicDoorway', place: '1栋-1-101' })).toBe('公共门（1栋-1-101）')
  expect(rightText({ source: 'staffGroup', sourceName: '员工通行' })).toBe('员工门组「员工通行」')
  expect(windowsText(undefined)).toBe('全天')
  const night = { weekDays: ['saturday', 'sunday'], begin: '22:00', end: '06:00' } as const
  expect(windowsText([night, { begin: '08:00', end: '18:00' }])).toBe(
    '周六、周日 22:00 ~ 次日 06:00；每天 08:00 ~ 18:00',
  )
})
