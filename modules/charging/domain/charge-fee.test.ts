import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addSeconds, asMoment, type Moment } from '#kit/domain/moment.ts'
import { asFen } from '#kit/domain/money.ts'
import { autoStopReason } from './auto-stop.ts'
import { chargeFee, type Charge } from './charge-fee.ts'
import { energyFee, energyOf, idleFee } from './energy-fee.ts'
import { standardFaults } from './standard-faults.ts'
import type { ChargeTerms, MeterSample } from './terms.ts'

const begin = asMoment('2026-11-21 10:00:00')

const terms: ChargeTerms = {
  mode: 'energy',
  periods: [{ begin: '00:00', end: '24:00', price: '0.65' }],
  servicePrice: '0.35',
  powerBands: [],
  packages: [],
  minFee: 0,
  maxHours: 12,
  idlePrice: '0',
  graceMinutes: 30,
}

const at = (minutes: number): Moment => addSeconds(begin, minutes * 60)

const samplesOf = (...readings: readonly (readonly [minutes: number, wattHours: number])[]): MeterSample[] =>
  readings.map(([minutes, wattHours]) => ({ at: at(minutes), wattHours }))

const chargeOf = (overrides: Partial<Charge> = {}): Charge => ({
  terms,
  prepaid: asFen(500),
  begin,
  samples: samplesOf([0, 0], [60, 3270]),
  end: at(60),
  ...overrides,
})

it('T-CHG-01: electricity and service are rounded each: 2.13 + 1.14 = 3.27', () => {
  expect(energyFee(terms, samplesOf([0, 0], [60, 3270]))).toEqual({ elecFee: 213, serviceFee: 114 })
})

it('T-CHG-02: of 5.00 prepaid, 3.27 used, 1.73 go back', () => {
  expect(chargeFee(chargeOf())).toMatchObject({ realAmount: 327, refundAmount: 173, minutes: 60 })
})

it('energy is apportioned to the prices of its time by the readings (C20)', () => {
  const timeOfUse = {
    periods: [
      { begin: '00:00', end: '10:30', price: '1' },
      { begin: '10:30', end: '24:00', price: '0.4' },
    ],
    servicePrice: '0',
  }
  expect(energyFee(timeOfUse, samplesOf([0, 0], [60, 2000])).elecFee).toBe(140)
  expect(energyFee(timeOfUse, samplesOf([0, 0], [30, 1900], [60, 2000])).elecFee).toBe(194)
  // At one moment: the price of that moment.
  expect(energyFee(timeOfUse, samplesOf([30, 0], [30, 1000])).elecFee).toBe(40)
  // Over midnight into the first price again.
  expect(energyFee(timeOfUse, samplesOf([780, 0], [900, 2000])).elecFee).toBe(140)
})

it('readings that come late, twice, or backwards change nothing that was measured', () => {
  const samples = samplesOf([0, 0], [20, 1000], [40, 2000], [60, 3270])
  const shuffled = samplesOf([60, 3270], [20, 1000], [0, 0], [20, 1000], [40, 2000])
  expect(energyFee(terms, shuffled)).toEqual(energyFee(terms, samples))
  expect(energyOf(samplesOf([0, 100], [10, 600], [20, 400], [30, 700]))).toBe(600)
})

it('by duration each interval costs its power band, the rest of the time the lowest', () => {
  const byDuration: ChargeTerms = {
    ...terms,
    mode: 'duration',
    powerBands: [
      { maxWatts: 200, price: '0.3' },
      { maxWatts: 500, price: '0.6' },
    ],
  }
  const charge = chargeOf({
    terms: byDuration,
    samples: samplesOf([0, 0], [60, 150], [120, 600]),
    end: at(180),
  })
  expect(chargeFee(charge)).toMatchObject({ elecFee: 120, serviceFee: 0, realAmount: 120 })
})

it('a package is charged whole; broken off by a fault, the minutes that were had', () => {
  const bought = { hours: 4, price: asFen(200) }
  const charge = chargeOf({
    terms: { ...terms, mode: 'package', packages: [bought] },
    prepaid: asFen(200),
    bought,
  })
  expect(chargeFee(charge)).toMatchObject({ realAmount: 200, refundAmount: 0 })
  expect(chargeFee({ ...charge, isBroken: true })).toMatchObject({ realAmount: 50, refundAmount: 150 })
})

it('the least fee counts once something was delivered; nothing delivered costs nothing', () => {
  const atLeast = { ...terms, minFee: asFen(100) }
  expect(chargeFee(chargeOf({ terms: atLeast, samples: samplesOf([0, 0], [5, 10]) })).realAmount).toBe(100)
  expect(chargeFee(chargeOf({ terms: atLeast, samples: samplesOf([0, 0], [5, 0]) }))).toMatchObject({
    realAmount: 0,
    refundAmount: 500,
  })
})

it('a place that is kept costs by the minute once the grace is over', () => {
  const idle = { idlePrice: '6', graceMinutes: 30 }
  expect(idleFee(idle, begin, at(30))).toBe(0)
  expect(idleFee(idle, begin, addSeconds(at(30), 1))).toBe(10)
  expect(idleFee(idle, begin, at(90))).toBe(600)
  const charge = chargeOf({ terms: { ...terms, ...idle }, leftAt: at(60 + 35) })
  expect(chargeFee(charge)).toMatchObject({ idleFee: 50, realAmount: 377, refundAmount: 123 })
})

