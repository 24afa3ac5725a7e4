import { expect, it } from 'vitest'
import { asDay } from '#kit/domain/day.ts'
import { keyExpiryOf, keyGrantFaults } from './key-rules.ts'
import { maxAttempts, retryDelayMs } from './retry.ts'

const today = asDay('2026-11-24')
const everything = { domain: { all: true, projects: new Map() }, canSeePersonalData: true }
const oneProject = {
  domain: {
    all: false,
    projects: new Map([
      ['P1', null],
      ['P2', new Set(['B1'])],
    ] as const),
  },
  canSeePersonalData: false,
}
const grant = { allProject: false, projectCodes: ['P1'], showPrivacy: false }
const fieldsOf = (overrides: object, granter: Parameters<typeof keyGrantFaults>[1]) =>
  keyGrantFaults({ ...grant, ...overrides }, granter, today).map(fault => fault.Field)

it('a key reaches no further than its maker (API-1)', () => {
  expect(fieldsOf({}, everything)).toEqual([])
  expect(fieldsOf({}, oneProject)).toEqual([])
  expect(fieldsOf({ allProject: true, projectCodes: [] }, everything)).toEqual([])
  expect(fieldsOf({ allProject: true }, oneProject)).toEqual(['AllProject'])
  expect(fieldsOf({ projectCodes: ['P2'] }, oneProject)).toEqual(['Projectcodes'])
  expect(fieldsOf({ projectCodes: ['P3'] }, oneProject)).toEqual(['Projectcodes'])
  expect(fieldsOf({ projectCodes: [] }, everything)).toEqual(['Projectcodes'])
  expect(fieldsOf({ showPrivacy: true }, oneProject)).toEqual(['ShowPrivacy'])
  expect(fieldsOf({ expireDate: asDay('2026-11-23') }, everything)).toEqual(['ExpireDate'])
  expect(fieldsOf({ expireDate: today }, everything)).toEqual([])
})

it('a key holds to the end of its last day in Shanghai', () => {
  expect(new Date(keyExpiryOf(today)).toISOString()).toBe('2026-11-24T16:00:00.000Z')
  expect(keyExpiryOf(undefined)).toBe(Infinity)
})

it('attempts come ever later, for three days altogether (HOOK-2)', () => {
  const delays = Array.from({ length: maxAttempts }, (_, i) => retryDelayMs(i + 1))
  expect(delays.at(-1)).toBeUndefined()
  const known = delays.slice(0, -1).map(delay => delay ?? 0)
  expect(known.toSorted((a, b) => a - b)).toEqual(known)
  const hours = known.reduce((sum, delay) => sum + delay, 0) / 3_600_000
  expect(Math.round(hours)).toBe(72)
})
