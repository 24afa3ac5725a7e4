import { labelOf } from '#kit/contract/field.ts'
import { asFen, sumFen, toChineseCapitals, type Fen } from '#kit/domain/money.ts'
import { displayYuan } from '#kit/web/numbers.tsx'
import {
  namedPart,
  noAmount,
  signaturesOf,
  type PrintContent,
  type PrintFact,
} from '#modules/accounts/web/public.ts'
import { formatPeriod } from '#modules/bills/web/public.tsx'
import { payMethod } from '../contract/choices.ts'
import type { getReceipts } from '../contract/receipt.ts'
import { cashTendered, keptTenders } from '../domain/tender-sums.ts'
import { receiptDocTypeOf, reprintLabel } from '../domain/receipt.ts'

export type Receipt = NonNullable<typeof getReceipts.output.T>[number]

/** What each way brought, after the change was given back out of the cash. */
function formatMethods(receipt: Receipt): string {
  const net = keptTenders(receipt.methods, receipt.changeAmount)
    .map(m => ({ method: m.method, amount: asFen(Math.abs(m.amount)) }))
    .filter(m => m.amount !== 0)
  return net
    .map(m =>
      net.length > 1
        ? `${labelOf(payMethod, m.method)} ${displayYuan(m.amount)}`
        : labelOf(payMethod, m.method),
    )
    .join('，')
}

type Table = Pick<PrintContent, 'columns' | 'rows' | 'total' | 'subtotalOf'>
const formatYuanOrDash = (fen: Fen | undefined): string => (fen ? displayYuan(fen) : noAmount)

/**
 * Bills paid or given back, or one line for money without bills. A refund's record is negative; its sheet
 * says how much goes out.
 */
function buildBillTable(receipt: Receipt, kind: 'receipt' | 'refund', sum: Fen): Table {
  const sign = kind === 'refund' ? -1 : 1
  const paid = receipt.details.map(detail => ({
    amount: asFen(sign * (detail.principal + detail.lateFee)),
    cells: [
      detail.feeItemName,
      detail.sourceName,
      formatPeriod(detail.beginDate, detail.endDate),
      displayYuan(asFen(sign * detail.principal)),
      formatYuanOrDash(asFen(sign * detail.lateFee)),
    ],
  }))
  // The total is the sum of what stands above it (C27-13): what was too much has a row of its own.
  const kept = receipt.toPrestore
    ? [{ amount: receipt.toPrestore, cells: ['预存（多收转存）', receipt.sourceName, '', '', ''] }]
    : []
  const lines = paid.length ? [...paid, ...kept] : []
  const rows = lines.map(line => [...line.cells, displayYuan(line.amount)])
  return {
    columns: [
      namedPart(kind, 'item'),
      namedPart(kind, 'source'),
      namedPart(kind, 'period'),
      { ...namedPart(kind, 'principal'), right: true },
      { ...namedPart(kind, 'lateFee'), right: true },
      { ...namedPart(kind, 'amount'), right: true },
    ],
    rows: rows.length
      ? rows
      : (receipt.about.length
          ? receipt.about
          : [{ item: sign < 0 ? '退款' : '收款', amount: sign * sum }]
        ).map(line => [
          line.item,
          receipt.sourceName,
          '',
          displayYuan(asFen(sign * line.amount)),
          '',
          displayYuan(asFen(sign * line.amount)),
        ]),
    total: ['合计', '', '', '', '', displayYuan(sum)],
    subtotalOf: (from, to) => [
      '本页小计',
      '',
      '',
      '',
      '',
      displayYuan(sumFen(lines.slice(from, to).map(line => line.amount))),
    ],
  }
}

const buildPrestoreTable = (receipt: Receipt, sum: Fen): Table => ({
  columns: [
    namedPart('prestore', 'item'),
    { ...namedPart('prestore', 'amount'), right: true },
    { ...namedPart('prestore', 'gift'), right: true },
    { ...namedPart('prestore', 'after'), right: true },
  ],
  rows: (receipt.about.length
    ? receipt.about
    : [{ item: '预存充值', amount: sum, gift: undefined, after: undefined }]
  ).map(line => [
    line.item,
    displayYuan(line.amount),
    formatYuanOrDash(line.gift),
    line.after === undefined ? '' : displayYuan(line.after),
  ]),
})

