import { inCapitals, sumFen, formatYuan, type Fen } from '#kit/domain/money.ts'
import type { DocType } from '../domain/print.ts'
import type { PrintContent, PrintFact } from './print-sheet.tsx'

/**
 * What the preview of the settings shows: invented, and marked so on the screen. Sums are worked out, not
 * written down.
 */
const day = '2026-11-20'
const money = (f: Fen): string => formatYuan(f, { thousands: true })

interface Line {
  readonly item: string
  readonly period: string
  readonly basis: string
  readonly principal: Fen
  readonly late: Fen
  readonly discount: Fen
}

const lines: readonly Line[] = [
  {
    item: '物业费',
    period: '2026-10 ~ 12',
    basis: '142.36 ㎡ × 2.80 × 3 月',
    principal: 119_582,
    late: 1196,
    discount: 0,
  },
  { item: '水费', period: '2026-10', basis: '14 t × 3.45', principal: 4830, late: 0, discount: 0 },
  { item: '车位管理费', period: '2026-10', basis: 'B1-086', principal: 8000, late: 0, discount: 500 },
]

const payable = (l: Line): Fen => l.principal + l.late - l.discount
const sum = (pick: (l: Line) => Fen): Fen => sumFen(lines.map(pick))

const who: readonly PrintFact[] = [
  { part: 'payer', label: '缴费人', value: '样例住户' },
  { part: 'room', label: '房号', value: '样例花园 3-2-1502' },
]

const head = (no: string): readonly PrintFact[] => [
  { part: 'no', label: '单号', value: no },
  { part: 'date', label: '日期', value: day },
]

const capitals = (fen: Fen): PrintFact => ({
  part: 'capitals',
  label: '人民币（大写）',
  value: inCapitals(fen),
})

const said = (fen: Fen): NonNullable<PrintContent['words']> => ({
  单号: 'SJ20261120000127',
  日期: day,
  缴费人: '样例住户',
  对象: '样例花园 3-2-1502',
  金额: money(fen),
  大写: inCapitals(fen),
  支付方式: '现金',
  经办人: '样例收费员',
  项目: '样例花园',
})

const method: PrintFact = { part: 'method', label: '收款方式', value: '现金' }
const operator: PrintFact = { part: 'operator', label: '经办人', value: '样例收费员' }
const phone: PrintFact = { part: 'phone', label: '联系电话', value: '138****0000' }

const charged = (
  facts: readonly PrintFact[],
  more: readonly PrintFact[],
  rest: Partial<PrintContent>,
): PrintContent => ({
  facts: [...facts, ...who],
  columns: [
    { part: 'item', label: '收费项目' },
    { part: 'period', label: '账期' },
    { part: 'basis', label: '计费依据' },
    { part: 'principal', label: '本金', right: true },
    { part: 'lateFee', label: '违约金', right: true },
    { part: 'discount', label: '减免', right: true },
    { part: 'amount', label: '金额', right: true },
  ],
  rows: lines.map(l => [
    l.item,
    l.period,
    l.basis,
    money(l.principal),
    l.late ? money(l.late) : '--',
    l.discount ? money(l.discount) : '--',
    money(payable(l)),
  ]),
  total: [
    '合计',
    '',
    '',
    money(sum(l => l.principal)),
    money(sum(l => l.late)),
    money(sum(l => l.discount)),
    money(sum(payable)),
  ],
  lines: [capitals(sum(payable)), ...more],
  printedAt: `${day} 10:58`,
  words: said(sum(payable)),
  ...rest,
})

/** Only what was paid for stands on a receipt: no basis, no discount of a line. */
const received = (no: string, who2: readonly PrintFact[]): PrintContent => ({
  facts: [...head(no), ...who2],
  columns: [
    { part: 'item', label: '收费项目' },
    { part: 'source', label: '对象' },
    { part: 'period', label: '账期' },
    { part: 'principal', label: '本金', right: true },
    { part: 'lateFee', label: '违约金', right: true },
    { part: 'amount', label: '金额', right: true },
  ],
  rows: lines.map(l => [
    l.item,
    '3-2-1502',
    l.period,
    money(l.principal),
    l.late ? money(l.late) : '',
    money(l.principal + l.late),
  ]),
  total: [
    '合计',
    '',
    '',
    money(sum(l => l.principal)),
    money(sum(l => l.late)),
    money(sum(l => l.principal + l.late)),
  ],
  lines: [capitals(sum(l => l.principal + l.late)), method, operator],
  printedAt: `${day} 10:58`,
  words: said(sum(l => l.principal + l.late)),
  remark: '样例备注',
})

