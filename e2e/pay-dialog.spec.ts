import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { button, listen, seen, signIn, toastOf } from './desk.ts'

test.describe.configure({ mode: 'serial' })
let page: Page, said: string[], context: BrowserContext
test.beforeAll(async ({ browser }) => {
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  said = listen(page)
  await signIn(page)
})
test.afterAll(async () => {
  await context.close()
  expect(said, 'nothing is complained of in the console').toEqual([])
})
const dialog = () => page.locator('.pay-dialog').filter({ visible: true })
/** Opens a room that owes and begins to collect by one of the two doors. */
async function begin(room: string, key: 'F3' | 'F4'): Promise<void> {
  await page.goto('/finance/chargemanage/cashier')
  const box = page.locator('.cashier-find input').filter({ visible: true })
  await box.fill(room)
  await page.locator('.cashier-found li').filter({ hasText: room }).filter({ hasText: / 笔 / }).first().click({ timeout: 30_000 })
  await expect(page.locator('.cashier-due strong')).not.toHaveText('¥0.00', { timeout: 30_000 })
  await page.keyboard.press(key)
  await button(page, /发起收款 ¥/).click()
  await expect(dialog().getByText(/^DD\d+$/)).toBeVisible({ timeout: 30_000 })
}

test('the payer scans and pays on the phone while the dialog waits; it closes itself and tells once', async () => {
  await begin('2-1-903', 'F3')
  await expect(dialog().getByText('已下单')).toBeVisible()
  const phone = await context.newPage()
  await phone.goto(
    (await dialog()
      .getByRole('link', { name: /在本机打开付款页/ })
      .getAttribute('href'))!,
  )
  await expect(phone.getByText('缴费内容')).toBeVisible()
  await phone.getByRole('link', { name: '微信支付' }).click()
  await expect(dialog().getByText('付款人已扫码，正在付款')).toBeVisible({ timeout: 30_000 })
  // Neither Esc nor a click beside it closes the dialog while money is on its way.
  await page.keyboard.press('Escape')
  await page.mouse.click(20, 450)
  await expect(dialog()).toBeVisible()
  await phone.getByRole('button', { name: '确认支付' }).click()
  await expect(phone.getByRole('status')).toHaveText('支付成功')
  await expect(toastOf(page, /^已收 ¥[\d,.]+，线上微信$/)).toBeVisible({ timeout: 30_000 })
  await expect(dialog()).toHaveCount(0)
  await expect(page.locator('.ant-message').getByText(/^已收 /)).toHaveCount(1)
  await phone.getByRole('link', { name: '返回商家' }).click()
  await expect(phone.getByText('已支付，谢谢')).toBeVisible({ timeout: 30_000 })
  await phone.close()
})
test('a scanner reads the payer’s code: empty is refused, a poor one says why, a cancelled order lets the bills go', async () => {
  await begin('2-1-602', 'F4')
  await button(dialog(), '提交付款码').click()
  await expect(dialog().getByText('条码不能为空')).toBeVisible()
  await dialog().getByLabel('付款码').fill('134567890123456789')
  await dialog().getByLabel('付款码').press('Enter')
  await expect(dialog().getByText(/^支付失败：余额不足/)).toBeVisible({ timeout: 30_000 })
  await button(dialog(), '重新发起').click()
  await expect(dialog().getByLabel('付款码')).toBeEnabled({ timeout: 30_000 })
  await button(dialog(), '取消收款').click()
  await expect(dialog()).toHaveCount(0, { timeout: 30_000 })
  await expect(button(page, /发起收款 ¥/)).toBeEnabled()
  await expect(seen(page, '收款码')).toBeVisible()
})
