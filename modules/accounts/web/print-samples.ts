import { addFen, asFen, formatYuan, sumFen, toChineseCapitals, type Fen } from '#kit/domain/money.ts'
import type { DocType } from '../domain/print-settings.ts'
import { handoverColumns, namedPart, noAmount, signaturesOf, type PrintedDocument } from './document-texts.ts'
import type { PrintContent, PrintFact } from './print-sheet.tsx'

/**
 * What the preview of the settings shows: invented, and marked so on the screen. Sums are worked out, not
 * written down.
 */
const sampleDay = '2026-11-20'
const formatMoney = (fen: number): string => formatYuan(asFen(fen), { thousands: true })

interface SampleLine {
  readonly item: string
  readonly period: string
  readonly basis: string
  readonly principal: Fen
  readonly late: Fen
  readonly discount: Fen
}

const sampleLines: readonly SampleLine[] = [
  {
    item: '物业费',
    period: '2026-10 ~ 12',
    basis: '142.36 ㎡ × 2.80 × 3 月',
    principal: asFen(119_582),
    late: asFen(1196),
    discount: 0,
  },
  { item: '水费', period: '2026-10', basis: '14 t × 3.45', principal: asFen(4830), late: 0, discount: 0 },
  {
    item: '车位管理费',
    period: '2026-10',
    basis: 'B1-086',
    principal: asFen(8000),
    late: 0,
    discount: asFen(500),
  },
]

const calculatePayable = (l: SampleLine): Fen => asFen(l.principal + l.late - l.discount)
const sumLines = (pick: (l: SampleLine) => Fen): Fen => sumFen(sampleLines.map(pick))

const payerFacts: readonly PrintFact[] = [
  { part: 'payer', label: '缴费人', value: '样例住户' },
  { part: 'room', label: '房号', value: '3-2-1502' },
]

const createHeadFacts = (no: string): readonly PrintFact[] => [
  { part: 'no', label: '单号', value: no },
  { part: 'date', label: '日期', value: sampleDay },
]

const createCapitalsFact = (fen: Fen): PrintFact => ({
  part: 'capitals',
  label: '人民币（大写）',
  value: toChineseCapitals(fen),
})

const createPlaceholderValues = (fen: Fen): NonNullable<PrintContent['words']> => ({
  单号: 'SJ20261120000127',
  日期: sampleDay,
  缴费人: '样例住户',
  对象: '3-2-1502',
  金额: formatMoney(fen),
  大写: toChineseCapitals(fen),
  支付方式: '现金',
  经办人: '样例收费员',
  项目: '样例花园',
})

const operatorFact: PrintFact = { part: 'operator', label: '经办人', value: '样例收费员' }
const phoneFact: PrintFact = { part: 'phone', label: '联系电话', value: '138****0000' }

const createChargeSample = (
  facts: readonly PrintFact[],
  extraLines: readonly PrintFact[],
  rest: Partial<PrintContent>,
): PrintContent => ({
  facts: [...facts, ...payerFacts],
  columns: [
    { part: 'item', label: '收费项目' },
    { part: 'period', label: '账期' },
    { part: 'basis', label: '计费依据' },
    { part: 'principal', label: '本金', right: true },
    { part: 'lateFee', label: '违约金', right: true },
    { part: 'discount', label: '减免', right: true },
    { part: 'amount', label: '金额', right: true },
  ],
  rows: sampleLines.map(sampleLine => [
    sampleLine.item,
    sampleLine.period,
    sampleLine.basis,
    formatMoney(sampleLine.principal),
    sampleLine.late ? formatMoney(sampleLine.late) : noAmount,
    sampleLine.discount ? formatMoney(sampleLine.discount) : noAmount,
    formatMoney(calculatePayable(sampleLine)),
  ]),
  total: [
    '合计',
    '',
    '',
    formatMoney(sumLines(l => l.principal)),
    formatMoney(sumLines(l => l.late)),
    formatMoney(sumLines(l => l.discount)),
    formatMoney(sumLines(calculatePayable)),
  ],
  lines: [createCapitalsFact(sumLines(calculatePayable)), ...extraLines],
  printedAt: `${sampleDay} 10:58`,
  words: createPlaceholderValues(sumLines(calculatePayable)),
  ...rest,
})

