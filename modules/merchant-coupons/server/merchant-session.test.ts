import { afterAll, beforeAll, expect, it } from 'vitest'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { merchantAccounts, resetMerchantPassword } from '#modules/merchants/contract/account.ts'
import { merchantStaffs } from '#modules/merchants/contract/merchant.ts'
import { changeMerchantPassword, signInMerchant } from '#modules/merchants/contract/sign-in.ts'
import { getShopLink, openShop, presentAtShop, renewShopLink, withdrawAtShop } from '../contract/shop.ts'
import { CouponSite, projectCode } from './coupon-site.fixtures.ts'

const [firstPassword, ownPassword] = ['First2026', 'Right2026']

let s: CouponSite

beforeAll(async () => {
  s = await CouponSite.open()
})

afterAll(() => s?.t.close())

it('a merchant presents coupons by its account, and only its own (C10.3)', async () => {
  const [{ shop, coupon }, other] = [await s.stocked(3), await s.stocked(2)]
  const worker = await s.t.call(
    merchantStaffs.save,
    {
      projectCode,
      merchantId: shop.id,
      name: '店员丙',
      mobile: '13610007020',
      roleType: 'clerk',
      state: 'on',
    },
    s.me,
  )
  const account = await s.t.call(
    merchantAccounts.add,
    { projectCode, merchantId: shop.id, staffId: worker.id, loginName: 'CLERK1', password: firstPassword },
    s.me,
  )
  const input = { companyId: s.t.ownerId, loginName: 'CLERK1' }
  const { token } = await s.t.call(signInMerchant, { ...input, password: firstPassword })
  expect(await refusalMessageOf(s.t.call(openShop, { token }))).toBe('初始密码须先修改，请修改密码后再操作')
  await s.t.call(changeMerchantPassword, { token, oldPassword: firstPassword, password: ownPassword })
  expect(await s.t.call(openShop, { token })).toMatchObject({ merchantName: shop.name })
  const page = await s.t.call(presentAtShop, { token, couponId: coupon.id, plateNo: '粤F10001' })
  expect(page.tickets).toMatchObject([{ plateNo: '粤F10001', state: 'unused' }])
  expect(await s.tickets(shop)).toMatchObject([{ operatorName: `${shop.name} 店员丙` }])
  await s.present(other.shop, other.coupon, '粤F10002')
  const [foreign] = await s.tickets(other.shop)
  const withdrawal = { token, id: foreign?.id ?? 0, reason: '发错' }
  expect(await refusalMessageOf(s.t.call(withdrawAtShop, withdrawal))).toBe('停车券不存在，请刷新')
  // The link and the account are two ways, each with its own end.
  await s.t.call(renewShopLink, { merchantId: shop.id, isVoid: true, reason: '链接外泄' }, s.me)
  expect(await s.t.call(getShopLink, { merchantId: shop.id }, s.me)).toMatchObject({ isVoid: true })
  expect(await s.t.call(openShop, { token })).toMatchObject({ merchantName: shop.name })
  await s.t.call(resetMerchantPassword, { id: account.id, password: firstPassword }, s.me)
  expect(await refusalMessageOf(s.t.call(openShop, { token }))).toBe('登录已失效，请重新登录')
})