const held = (
  no: string,
  columns: NonNullable<PrintContent['columns']>,
  row: readonly string[],
  fen: Fen,
): PrintContent => ({
  facts: [...head(no), ...who],
  columns,
  rows: [row],
  lines: [capitals(fen), method, operator],
  signatures: ['收款人', '缴费人'],
  remark: '样例备注',
  printedAt: `${day} 10:58`,
  words: said(fen),
})

const plain = (
  no: string,
  facts: readonly PrintFact[],
  signatures: readonly string[],
  remark: string,
): PrintContent => ({
  facts: [...head(no), ...facts],
  lines: [operator],
  signatures,
  remark,
  printedAt: `${day} 10:58`,
})

export const samples: Readonly<Record<DocType, PrintContent>> = {
  receipt: { ...received('2026-000127', who), signatures: ['收款人', '缴费人'] },
  prestore: held(
    '2026-000128',
    [
      { part: 'item', label: '收费项目' },
      { part: 'amount', label: '充值金额', right: true },
      { part: 'gift', label: '赠送', right: true },
      { part: 'after', label: '充值后余额', right: true },
    ],
    ['预存充值（通用）', money(200_000), money(10_000), money(236_000)],
    200_000,
  ),
  bill: charged(
    [...head('ZD20261101000086'), phone],
    [{ part: 'due', label: '最后缴费日', value: '2026-11-30' }, operator],
    { signatures: ['住户签收'], remark: '样例备注' },
  ),
  demand: charged(
    [...head('CJ20261120000012'), phone],
    [{ part: 'due', label: '请于此日前缴清', value: '2026-11-30' }, operator],
    { signatures: ['签收人'], remark: '样例备注' },
  ),
  deposit: held(
    'YJ20261120000003',
    [
      { part: 'item', label: '种类' },
      { part: 'amount', label: '押金', right: true },
      { part: 'deducted', label: '已扣款', right: true },
      { part: 'back', label: '已退还', right: true },
      { part: 'after', label: '结余', right: true },
    ],
    ['装修押金', money(200_000), '', '', money(200_000)],
    200_000,
  ),
  refund: { ...received('TKD20261120000002', who), signatures: ['收款人签字'] },
  visitor: plain(
    'FK20261120000031',
    [
      { label: '访客', value: '样例访客' },
      { part: 'room', label: '到访', value: '样例花园 3-2-1502' },
      phone,
      { label: '有效期', value: `${day} 18:00 前` },
    ],
    ['门岗签字'],
    '离开时请交回本单',
  ),
  workOrder: plain(
    'GD20261120000045',
    [
      { part: 'room', label: '地点', value: '样例花园 3-2-1502' },
      phone,
      { label: '报修内容', value: '厨房水管接口渗水' },
      { label: '派单', value: '样例工程师傅' },
    ],
    ['维修人', '住户确认'],
    '样例备注',
  ),
  purchase: {
    facts: head('CG20261120000007'),
    columns: [
      { label: '物品' },
      { label: '规格' },
      { label: '数量', right: true },
      { label: '单价', right: true },
      { label: '金额', right: true },
    ],
    rows: [
      ['LED 灯管', 'T8 16 W', '40', money(1250), money(50_000)],
      ['止水带', 'DN20', '10', money(480), money(4800)],
    ],
    total: ['合计', '', '', '', money(54_800)],
    lines: [capitals(54_800), operator],
    signatures: ['申请人', '审批人', '验收人'],
    remark: '样例备注',
    printedAt: `${day} 10:58`,
  },
  invoices: {
    facts: head('FP20261120000009'),
    columns: [
      { label: '发票号码' },
      { part: 'payer', label: '购买方' },
      { part: 'room', label: '房号' },
      { label: '税额', right: true },
      { label: '价税合计', right: true },
    ],
    rows: [
      ['样例号码 01', '样例住户', '3-2-1502', money(6769), money(119_582)],
      ['样例号码 02', '样例公司', 'A-1201', money(10_189), money(180_000)],
    ],
    total: ['合计', '', '', money(16_958), money(299_582)],
    lines: [capitals(299_582), operator],
    remark: '样例备注',
    printedAt: `${day} 10:58`,
  },
  handover: {
    facts: [...head('JZ20261120000004'), { part: 'period', label: '班次', value: `${day} 08:00 ~ 18:00` }],
    columns: [
      { part: 'method', label: '收款方式' },
      { label: '笔数', right: true },
      { label: '收款', right: true },
      { label: '退款', right: true },
      { label: '应交', right: true },
    ],
    rows: [
      ['现金', '18', money(624_350), money(12_000), money(612_350)],
      ['微信', '42', money(1_860_000), '--', money(1_860_000)],
    ],
    total: ['合计', '60', money(2_484_350), money(12_000), money(2_472_350)],
    lines: [capitals(2_472_350), operator],
    signatures: ['交账人', '出纳'],
    remark: '样例备注',
    printedAt: `${day} 18:05`,
  },
}
