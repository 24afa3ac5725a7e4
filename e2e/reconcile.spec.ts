import { expect, test } from '@playwright/test'
import { button, field, collectConsoleErrors, signIn, toastOf } from './page-actions.ts'

test('a day that differs: seen on both sides, a difference escalated and dealt with, the bill compared again', async ({
  page,
}) => {
  const consoleErrors = collectConsoleErrors(page)
  await signIn(page)
  await page.goto('/finance/chargemanage/reconcile?state=different')
  const days = page.getByRole('row', { name: /微信支付/ }).filter({ visible: true })
  await expect(days.first()).toContainText('有差异', { timeout: 30_000 })
  await button(days.first(), '查看').click()
  await expect(page).toHaveURL(/reconcile\/day\/\d+/)
  await expect(page.getByRole('table', { name: '双方合计' })).toContainText('差异', { timeout: 30_000 })
  const odd = page
    .getByRole('row', { name: /渠道有、系统无/ })
    .filter({ visible: true })
    .first()
  await expect(odd).toContainText('268.00', { timeout: 30_000 })
  await odd.getByRole('button', { name: '处理', exact: true }).click()
  const dialog = page.getByRole('dialog').filter({ visible: true })
  await expect(dialog).toContainText('查明付款人')
  await button(dialog, '记为已处理').click()
  await expect(dialog).toContainText('请选择处理结果')
  await dialog.locator('[data-field="handleResult"] .ant-select').click()
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: '已补记收款' })
    .click()
  await field(page, 'reason').fill('现场扫了旧收款码，已补记')
  await button(dialog, '记为已处理').click()
  await expect(toastOf(page, '已记为已处理')).toBeVisible()
  await expect(odd).toHaveCount(0)
  await page.getByRole('tab', { name: /渠道账单/ }).click()
  await expect(
    page
      .getByRole('tabpanel', { name: /渠道账单/ })
      .getByRole('row', { name: /DD\d+/ })
      .first(),
  ).toBeVisible({ timeout: 30_000 })
  await button(page, '重新核对').click()
  await expect(toastOf(page, /笔差异待处理|已平/)).toBeVisible()
  expect(consoleErrors).toEqual([])
})

test('a file that is no channel bill is refused with the reason, where it was chosen', async ({ page }) => {
  const consoleErrors = collectConsoleErrors(page)
  await signIn(page)
  await page.goto('/finance/chargemanage/reconcile')
  await expect(button(page, '导入账单')).toBeVisible({ timeout: 30_000 })
  await button(page, '导入账单').click()
  const dialog = page.getByRole('dialog').filter({ visible: true })
  await dialog.getByRole('radio', { name: '微信支付' }).check()
  await dialog
    .getByLabel('账单文件')
    .setInputFiles({ name: '账单.csv', mimeType: 'text/csv', buffer: Buffer.from('姓名,电话\n王五,1\n') })
  await button(dialog, '导入并核对').click()
  await expect(dialog).toContainText('缺少「商户订单号」列', { timeout: 30_000 })
  await page.keyboard.press('Escape')
  expect(consoleErrors).toEqual([])
})
