import { expect, test, type Page } from '@playwright/test'
import { defined } from '#kit/domain/defined.ts'
import { asFen } from '#kit/domain/money.ts'
import { addItem } from '#modules/fees/contract/item.ts'
import { merchantCoupons } from '#modules/merchant-coupons/contract/coupon.ts'
import { listMerchantOrders } from '#modules/merchant-coupons/contract/order.ts'
import { getShopLink } from '#modules/merchant-coupons/contract/shop.ts'
import { merchants } from '#modules/merchants/contract/merchant.ts'
import { listParks } from '#modules/parking/contract/park.ts'
import { findSeriousFaults } from './axe.ts'
import {
  button,
  callOn,
  chooseProject,
  clickRowAction,
  defineJourney,
  field,
  rowOf,
  toastOf,
  openScreen,
} from './page-actions.ts'

const projectCode = 'JXHY0001'
/** Unique: a retried journey finds the records of its first try. */
const mark = String(10_000 + (Date.now() % 90_000))
const shopName = `券店${mark}`
const couponName = `两小时${mark}`
const plateNo = `粤P${mark}`
let page: Page
let shop: Page

defineJourney(opened => (page = opened))

async function prepareShop(): Promise<string> {
  const item = await callOn(page, addItem, {
    code: `TQ${mark}`,
    name: `停车券${mark}`,
    feeType: 'other',
    category: 'parking',
    incomeKind: 'own',
    inRate: false,
    billMode: 'manual',
    scene: 'car',
    allowMulti: true,
    allowOnline: true,
    autoDeduct: false,
    principalSettles: false,
    lateFeeSwitch: false,
  })
  const [park] = (await callOn(page, listParks, { projectCode, size: 1 })).rows
  await callOn(page, merchantCoupons.save, {
    projectCode,
    couponName,
    parkId: defined(park).id,
    kind: 'minutes',
    faceValue: '120',
    sellPrice: asFen(400),
    feeItemId: item.id,
    validDays: 2,
    dayLimit: 1,
    totalQty: 0,
  })
  const merchant = await callOn(page, merchants.add, { projectCode, name: shopName, state: 'open' })
  const { url } = await callOn(page, getShopLink, { merchantId: merchant.id })
  return defined(url)
}

test('a merchant buys coupons on its phone by the pay simulator (PAY-4)', async ({ browser }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await openScreen(page, '/parking/couponslist')
  await chooseProject(page, '锦绣花园')
  const url = await prepareShop()
  shop = await browser.newPage({ viewport: { width: 360, height: 740 } })
  await shop.goto(url)
  await expect(shop.getByText('暂无可发放的停车券，请先购券')).toBeVisible()
  await shop.getByRole('button', { name: '购券' }).click()
  await shop.getByRole('radio', { name: new RegExp(couponName) }).click()
  await shop.getByLabel('数量').fill('5')
  await shop.getByRole('button', { name: '购买并支付 ¥20.00' }).click()
  await shop.getByRole('link', { name: '支付宝' }).click()
  await shop.getByRole('button', { name: '确认支付' }).click()
  await shop.getByRole('link', { name: '返回商家' }).click()
  await expect(shop.getByText('已支付，谢谢')).toBeVisible({ timeout: 30_000 })
  await expect(async () => {
    const { rows } = await callOn(page, listMerchantOrders, { projectCode, keyword: shopName })
    expect(rows.map(row => [row.state, row.payMethod, row.totalQty])).toEqual([['paid', 'alipay', 5]])
  }).toPass({ timeout: 15_000 })
  await shop.getByRole('link', { name: '返回', exact: true }).click()
})

test('it gives one to a plate by the keys, and sees its month', async () => {
  await expect(shop.getByRole('radio', { name: /结余 5 张/ })).toBeVisible()
  for (const key of plateNo) {
    await shop.getByRole('button', { name: key, exact: true }).click()
  }
  expect(await findSeriousFaults(shop)).toEqual([])
  await shop.getByRole('button', { name: '发放', exact: true }).click()
  await expect(shop.getByRole('radio', { name: /结余 4 张/ })).toBeVisible()
  await shop.getByRole('button', { name: '记录' }).click()
  await expect(shop.getByText(plateNo, { exact: true })).toBeVisible()
  await expect(shop.locator('dd').first()).toHaveText('1 张')
  await shop.close()
})

test('it signs in with its account, and changes the first password', async ({ browser }) => {
  const found = await callOn(page, merchants.list, { projectCode, keyword: shopName })
  await page.goto(`/customer/merchantlist/merchantdetail?id=${defined(found.rows[0]).id}`)
  await page.getByRole('tab', { name: '登录账号' }).click()
  await button(page, /^新增.*登录账号/).click()
  await field(page, 'loginName').fill(`SHOP${mark}`)
  await field(page, 'password').fill('First2026')
  expect(await findSeriousFaults(page)).toEqual([])
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^新增.*登录账号/ })
    .click()
  await expect(toastOf(page, /已开通/)).toBeVisible()
  const address = await page.getByText(/\/coupon\/shop\?c=\d+/).innerText()
  shop = await browser.newPage({ viewport: { width: 360, height: 740 } })
  await shop.goto(address)
  await shop.getByLabel('登录账号').fill(`shop${mark}`)
  await shop.getByLabel(/^\*密码/).fill('Wrong2026')
  await shop.getByRole('button', { name: '登录', exact: true }).click()
  await expect(shop.getByRole('alert')).toContainText('还可再试 4 次')
  await shop.getByLabel(/^\*密码/).fill('First2026')
  await shop.getByRole('button', { name: '登录', exact: true }).click()
  await shop.getByLabel('初始密码').fill('First2026')
  await shop.getByLabel(/^\*新密码/).fill('Right2026')
  await shop.getByLabel('再次填写新密码').fill('Right2026')
  expect(await findSeriousFaults(shop)).toEqual([])
  await shop.getByRole('button', { name: '保存' }).click()
  await expect(shop.getByRole('radio', { name: /结余 4 张/ })).toBeVisible()
  await shop.getByRole('button', { name: '退出登录' }).click()
  await expect(shop.getByRole('form', { name: '商户登录' })).toBeVisible()
  await shop.close()
})

/** An option of the dialog, which has no heading to click on. */
async function pick(name: string, option: string): Promise<void> {
  await page.locator(`.ant-modal [data-field="${name}"] .ant-select`).click()
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option', { hasText: option }).click()
}

test('staff give others to plates, take one back, and see the stock', async () => {
  await openScreen(page, '/parking/sendParkingTickets')
  await button(page, '发放停车券').click()
  await pick('merchantId', shopName)
  await pick('couponId', couponName)
  await field(page, 'plateNos').fill(`粤R${mark}\n${plateNo}`)
  expect(await findSeriousFaults(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: '发放' }).click()
  await expect(page.getByText('今日已领取 1 张，达到单车日限')).toBeVisible()
  await page.keyboard.press('Escape')
  await openScreen(page, `/parking/sendParkingTickets?keyword=R${mark}`)
  await expect(rowOf(page, `粤R${mark}`)).toContainText('未使用')
  await clickRowAction(page, `粤R${mark}`, '撤回')
  await field(page, 'reason').fill('发错车牌')
  await page.getByRole('dialog').getByRole('button', { name: '撤回' }).click()
  await expect(toastOf(page, /已撤回|成功/)).toBeVisible()
  await openScreen(page, `/parking/couponslist?tab=settlements`)
  await expect(rowOf(page, shopName)).toContainText('20.00')
})
