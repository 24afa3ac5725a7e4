import { defined } from '#kit/domain/defined.ts'
import { mapRecord } from '#kit/domain/records.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { docType, paperSize, printPart } from '../contract/print-settings.ts'
import { layoutByDocType } from './print-layout.ts'
import { findPlaceholderFault } from './print-placeholders.ts'

export type DocType = ChoiceOf<typeof docType>
export type PaperSize = ChoiceOf<typeof paperSize>
export type PrintPart = ChoiceOf<typeof printPart>

/** The content of a setting, saved or default. */
export interface PrintSetting {
  readonly docType: DocType
  readonly title: string
  readonly paperSize: PaperSize
  readonly landscape: boolean
  readonly marginTop: number
  readonly marginRight: number
  readonly marginBottom: number
  readonly marginLeft: number
  readonly fontSize: number
  readonly copies: number
  readonly copyNames?: readonly string[]
  readonly showSeal: boolean
  readonly estateCode?: string
  readonly logo?: string
  readonly parts?: readonly PrintPart[]
  /** Other names than the shipped ones. */
  readonly labels?: readonly { readonly part: PrintPart; readonly label: string }[]
  readonly header?: string
  readonly footer?: string
}

type Margins = Pick<PrintSetting, 'marginTop' | 'marginRight' | 'marginBottom' | 'marginLeft'>

/** Width and height in mm, upright; a roll is as long as what is printed. */
const paperDimensionsMm: Readonly<Record<PaperSize, readonly [width: number, height: number | undefined]>> = {
  a4: [210, 297],
  a5: [148, 210],
  third: [241, 93],
  roll: [80, undefined],
  half: [241, 140],
}

/** Only single sheets can be landscape; continuous paper and rolls cannot. */
export const canBeLandscape = (p: PaperSize): boolean => p === 'a4' || p === 'a5'

/** PRINT-1: width and height as printed, mm. A5 landscape is 210 × 148. */
export function getPaperDimensions(
  setting: Pick<PrintSetting, 'paperSize' | 'landscape'>,
): readonly [width: number, height: number | undefined] {
  const [w, h] = paperDimensionsMm[setting.paperSize]
  return setting.landscape && canBeLandscape(setting.paperSize) && h !== undefined ? [h, w] : [w, h]
}

export const partsByDocType: Readonly<Record<DocType, readonly PrintPart[]>> = mapRecord(
  layoutByDocType,
  l => [...l.facts, ...l.columns, ...l.lines, ...l.rest],
)

const sheetDefaults = {
  paperSize: 'a4',
  landscape: false,
  marginTop: 15,
  marginRight: 15,
  marginBottom: 15,
  marginLeft: 15,
  fontSize: 10,
  copies: 1,
  showSeal: true,
} as const

const slipDefaults = {
  ...sheetDefaults,
  paperSize: 'third',
  marginTop: 6,
  marginBottom: 6,
  marginLeft: 12,
  marginRight: 12,
  fontSize: 9,
  copies: 3,
  copyNames: ['存根', '缴费人', '记账'],
} as const

const rollDefaults = {
  ...sheetDefaults,
  paperSize: 'roll',
  marginTop: 3,
  marginBottom: 6,
  marginLeft: 4,
  marginRight: 4,
  fontSize: 9,
  showSeal: false,
} as const

const sidesOf = ({ marginTop, marginRight, marginBottom, marginLeft }: Margins): Margins => ({
  marginTop,
  marginRight,
  marginBottom,
  marginLeft,
})

/** The margins that suit a paper; an 80 mm roll is printed 72 mm wide, too narrow for wide side margins. */
export const getPaperMargins = (p: PaperSize): Margins =>
  sidesOf(p === 'roll' ? rollDefaults : p === 'third' || p === 'half' ? slipDefaults : sheetDefaults)

const partsWithout = (d: DocType, ...excluded: readonly PrintPart[]): readonly PrintPart[] =>
  partsByDocType[d].filter(p => !excluded.includes(p))

