import { expect, it } from 'vitest'
import { choice, choiceTable, money, text } from '#kit/contract/field.ts'
import { findMissingKeys } from './form-fields.tsx'

const kind = choiceTable('FocusKind', '方式', { amount: [1, '金额'], rate: [2, '比例'] })
const fields = {
  kind: choice('方式', kind, { required: true }),
  amount: money('金额'),
  percent: text('比例'),
  reason: text('原因', { required: true }),
}
const groups = [
  {
    keys: [
      'kind',
      { key: 'amount', isRequired: true, isHidden: (v: { kind?: string }) => v.kind === 'rate' },
      { key: 'percent', isRequired: true, isHidden: (v: { kind?: string }) => v.kind !== 'rate' },
      'reason',
    ],
  },
]

it('a form begins at what must still be filled in, whatever stands before it', () => {
  expect(findMissingKeys(fields, groups, { kind: 'amount' })).toEqual(['amount', 'reason'])
  expect(findMissingKeys(fields, groups, { kind: 'rate', reason: '投诉' })).toEqual(['percent'])
  expect(findMissingKeys(fields, groups, { kind: 'amount', amount: 0, reason: '投诉' })).toEqual([])
})
