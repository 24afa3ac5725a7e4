import { expect, it } from 'vitest'
import { isHighRate } from './late-rate.ts'

it('LATE-7: warns above 0.1 % a day', () => {
  expect([isHighRate('0.0005'), isHighRate('0.001'), isHighRate('0.0011')]).toEqual([false, false, true])
})
