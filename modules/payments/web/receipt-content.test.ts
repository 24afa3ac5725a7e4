import { expect, it } from 'vitest'
import { asFen, parseYuan, sumFen } from '#kit/domain/money.ts'
import { asId } from '#kit/domain/id.ts'
import { buildReceiptContent, type Receipt } from './receipt-content.ts'

const detail = (principal: number, lateFee: number): Receipt['details'][number] =>
  ({
    feeItemName: '物业费',
    sourceName: '7-2-1004',
    beginDate: '2026-10-01',
    endDate: '2026-10-31',
    principal: asFen(principal),
    lateFee: asFen(lateFee),
  }) as Partial<Receipt['details'][number]> as Receipt['details'][number]

const receiptOf = (more: Partial<Receipt>): Receipt =>
  ({
    id: asId(1),
    recordNo: 'SK1',
    recordType: 'payment',
    state: 'normal',
    payTime: '2026-11-23 10:00:00',
    sourceName: '7-2-1004',
    tenderedAmount: asFen(300_000),
    changeAmount: asFen(0),
    methods: [{ method: 'transfer', amount: asFen(300_000) }],
    details: [detail(250_000, 7733), detail(20_000, 0)],
    about: [],
    printCount: 0,
    ...more,
  }) as Partial<Receipt> as Receipt

const yuanOf = (cells: readonly unknown[]) => parseYuan(String(cells.at(-1)).replaceAll(',', ''))

it('C27-13: the total of a receipt is the sum of its rows, also where something stays as prestore', () => {
  const { rows, total, subtotalOf } = buildReceiptContent(
    receiptOf({ toPrestore: asFen(22_267) }),
    '2026-11-23 10:00',
  )
  expect(rows!.map(cells => [cells[0], cells.at(-1)])).toEqual([
    ['物业费', '2,577.33'],
    ['物业费', '200.00'],
    ['预存（多收转存）', '222.67'],
  ])
  expect(yuanOf(total!)).toBe(sumFen(rows!.map(yuanOf)))
  expect(subtotalOf!(1, 3).at(-1)).toBe('422.67')
})
