import { expect, it } from 'vitest'
import { choiceTable } from '#kit/contract/field.ts'
import { readChoice, readRows, readText, readTexts } from './read-value.ts'

const side = choiceTable('Side', '方', { resident: [1, '住户'], owner: [2, '业主'] })

it('a control reads a value of its kind, and nothing of another', () => {
  expect([readText('a'), readText(''), readText(1), readText(undefined)]).toEqual([
    'a',
    '',
    undefined,
    undefined,
  ])
  expect([readTexts(['a', 1, 'b']), readTexts('a'), readTexts(undefined)]).toEqual([['a', 'b'], [], []])
  expect([readChoice(side, 'owner'), readChoice(side, 'toString'), readChoice(side, 2)]).toEqual([
    'owner',
    undefined,
    undefined,
  ])
  expect([readRows([{ a: 1 }]), readRows({ a: 1 })]).toEqual([[{ a: 1 }], []])
})