it('a charge is stopped when it is full, too long, or has used what was prepaid', () => {
  expect(autoStopReason(chargeOf(), false)).toBeUndefined()
  expect(autoStopReason(chargeOf(), true)).toBe('full')
  // It has taken nothing yet: it prepares, or waits for its time.
  expect(autoStopReason(chargeOf({ samples: samplesOf([0, 0], [1, 99]), end: at(1) }), true)).toBeUndefined()
  expect(autoStopReason(chargeOf({ prepaid: asFen(327) }), false)).toBe('spent')
  expect(autoStopReason(chargeOf({ end: at(720) }), false)).toBe('overtime')
  const bought = { hours: 1, price: asFen(100) }
  const byPackage = chargeOf({
    terms: { ...terms, mode: 'package', packages: [bought] },
    prepaid: asFen(100),
    bought,
    end: at(59),
  })
  expect(autoStopReason(byPackage, false)).toBeUndefined()
  expect(autoStopReason({ ...byPackage, end: at(60) }, false)).toBe('overtime')
})

it('a standard says what cannot be charged by', () => {
  const fieldsOf = (overrides: Partial<ChargeTerms>) =>
    standardFaults({ ...terms, ...overrides }).map(({ Field }) => Field)
  expect(fieldsOf({})).toEqual([])
  expect(fieldsOf({ periods: [] })).toEqual(['PeriodJson'])
  expect(fieldsOf({ periods: [{ begin: '00:00', end: '23:00', price: '1' }] })).toEqual(['PeriodJson'])
  expect(
    fieldsOf({
      periods: [
        { begin: '00:00', end: '09:00', price: '1' },
        { begin: '08:00', end: '24:00', price: '1' },
      ],
    }),
  ).toEqual(['PeriodJson'])
  expect(fieldsOf({ mode: 'duration' })).toEqual(['PowerBandJson'])
  expect(
    fieldsOf({
      mode: 'duration',
      powerBands: [
        { maxWatts: 500, price: '0.6' },
        { maxWatts: 200, price: '0.3' },
      ],
    }),
  ).toEqual(['PowerBandJson'])
  expect(fieldsOf({ mode: 'package' })).toEqual(['PackageJson'])
  const packages = [{ hours: 12, price: asFen(600) }]
  expect(fieldsOf({ mode: 'package', packages })).toEqual([])
  expect(fieldsOf({ mode: 'package', packages, maxHours: 11 })).toEqual(['PackageJson'])
})

const readings = fc.array(
  fc.record({ minutes: fc.integer({ min: 0, max: 900 }), wattHours: fc.integer({ min: 0, max: 80_000 }) }),
  { minLength: 1, maxLength: 12 },
)
const modes = fc.constantFrom('energy', 'duration', 'package')

const anyTerms = (mode: ChargeTerms['mode'], price: number, idle: number): ChargeTerms => ({
  ...terms,
  mode,
  periods: [
    { begin: '00:00', end: '08:00', price: String(price / 1000) },
    { begin: '08:00', end: '18:30', price: '1.234567' },
    { begin: '18:30', end: '24:00', price: '0.3' },
  ],
  powerBands: [
    { maxWatts: 300, price: '0.2' },
    { maxWatts: 900, price: String(0.2 + price / 1000) },
  ],
  packages: [{ hours: 2, price: asFen(300) }],
  minFee: asFen(50),
  idlePrice: String(idle),
})

it('never below zero, never above what was prepaid, and both parts make the prepayment', () => {
  fc.assert(
    fc.property(
      readings,
      modes,
      fc.integer({ min: 0, max: 2000 }),
      fc.integer({ min: 0, max: 50 }),
      fc.integer({ min: 1, max: 20_000 }),
      fc.boolean(),
      (points, mode, price, idle, prepaid, isBroken) => {
        const fee = chargeFee({
          terms: anyTerms(mode, price, idle),
          prepaid: asFen(prepaid),
          bought: { hours: 2, price: asFen(300) },
          begin,
          samples: points.map(({ minutes, wattHours }) => ({ at: at(minutes), wattHours })),
          end: at(900),
          leftAt: at(1000),
          isBroken,
        })
        expect(Math.min(fee.elecFee, fee.serviceFee, fee.idleFee, fee.realAmount)).toBeGreaterThanOrEqual(0)
        expect(fee.refundAmount).toBeGreaterThanOrEqual(0)
        expect(fee.realAmount + fee.refundAmount).toBe(prepaid)
      },
    ),
  )
})

it('more energy in the same time never costs less', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 8 }),
      fc.array(fc.integer({ min: 0, max: 9000 }), { minLength: 8, maxLength: 8 }),
      fc.integer({ min: 0, max: 7 }),
      fc.integer({ min: 1, max: 5000 }),
      modes,
      fc.integer({ min: 0, max: 2000 }),
      (steps, energies, index, more, mode, price) => {
        const amountOf = (added: number): number => {
          let minutes = 0
          let total = 0
          const samples = [{ at: begin, wattHours: 0 }]
          for (const [i, step] of steps.entries()) {
            minutes += step
            total += (energies[i] ?? 0) + (i === index % steps.length ? added : 0)
            samples.push({ at: at(minutes), wattHours: total })
          }
          return chargeFee({
            terms: anyTerms(mode, price, 0),
            prepaid: asFen(99_999_999),
            bought: { hours: 2, price: asFen(300) },
            begin,
            samples,
            end: at(minutes),
          }).realAmount
        }
        expect(amountOf(more)).toBeGreaterThanOrEqual(amountOf(0))
      },
    ),
  )
})
