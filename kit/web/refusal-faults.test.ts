import { expect, it } from 'vitest'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { fieldFaultsOf } from './refusal-faults.ts'

const refused = (data: unknown): Refused => new Refused(resultCode.invalidInput, '有误', data)

it('a refusal tells its faults by field, or itself as one', () => {
  const fault = { Field: 'Amount', Message: '须大于 0' }
  expect(fieldFaultsOf(refused([fault]))).toEqual([fault])
  expect(fieldFaultsOf(refused([]))).toEqual([])
  expect(fieldFaultsOf(refused(fault))).toEqual([{ Field: 'Amount', Message: '有误' }])
  expect(fieldFaultsOf(refused(null))).toEqual([{ Field: '', Message: '有误' }])
})
