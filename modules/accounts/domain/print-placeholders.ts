import type { DocType } from './print-settings.ts'

/**
 * What a title, a header or a footer may name in braces: `{项目}`. Nothing else is filled in, so nothing
 * private can be pulled onto a sheet.
 */
export const printPlaceholders = [
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

export type PrintPlaceholder = (typeof printPlaceholders)[number]

const commonPlaceholders: readonly PrintPlaceholder[] = ['公司', '项目', '单号', '日期', '打印时间']
const moneyPlaceholders: readonly PrintPlaceholder[] = [
  ...commonPlaceholders,
  '缴费人',
  '对象',
  '金额',
  '大写',
  '经办人',
]

/** Which of them a kind can fill. */
export const placeholdersByDocType: Readonly<Record<DocType, readonly PrintPlaceholder[]>> = {
  receipt: [...moneyPlaceholders, '支付方式'],
  prestore: [...moneyPlaceholders, '支付方式'],
  deposit: [...moneyPlaceholders, '支付方式'],
  refund: [...moneyPlaceholders, '支付方式'],
  bill: moneyPlaceholders,
  demand: moneyPlaceholders,
  visitor: commonPlaceholders,
  workOrder: commonPlaceholders,
  purchase: commonPlaceholders,
  invoices: [...commonPlaceholders, '金额', '大写'],
  handover: [...commonPlaceholders, '金额', '大写', '经办人'],
}

/**
 * What is wrong with the braces of a text, with the place counted in characters from 1; nothing where all is
 * well.
 */
export function findPlaceholderFault(docType: DocType, text: string | undefined): string | undefined {
  const all = [...(text ?? '')]
  for (let i = 0; i < all.length; i++) {
    if (all[i] === '}') return `第 ${i + 1} 个字「}」前面没有「{」`
    if (all[i] !== '{') continue
    const end = all.indexOf('}', i)
    const again = all.indexOf('{', i + 1)
    if (end < 0 || (again > 0 && again < end)) return `第 ${i + 1} 个字「{」后面没有「}」`
    const name = all.slice(i + 1, end).join('')
    if (!(placeholdersByDocType[docType] as readonly string[]).includes(name))
      return `第 ${i + 1} 个字的「{${name}}」不能用在这种单据中，可用：${placeholdersByDocType[docType].map(w => `{${w}}`).join(' ')}`
    i = end
  }
  return undefined
}

/** Fills the braces; what is not known stays empty. */
export const fillPlaceholders = (
  text: string,
  values: Readonly<Partial<Record<PrintPlaceholder, string>>>,
): string => {
  const byWord: Readonly<Record<string, string | undefined>> = values
  return text.replace(/\{([^{}]*)\}/g, (_, w: string) => byWord[w] ?? '')
}
