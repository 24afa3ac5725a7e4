import { expect, it } from 'vitest'
import type { GuideStep } from '../contract/guide.ts'
import { isGuideOver, nextStep, skippedSteps } from './guide-progress.ts'

const stepsOf = (states: readonly (readonly [GuideStep, 'done' | 'skipped' | 'open'])[]) =>
  states.map(([step, state]) => ({
    step,
    done: state === 'done',
    skipped: state === 'skipped',
  }))

it('the guide is over with the last step that is skipped, and names what was left out', () => {
  const steps = stepsOf([
    ['company', 'skipped'],
    ['estate', 'done'],
    ['account', 'done'],
  ])
  expect(isGuideOver(steps)).toBe(true)
  expect(nextStep(steps, 'company')).toBeUndefined()
  expect(skippedSteps(steps)).toEqual(['company'])
})

it('what is done since it was skipped is not left out', () => {
  const steps = [{ step: 'company' as const, done: true, skipped: true }]
  expect(skippedSteps(steps)).toEqual([])
})

it('a finished step leads to the next that waits, not to the one behind it that is done', () => {
  const steps = stepsOf([
    ['company', 'open'],
    ['estate', 'done'],
    ['building', 'done'],
    ['room', 'open'],
  ])
  expect(nextStep(steps)).toBe('company')
  expect(nextStep(steps, 'company')).toBe('room')
  expect(nextStep(steps, 'room')).toBe('company')
  expect(isGuideOver(steps)).toBe(false)
})
