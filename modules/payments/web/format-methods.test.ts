import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { cashFactsOf, describeMethod, formatMethods } from './format-methods.ts'

const cash = (fen: number) => ({ method: 'cash' as const, amount: asFen(fen) })
const transfer = (fen: number) => ({ method: 'transfer' as const, amount: asFen(fen) })

it('a mixed payment says the cash that was handed over and the change, also where there is none', () => {
  const mixed = { methods: [cash(20_000), transfer(10_000)], changeAmount: asFen(4634) }
  expect(cashFactsOf(mixed)).toEqual({ tendered: '200.00', change: '46.34' })
  expect(formatMethods(mixed)).toBe('现金 153.66，银行转账 100.00')
  expect(cashFactsOf({ ...mixed, changeAmount: 0 })).toEqual({ tendered: '200.00', change: '0.00' })
})

it('a payment without cash says nothing of it', () => {
  expect(cashFactsOf({ methods: [transfer(10_000)], changeAmount: 0 })).toEqual({})
})

it('a method is named whole, several are 组合', () => {
  const pos = { method: 'posOffline' as const, amount: asFen(100) }
  expect(describeMethod({ methods: [pos] })).toBe('线下 POS')
  expect(describeMethod({ methods: [pos, cash(100)] })).toBe('组合')
})
