import { expect, it } from 'vitest'
import { isRecordNumber } from './record-number.ts'

it.each([
  ['2026-000001', true],
  ['2026-1234567', true],
  ['SK20261128000001', true],
  ['sk20261128000001', true],
  ['1-1-2026', false],
  ['2026', false],
  ['13812342026', false],
  ['3-2-1502', false],
])('%s is a number of a record: %s', (typed, expected) => expect(isRecordNumber(typed)).toBe(expected))
