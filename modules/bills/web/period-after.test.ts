import { asId } from '#kit/domain/id.ts'
import { expect, it } from 'vitest'
import { chosenPeriodAfter, freesPeriod, periodAfterChoice } from './period-after.ts'

it('whoever abolishes says what becomes of the days; only an undone batch has it chosen (GEN-3, C27-6)', () => {
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
