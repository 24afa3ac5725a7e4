import { expect, it } from 'vitest'
import { addSeconds, asMoment, type Moment } from '#kit/domain/moment.ts'
import { judgeSamples, maxWattsOf } from './plausible-reading.ts'
import type { MeterSample } from './terms.ts'

const begin = asMoment('2026-11-21 10:00:00')
const at = (minutes: number): Moment => addSeconds(begin, minutes * 60)

const samplesOf = (...readings: readonly (readonly [minutes: number, wattHours: number])[]): MeterSample[] =>
  readings.map(([minutes, wattHours]) => ({ at: at(minutes), wattHours }))

const believed = (known: MeterSample[], added: MeterSample[], now: number, maxWatts = 30_000): number[] =>
  judgeSamples(known, added, { begin, now: at(now), maxWatts })
    .filter(({ isBelieved }) => isBelieved)
    .map(({ wattHours }) => wattHours)

it('30 kW deliver 5 kWh in 10 minutes, and 1 kWh in the two that a message may be late', () => {
  expect(believed([], samplesOf([10, 6000]), 10)).toEqual([6000])
  expect(believed([], samplesOf([10, 6001]), 10)).toEqual([])
  expect(believed(samplesOf([10, 5000]), samplesOf([20, 11_000]), 20)).toEqual([11_000])
  expect(believed(samplesOf([10, 5000]), samplesOf([20, 11_001]), 20)).toEqual([])
})

it('what is not believed judges nothing that comes after it; readings backwards change nothing', () => {
  const added = samplesOf([10, 2_000_000], [20, 3000], [30, 2000], [40, -1])
  expect(believed([], added, 40)).toEqual([3000, 2000])
})

it('a wrong clock of the pile takes no energy away: judged by when it came', () => {
  expect(believed([], samplesOf([0, 5000]), 10)).toEqual([5000])
})

it('a port delivers what the pile names, or what is usual', () => {
  expect(maxWattsOf('bike', undefined)).toBe(5000)
  expect(maxWattsOf('carSlow', undefined)).toBe(50_000)
  expect(maxWattsOf('carSlow', 7)).toBe(7000)
})
