import { asId } from '#kit/domain/id.ts'
import { expect, it } from 'vitest'
import { answersForRoom, withAnswer } from './room-answers.ts'

it('an answer for one room takes precedence over the answer for all (BASE-16)', () => {
  const answers = [
    { key: 'arrears', value: 'stay' },
    { key: 'arrears@12', value: 'paid' },
    { key: 'meter@3', value: '7' },
  ]
  expect(answersForRoom(answers, asId(12))).toEqual([{ key: 'arrears', value: 'paid' }])
  expect(answersForRoom(answers, asId(3))).toEqual([
    { key: 'arrears', value: 'stay' },
    { key: 'meter', value: '7' },
  ])
  expect(answersForRoom(answers, asId(2))).toEqual([{ key: 'arrears', value: 'stay' }])
  expect(answersForRoom(undefined, asId(2))).toEqual([])
})

it('lets an answer for all rooms take the place of those for one', () => {
  const one = withAnswer([{ key: 'arrears', value: 'stay' }], 'arrears', 'paid', asId(12))
  expect(answersForRoom(one, asId(12))).toEqual([{ key: 'arrears', value: 'paid' }])
  expect(withAnswer(withAnswer(one, 'arrears', 'keep', asId(12)), 'arrears', 'stay')).toEqual([
    { key: 'arrears', value: 'stay' },
  ])
})
