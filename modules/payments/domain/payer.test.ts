import { expect, test } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { resolvePayer } from './payer.ts'

const wang = { payerKind: 'resident', payerId: asId(7), payerName: '王五' } as const
const firm = { payerKind: 'company', payerId: asId(7), payerName: '王五' } as const
const unknown = { payerName: '王五' }

test.each([
  ['one bill', [wang], {}, { kind: 'resident', id: 7, name: '王五' }],
  ['two bills of one payer', [wang, { ...wang }], {}, { kind: 'resident', id: 7, name: '王五' }],
  ['payers of two kinds with one number', [wang, firm], {}, { name: '王五' }],
  ['payers of two numbers', [wang, { ...wang, payerId: asId(8) }], {}, { name: '王五' }],
  ['payers of two names', [wang, { ...wang, payerName: '赵六' }], {}, { name: '王五' }],
  ['a known payer and a mere name', [unknown, wang], {}, { name: '王五' }],
  ['a mere name', [unknown], {}, { name: '王五' }],
  ['bills without a payer', [{}], {}, {}],
  ['no bills', [], {}, {}],
  ['a name at the counter', [wang], { name: '赵六' }, { name: '赵六' }],
  ['a person at the counter', [wang], { kind: 'company', id: asId(9) }, { kind: 'company', id: 9 }],
  ['a kind alone names nobody', [wang], { kind: 'company' }, { kind: 'resident', id: 7, name: '王五' }],
] as const)('PAY-4: who pays %s', (_, bills, named, payer) => {
  expect(
    resolvePayer(
      bills.map(row => ({ row })),
      named,
    ),
  ).toEqual(payer)
})
