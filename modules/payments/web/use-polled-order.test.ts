import { expect, it } from 'vitest'
import { groupOfPaymentType, payGroup, paymentType } from '../contract/choices.ts'
import { payModesOf } from './pay-mode.ts'
import { nextPollDelay } from './use-polled-order.ts'

it('an order is asked for each 1,000 ms from request to request (0§9)', () => {
  expect(nextPollDelay(5000, 5000)).toBe(1000)
  expect(nextPollDelay(5000, 5700)).toBe(300)
  expect(nextPollDelay(5000, 9000)).toBe(0)
})

it('the groups of the dialog and its types have the codes of the specification (0§9)', () => {
  const codes = (rows: Readonly<Record<string, readonly unknown[]>>) =>
    Object.fromEntries(Object.entries(rows).map(([key, row]) => [key, row[0]]))
  expect(codes(payGroup.rows)).toEqual({ offline: 60, pos: 80, qr: 70, scan: 100 })
  expect(codes(paymentType.rows)).toEqual({ qr: 70, scanner: 75, pos: 80, posOffline: 40 })
  expect(groupOfPaymentType).toEqual({ qr: 'qr', scanner: 'scan', pos: 'pos', posOffline: 'pos' })
})

it('bills may be paid at the counter too; other orders only by a channel', () => {
  const channels = [{ channel: 'wechat', simulated: true }] as const
  expect(payModesOf(channels, 'bill').map(m => m.value)).toEqual(['qr', 'scan', 'offline'])
  expect(payModesOf(channels, 'prestore').map(m => m.value)).toEqual(['qr', 'scan'])
  expect(payModesOf([], 'bill').map(m => m.value)).toEqual(['offline'])
})
