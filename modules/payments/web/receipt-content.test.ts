import { defined } from '#kit/domain/defined.ts'
import { expect, it } from 'vitest'
import { asFen, parseYuan, sumFen } from '#kit/domain/money.ts'
import { asId } from '#kit/domain/id.ts'
import { getDefaultPrintSetting } from '#modules/accounts/domain/print-settings.ts'
import { buildReceiptContent, type Receipt } from './receipt-content.ts'

const detail = (principal: number, lateFee: number): Receipt['details'][number] => ({
  id: asId(1),
  recordId: asId(1),
  billId: asId(1),
  billNo: 'ZD1',
  feeItemId: asId(1),
  feeItemName: '物业费',
  sourceType: 'room',
  sourceCode: 'R1',
  sourceName: '7-2-1004',
  beginDate: '2026-10-01',
  endDate: '2026-10-31',
  principal: asFen(principal),
  lateFee: asFen(lateFee),
  refundedPrincipal: 0,
  refundedLateFee: 0,
  invoicedAmount: 0,
  unpaid: 0,
})

const receiptOf = (overrides: Partial<Receipt>): Receipt => ({
  id: asId(1),
  projectCode: 'P1',
  recordNo: 'SK1',
  recordType: 'payment',
  state: 'normal',
  payTime: '2026-11-23 10:00:00',
  payDay: '2026-11-23',
  payMethod: 'transfer',
  isHistory: false,
  sourceName: '7-2-1004',
  tenderedAmount: asFen(300_000),
  changeAmount: asFen(0),
  methods: [{ method: 'transfer', amount: asFen(300_000) }],
  details: [detail(250_000, 7733), detail(20_000, 0)],
  about: [],
  printCount: 0,
  paper: getDefaultPrintSetting('receipt'),
  receivedAmount: asFen(300_000),
  principalAmount: asFen(270_000),
  lateFeeAmount: asFen(7733),
  incomeAmount: asFen(277_733),
  prestoreAmount: 0,
  couponAmount: 0,
  roundOff: 0,
  toPrestore: 0,
  refundedAmount: 0,
  refundingAmount: 0,
  invoicedAmount: 0,
  ...overrides,
})

const yuanOf = (cells: readonly unknown[]) => parseYuan(String(cells.at(-1)).replaceAll(',', ''))

it('C27-13: the total of a receipt is the sum of its rows, also where something stays as prestore', () => {
  const { rows, total, subtotalOf } = buildReceiptContent(
    receiptOf({ toPrestore: asFen(22_267) }),
    '2026-11-23 10:00',
  )
  expect(defined(rows).map(cells => [cells[0], cells.at(-1)])).toEqual([
    ['物业费', '2,577.33'],
    ['物业费', '200.00'],
    ['预存（多收转存）', '222.67'],
  ])
  expect(yuanOf(defined(total))).toBe(sumFen(defined(rows).map(yuanOf)))
  expect(defined(subtotalOf)(1, 3).at(-1)).toBe('422.67')
})

it('the receipt of a part payment says what remains to be paid of which bill', () => {
  const linesOf = (unpaid: number) =>
    buildReceiptContent(
      receiptOf({ details: [detail(250_000, 0), { ...detail(20_000, 0), unpaid: asFen(unpaid) }] }),
      '2026-11-23 10:00',
    ).lines?.map(l => [l.label, l.value])
  expect(linesOf(123_456)).toContainEqual(['未收', '物业费 2026-10 1,234.56'])
  expect(linesOf(0)?.map(([label]) => label)).not.toContain('未收')
})
