import type { DocType } from './print.ts'

/**
 * What a title, a header or a footer may name in braces: `{项目}`. Nothing else is filled in, so nothing
 * private can be pulled onto a sheet.
 */
export const printWords = [
  '公司',
  '项目',
  '单号',
  '日期',
  '缴费人',
  '对象',
  '金额',
  '大写',
  '支付方式',
  '经办人',
  '打印时间',
] as const

export type PrintWord = (typeof printWords)[number]

const always: readonly PrintWord[] = ['公司', '项目', '单号', '日期', '打印时间']
const money: readonly PrintWord[] = [...always, '缴费人', '对象', '金额', '大写', '经办人']

/** Which of them a kind can fill. */
export const wordsOf: Readonly<Record<DocType, readonly PrintWord[]>> = {
  receipt: [...money, '支付方式'],
  prestore: [...money, '支付方式'],
  deposit: [...money, '支付方式'],
  refund: [...money, '支付方式'],
  bill: money,
  demand: money,
  visitor: always,
  workOrder: always,
  purchase: always,
  invoices: [...always, '金额', '大写'],
  handover: [...always, '金额', '大写', '经办人'],
}

/**
 * What is wrong with the braces of a text, with the place counted in characters from 1; nothing where all is
 * well.
 */
export function wordFault(d: DocType, text: string | undefined): string | undefined {
  const all = [...(text ?? '')]
  for (let i = 0; i < all.length; i++) {
    if (all[i] === '}') return `第 ${i + 1} 个字「}」前面没有「{」`
    if (all[i] !== '{') continue
    const end = all.indexOf('}', i)
    const again = all.indexOf('{', i + 1)
    if (end < 0 || (again > 0 && again < end)) return `第 ${i + 1} 个字「{」后面没有「}」`
    const said = all.slice(i + 1, end).join('')
    if (!(wordsOf[d] as readonly string[]).includes(said))
      return `第 ${i + 1} 个字的「{${said}}」不能用在这种单据里，可用：${wordsOf[d].map(w => `{${w}}`).join(' ')}`
    i = end
  }
  return undefined
}

/** Fills the braces; what is not known stays empty. */
export const filled = (text: string, of: Readonly<Partial<Record<PrintWord, string>>>): string =>
  text.replace(/\{([^{}]*)\}/g, (_, w: string) => of[w as PrintWord] ?? '')