const sampleRoom = '3-2-1502'

type Receipt = Exclude<PrintedDocument, 'handover'>

/** What is around the table of everything that money is received or given back with. */
const createReceiptFrame = (kind: Receipt, no: string, fen: Fen): PrintContent => ({
  facts: [
    { ...namedPart(kind, 'no'), value: no },
    { ...namedPart(kind, 'date'), value: `${sampleDay} 10:58` },
    { ...namedPart(kind, 'payer'), value: '样例住户' },
    { ...namedPart(kind, 'room'), value: sampleRoom },
  ],
  lines: [
    { ...namedPart(kind, 'capitals'), value: toChineseCapitals(fen) },
    { ...namedPart(kind, 'method'), value: '银行转账' },
    { ...namedPart(kind, 'operator'), value: '样例收费员' },
  ],
  signatures: signaturesOf(kind),
  remark: '样例备注',
  printedAt: `${sampleDay} 10:58`,
  words: { ...createPlaceholderValues(fen), 支付方式: '银行转账' },
})

/** Only what was paid for is on a receipt: no basis, no discount of a line. */
function createReceiptSample(kind: 'receipt' | 'refund', no: string): PrintContent {
  const sum = sumLines(l => addFen(l.principal, l.late))
  return {
    ...createReceiptFrame(kind, no, sum),
    columns: [
      namedPart(kind, 'item'),
      namedPart(kind, 'source'),
      namedPart(kind, 'period'),
      { ...namedPart(kind, 'principal'), right: true },
      { ...namedPart(kind, 'lateFee'), right: true },
      { ...namedPart(kind, 'amount'), right: true },
    ],
    rows: sampleLines.map(sampleLine => [
      sampleLine.item,
      sampleRoom,
      sampleLine.period,
      formatMoney(sampleLine.principal),
      sampleLine.late ? formatMoney(sampleLine.late) : noAmount,
      formatMoney(addFen(sampleLine.principal, sampleLine.late)),
    ]),
    total: ['合计', '', '', '', '', formatMoney(sum)],
  }
}

const createSingleRowSample = (
  kind: 'prestore' | 'deposit',
  no: string,
  amounts: readonly Parameters<typeof namedPart>[1][],
  row: readonly string[],
  fen: Fen,
): PrintContent => ({
  ...createReceiptFrame(kind, no, fen),
  columns: [namedPart(kind, 'item'), ...amounts.map(part => ({ ...namedPart(kind, part), right: true }))],
  rows: [row],
})

const createSampleWithoutTable = (
  no: string,
  facts: readonly PrintFact[],
  signatures: readonly string[],
  remark: string,
): PrintContent => ({
  facts: [...createHeadFacts(no), ...facts],
  lines: [operatorFact],
  signatures,
  remark,
  printedAt: `${sampleDay} 10:58`,
})

