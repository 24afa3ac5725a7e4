import { expect, it } from 'vitest'
import { asId, type Id } from '#kit/domain/id.ts'
import { newestBill } from './newest-bill.ts'

const bill = (version: number, discount: number, unpaid: number, id = 7) => ({
  id: asId(id),
  version,
  discount,
  unpaid,
})

it('shows one bill, never the discount of one reading beside the sum of another', () => {
  // 153.66 − 20.00: the list came back first, the bill itself is still the old one.
  expect(newestBill(bill(2, 2000, 13366), bill(1, 0, 15366))).toEqual(bill(2, 2000, 13366))
  expect(newestBill(bill(1, 0, 15366), bill(2, 2000, 13366))).toEqual(bill(2, 2000, 13366))
})

it('takes the bill itself where both are as new: its late fee is of today', () => {
  expect(newestBill(bill(1, 0, 15366), bill(1, 0, 15400))).toEqual(bill(1, 0, 15400))
  expect(newestBill(bill(1, 0, 15366), bill(9, 0, 1, 8))).toEqual(bill(1, 0, 15366))
  expect(newestBill(bill(1, 0, 15366), undefined)).toEqual(bill(1, 0, 15366))
})

interface Reading {
  readonly id: Id
  readonly version?: number
  readonly discount: number
  readonly unpaid: number
}

it('takes the bill itself where neither has a version, and the newer where one has none', () => {
  const newest = newestBill<Reading, Reading>
  const versionless = (unpaid: number): Reading => ({ id: asId(7), discount: 0, unpaid })
  const [row, whole] = [versionless(15366), versionless(15400)]
  expect([newest(row, whole), newest(bill(1, 0, 15366), whole)]).toEqual([whole, bill(1, 0, 15366)])
  expect(newest(row, bill(0, 0, 15400))).toEqual(bill(0, 0, 15400))
  expect(newest(bill(0, 0, 15366), whole)).toEqual(whole)
})
