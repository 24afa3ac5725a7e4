import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { findTenderFault } from './tender-faults.ts'

const faultOf = (
  receivedText: string | undefined,
  others: readonly string[] = [],
  { tendered = 20500, shortfall = 0, allowsPartial = true } = {},
) =>
  findTenderFault(
    { receivedText, others: others.map(text => ({ text })) },
    { tendered: asFen(tendered), shortfall: asFen(shortfall) },
    allowsPartial,
  )

it('PAY-12: says what is wrong where it was typed', () => {
  expect(faultOf(undefined)).toBeUndefined()
  expect(faultOf('205')).toBeUndefined()
  expect(faultOf('')).toEqual({ at: 'main', message: '请填写实收金额' })
  expect(faultOf('12.345')).toEqual({ at: 'main', message: '实收金额应为数字，最多两位小数' })
  expect(faultOf('-5')).toEqual({ at: 'main', message: '实收金额应大于 0' })
  expect(faultOf('6901234567890')).toEqual({ at: 'main', message: '实收金额过大，请核对' })
  expect(faultOf('0', [], { tendered: 0 })).toEqual({ at: 'main', message: '实收金额应大于 0' })
  expect(faultOf('100', [], { shortfall: 10500, allowsPartial: false })).toEqual({
    at: 'main',
    message: '本项目不允许部分缴费，还差 105.00 元',
  })
})

it('PAY-15: a further method without an amount is not silently left out', () => {
  expect(faultOf('205', ['100', ''])).toEqual({ at: 1, message: '请填写第 3 种方式的金额' })
  expect(faultOf('205', ['abc'])).toEqual({ at: 0, message: '第 2 种方式的金额应为数字，最多两位小数' })
  expect(faultOf('205', ['-1'])).toEqual({ at: 0, message: '第 2 种方式的金额应大于 0' })
})

it('PAY-12: a single fen is money, and a payment of all needs no permission for a part', () => {
  expect(faultOf('0.01', [], { tendered: 1 })).toBeUndefined()
  expect(faultOf('205', [], { allowsPartial: false })).toBeUndefined()
  expect(faultOf('100', [], { shortfall: 1, allowsPartial: false })?.message).toBe(
    '本项目不允许部分缴费，还差 0.01 元',
  )
  expect(faultOf('100', [], { shortfall: 1 })).toBeUndefined()
  expect([faultOf('0'), faultOf('205', ['0'])]).toEqual([undefined, undefined])
})
