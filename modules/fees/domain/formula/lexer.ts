import { defined } from '#kit/domain/defined.ts'
import { toHalfWidth } from '#kit/domain/half-width.ts'
import { FormulaError } from './errors.ts'

/**
 * One word or sign of a formula. `value` is the number's digits, the name's normal form, or the sign in its
 * one spelling.
 */
export interface Token {
  readonly kind: 'number' | 'name' | 'attribute' | 'sign' | 'end'
  readonly value: string
  readonly at: number
  readonly length: number
}

/** FEE-21 */
export const maxFormulaLength = 500

const signSpellings: Readonly<Record<string, string>> = {
  '+': '+',
  '-': '-',
  '−': '-',
  '*': '*',
  '×': '*',
  '/': '/',
  '÷': '/',
  '(': '(',
  ')': ')',
  ',': ',',
  ';': ';',
  '>': '>',
  '<': '<',
  '=': '=',
  '==': '=',
  '>=': '>=',
  '≥': '>=',
  '<=': '<=',
  '≤': '<=',
  '<>': '<>',
  '!=': '<>',
  '≠': '<>',
}

/** Signs people reach for that mean nothing here, and what to write instead. */
const signAdvice: Readonly<Record<string, string>> = {
  '%': '不支持百分号，请写成小数，如 0.05',
  '^': '不支持乘方，请写成连乘',
  '。': '小数点应为半角“.”',
  '、': '参数之间请用半角逗号“,”',
  '—': '减号请用“-”',
  '–': '减号请用“-”',
  '[': '方括号只用于自定义属性，写作 A[名称]',
  ']': '方括号只用于自定义属性，写作 A[名称]',
  '.': '小数点前后要有数字',
  '&': '不能使用“&”，几个条件请用 IF 嵌套',
  '|': '不能使用“|”，几个条件请用 IF 嵌套',
  '{': '请用半角圆括号“(”',
  '}': '请用半角圆括号“)”',
}

const letterPattern = /\p{L}/u
const wordCharacterPattern = /[\p{L}\p{N}_]/u

const characterAt = (text: string, at: number): string => String.fromCodePoint(defined(text.codePointAt(at)))

/** Where a word ends that begins at `start`; full-width digits are no part of it. */
function findWordEnd(text: string, start: number): number {
  let end = start
  while (end < text.length) {
    const next = characterAt(text, end)
    const isFullWidthDigit = next !== toHalfWidth(next) && /\p{N}/u.test(next)
    if (!wordCharacterPattern.test(next) || isFullWidthDigit) break
    end += next.length
  }
  return end
}

/**
 * Cuts a formula into whole words and signs (FEE-20: no letter is ever replaced inside a word). Names are
 * brought to NFKC; full-width signs and digits are refused where they stand, with the text put right. Throws
 * FormulaError.
 */
export function tokenize(text: string): Token[] {
  if (text.length > maxFormulaLength)
    throw new FormulaError(
      text,
      maxFormulaLength,
      text.length - maxFormulaLength,
      `公式最多 ${maxFormulaLength} 个字符，现有 ${text.length} 个，请删减`,
    )
  const out: Token[] = []
  const addToken = (kind: Token['kind'], value: string, at: number, length: number): void => {
    out.push({ kind, value, at, length })
  }
  for (let i = 0; i < text.length;) {
    const char = characterAt(text, i)
    if (/\s/.test(char)) {
      i += char.length
      continue
    }
    const half = toHalfWidth(char)
    if (half !== char && !letterPattern.test(char))
      throw new FormulaError(
        text,
        i,
        char.length,
        `“${char}”是全角符号，请改为半角“${half}”`,
        toHalfWidth(text),
      )
    const number = /^(\d+(\.\d+)?|\.\d+)/.exec(text.slice(i, i + 80))?.[0]
    if (number) {
      if (number.length > 30) throw new FormulaError(text, i, number.length, '数字太长，最多 30 位')
      addToken('number', number, i, number.length)
      i += number.length
    } else if (letterPattern.test(char)) {
      const end = findWordEnd(text, i)
      const word = text.slice(i, end).normalize('NFKC')
      const bracket = /^a$/i.test(word) ? /^\s*\[([^[\]]*)\]/.exec(text.slice(end)) : null
      if (bracket) {
        const name = defined(bracket[1]).trim().normalize('NFKC')
        if (!name)
          throw new FormulaError(text, i, end - i + bracket[0].length, '方括号内请写属性名称，如 A[朝向系数]')
        addToken('attribute', name, i, end - i + bracket[0].length)
        i = end + bracket[0].length
      } else {
        addToken('name', word, i, end - i)
        i = end
      }
    } else {
      const twoCharSign = i + 2 <= text.length ? signSpellings[text.slice(i, i + 2)] : undefined
      const oneCharSign = signSpellings[char]
      if (twoCharSign === undefined && oneCharSign === undefined)
        throw new FormulaError(text, i, char.length, signAdvice[char] ?? `不能使用“${char}”`)
      const length = twoCharSign === undefined ? char.length : 2
      addToken('sign', twoCharSign ?? defined(oneCharSign), i, length)
      i += length
    }
  }
  addToken('end', '', text.length, 0)
  return out
}
