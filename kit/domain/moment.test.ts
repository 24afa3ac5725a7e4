import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  addDaysToMoment,
  addMinutes,
  dayOfInstant,
  endOfDay,
  fromInstant,
  isMoment,
  excelSerialOfMoment,
  momentFromExcelSerial,
  readMoment,
  secondsBetween,
  startOfDay,
  toInstant,
} from './moment.ts'

const shanghai = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Shanghai',
  dateStyle: 'short',
  timeStyle: 'medium',
})

it('agrees with the zone tables since 1992, and comes back to the second (G-4)', () => {
  expect(fromInstant(0)).toBe('1970-01-01 08:00:00')
  expect(fromInstant(-1)).toBe('1970-01-01 07:59:59')
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(1992, 0, 1), max: Date.UTC(2099, 0, 1) }), ms => {
      const m = fromInstant(ms)
      expect(m).toBe(shanghai.format(ms))
      expect(isMoment(m)).toBe(true)
      expect(toInstant(m)).toBe(Math.floor(ms / 1000) * 1000)
      expect(readMoment(m)).toBe(m)
    }),
  )
})

it('takes the Shanghai day for today, whatever day it is in Greenwich', () => {
  expect([dayOfInstant(Date.UTC(2026, 0, 4, 15, 59, 59)), dayOfInstant(Date.UTC(2026, 0, 4, 16))]).toEqual([
    '2026-01-04',
    '2026-01-05',
  ])
})

it('reads what people and programs write', () => {
  const table: readonly (readonly [string, string | undefined])[] = [
    ['2026-01-05 09:05:30', '2026-01-05 09:05:30'],
    ['2026/1/5 9:05', '2026-01-05 09:05:00'],
    ['2026年1月5日9:05', '2026-01-05 09:05:00'],
    ['2026年1月5日 9：05', '2026-01-05 09:05:00'],
    ['2026-01-05', '2026-01-05 00:00:00'],
    ['20260105', '2026-01-05 00:00:00'],
    ['2026-01-05T09:05:30.123', '2026-01-05 09:05:30'],
    ['2026-01-04T16:00:00.000Z', '2026-01-05 00:00:00'],
    ['2026-01-05T00:00:00+08:00', '2026-01-05 00:00:00'],
    ['2026-01-05 00:00:00-0530', '2026-01-05 13:30:00'],
    ['2026-01-05 24:00:00', undefined],
    ['2026-01-05 09:60', undefined],
    ['2026-02-30 09:00', undefined],
    ['2026-01-0509:05', undefined],
    ['2026-01-05Z', undefined],
    ['', undefined],
    ['9:05', undefined],
    [' '.repeat(90_000), undefined],
  ]
  for (const [text, moment] of table) {
    expect([text, readMoment(text)]).toEqual([text, moment])
  }
  expect(
    ['2026-01-05 9:05:00', '2026-01-05T09:05:00', '2026-01-05', '2026-01-05 23:59:60'].map(isMoment),
  ).toEqual([false, false, false, false])
})

it('moves over midnights', () => {
  expect(addMinutes('2026-12-31 23:50:00', 15)).toBe('2027-01-01 00:05:00')
  expect(addDaysToMoment('2026-02-28 09:00:00', 1)).toBe('2026-03-01 09:00:00')
  expect(secondsBetween(startOfDay('2026-01-05'), endOfDay('2026-01-05'))).toBe(86_399)
  expect([
    momentFromExcelSerial(46027.5),
    momentFromExcelSerial(46027.999999),
    momentFromExcelSerial(60.5),
  ]).toEqual(['2026-01-05 12:00:00', '2026-01-06 00:00:00', undefined])
  expect(excelSerialOfMoment('2026-01-05 12:00:00')).toBe(46027.5)
  expect(excelSerialOfMoment('1899-12-31 00:00:00')).toBeUndefined()
})
