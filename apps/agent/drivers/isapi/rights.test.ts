import { expect, it } from 'vitest'
import { readRight, segmentOn, unionOf, type Right } from './rights.ts'
import { intervalsOfPlan, weekPlanOf, wholeWeek } from './week-plan.ts'

const today = '2026-11-29'
const windows = (...days: string[]) => [{ weekDays: days, begin: '22:00', end: '06:00' }]
const rights = (...values: object[]): Right[] => values.map(readRight)

it('ACS-2 a credential without a right that is left is not there at all', () => {
  expect(segmentOn([], today)).toBeUndefined()
  expect(segmentOn(rights({ until: '2026-11-28' }), today)).toBeUndefined()
})

it('ACS-2 rights that begin later are there from their first day', () => {
  expect(segmentOn(rights({ from: '2026-12-05', until: '2026-12-31' }), today)).toEqual({
    begin: '2026-12-05',
    end: '2026-12-31',
  })
})

it('ACS-2 what a controller gets ends where other rights count: too little then, never too much', () => {
  const all = rights(
    { until: '2026-12-31', windows: windows('monday') },
    { from: '2026-12-05', until: '2026-12-10' },
  )
  expect(segmentOn(all, today)).toMatchObject({ begin: '2000-01-01', end: '2026-12-04' })
  expect(segmentOn(all, '2026-12-05')).toEqual({ begin: '2026-12-05', end: '2026-12-10' })
  expect(segmentOn(all, '2026-12-11')).toMatchObject({
    end: '2026-12-31',
    intervals: [{ from: 1320, to: 1800 }],
  })
})

it('ACS-2 a right without windows is for all the week, whatever others say', () => {
  expect(segmentOn(rights({ windows: windows('monday') }, {}), today)?.intervals).toBeUndefined()
})

it('windows run over midnight and over the end of the week, and join', () => {
  expect(unionOf(rights({ windows: windows('sunday') })[0]?.windows ?? [])).toEqual([
    { from: 0, to: 360 },
    { from: 6 * 1440 + 1320, to: 7 * 1440 },
  ])
  expect(
    unionOf([
      { weekDays: [1], begin: '08:00', end: '12:00' },
      { weekDays: [1], begin: '12:00', end: '13:00' },
      { weekDays: [1], begin: '08:30', end: '09:00' },
    ]),
  ).toEqual([{ from: 480, to: 780 }])
})

it('a plan of the week says the same on the controller', () => {
  const intervals = unionOf(rights({ windows: windows('friday', 'sunday') })[0]?.windows ?? [])
  expect(unionOfPlan(weekPlanOf(intervals))).toEqual(intervals)
  expect(weekPlanOf(wholeWeek)[0]?.TimeSegment).toEqual({ beginTime: '00:00:00', endTime: '24:00:00' })
  const nine = Array.from({ length: 9 }, (_, i) => ({ from: i * 60, to: i * 60 + 30 }))
  expect(() => weekPlanOf(nine)).toThrow('设备一天最多 8 个时间段')
})

/** Of the days of a plan, joined where one follows the other. */
function unionOfPlan(rows: Parameters<typeof intervalsOfPlan>[0]): unknown {
  const joined: { from: number; to: number }[] = []
  for (const next of intervalsOfPlan(rows).toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last?.to === next.from) {
      last.to = next.to
    } else {
      joined.push({ ...next })
    }
  }
  return joined
}
