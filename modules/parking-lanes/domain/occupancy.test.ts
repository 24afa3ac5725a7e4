import { expect, it } from 'vitest'
import { isFullFor, occupancyOf } from './occupancy.ts'

it('takes cars that were not counted for temporary ones first, extra ones for none of them (PRK-9)', () => {
  expect(occupancyOf({ inside: 60, temporary: 50, adjustment: 0 })).toEqual({ inside: 60, temporary: 50 })
  expect(occupancyOf({ inside: 60, temporary: 50, adjustment: -5 })).toEqual({ inside: 55, temporary: 45 })
  expect(occupancyOf({ inside: 60, temporary: 4, adjustment: -10 })).toEqual({ inside: 50, temporary: 0 })
  expect(occupancyOf({ inside: 60, temporary: 50, adjustment: 5 })).toEqual({ inside: 65, temporary: 50 })
  expect(occupancyOf({ inside: 2, temporary: 2, adjustment: -3 })).toEqual({ inside: 0, temporary: 0 })
})

it('is full with all its places or those of temporary cars, and never without a number of places', () => {
  const count = { inside: 3, temporary: 2 }
  expect(isFullFor(count, { totalPlace: 3 })).toBe(true)
  expect(isFullFor(count, { totalPlace: 4, tempPlace: 2 })).toBe(true)
  expect(isFullFor(count, { totalPlace: 4, tempPlace: 3 })).toBe(false)
  expect(isFullFor(count, { totalPlace: 0, tempPlace: 0 })).toBe(false)
  expect(isFullFor(count, {})).toBe(false)
})
