import { asId } from '#kit/domain/id.ts'
import { expect, it } from 'vitest'
import { chosenPeriodAfter, freesPeriod, periodAfterChoice } from './period-after.ts'

it('abolishing requires a choice for the freed period; only undoing a batch has a default (GEN-3, C27-6)', () => {
  const asked = periodAfterChoice()
  expect(asked.options.map(o => o.label)).toEqual(['重新出账', '不再收取'])
  expect('initial' in asked).toBe(false)
  expect(periodAfterChoice('rebill')).toMatchObject({ initial: 'rebill', options: asked.options })
  expect(asked.options.map(o => chosenPeriodAfter(o.value))).toEqual([
    { periodAfter: 'rebill' },
    { periodAfter: 'waived' },
  ])
})

it('a fee by hand leaves no days free: nothing is asked of it', () => {
  expect([freesPeriod([{}]), freesPeriod([{}, { relationId: asId(7) }])]).toEqual([false, true])
})
