import { defined } from '#kit/domain/defined.ts'
import { isDay, type Day } from '#kit/domain/day.ts'

// Provinces of the mainland, then 台湾 71, 香港 81, 澳门 82 and 83: residence permits of their people.
const provincePattern = /^(1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[1-3]|91)/
const checkDigitWeights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

/** The 18th character that belongs to the first 17 digits (GB 11643, ISO 7064 MOD 11-2). */
export const computeCheckDigit = (digits: string): string =>
  defined('10X98765432'[checkDigitWeights.reduce((sum, w, i) => sum + w * Number(digits[i]), 0) % 11])

/** What is wrong with an 18-character ID number; nothing when it is right. */
export function idCardFault(id: string): string | undefined {
  if (!/^[1-9]\d{16}[\dXx]$/.test(id)) return '身份证号应为18位数字，最后一位可以是X'
  if (!provincePattern.test(id)) return '身份证号前两位不是有效的省份代码'
  const born = birthDateOf(id)
  if (!born || born < '1850-01-01' || born >= '2200-01-01') return '身份证号中的出生日期不存在'
  return computeCheckDigit(id) === defined(id[17]).toUpperCase() ? undefined : '身份证号校验位不正确，请核对'
}

/** The day of birth that an 18-character ID number says; nothing when there is no such day. */
export function birthDateOf(id: string): Day | undefined {
  const d = `${id.slice(6, 10)}-${id.slice(10, 12)}-${id.slice(12, 14)}`
  return isDay(d) ? d : undefined
}

/** 1 男, 2 女 (GB/T 2261.1), from the 17th digit. */
export const sexOf = (id: string): 1 | 2 => (Number(id[16]) % 2 === 1 ? 1 : 2)

/**
 * Letters count 10 to 35, a missing first letter 36; the sum of 9…2 times the characters and the check digit
 * is a multiple of 11 (A is 10).
 */
function isHongKongIdCard(id: string): boolean {
  const match = /^([A-Z]{1,2})(\d{6})([\dA])$/.exec(id.replace(/[()]/g, ''))
  if (!match) return false
  const letters = defined(match[1]).padStart(2, ' ')
  const values = [...letters]
    .map(c => (c === ' ' ? 36 : c.charCodeAt(0) - 55))
    .concat([...defined(match[2])].map(Number), match[3] === 'A' ? 10 : Number(match[3]))
  return values.reduce((sum, v, i) => sum + v * (9 - i), 0) % 11 === 0
}

/** 港澳居民来往内地通行证 (H or M and 8 or 10 digits), a Hong Kong ID card `A123456(3)`, or a Macau one `1234567(8)`. */
export const isHongKongMacauDocument = (id: string): boolean =>
  /^[HM](\d{8}|\d{10})$/.test(id) ||
  (/^[A-Z]{1,2}\d{6}(\([\dA]\)|[\dA])$/.test(id) && isHongKongIdCard(id)) ||
  /^[157]\d{6}\(\d\)$/.test(id)
