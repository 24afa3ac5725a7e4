import { defined } from '#kit/domain/defined.ts'
import { expect, test, type Page } from '@playwright/test'
import {
  button,
  field,
  rowOf,
  openSignedInPage,
  visibleText,
  toastOf,
  clickRowAction,
  confirmChange,
  openScreen,
} from './page-actions.ts'

test.describe.configure({ mode: 'serial' })
const consoleErrors: string[] = []
let cashierPage: Page
let supervisorPage: Page
let receipt = ''
let invoice = ''

test.beforeAll(async ({ browser }) => {
  cashierPage = await openSignedInPage(browser, consoleErrors, 'cashier1')
  supervisorPage = await openSignedInPage(browser, consoleErrors, 'manager1')
})

test.afterAll(async () => {
  for (const page of [cashierPage, supervisorPage]) {
    await page?.context().close()
  }
  expect(consoleErrors, 'nothing is complained of in the console').toEqual([])
})

test('money is received, and the finished receipt leads to its invoice', async () => {
  await openScreen(cashierPage, '/finance/chargemanage/cashier')
  await cashierPage.getByLabel('搜索收费对象').fill('5-1-2')
  await cashierPage.locator('#cashier-found li').filter({ hasText: '笔' }).first().click()
  await expect(visibleText(cashierPage, /已选/)).toBeVisible()
  await cashierPage.getByLabel('实收', { exact: true }).fill('90000')
  await button(cashierPage, /确认收款/).click()
  await confirmChange(cashierPage)
  await expect(toastOf(cashierPage, /已收/)).toBeVisible()
  receipt = defined(defined(/收据 (\S+)/.exec((await toastOf(cashierPage, /收据/).textContent()) ?? ''))[1])
  await button(cashierPage.getByRole('dialog'), '开票').click()
  await expect(cashierPage).toHaveURL(/invoicewaiting/)
  const drawer = cashierPage.getByRole('dialog').filter({ hasText: '开票：' })
  await expect(drawer.locator('.invoice-parts tbody tr').first()).toContainText(receipt, { timeout: 20_000 })
  // INV-4: a company without its tax number gets a message at that field.
  await drawer.locator('[data-field="titleType"]').getByText('企业', { exact: true }).click()
  await field(cashierPage, 'title').fill('青禾贸易有限公司')
  await button(drawer, '开票').click()
  await expect(drawer.locator('[data-field="taxNo"]')).toContainText('税号')
  await field(cashierPage, 'taxNo').fill('91320506MA1QINGHE1')
  await button(drawer, '开票').click()
  await expect(cashierPage).toHaveURL(/invoiceDetail\?id=\d+/)
  await expect(visibleText(cashierPage, '青禾贸易有限公司（企业）')).toBeVisible()
  // The platform answers by its callback; the page hears of it.
  await expect(visibleText(cashierPage, '已开具')).toBeVisible({ timeout: 15_000 })
  const head = (await cashierPage.locator('.detail-page h2').filter({ visible: true }).textContent()) ?? ''
  invoice = defined(/26\d{18}/.exec(head))[0]
  const file = cashierPage.waitForEvent('download')
  await button(cashierPage, '下载').click()
  expect((await file).suggestedFilename()).toBe(`发票_${invoice}.pdf`)
})

test('an invoiced payment is neither voided nor refunded, and is no longer waiting for an invoice', async () => {
  await openScreen(cashierPage, `/finance/feebasesetting/invoicewaiting?keyword=${receipt}&view=*`)
  await expect(visibleText(cashierPage, '无符合条件的记录')).toBeVisible()
  await openScreen(cashierPage, `/finance/chargemanage/paidbills?keyword=${receipt}`)
  await expect(rowOf(cashierPage, receipt)).toBeVisible()
  await rowOf(cashierPage, receipt).getByRole('button', { name: '更多操作' }).click()
  await expect(cashierPage.getByRole('menuitem', { name: '作废' })).toBeDisabled()
  await cashierPage.keyboard.press('Escape')
})

test('a red invoice for a part, then for the rest, by a person with the permission; then it can be invoiced again', async () => {
  await openScreen(supervisorPage, `/finance/feebasesetting/invoiceList?keyword=${invoice}`)
  await clickRowAction(supervisorPage, invoice, '红冲')
  const asked = supervisorPage.getByRole('dialog').filter({ hasText: '红冲发票' })
  const amount = asked.locator('.invoice-parts tbody tr').first().getByRole('textbox')
  await expect(amount).not.toHaveValue('')
  const whole = await amount.inputValue()
  await amount.fill('9999999')
  await field(supervisorPage, 'reason').fill('金额有误')
  await button(asked, '红冲').click()
  await expect(asked.locator('.fault')).toContainText('最多可红冲')
  await amount.fill('1')
  await expect(asked.locator('.invoice-sum')).toContainText('仍然有效')
  await button(asked, '红冲').click()
  await expect(toastOf(supervisorPage, /已提交红冲/)).toBeVisible()
  await openScreen(supervisorPage, `/finance/feebasesetting/invoiceList?keyword=${invoice}&redAmountFrom=1`)
  await expect(rowOf(supervisorPage, invoice)).toBeVisible({ timeout: 15_000 })
  await clickRowAction(supervisorPage, invoice, '红冲')
  await expect(asked.locator('.invoice-parts tbody tr').first()).toContainText('已红冲 1.00')
  await expect(amount).not.toHaveValue(whole)
  await field(supervisorPage, 'reason').fill('抬头有误')
  await button(asked, '红冲').click()
  await expect(toastOf(supervisorPage, /已提交红冲/)).toBeVisible()
  await openScreen(supervisorPage, `/finance/feebasesetting/invoiceList?keyword=${invoice}`)
  await expect(rowOf(supervisorPage, invoice)).toContainText('已红冲', { timeout: 15_000 })
  await openScreen(cashierPage, `/finance/feebasesetting/invoicewaiting?keyword=${receipt}&view=*`)
  await clickRowAction(cashierPage, receipt, '开票')
  const drawer = cashierPage.getByRole('dialog').filter({ hasText: '开票：' })
  // The title used before is there again.
  await expect(field(cashierPage, 'taxNo')).toHaveValue('91320506MA1QINGHE1')
  await button(drawer, '开票').click()
  await expect(cashierPage).toHaveURL(/invoiceDetail\?id=\d+/)
  await expect(visibleText(cashierPage, '已开具')).toBeVisible({ timeout: 15_000 })
  await openScreen(cashierPage, `/finance/feebasesetting/invoiceListrecord?keyword=${invoice}`)
  await expect(rowOf(cashierPage, invoice)).toBeVisible()
  await openScreen(cashierPage, '/finance/feebasesetting')
  await expect(cashierPage).toHaveURL(/\/finance\/feebasesetting\/invoiceList$/)
})
