import { expect, it } from 'vitest'
import {
  normalizeCode,
  cleanText,
  formatFileSize,
  toHalfWidth,
  countCharacters,
  maskIdCard,
  maskPhone,
  truncate,
} from './text.ts'

it('counts and cuts whole characters', () => {
  expect(countCharacters('安居😀')).toBe(3)
  expect(truncate('安居😀物业', 3)).toBe('安居😀...')
  expect(truncate('安居😀', 3)).toBe('安居😀')
})

it('cleans what people paste', () => {
  expect(cleanText('\u200b 张三\u0000\r\n二\u202e ')).toBe('张三\n二')
  expect(cleanText('👨‍👩‍👧')).toBe('👨‍👩‍👧')
  expect(normalizeCode(' １３８ 0013　8000\u200b')).toBe('13800138000')
  expect(toHalfWidth('（Ａ－１）、。')).toBe('(A-1)、。')
})

it('says sizes in KB, MB, GB with three decimals (0§9)', () => {
  expect(
    [0, 512, 1536, 1024 ** 2 - 1, 1024 ** 2, 5 * 1024 ** 2, 1024 ** 3 - 1, 5368709120].map(formatFileSize),
  ).toEqual([
    '0.000 KB',
    '0.500 KB',
    '1.500 KB',
    '1023.999 KB',
    '1.000 MB',
    '5.000 MB',
    '1.000 GB',
    '5.000 GB',
  ])
  expect([undefined, null, NaN, -1].map(formatFileSize)).toEqual(Array(4).fill('未知大小'))
})

it('hides the middle of phones and documents', () => {
  expect(maskPhone('13812346021')).toBe('138 **** 6021')
  expect(maskPhone('0755-12345678')).toBe('0755-****5678')
  expect(maskPhone('12')).toBe('**')
  expect(maskIdCard('11010519491231002X')).toBe('110 *********** 002X')
  expect(maskIdCard('H12345678')).toBe('H******78')
})