export const sampleContents: Readonly<Record<DocType, PrintContent>> = {
  receipt: createReceiptSample('receipt', '2026-000127'),
  prestore: createSingleRowSample(
    'prestore',
    '2026-000128',
    ['amount', 'gift', 'after'],
    ['预存充值（通用）', formatMoney(200_000), formatMoney(10_000), formatMoney(236_000)],
    asFen(200_000),
  ),
  bill: createChargeSample(
    [...createHeadFacts('ZD20261101000086'), phoneFact],
    [{ part: 'due', label: '最后缴费日', value: '2026-11-30' }, operatorFact],
    { signatures: ['住户签收'], remark: '样例备注' },
  ),
  demand: createChargeSample(
    [...createHeadFacts('CJ20261120000012'), phoneFact],
    [{ part: 'due', label: '请于此日前缴清', value: '2026-11-30' }, operatorFact],
    { signatures: ['签收人'], remark: '样例备注' },
  ),
  deposit: createSingleRowSample(
    'deposit',
    '2026-000129',
    ['amount', 'deducted', 'back', 'after'],
    ['装修押金', formatMoney(200_000), noAmount, noAmount, formatMoney(200_000)],
    asFen(200_000),
  ),
  refund: createReceiptSample('refund', 'TK20261120000002'),
  visitor: createSampleWithoutTable(
    'FK20261120000031',
    [
      { label: '访客', value: '样例访客' },
      { part: 'room', label: '到访', value: '3-2-1502' },
      phoneFact,
      { label: '有效期', value: `${sampleDay} 18:00 前` },
    ],
    ['门岗签字'],
    '离开时请交回本单',
  ),
  workOrder: createSampleWithoutTable(
    'GD20261120000045',
    [
      { part: 'room', label: '地点', value: '3-2-1502' },
      phoneFact,
      { label: '报修内容', value: '厨房水管接口渗水' },
      { label: '派单', value: '样例工程师傅' },
    ],
    ['维修人', '住户确认'],
    '样例备注',
  ),
  purchase: {
    facts: createHeadFacts('CG20261120000007'),
    columns: [
      { label: '物品' },
      { label: '规格' },
      { label: '数量', right: true },
      { label: '单价', right: true },
      { label: '金额', right: true },
    ],
    rows: [
      ['LED 灯管', 'T8 16 W', '40', formatMoney(1250), formatMoney(50_000)],
      ['止水带', 'DN20', '10', formatMoney(480), formatMoney(4800)],
    ],
    total: ['合计', '', '', '', formatMoney(54_800)],
    lines: [createCapitalsFact(asFen(54_800)), operatorFact],
    signatures: ['申请人', '审批人', '验收人'],
    remark: '样例备注',
    printedAt: `${sampleDay} 10:58`,
  },
  invoices: {
    facts: createHeadFacts('FP20261120000009'),
    columns: [
      { label: '发票号码' },
      { part: 'payer', label: '购买方' },
      { part: 'room', label: '房号' },
      { label: '税额', right: true },
      { label: '价税合计', right: true },
    ],
    rows: [
      ['样例号码 01', '样例住户', '3-2-1502', formatMoney(6769), formatMoney(119_582)],
      ['样例号码 02', '样例公司', 'A-1201', formatMoney(10_189), formatMoney(180_000)],
    ],
    total: ['合计', '', '', formatMoney(16_958), formatMoney(299_582)],
    lines: [createCapitalsFact(asFen(299_582)), operatorFact],
    remark: '样例备注',
    printedAt: `${sampleDay} 10:58`,
  },
  handover: {
    facts: [
      { ...namedPart('handover', 'no'), value: 'JZ20261120000004' },
      { ...namedPart('handover', 'operator'), value: '样例收费员' },
      { ...namedPart('handover', 'date'), value: `${sampleDay} 08:00 至 ${sampleDay} 18:00` },
      { label: '状态', value: '待确认' },
    ],
    columns: [namedPart('handover', 'method'), ...handoverColumns.map(label => ({ label, right: true }))],
    rows: [
      ['现金', '18', formatMoney(624_350), formatMoney(12_000), formatMoney(612_350)],
      ['线上微信', '42', formatMoney(1_860_000), noAmount, formatMoney(1_860_000)],
    ],
    total: ['合计', '60', formatMoney(2_484_350), formatMoney(12_000), formatMoney(2_472_350)],
    lines: [
      { label: '应交现金', value: `¥${formatMoney(612_350)}` },
      { label: '实交现金', value: `¥${formatMoney(612_350)}` },
      { ...namedPart('handover', 'capitals'), value: toChineseCapitals(asFen(612_350)) },
    ],
    signatures: signaturesOf('handover'),
    remark: '样例备注',
    printedAt: `${sampleDay} 18:05`,
  },
}
