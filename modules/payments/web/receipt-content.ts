import { labelOf } from '#kit/contract/field.ts'
import { toChineseCapitals } from '#kit/domain/money.ts'
import { displayYuan } from '#kit/web/numbers.tsx'
import type { PrintContent, PrintFact } from '#modules/accounts/web/public.ts'
import { formatPeriod } from '#modules/bills/web/public.tsx'
import { payMethod } from '../contract/choices.ts'
import type { getReceipts } from '../contract/receipt.ts'
import { receiptDocTypeOf, reprintLabel } from '../domain/receipt.ts'

export type Receipt = NonNullable<typeof getReceipts.output.T>[number]

/** What each way brought, after the change was given back out of the cash. */
function formatMethods(r: Receipt): string {
  const net = r.methods
    .map(m => ({ method: m.method, amount: Math.abs(m.amount) - (m.method === 'cash' ? r.changeAmount : 0) }))
    .filter(m => m.amount !== 0)
  return net
    .map(m =>
      net.length > 1
        ? `${labelOf(payMethod, m.method)} ${displayYuan(m.amount)}`
        : labelOf(payMethod, m.method),
    )
    .join('，')
}

const numberLabels = { receipt: '收据号', prestore: '收据号', deposit: '收据号', refund: '单号' } as const
type Table = Pick<PrintContent, 'columns' | 'rows' | 'total'>
const formatYuanOrBlank = (fen: number | undefined): string => (fen ? displayYuan(fen) : '')

/**
 * Bills paid or given back, or one line for money without bills. A refund's record is negative; its sheet
 * says how much goes out.
 */
function buildBillTable(r: Receipt, sign: 1 | -1, sum: number): Table {
  const rows = r.details.map(d => [
    d.feeItemName,
    d.sourceName,
    formatPeriod(d.beginDate, d.endDate),
    displayYuan(sign * d.principal),
    formatYuanOrBlank(sign * d.lateFee),
    displayYuan(sign * (d.principal + d.lateFee)),
  ])
  return {
    columns: [
      { part: 'item', label: '收费项目' },
      { part: 'source', label: '对象' },
      { part: 'period', label: '账期' },
      { part: 'principal', label: '本金', right: true },
      { part: 'lateFee', label: '违约金', right: true },
      { part: 'amount', label: '金额', right: true },
    ],
    rows: rows.length
      ? rows
      : (r.about.length ? r.about : [{ item: sign < 0 ? '退款' : '收款', amount: sign * sum }]).map(a => [
          a.item,
          r.sourceName,
          '',
          displayYuan(sign * a.amount),
          '',
          displayYuan(sign * a.amount),
        ]),
    total: ['合计', '', '', '', '', displayYuan(sum)],
  }
}

const buildPrestoreTable = (r: Receipt, sum: number): Table => ({
  columns: [
    { part: 'item', label: '收费项目' },
    { part: 'amount', label: '充值金额', right: true },
    { part: 'gift', label: '赠送', right: true },
    { part: 'after', label: '充值后余额', right: true },
  ],
  rows: (r.about.length
    ? r.about
    : [{ item: '预存充值', amount: sum, gift: undefined, after: undefined }]
  ).map(a => [
    a.item,
    displayYuan(a.amount),
    formatYuanOrBlank(a.gift),
    a.after === undefined ? '' : displayYuan(a.after),
  ]),
})

const buildDepositTable = (r: Receipt, sum: number): Table => ({
  columns: [
    { part: 'item', label: '种类' },
    { part: 'amount', label: '押金', right: true },
    { part: 'deducted', label: '已扣款', right: true },
    { part: 'back', label: '已退还', right: true },
    { part: 'after', label: '结余', right: true },
  ],
  rows: (r.about.length
    ? r.about
    : [{ item: '押金', amount: sum, deducted: undefined, back: undefined, after: undefined }]
  ).map(a => [
    a.item,
    displayYuan(a.amount),
    formatYuanOrBlank(a.deducted),
    formatYuanOrBlank(a.back),
    a.after === undefined ? '' : displayYuan(a.after),
  ]),
})

/** What stands on one receipt, the `nth` time it is printed. */
export function buildReceiptContent(r: Receipt, printedAt: string, nth = r.printCount + 1): PrintContent {
  const kind = receiptDocTypeOf(r)
  const sign = kind === 'refund' ? -1 : 1
  const sum = sign * (r.receivedAmount - r.changeAmount)
  const number = r.receiptNo ?? r.recordNo
  const ways = formatMethods(r)
  const more: readonly PrintFact[] = [
    ...(r.roundOff ? [{ part: 'discount' as const, label: '抹零', value: displayYuan(r.roundOff) }] : []),
    ...(r.toPrestore && kind === 'receipt'
      ? [{ label: '其中转预存', value: displayYuan(r.toPrestore) }]
      : []),
  ]
  return {
    facts: [
      {
        part: 'no',
        label: numberLabels[kind],
        value: `${number}${reprintLabel(nth)}${r.state === 'voided' ? '（已作废）' : ''}`,
      },
      { part: 'date', label: '日期', value: r.payTime.slice(0, 16) },
      { part: 'payer', label: kind === 'refund' ? '收款人' : '缴费人', value: r.payerName ?? '--' },
      { part: 'room', label: '对象', value: r.sourceName },
    ],
    ...(kind === 'prestore'
      ? buildPrestoreTable(r, sum)
      : kind === 'deposit'
        ? buildDepositTable(r, sum)
        : buildBillTable(r, sign, sum)),
    lines: [
      { part: 'capitals', label: '人民币（大写）', value: toChineseCapitals(sum) },
      { part: 'method', label: kind === 'refund' ? '退款方式' : '支付方式', value: ways },
      ...more,
      { part: 'operator', label: kind === 'refund' ? '经办人' : '收款人', value: r.cashierName ?? '' },
    ],
    ...(r.remark ? { remark: r.remark } : {}),
    signatures: kind === 'refund' ? ['收款人签字', '经办人'] : ['收款人', '缴费人'],
    printedAt,
    words: {
      单号: number,
      日期: r.payTime.slice(0, 10),
      缴费人: r.payerName ?? '',
      对象: r.sourceName,
      金额: displayYuan(sum),
      大写: toChineseCapitals(sum),
      支付方式: ways,
      经办人: r.cashierName ?? '',
    },
  }
}
