import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { isLocked, moneyFaults, payStateOf, type BillMoney, type SettlementRule } from './bill.ts'

const money: BillMoney = {
  amount: asFen(1000),
  discount: 0,
  paidPrincipal: 0,
  lateDue: 0,
  latePaid: 0,
  lateWaived: 0,
  lateManual: false,
}

it('C3.1: a bill is paid when no fen of it is left, nor of its late fee', () => {
  const state = (paidPrincipal: number, lateDue: number, rule?: SettlementRule) =>
    payStateOf({ ...money, paidPrincipal: asFen(paidPrincipal), lateDue: asFen(lateDue) }, rule)
  const settles = { principalSettles: true }
  expect([
    state(999, 0),
    state(1000, 0),
    state(1000, 1),
    state(1000, 1, settles),
    state(999, 0, settles),
  ]).toEqual(['unpaid', 'paid', 'unpaid', 'paid', 'unpaid'])
})

it('C3.1: names what the money of a bill violates, and nothing of a sound one', () => {
  const faults = (overrides: object) => moneyFaults({ ...money, ...overrides })
  expect(faults({ discount: asFen(1000) })).toEqual([])
  expect(faults({ paidPrincipal: asFen(1000), payState: 'paid' })).toEqual([])
  expect(faults({ lateDue: asFen(3), latePaid: asFen(1), lateWaived: asFen(2) })).toEqual([])
  expect(faults({ discount: asFen(1001) })).toEqual([
    '减免 10.01 大于原始金额 10.00',
    '已收本金 0.00 大于应收 −0.01',
  ])
  expect(faults({ paidPrincipal: asFen(1001) })).toEqual(['已收本金 10.01 大于应收 10.00'])
  expect(faults({ lateDue: asFen(2), latePaid: asFen(1), lateWaived: asFen(2) })).toEqual([
    '已收与减免的违约金大于应计 0.02',
  ])
  expect(faults({ payState: 'paid' })).toEqual(['缴费状态与金额不符，应为未缴'])
  expect(faults({ paidPrincipal: asFen(1000), payState: 'unpaid' })).toEqual(['缴费状态与金额不符，应为已缴'])
  expect(faults({ lateDue: asFen(-1) })).toContain('应计违约金应为不小于零的整数分')
  expect(faults({ amount: 0.5 })).toEqual(['原始金额应为不小于零的整数分'])
})

it('PAY-1: a bill is held until its time has come, not a second longer', () => {
  const now = '2026-11-21 09:00:00'
  expect([
    isLocked({ lockedUntil: '2026-11-21 09:00:01' }, now),
    isLocked({ lockedUntil: now }, now),
    isLocked({}, now),
  ]).toEqual([true, false, false])
})
