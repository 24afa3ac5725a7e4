import { expect, it } from 'vitest'
import { busyMsBetween, isPaymentCode, readScanKey, type KeyTime, type ScanBurst } from './scan-burst.ts'

/** The code that keys make, each with the gap before it; `busyMs` of the gap the page was busy. */
function codeOf(keys: readonly (readonly [key: string, gap: number, busyMs?: number])[]): string | undefined {
  let burst: ScanBurst | undefined
  let at = 1000
  for (const [key, gap, busyMs = 0] of keys) {
    at += gap
    const time: KeyTime = { at, busyMs }
    const read = readScanKey(burst, key, time)
    if (read.code !== undefined) return read.code
    burst = read.burst
  }
  return undefined
}

const typed = (keys: readonly string[], gap: number, busyMs = 0): string | undefined =>
  codeOf(keys.map(key => [key, gap, busyMs]))

it.each([
  ['a bar-code', '12345678', 8, '12345678'],
  ['at the slowest a scanner types', '12345678', 30, '12345678'],
  ['a fast hand', '12345678', 31, undefined],
  ['the shortest code', '123456', 8, '123456'],
  ['a digit too few', '12345', 8, undefined],
  ['an amount, however fast', '500.00', 8, undefined],
  ['a short number', '1502', 8, undefined],
  ['a receipt number', 'SJ20261121000001', 5, 'SJ20261121000001'],
])('%s', (_, text, gap, code) => {
  expect(typed([...text, 'Enter'], gap)).toBe(code)
})

it('restarts after a pause, and ends with a typed key', () => {
  let burst: ScanBurst | undefined
  for (const [key, at] of [
    ['9', 0],
    ['1', 500],
    ...[...'23456'].map((k, i) => [k, 510 + i * 10] as const),
  ] as const) {
    burst = readScanKey(burst, key, { at }).burst
  }
  expect(readScanKey(burst, 'Enter', { at: 555 }).code).toBe('123456')
  expect(readScanKey(burst, 'Enter', { at: 700 }).code).toBeUndefined()
  expect(readScanKey(burst, 'Backspace', { at: 555 })).toEqual({})
  expect(readScanKey(burst, 'Shift', { at: 555 }).burst?.text).toBe('123456')
})

it('is not split by a page that was busy between two of its keys', () => {
  const rest = [...'01234567892', 'Enter'].map(key => [key, 4] as const)
  expect(codeOf([['6', 500], ['9', 137, 120], ...rest])).toBe('6901234567892')
  // The same gap on an idle page is a hand: its digit belongs to no code.
  expect(codeOf([['6', 500], ['9', 137], ...rest])).toBe('901234567892')
})

it('takes no hand for a scanner on a page that is always busy', () => {
  expect(typed([...'12345678', 'Enter'], 70, 60)).toBeUndefined()
})

it.each([
  [90, 230, 120],
  [150, 230, 70],
  // Pressed while the page was busy: the gap is the hand's own.
  [90, 200, 0],
  [230, 260, 0],
])('busy from 100 to 220: between %d and %d it was %d ms', (from, to, ms) => {
  expect(busyMsBetween([{ from: 100, to: 220 }], from, to)).toBe(ms)
})

it('knows the codes that payers show', () => {
  expect(['134567890123456789', '281234567890123456'].every(isPaymentCode)).toBe(true)
  expect(['12345678', '694567890123456789', 'SJ20261121000001'].some(isPaymentCode)).toBe(false)
})