/** How each kind is printed until a setting is saved. */
export const printDefaults: Readonly<Record<DocType, Omit<PrintSetting, 'docType'>>> = {
  receipt: { ...slipDefaults, title: '收款收据', parts: partsWithout('receipt', 'logo', 'remark') },
  prestore: { ...slipDefaults, title: '预存收据', parts: partsWithout('prestore', 'logo', 'remark') },
  bill: {
    ...sheetDefaults,
    paperSize: 'a5',
    landscape: true,
    marginTop: 10,
    marginBottom: 10,
    title: '缴费通知单',
    parts: partsWithout('bill', 'signature', 'discount'),
    footer: '请在最后缴费日前缴清，逾期按约定计收违约金。',
  },
  demand: {
    ...sheetDefaults,
    title: '催缴函',
    parts: partsByDocType.demand,
    footer: '如已缴清请忽略本函；对账单有异议请于 7 日内与我们联系。',
  },
  deposit: { ...slipDefaults, title: '押金收据', parts: partsWithout('deposit', 'logo') },
  refund: {
    ...slipDefaults,
    title: '退款单',
    copyNames: ['存根', '收款人', '记账'],
    parts: partsWithout('refund', 'logo'),
  },
  visitor: { ...rollDefaults, title: '访客单', parts: partsWithout('visitor', 'logo', 'signature') },
  workOrder: {
    ...sheetDefaults,
    paperSize: 'a5',
    title: '工单',
    copies: 2,
    copyNames: ['留存', '住户'],
    parts: partsByDocType.workOrder,
  },
  purchase: { ...sheetDefaults, title: '采购单', parts: partsByDocType.purchase },
  invoices: { ...sheetDefaults, title: '发票清单', parts: partsWithout('invoices', 'logo') },
  handover: {
    ...sheetDefaults,
    title: '收费员交账单',
    copies: 2,
    copyNames: ['出纳', '收费员'],
    parts: partsWithout('handover', 'logo'),
  },
}

export const getDefaultPrintSetting = (d: DocType): PrintSetting => ({ docType: d, ...printDefaults[d] })

/** The smallest area between the margins, mm. */
const minPrintableMm = { width: 40, height: 40 } as const

const findTextFaults = (setting: PrintSetting): Partial<Record<'title' | 'header' | 'footer', string>> =>
  Object.fromEntries(
    (['title', 'header', 'footer'] as const).flatMap(k => {
      const f = findPlaceholderFault(setting.docType, setting[k])
      return f ? [[k, f]] : []
    }),
  )

/** PRINT-3: what cannot be printed, by field. 80 mm with 25 + 20 mm of margins leaves 35 mm: refused. */
export function findPrintFaults(setting: PrintSetting): Partial<Record<keyof PrintSetting, string>> {
  const [width, height] = getPaperDimensions(setting)
  const known = partsByDocType[setting.docType]
  const foreign = (setting.parts ?? []).filter(p => !known.includes(p))
  return {
    ...(width - setting.marginLeft - setting.marginRight < minPrintableMm.width
      ? { marginLeft: `左右边距太大，纸宽 ${width} mm，至少要留 ${minPrintableMm.width} mm` }
      : {}),
    ...(height !== undefined && height - setting.marginTop - setting.marginBottom < minPrintableMm.height
      ? { marginTop: `上下边距太大，纸高 ${height} mm，至少要留 ${minPrintableMm.height} mm` }
      : {}),
    ...(setting.landscape && !canBeLandscape(setting.paperSize)
      ? { landscape: '连续纸和热敏纸不能横向' }
      : {}),
    ...((setting.copyNames?.length ?? 0) > setting.copies
      ? { copyNames: `各联名称多于联数，最多 ${setting.copies} 个` }
      : {}),
    ...findTextFaults(setting),
    ...(foreign.length || (setting.labels ?? []).some(l => !known.includes(l.part))
      ? { parts: '有这种单据不包含的内容，请刷新后重选' }
      : {}),
  }
}

/** 第一联 存根; without a name only the number. */
export const formatCopyName = (n: number, names: readonly string[] | undefined): string =>
  `第${defined('一二三四五六'[n])}联${names?.[n] ? ` ${names[n]}` : ''}`
