import { expect, it } from 'vitest'
import { formatFileSize } from './file-size.ts'

it('0§9: sizes in KB, MB or GB with three decimals, 未知大小 where there is none', () => {
  expect([0, 1, 1024, 1_048_575, 1_048_576, 19_321_061, 5_368_709_120].map(formatFileSize)).toEqual([
    '0.000 KB',
    '0.001 KB',
    '1.000 KB',
    '1023.999 KB',
    '1.000 MB',
    '18.426 MB',
    '5.000 GB',
  ])
  expect(formatFileSize(undefined)).toBe('未知大小')
})
