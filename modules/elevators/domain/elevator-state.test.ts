import { expect, it } from 'vitest'
import { keysOf } from '#kit/contract/field.ts'
import { elevatorState } from '../contract/choices.ts'
import { elevatorStates, stateFault } from './elevator-state.ts'

it('lifts go in and out of service and repair; an alarm ends by being dealt with alone (ELV-1)', () => {
  const states = keysOf(elevatorState)
  const allowed = states.flatMap(from =>
    states.filter(to => stateFault(from, to) === undefined).map(to => `${from}→${to}`),
  )
  expect(allowed).toEqual([
    'running→stopped',
    'running→repair',
    'stopped→running',
    'stopped→repair',
    'repair→running',
    'repair→stopped',
  ])
  for (const from of states) {
    expect(elevatorStates.nextStates(from).every(to => stateFault(from, to) === undefined)).toBe(true)
  }
  expect(stateFault('trapped', 'running')).toContain('请先在「困人报警」中解除')
  expect(stateFault('running', 'trapped')).toContain('由设备报告')
  expect(stateFault('running', 'running')).toBe('电梯已是运行状态')
})
