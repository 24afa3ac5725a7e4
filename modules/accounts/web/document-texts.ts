import { defined } from '#kit/domain/defined.ts'
import type { DocType, PrintPart } from '../domain/print-settings.ts'

type PartTexts = Partial<Readonly<Record<PrintPart, string>>>

interface DocumentTexts {
  readonly parts: PartTexts
  readonly signatures: readonly string[]
}

const receiptParts = {
  no: '收据号',
  date: '日期',
  payer: '缴费人',
  room: '收费对象',
  item: '收费项目',
  source: '收费对象',
  period: '账期',
  principal: '本金',
  lateFee: '违约金',
  amount: '金额',
  capitals: '人民币（大写）',
  method: '支付方式',
  discount: '抹零',
  operator: '收款人',
} satisfies PartTexts

const receiptSignatures = ['收款人', '缴费人签字']

/** What the documents call their parts: those that are printed and the samples of their templates alike. */
const textsByDocument = {
  receipt: { parts: receiptParts, signatures: receiptSignatures },
  prestore: {
    parts: { ...receiptParts, amount: '充值金额', gift: '赠送', after: '充值后余额' },
    signatures: receiptSignatures,
  },
  deposit: {
    parts: {
      ...receiptParts,
      item: '种类',
      amount: '押金',
      deducted: '已扣款',
      back: '已退还',
      after: '结余',
    },
    signatures: receiptSignatures,
  },
  refund: {
    parts: { ...receiptParts, no: '单号', payer: '收款人', method: '退款方式', operator: '经办人' },
    signatures: ['收款人签字', '经办人'],
  },
  handover: {
    parts: {
      no: '单号',
      operator: '收费员',
      date: '起止',
      method: '支付方式',
      capitals: '实交（大写）',
    },
    signatures: ['交款人', '收款人'],
  },
} satisfies Partial<Readonly<Record<DocType, DocumentTexts>>>

export type PrintedDocument = keyof typeof textsByDocument

/** What a document calls one of its parts. */
export const printLabelOf = (kind: PrintedDocument, part: PrintPart): string => {
  const { parts }: DocumentTexts = textsByDocument[kind]
  return defined(parts[part])
}

/** The texts of any document; empty where the module that prints it has its own. */
export const findPrintLabel = (kind: DocType, part: PrintPart): string | undefined => {
  const words: Partial<Readonly<Record<DocType, DocumentTexts>>> = textsByDocument
  return words[kind]?.parts[part]
}

/** A part under the name that its document gives it. */
export const namedPart = (
  kind: PrintedDocument,
  part: PrintPart,
): { readonly part: PrintPart; readonly label: string } => ({ part, label: printLabelOf(kind, part) })

export const signaturesOf = (kind: PrintedDocument): readonly string[] => textsByDocument[kind].signatures

/** Columns of a handover that are no parts of the settings. */
export const handoverColumns = ['笔数', '实收', '退款', '净收'] as const

/** A column of amounts has no holes: nothing is a dash. */
export const noAmount = '--'
