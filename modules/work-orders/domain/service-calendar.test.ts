import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, weekday, type Day } from '#kit/domain/day.ts'
import { addMinutes, addSeconds, asMoment, dayOfMoment, timeOf, type Moment } from '#kit/domain/moment.ts'
import {
  addServiceSeconds,
  describeService,
  serviceSecondsBetween,
  type ServiceCalendar,
  type ServiceHours,
} from './service-calendar.ts'

// 1 to 7 October 2026 are off (Thursday to Wednesday); Saturday the 10th is worked instead.
const nationalDays: ReadonlySet<string> = new Set(
  ['01', '02', '03', '04', '05', '06', '07'].map(d => `2026-10-${d}`),
)
const isWorkday = (day: Day): boolean => day === '2026-10-10' || (!nationalDays.has(day) && weekday(day) <= 5)

const service = (
  serviceBegin: string,
  serviceEnd: string,
  overrides: Partial<ServiceHours> = {},
): ServiceCalendar => ({
  hours: { is24h: false, workdaysOnly: false, serviceBegin, serviceEnd, ...overrides },
  isWorkday,
})

const daytime = service('08:00', '18:00')
const night = service('22:00', '06:00')
const workdays = service('09:00', '17:30', { workdaysOnly: true })
const workNights = service('22:00', '06:00', { workdaysOnly: true })
const always = service('00:00', '00:00', { is24h: true })
const workdays24h = service('00:00', '00:00', { is24h: true, workdaysOnly: true })

const deadline = (calendar: ServiceCalendar, from: string, minutes: number): string | undefined =>
  addServiceSeconds(calendar, asMoment(`${from}:00`), minutes * 60)?.slice(0, 16)

it.each<[name: string, calendar: ServiceCalendar, from: string, minutes: number, to: string]>([
  ['T-WO-01: 20 minutes today, 10 tomorrow', daytime, '2026-11-24 17:40', 30, '2026-11-25 08:10'],
  ['ends with the service of the day', daytime, '2026-11-24 17:40', 20, '2026-11-24 18:00'],
  ['registered at the close', daytime, '2026-11-24 18:00', 1, '2026-11-25 08:01'],
  ['registered before service', daytime, '2026-11-24 05:13', 30, '2026-11-24 08:30'],
  ['registered in the evening', daytime, '2026-11-24 23:59', 600, '2026-11-25 18:00'],
  ['two days of service and a minute', daytime, '2026-11-24 08:00', 1201, '2026-11-26 08:01'],
  ['over the end of a year', daytime, '2026-12-31 17:30', 60, '2027-01-01 08:30'],
  ['overnight, before midnight', night, '2026-11-24 23:30', 60, '2026-11-25 00:30'],
  ['overnight, after midnight', night, '2026-11-25 01:00', 60, '2026-11-25 02:00'],
  ['overnight, over the morning', night, '2026-11-25 05:30', 60, '2026-11-25 22:30'],
  ['overnight, registered at noon', night, '2026-11-25 12:00', 480, '2026-11-26 06:00'],
  ['overnight, whole night and a minute', night, '2026-11-25 22:00', 481, '2026-11-26 22:01'],
  ['workdays: Friday into Monday', workdays, '2026-11-27 17:00', 60, '2026-11-30 09:30'],
  ['workdays: registered on Saturday', workdays, '2026-11-28 10:00', 15, '2026-11-30 09:15'],
  ['workdays: over the national days', workdays, '2026-09-30 17:00', 60, '2026-10-08 09:30'],
  ['workdays: the Saturday worked instead', workdays, '2026-10-09 17:00', 60, '2026-10-10 09:30'],
  ['workdays: not the Sunday after it', workdays, '2026-10-10 17:00', 60, '2026-10-12 09:30'],
  ['work nights: Friday night reaches Saturday', workNights, '2026-11-27 23:00', 420, '2026-11-28 06:00'],
  ['work nights: then not before Monday', workNights, '2026-11-27 23:00', 421, '2026-11-30 22:01'],
  ['work nights: Monday early belongs to Sunday', workNights, '2026-11-30 03:00', 1, '2026-11-30 22:01'],
  ['24 hours', always, '2026-11-24 23:50', 30, '2026-11-25 00:20'],
  ['24 hours on workdays', workdays24h, '2026-11-27 23:00', 120, '2026-11-30 01:00'],
  ['to midnight', service('08:00', '24:00'), '2026-11-24 23:30', 60, '2026-11-25 08:30'],
  [
    'begin and end alike are a whole day',
    service('08:00', '08:00'),
    '2026-11-24 07:30',
    60,
    '2026-11-24 08:30',
  ],
  ['no time at all', daytime, '2026-11-24 20:00', 0, '2026-11-24 20:00'],
])('WO-2 %s', (_, calendar, from, minutes, to) => {
  expect(deadline(calendar, from, minutes)).toBe(to)
})

it.each<[name: string, calendar: ServiceCalendar, from: string, to: string, minutes: number]>([
  ['within a day', daytime, '2026-11-24 09:00', '2026-11-24 10:30', 90],
  ['over a night', daytime, '2026-11-24 17:40', '2026-11-25 08:10', 30],
  ['outside service', daytime, '2026-11-24 19:00', '2026-11-25 07:00', 0],
  ['over a weekend', workdays, '2026-11-27 17:00', '2026-11-30 09:30', 60],
  ['backwards', daytime, '2026-11-25 09:00', '2026-11-24 09:00', 0],
])('WO-2 service between two moments, %s', (_, calendar, from, to, minutes) => {
  expect(serviceSecondsBetween(calendar, asMoment(`${from}:00`), asMoment(`${to}:00`))).toBe(minutes * 60)
})

it('WO-2 where no day is worked there is no deadline', () => {
  const never = { hours: workdays.hours, isWorkday: () => false }
  expect(deadline(never, '2026-11-24 09:00', 1)).toBeUndefined()
})

it('describes the service hours as text', () => {
  expect([daytime, night, always, workdays].map(calendar => describeService(calendar.hours))).toEqual([
    '每天 08:00–18:00',
    '每天 22:00–次日 06:00',
    '每天 24 小时',
    '工作日 09:00–17:30',
  ])
})

/** Whether the minute that begins at a moment is one of service, by looking at the clock alone. */
const isServed = ({ hours, isWorkday: worked }: ServiceCalendar, minute: Moment): boolean => {
  const day = dayOfMoment(minute)
  const on = (d: Day): boolean => !hours.workdaysOnly || worked(d)
  if (hours.is24h) return on(day)
  const time = timeOf(minute).slice(0, 5)
  const { serviceBegin: begin, serviceEnd: end } = hours
  if (end > begin) return on(day) && time >= begin && time < end
  return (on(day) && time >= begin) || (on(addDays(day, -1)) && time < end)
}

const calendars = [daytime, night, workdays, workNights, always, workdays24h]

it('WO-2 deadlines equal a plain count, minute by minute', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...calendars),
      fc.integer({ min: 0, max: 60 * 24 * 20 }),
      fc.integer({ min: 1, max: 900 }),
      (calendar, offset, minutes) => {
        const from = addMinutes('2026-09-25 00:00:00', offset)
        let remaining = minutes
        let at = from
        while (remaining > 0) {
          if (isServed(calendar, at)) {
            remaining--
          }
          at = addSeconds(at, 60)
        }
        expect(addServiceSeconds(calendar, from, minutes * 60)).toBe(at)
        expect(serviceSecondsBetween(calendar, from, at)).toBe(minutes * 60)
      },
    ),
    { numRuns: 150 },
  )
})
