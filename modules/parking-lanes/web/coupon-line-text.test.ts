import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { couponNameOf, couponPrefixOf, coverTextsOf } from './public.coupon-line-text.ts'

const coupon = { isHostCover: false, kind: 'amount', discount: asFen(200) } as const
const host = { ...coupon, isHostCover: true } as const

it('what the host of a visit pays is called so, not a coupon (PRK-24)', () => {
  expect([coupon, host].map(line => `${couponNameOf(line)} ${couponPrefixOf(line)}2.00`)).toEqual([
    '金额券 抵扣 2.00',
    '被访人承担 2.00',
  ])
})

it('a fee that is taken off whole is settled in the words of who bears it', () => {
  expect(coverTextsOf([coupon, host]).action).toBe('使用停车券')
  expect(coverTextsOf([{ ...coupon, discount: asFen(0) }, host]).action).toBe('由被访人承担')
})
