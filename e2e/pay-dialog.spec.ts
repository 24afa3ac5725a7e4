import { defined } from '#kit/domain/defined.ts'
import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { findSeriousFaults } from './axe.ts'
import { button, collectConsoleErrors, visibleText, signIn, toastOf } from './page-actions.ts'

test.describe.configure({ mode: 'serial' })
let page: Page
let consoleErrors: string[]
let context: BrowserContext

test.beforeAll(async ({ browser }) => {
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  consoleErrors = collectConsoleErrors(page)
  await signIn(page)
})

test.afterAll(async () => {
  await context.close()
  expect(consoleErrors, 'nothing is complained of in the console').toEqual([])
})

const dialog = () => page.locator('.pay-dialog').filter({ visible: true })

/** Opens a room that owes and begins to collect by one of the two doors. */
async function openPayDialog(room: string, key: 'F3' | 'F4' | 'F6'): Promise<void> {
  await page.goto('/finance/chargemanage/cashier')
  const box = page.locator('.cashier-find input').filter({ visible: true })
  await box.fill(room)
  await page
    .locator('.cashier-found li')
    .filter({ hasText: room })
    .filter({ hasText: / 笔 / })
    .first()
    .click({ timeout: 30_000 })
  await expect(page.locator('.cashier-due strong')).not.toHaveText('¥0.00', { timeout: 30_000 })
  await page.keyboard.press(key)
  await button(page, /发起收款 ¥/).click()
  await expect(dialog().getByText(/^DD\d+$/)).toBeVisible({ timeout: 30_000 })
  expect(await findSeriousFaults(page), 'the dialog has no barrier').toEqual([])
}

test('the payer scans and pays on the phone while the dialog waits; it closes itself and reports once', async () => {
  await openPayDialog('2-1-903', 'F3')
  await expect(dialog().getByText('已下单')).toBeVisible()
  const phone = await context.newPage()
  await phone.goto(
    defined(
      await dialog()
        .getByRole('link', { name: /在本机打开付款页/ })
        .getAttribute('href'),
    ),
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

test('a scanner reads the payer’s code: empty is refused, insufficient balance says why, a cancelled order releases the bills', async () => {
  await openPayDialog('2-1-602', 'F4')
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
  await expect(visibleText(page, '收款码')).toBeVisible()
})

test('a card: the order goes to a terminal, its answer is lost, the query finds it', async () => {
  await openPayDialog('2-1-1103', 'F6')
  await expect(button(dialog(), '发送到 POS 机')).toBeEnabled({ timeout: 30_000 })
  const screen = await context.newPage()
  await button(dialog(), '发送到 POS 机').click()
  await expect(dialog().getByText('等待付款人在 POS 机上刷卡')).toBeVisible({ timeout: 30_000 })
  await screen.goto(
    defined(
      await dialog()
        .getByRole('link', { name: /在本机打开 POS 机/ })
        .getAttribute('href'),
    ),
  )
  await screen.getByLabel('贷记卡', { exact: true }).check()
  await screen.getByLabel('不回调', { exact: true }).check()
  await screen.getByRole('button', { name: '刷卡' }).click()
  await expect(toastOf(page, /^已收 ¥[\d,.]+，POS贷记卡$/)).toBeVisible({ timeout: 30_000 })
  await expect(dialog()).toHaveCount(0)
  await screen.close()
})

test('the company’s balance is topped up through the same dialog', async () => {
  await page.goto('/setting/permission/personcenter/userRenew')
  await button(page, '充值').click()
  await page.locator('[data-field="amount"] input').filter({ visible: true }).fill('500')
  await button(page, '支付订单').click()
  await expect(dialog().getByText('账户余额充值')).toBeVisible({ timeout: 30_000 })
  const phone = await context.newPage()
  await phone.goto(
    defined(
      await dialog()
        .getByRole('link', { name: /在本机打开付款页/ })
        .getAttribute('href'),
    ),
  )
  await phone.getByRole('link', { name: '支付宝' }).click()
  await phone.getByRole('button', { name: '确认支付' }).click()
  await expect(toastOf(page, /^已支付 ¥500\.00，线上支付宝$/)).toBeVisible({ timeout: 30_000 })
  await expect(visibleText(page, /在线充值 DD/)).toBeVisible({ timeout: 30_000 })
  await phone.close()
})

test('prestore is topped up by the payer’s code from the list of accounts', async () => {
  await page.goto('/finance/reservemanagement/depositaccount')
  const row = page
    .locator('.list-sheet [role="row"], .list-sheet tr')
    .filter({ hasText: '通用' })
    .filter({ visible: true })
    .first()
  await expect(row).toBeVisible({ timeout: 30_000 })
  await row.getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '扫码充值', exact: true }).filter({ visible: true }).click()
  const form = page.getByRole('dialog').filter({ hasText: '扫码充值「' })
  await form.locator('[data-field="amount"] input').fill('88')
  await button(form, '发起收款').click()
  await dialog().getByText('扫码枪', { exact: true }).click()
  await dialog().getByLabel('付款码').fill('281234567890123450')
  await dialog().getByLabel('付款码').press('Enter')
  await expect(toastOf(page, /^已收 ¥88\.00，线上支付宝$/)).toBeVisible({ timeout: 30_000 })
})