const buildDepositTable = (receipt: Receipt, sum: Fen): Table => ({
  columns: [
    namedPart('deposit', 'item'),
    { ...namedPart('deposit', 'amount'), right: true },
    { ...namedPart('deposit', 'deducted'), right: true },
    { ...namedPart('deposit', 'back'), right: true },
    { ...namedPart('deposit', 'after'), right: true },
  ],
  rows: (receipt.about.length
    ? receipt.about
    : [{ item: '押金', amount: sum, deducted: undefined, back: undefined, after: undefined }]
  ).map(line => [
    line.item,
    displayYuan(line.amount),
    formatYuanOrDash(line.deducted),
    formatYuanOrDash(line.back),
    line.after === undefined ? '' : displayYuan(line.after),
  ]),
})

const isPartPaid = ({ unpaid }: Receipt['details'][number]): boolean => unpaid > 0

const formatUnpaid = ({ feeItemName, beginDate, endDate, unpaid }: Receipt['details'][number]): string =>
  `${feeItemName} ${formatPeriod(beginDate, endDate)} ${displayYuan(unpaid)}`

/** What was rounded off, remains to be paid, was handed over and refunded. */
const tenderFacts = (receipt: Receipt, kind: ReturnType<typeof receiptDocTypeOf>): readonly PrintFact[] => [
  ...(receipt.roundOff ? [{ ...namedPart(kind, 'discount'), value: displayYuan(receipt.roundOff) }] : []),
  ...(kind === 'receipt' && receipt.details.some(isPartPaid)
    ? [{ label: '未收', value: receipt.details.filter(isPartPaid).map(formatUnpaid).join('，') }]
    : []),
  ...(kind === 'receipt' && cashTendered(receipt.methods) > 0
    ? [
        { label: '收到现金', value: displayYuan(cashTendered(receipt.methods)) },
        { label: '找零', value: displayYuan(receipt.changeAmount) },
      ]
    : []),
]

/** What one receipt shows, the `nth` time it is printed. */
export function buildReceiptContent(
  receipt: Receipt,
  printedAt: string,
  nth = receipt.printCount + 1,
): PrintContent {
  const kind = receiptDocTypeOf(receipt)
  const sign = kind === 'refund' ? -1 : 1
  const sum = asFen(sign * (receipt.tenderedAmount - receipt.changeAmount))
  const number = receipt.receiptNo ?? receipt.recordNo
  const methods = formatMethods(receipt)
  return {
    facts: [
      {
        ...namedPart(kind, 'no'),
        value: `${number}${reprintLabel(nth)}${receipt.state === 'voided' ? '（已作废）' : ''}`,
      },
      { ...namedPart(kind, 'date'), value: receipt.payTime.slice(0, 16) },
      { ...namedPart(kind, 'payer'), value: receipt.payerName ?? '--' },
      { ...namedPart(kind, 'room'), value: receipt.sourceName },
    ],
    ...(kind === 'prestore'
      ? buildPrestoreTable(receipt, sum)
      : kind === 'deposit'
        ? buildDepositTable(receipt, sum)
        : buildBillTable(receipt, kind, sum)),
    lines: [
      { ...namedPart(kind, 'capitals'), value: toChineseCapitals(sum) },
      { ...namedPart(kind, 'method'), value: methods },
      ...tenderFacts(receipt, kind),
      { ...namedPart(kind, 'operator'), value: receipt.cashierName ?? '' },
    ],
    ...(receipt.remark ? { remark: receipt.remark } : {}),
    signatures: signaturesOf(kind),
    printedAt,
    words: {
      单号: number,
      日期: receipt.payTime.slice(0, 10),
      缴费人: receipt.payerName ?? '',
      对象: receipt.sourceName,
      金额: displayYuan(sum),
      大写: toChineseCapitals(sum),
      支付方式: methods,
      经办人: receipt.cashierName ?? '',
    },
  }
}
