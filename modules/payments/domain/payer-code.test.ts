import { expect, it } from 'vitest'
import { nextPayerCode, noPayerCode, payerCodeLifetimeMs } from './payer-code.ts'

const code = '134567890123456780'
const charge = { opening: 'room/6-2-502', bills: '11,12 20500' }
const read = { type: 'read', code, at: 1000, charge, isMethodChosen: false } as const
const stored = nextPayerCode(noPayerCode, read)

it('a payer’s code pays what it was read for, and nothing that is shown later (PAY-8)', () => {
  expect(stored.stored?.code).toBe(code)
  expect(nextPayerCode(stored, { type: 'chargeShown', charge })).toBe(stored)
  const others = [
    [{ opening: 'room/5-2-302', bills: '21 9900' }, 'reopened'],
    // The same bills, opened once more: they have not changed.
    [{ opening: 'room/6-2-502 again', bills: '11,12 20500' }, 'reopened'],
    [{ opening: 'room/6-2-502', bills: '11 10250' }, 'changed'],
    [{ opening: 'room/6-2-502', bills: '11,12 18500' }, 'changed'],
  ] as const
  for (const [shown, lost] of others) {
    const changed = nextPayerCode(stored, { type: 'chargeShown', charge: shown })
    expect(changed).toEqual({ lost, hasChosenMethod: true })
    // Back to what it was read for: it stays away.
    expect(nextPayerCode(changed, { type: 'chargeShown', charge }).stored).toBeUndefined()
  }
})

it('a payer’s code lives for a minute', () => {
  const at = read.at + payerCodeLifetimeMs
  expect(nextPayerCode(stored, { type: 'timePassed', at: at - 1 })).toBe(stored)
  expect(nextPayerCode(stored, { type: 'timePassed', at })).toEqual({
    lost: 'expired',
    hasChosenMethod: true,
  })
  const again = nextPayerCode(stored, { ...read, at, code: '281234567890123450' })
  expect(nextPayerCode(again, { type: 'timePassed', at: at + 1 }).stored?.code).toBe('281234567890123450')
})

it('a payer’s code is sent once, and goes when the cashier clears it or chooses another method', () => {
  for (const event of [{ type: 'sent' }, { type: 'cleared' }] as const) {
    expect(nextPayerCode(stored, event)).toEqual({ hasChosenMethod: true })
    expect(nextPayerCode(noPayerCode, event)).toBe(noPayerCode)
  }
  expect(nextPayerCode(stored, { type: 'methodChosen', isScan: false })).toBe(noPayerCode)
  const kept = nextPayerCode(stored, { type: 'methodChosen', isScan: true })
  expect(kept).toEqual({ stored: stored.stored, hasChosenMethod: false })
})

it('only where the cashier has chosen the scanner does a code take money without being asked', () => {
  expect(nextPayerCode(noPayerCode, { ...read, isMethodChosen: true }).hasChosenMethod).toBe(false)
  expect(stored.hasChosenMethod).toBe(true)
  expect(nextPayerCode(stored, { ...read, isMethodChosen: true }).hasChosenMethod).toBe(true)
  expect(nextPayerCode(nextPayerCode(stored, { type: 'cleared' }), read).hasChosenMethod).toBe(true)
})
