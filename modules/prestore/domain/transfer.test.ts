import { expect, it } from 'vitest'
import { auditRefusal, transferStates } from './transfer.ts'

it('ACC-11: a pending transfer is done, rejected or cancelled, and final after that', () => {
  const states = ['pending', 'done', 'rejected', 'cancelled'] as const
  const transitions = states.flatMap(from =>
    states.filter(to => transferStates.canTransition(from, to)).map(to => `${from}→${to}`),
  )
  expect(transitions).toEqual(['pending→done', 'pending→rejected', 'pending→cancelled'])
})

it('ACC-11: refuses the applicant as auditor', () => {
  expect(auditRefusal(1, 1)).toBe('申请人不能审核自己的转账，请由其他人审核')
  expect(auditRefusal(1, 2)).toBeUndefined()
})
