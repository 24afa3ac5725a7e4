import { expect, test, type Page } from '@playwright/test'
import { button, field, rowOf, seat, seen, toastOf, verbOf } from './desk.ts'

test.describe.configure({ mode: 'serial' })
const said: string[] = []
let till: Page
let chief: Page
let receipt = ''
let invoice = ''

test.beforeAll(async ({ browser }) => {
  till = await seat(browser, said, 'cashier1')
  chief = await seat(browser, said, 'manager1')
})

test.afterAll(async () => {
  for (const page of [till, chief]) {
    await page?.context().close()
  }
  expect(said, 'nothing is complained of in the console').toEqual([])
})

test('money is taken, and the finished receipt leads to its invoice', async () => {
  await till.goto('/finance/chargemanage/cashier')
  await till.getByLabel('搜索缴费对象').fill('5-1-2')
  await till.locator('#cashier-found li').filter({ hasText: '笔' }).first().click()
  await expect(seen(till, /已选/)).toBeVisible()
  await till.getByLabel('实收', { exact: true }).fill('90000')
  await button(till, /确认收款/).click()
  await expect(toastOf(till, /已收/)).toBeVisible()
  receipt = /收据 (\S+)/.exec((await toastOf(till, /收据/).textContent()) ?? '')![1]!
  await button(till.getByRole('dialog'), '开票').click()
  await expect(till).toHaveURL(/invoicewaiting/)
  const drawer = till.getByRole('dialog').filter({ hasText: '开票：' })
  await expect(drawer.locator('.invoice-parts tbody tr').first()).toContainText(receipt, { timeout: 20_000 })
  // INV-4: a company without its tax number is told at that field.
  await drawer.locator('[data-field="titleType"]').getByText('企业', { exact: true }).click()
  await field(till, 'title').fill('青禾贸易有限公司')
  await button(drawer, '开票').click()
  await expect(drawer.locator('[data-field="taxNo"]')).toContainText('税号')
  await field(till, 'taxNo').fill('91320506MA1QINGHE1')
  await button(drawer, '开票').click()
  await expect(till).toHaveURL(/invoiceDetail\?id=\d+/)
  await expect(seen(till, '青禾贸易有限公司（企业）')).toBeVisible()
  // The platform answers by its callback; the page hears of it.
  await expect(seen(till, '已开具')).toBeVisible({ timeout: 15_000 })
  const head = (await till.locator('.detail-page h2').filter({ visible: true }).textContent()) ?? ''
  invoice = /26\d{18}/.exec(head)![0]
  const file = till.waitForEvent('download')
  await button(till, '下载').click()
  expect((await file).suggestedFilename()).toBe(`发票_${invoice}.pdf`)
})

test('what is invoiced is neither voided nor refunded, and waits no longer', async () => {
  await till.goto(`/finance/feebasesetting/invoicewaiting?keyword=${receipt}&view=*`)
  await expect(seen(till, /没有/)).toBeVisible()
  await till.goto(`/finance/chargemanage/paidbills?keyword=${receipt}`)
  await expect(rowOf(till, receipt)).toBeVisible()
  await rowOf(till, receipt).getByRole('button', { name: '更多操作' }).click()
  await expect(till.getByRole('menuitem', { name: '作废' })).toBeDisabled()
  await till.keyboard.press('Escape')
})

test('taken back in red in part, then the rest, by who may; then it may be invoiced again', async () => {
  await chief.goto(`/finance/feebasesetting/invoiceList?keyword=${invoice}`)
  await verbOf(chief, invoice, '红冲')
  const asked = chief.getByRole('dialog').filter({ hasText: '红冲发票' })
  const amount = asked.locator('.invoice-parts tbody tr').first().getByRole('textbox')
  await expect(amount).not.toHaveValue('')
  const whole = await amount.inputValue()
  await amount.fill('9999999')
  await field(chief, 'reason').fill('金额有误')
  await button(asked, '红冲').click()
  await expect(asked.locator('.fault')).toContainText('最多可红冲')
  await amount.fill('1')
  await expect(asked.locator('.invoice-sum')).toContainText('仍然有效')
  await button(asked, '红冲').click()
  await expect(toastOf(chief, /已提交红冲/)).toBeVisible()
  await chief.goto(`/finance/feebasesetting/invoiceList?keyword=${invoice}&redAmountFrom=1`)
  await expect(rowOf(chief, invoice)).toBeVisible({ timeout: 15_000 })
  await verbOf(chief, invoice, '红冲')
  await expect(asked.locator('.invoice-parts tbody tr').first()).toContainText('已红冲 1.00')
  await expect(amount).not.toHaveValue(whole)
  await field(chief, 'reason').fill('抬头有误')
  await button(asked, '红冲').click()
  await expect(toastOf(chief, /已提交红冲/)).toBeVisible()
  await chief.goto(`/finance/feebasesetting/invoiceList?keyword=${invoice}`)
  await expect(rowOf(chief, invoice)).toContainText('已红冲', { timeout: 15_000 })
  await till.goto(`/finance/feebasesetting/invoicewaiting?keyword=${receipt}&view=*`)
  await verbOf(till, receipt, '开票')
  const drawer = till.getByRole('dialog').filter({ hasText: '开票：' })
  // The title used before is there again.
  await expect(field(till, 'taxNo')).toHaveValue('91320506MA1QINGHE1')
  await button(drawer, '开票').click()
  await expect(till).toHaveURL(/invoiceDetail\?id=\d+/)
  await expect(seen(till, '已开具')).toBeVisible({ timeout: 15_000 })
  await till.goto(`/finance/feebasesetting/invoiceListrecord?keyword=${invoice}`)
  await expect(rowOf(till, invoice)).toBeVisible()
  await till.goto('/finance/feebasesetting')
  await expect(till).toHaveURL(/\/finance\/feebasesetting\/invoiceList$/)
})
