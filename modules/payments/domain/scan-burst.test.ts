import { expect, it } from 'vitest'
import { isPaymentCode, readScanKey, type ScanBurst } from './scan-burst.ts'

function typed(keys: readonly string[], gap: number): string | undefined {
  let burst: ScanBurst | undefined
  for (const [i, key] of keys.entries()) {
    const read = readScanKey(burst, key, 1000 + i * gap)
    if (read.code !== undefined) return read.code
    burst = read.burst
  }
  return undefined
}

it.each([
  ['a bar-code', '12345678', 8, '12345678'],
  ['at the slowest a scanner types', '12345678', 30, '12345678'],
  ['a fast hand', '12345678', 45, undefined],
  ['an amount, however fast', '500.00', 8, undefined],
  ['a short number', '1502', 8, undefined],
  ['a receipt number', 'SJ20261121000001', 5, 'SJ20261121000001'],
])('%s', (_, text, gap, code) => {
  expect(typed([...text, 'Enter'], gap)).toBe(code)
})

it('begins anew after a pause, and ends with a key of the hand', () => {
  let burst: ScanBurst | undefined
  for (const [key, at] of [
    ['9', 0],
    ['1', 500],
    ...[...'23456'].map((k, i) => [k, 510 + i * 10] as const),
  ] as const) {
    burst = readScanKey(burst, key, at).burst
  }
  expect(readScanKey(burst, 'Enter', 555).code).toBe('123456')
  expect(readScanKey(burst, 'Enter', 700).code).toBeUndefined()
  expect(readScanKey(burst, 'Backspace', 555)).toEqual({})
  expect(readScanKey(burst, 'Shift', 555).burst?.text).toBe('123456')
})

it('knows the codes that payers show', () => {
  expect(['134567890123456789', '281234567890123456'].every(isPaymentCode)).toBe(true)
  expect(['12345678', '694567890123456789', 'SJ20261121000001'].some(isPaymentCode)).toBe(false)
})
