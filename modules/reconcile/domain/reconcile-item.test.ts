import { expect, it } from 'vitest'
import { handleRefusal, reconcileItemStates } from './reconcile-item.ts'

it('a difference is settled, handled or escalated, and comes back to pending', () => {
  const states = ['pending', 'escalated', 'settled', 'handled'] as const
  const transitions = states.flatMap(from =>
    states.filter(to => reconcileItemStates.canTransition(from, to)).map(to => `${from}→${to}`),
  )
  expect(transitions).toEqual([
    'pending→escalated',
    'pending→settled',
    'pending→handled',
    'escalated→settled',
    'escalated→handled',
    'settled→pending',
    'handled→pending',
  ])
})

it('refuses to handle or escalate what its state does not allow, naming what was tried', () => {
  expect([handleRefusal('pending', 'escalated'), handleRefusal('escalated', 'handled')]).toEqual([
    undefined,
    undefined,
  ])
  expect(handleRefusal('settled', 'handled')).toMatch(/不能再处理$/)
  expect(handleRefusal('escalated', 'escalated')).toMatch(/不能再升级$/)
})
