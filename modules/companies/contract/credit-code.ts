import { defined } from '#kit/domain/defined.ts'
import type { Rule } from '#kit/contract/field.ts'

const creditCodeAlphabet = '0123456789ABCDEFGHJKLMNPQRTUWXY'

/** The 18th character that belongs to the first 17 (GB 32100): weights are powers of 3, modulo 31. */
export const creditCodeCheckDigit = (code: string): string => {
  let sum = 0
  let weight = 1
  for (let i = 0; i < 17; i++) {
    sum += creditCodeAlphabet.indexOf(defined(code[i])) * weight
    weight = (weight * 3) % 31
  }
  return defined(creditCodeAlphabet[(31 - (sum % 31)) % 31])
}

/** 统一社会信用代码. */
export const creditCodeRule: Rule = {
  name: 'creditCode',
  test: value => {
    const c = value.toUpperCase()
    if (!/^[0-9A-HJ-NPQRTUWXY]{2}\d{6}[0-9A-HJ-NPQRTUWXY]{10}$/.test(c))
      return '统一社会信用代码应为18位字母和数字，不含 I、O、S、V、Z'
    return creditCodeCheckDigit(c) === c[17] ? undefined : '统一社会信用代码校验位不正确，请核对'
  },
}
