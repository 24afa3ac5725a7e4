import { expect, it } from 'vitest'
import { depositItemRules } from './deposit-item.ts'

it('C27-8: a deposit item is in no rate and bears no late fee; other items are as they were chosen', () => {
  expect(depositItemRules('deposit')).toEqual({ inRate: false, lateFeeSwitch: false })
  expect([depositItemRules('cyclic'), depositItemRules('temporary')]).toEqual([{}, {}])
})
