import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { getDefaultPrintSetting } from '#modules/accounts/domain/print-settings.ts'
import { sampleContents } from '#modules/accounts/web/print-samples.ts'
import type { PrintContent } from '#modules/accounts/web/public.ts'
import { buildHandoverContent } from '#modules/payments/web/handover-sheet.tsx'
import { buildReceiptContent, type Receipt } from '#modules/payments/web/receipt-content.ts'

const receiptOf = (recordType: Receipt['recordType'], sign: 1 | -1): Receipt => ({
  id: asId(1),
  projectCode: 'P1',
  recordNo: 'SK1',
  recordType,
  state: 'normal',
  payTime: '2026-11-23 10:00:00',
  payDay: '2026-11-23',
  payMethod: 'transfer',
  isHistory: false,
  sourceName: '7-2-1004',
  tenderedAmount: asFen(sign * 200_000),
  changeAmount: 0,
  methods: [{ method: 'transfer', amount: asFen(sign * 200_000) }],
  details: [],
  about: [{ item: '押金', amount: asFen(sign * 200_000), deducted: 0, back: 0, after: asFen(200_000) }],
  printCount: 0,
  paper: getDefaultPrintSetting('receipt'),
  receivedAmount: asFen(sign * 200_000),
  principalAmount: 0,
  lateFeeAmount: 0,
  incomeAmount: 0,
  prestoreAmount: 0,
  couponAmount: 0,
  roundOff: 0,
  toPrestore: 0,
  refundedAmount: 0,
  refundingAmount: 0,
  invoicedAmount: 0,
  remark: '备注',
})

const handover = buildHandoverContent({
  handNo: 'JZ1',
  cashierName: '收费员',
  beginTime: '2026-11-20 08:00:00',
  endTime: '2026-11-20 18:00:00',
  state: 'pending',
  methods: [{ method: 'cash', count: 1, received: asFen(100), refunded: 0 }],
  totalReceived: asFen(100),
  totalRefund: 0,
  cashAmount: asFen(100),
  handAmount: asFen(100),
  diff: 0,
  remark: '备注',
})

const real = {
  receipt: buildReceiptContent(receiptOf('payment', 1), '2026-11-20 10:58'),
  prestore: buildReceiptContent(receiptOf('prestore', 1), '2026-11-20 10:58'),
  deposit: buildReceiptContent(receiptOf('deposit', 1), '2026-11-20 10:58'),
  refund: buildReceiptContent(receiptOf('payment', -1), '2026-11-20 10:58'),
  handover,
} as const

/** What a document calls its parts, which of them the settings know, and which columns have a total. */
const wordsOf = ({
  facts,
  columns = [],
  lines = [],
  signatures,
  total,
  rows = [],
  remark,
}: PrintContent) => ({
  facts: facts.map(({ part, label }) => [part, label]),
  columns: columns.map(({ part, label, right }) => [part, label, right]),
  lines: lines.map(({ part, label }) => [part, label]),
  signatures,
  totals: total?.map(cell => cell !== ''),
  hasHoles: rows.some(row => row.some((cell, i) => columns[i]?.right && cell === '')),
  hasRemark: remark !== undefined,
})

it.each(['receipt', 'prestore', 'deposit', 'refund', 'handover'] as const)(
  'the sample of a template has the words of the real document: %s (PRINT-6)',
  kind => {
    expect(wordsOf(sampleContents[kind])).toEqual({ ...wordsOf(real[kind]), hasHoles: false })
  },
)
