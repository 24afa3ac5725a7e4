import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { discountOf, findDiscountFault, maxDiscountOf } from './counter-discount.ts'

const bill = (receivable: number, discount = 0, paid = 0) => ({
  receivable: asFen(receivable),
  discount: asFen(discount),
  paid: asFen(paid),
  feeItemName: '物业费',
  period: '2026-09',
})

it('T-BILL-01: 15 % of 326.45 is 48.97, also where a discount is replaced', () => {
  expect(discountOf(bill(32_645), { kind: 'rate', percent: '15' })).toBe(4897)
  expect(discountOf(bill(30_645, 2000), { kind: 'rate', percent: '15' })).toBe(4897)
  expect(discountOf(bill(32_645), { kind: 'amount', amount: asFen(2000) })).toBe(2000)
  expect(discountOf(bill(32_645), { kind: 'rate' })).toBeUndefined()
})

it('at most what is billed and not paid, the earlier discount included', () => {
  expect(maxDiscountOf(bill(11_868, 0, 7100))).toBe(4768)
  expect(maxDiscountOf(bill(13_366, 2000, 0))).toBe(15_366)
})

it('says at its field which bill a discount is too large for', () => {
  const bills = [bill(32_645), bill(11_868, 0, 7100)]
  expect(findDiscountFault(bills, { kind: 'amount', amount: asFen(4768) })).toBeUndefined()
  expect(findDiscountFault(bills, { kind: 'amount', amount: asFen(4769) })).toEqual({
    key: 'amount',
    message: '「物业费 2026-09」最多可减免 47.68 元',
  })
  expect(findDiscountFault(bills, { kind: 'rate', percent: '50' })?.key).toBe('percent')
  expect(findDiscountFault(bills, { kind: 'rate' })?.message).toBe('请填写减免比例，0 到 100')
  expect(findDiscountFault(bills, {})?.message).toBe('请填写减免金额')
})
