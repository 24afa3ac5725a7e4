import { numberOf, objectOf, objectsOf, textOf } from '#kit/contract/fixtures.ts'
import { defined } from '#kit/domain/defined.ts'
import { expect, test, type Page } from '@playwright/test'
import {
  button,
  field,
  openSignedInPage,
  visibleText,
  toastOf,
  confirmChange,
  callAsPage,
  openScreen,
} from './page-actions.ts'

test.describe.configure({ mode: 'serial' })
const consoleErrors: string[] = []
let cashierPage: Page
let ownerPage: Page
let room: string

test.beforeAll(async ({ browser }) => {
  cashierPage = await openSignedInPage(browser, consoleErrors, 'cashier1')
  ownerPage = await openSignedInPage(browser, consoleErrors)
  room = await findOwingRoom(ownerPage)
})

/**
 * A home of building 6 that owes still, and less than it is to prestore: a try before this one may have paid
 * for another.
 */
const findOwingRoom = async (page: Page): Promise<string> => {
  const { Data } = await callAsPage(page, 'Feebill/GetByPhoneOrSourceCode?KeyWord=6-1-')
  const small = objectsOf(objectOf(Data).Sources).filter(source => Number(source.Unpaid) < 1400)
  const max = Math.max(...small.map(source => numberOf(source.Count)))
  return textOf(defined(small.find(source => source.Count === max)).SourceName)
}

/** The template of the project goes: what stands is the company's. */
async function disableProjectTemplate(page: Page): Promise<void> {
  await openScreen(page, '/setting/baseSetting/print?of=estate')
  const preview = page.locator('.print-paper').filter({ visible: true }).first()
  await expect(preview).toBeVisible()
  const off = page.getByRole('button', { name: '停用本项目模板' }).filter({ visible: true })
  if (!(await off.count())) return
  await off.click()
  await button(page.getByRole('dialog'), /^停\s?用$/).click()
  await expect(off).toHaveCount(0)
  await expect(preview).not.toContainText('缴费凭证')
}

const formatAmount = (n: number): string =>
  n.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** The balance of a home's prestore for any fee, as the cashier screen shows it. */
const prepaidBalance = async (): Promise<number> => {
  const text = (await cashierPage.locator('.cashier-person').filter({ visible: true }).textContent()) ?? ''
  return Number(/¥([\d,]+\.\d\d) 通用/.exec(text)?.[1]?.replaceAll(',', '') ?? 0)
}

test.afterAll(async () => {
  for (const page of [cashierPage, ownerPage]) {
    await page?.context().close()
  }
  expect(consoleErrors, 'nothing is complained of in the console').toEqual([])
})

const printPreview = (page: Page) =>
  page.getByRole('dialog').locator('.print-paper').filter({ visible: true }).first()

const closeDialog = (page: Page) => button(page.getByRole('dialog'), /^关\s?闭$/).click()

/** By the keyboard alone: typed, the first found opened. */
async function openPayer(page: Page, what: string): Promise<void> {
  await openScreen(page, '/finance/chargemanage/cashier')
  await page.getByLabel('搜索收费对象').fill(what)
  await expect(page.locator('#cashier-found li[aria-selected="true"]')).toContainText(what)
  await page.keyboard.press('Enter')
  await expect(page.locator('.cashier-person').filter({ visible: true })).toContainText(what)
}

test('a project has its own receipt: an unknown placeholder is refused with its position, columns are named and ordered', async () => {
  await disableProjectTemplate(ownerPage)
  const preview = ownerPage.locator('.print-paper').filter({ visible: true }).first()
  await expect(preview).toContainText('收款收据')
  await field(ownerPage, 'title').fill('{项目}缴费{票据}')
  await button(ownerPage, '保存').click()
  await expect(
    visibleText(ownerPage, /第 7 个字的「\{票据\}」不能用在这种单据中，可用：\{公司\}/),
  ).toBeVisible()
  await field(ownerPage, 'title').fill('{项目}缴费凭证')
  await ownerPage.locator('[data-field="footer"] textarea').fill('感谢 {缴费人}，实收 {金额} 元')
  await ownerPage.getByLabel('「金额」的名称').fill('实缴金额')
  await ownerPage.getByRole('checkbox', { name: '打印违约金' }).uncheck()
  await ownerPage.getByRole('button', { name: '「金额」上移' }).click()
  await expect(preview).toContainText('锦绣花园缴费凭证')
  await expect(preview.locator('th')).toHaveText(['收费项目', '收费对象', '账期', '实缴金额', '本金'])
  await button(ownerPage, '保存').click()
  await expect(toastOf(ownerPage, '已保存「收款收据」的打印设置')).toBeVisible()
})

test('prestore is topped up at the cashier by two tenders with a bonus, by keyboard, and ends with its receipt', async () => {
  await openPayer(cashierPage, room)
  const before = await prepaidBalance()
  await cashierPage.keyboard.press('F9')
  const dialog = cashierPage.getByRole('dialog')
  await expect(dialog).toContainText(`预存充值「${room}」`)
  await cashierPage.getByLabel('金额', { exact: true }).fill('1000')
  await dialog.getByRole('button', { name: '添加方式' }).click()
  await cashierPage.getByLabel('第 2 种金额').fill('500')
  await field(cashierPage, 'gift').fill('50')
  await cashierPage.keyboard.press('Control+Enter')
  const toast = toastOf(cashierPage, /已充值，余额 ¥/)
  await expect(toast).toBeVisible()
  const [, own, gift] = defined(
    /余额 ¥([\d,.]+)，赠送余额 ¥([\d,.]+)/.exec(defined(await toast.textContent())),
  ).map(t => Number(t.replaceAll(',', '')))
  expect([defined(own) + defined(gift), defined(own) >= 1500, defined(gift) >= 50]).toEqual([
    before + 1550,
    true,
    true,
  ])
  await expect(printPreview(cashierPage)).toContainText('预存充值（通用）')
  await expect(printPreview(cashierPage)).toContainText('现金 1,000.00，银行转账 500.00')
  await expect(printPreview(cashierPage)).toContainText(formatAmount(before + 1550))
  await closeDialog(cashierPage)
  await expect(cashierPage.locator('.cashier-person').filter({ visible: true })).toContainText(
    `¥${formatAmount(before + 1550)} 通用`,
  )
})

test('a deposit is received and refunded at the cashier, each with its receipt', async () => {
  await cashierPage.keyboard.press('F10')
  await button(cashierPage, '收取押金').click()
  await field(cashierPage, 'amount').fill('800')
  await cashierPage.locator('[data-field="kind"] .ant-select').filter({ visible: true }).click()
  await cashierPage
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: '门禁卡押金' })
    .click()
  await cashierPage.keyboard.press('Control+Enter')
  await expect(toastOf(cashierPage, /已收取押金 ¥800\.00/)).toBeVisible()
  await expect(printPreview(cashierPage)).toContainText('押金收据')
  await expect(printPreview(cashierPage)).toContainText('捌佰元整')
  await closeDialog(cashierPage)
  await expect(cashierPage.getByRole('region', { name: '刚刚办理' })).toContainText(/押金 · 现金/)
  await cashierPage.keyboard.press('F10')
  const line = cashierPage.locator('.cashier-deposits li').filter({ hasText: '结余 800.00' }).first()
  await line.getByRole('button', { name: /^退\s?还$/ }).click()
  await field(cashierPage, 'reason').fill('交回门禁卡')
  await cashierPage
    .getByRole('dialog')
    .getByRole('button', { name: /^退\s?还$/ })
    .click()
  await expect(toastOf(cashierPage, /已退还/)).toBeVisible()
  await expect(printPreview(cashierPage)).toContainText('退款单')
  await expect(printPreview(cashierPage)).toContainText('门禁卡押金')
  await closeDialog(cashierPage)
})

test('three months are paid from prestore, the cash goes back, and the receipt prints again as it was after the template has changed', async () => {
  await openPayer(cashierPage, room)
  await cashierPage.getByLabel('预存抵扣').click()
  await cashierPage.getByLabel('实收', { exact: true }).fill('90000')
  await expect(visibleText(cashierPage, '找零')).toBeVisible()
  await cashierPage.keyboard.press('Control+Enter')
  await confirmChange(cashierPage)
  await expect(toastOf(cashierPage, /预存抵扣 .*找零/)).toBeVisible()
  const receipt = defined(/收据 (\S+)/.exec((await toastOf(cashierPage, /收据/).textContent()) ?? ''))[1]
  await expect(printPreview(cashierPage)).toContainText('锦绣花园缴费凭证')
  await expect(printPreview(cashierPage)).not.toContainText('补打')
  await button(cashierPage.getByRole('dialog'), /^打\s?印$/).click()
  await expect(cashierPage.getByRole('dialog')).toHaveCount(0)
  // The next customer: the box is empty and holds the cursor.
  await expect(cashierPage.getByLabel('搜索收费对象')).toBeFocused()
  await disableProjectTemplate(ownerPage)
  await openScreen(cashierPage, `/finance/chargemanage/paidbills?keyword=${receipt}`)
  await cashierPage
    .getByRole('row')
    .filter({ hasText: receipt, visible: true })
    .first()
    .getByRole('button', { name: '打印收据' })
    .click()
  await expect(printPreview(cashierPage)).toContainText('锦绣花园缴费凭证')
  await expect(printPreview(cashierPage)).toContainText('补打第 1 次')
  await expect(printPreview(cashierPage)).toContainText('实缴金额')
  await closeDialog(cashierPage)
})

test('prestore of one payer goes to another only after another person agrees', async () => {
  const chief = await openSignedInPage(defined(ownerPage.context().browser()), consoleErrors, 'manager1')
  await openScreen(ownerPage, `/finance/reservemanagement/depositaccount?keyword=${room}`)
  const row = ownerPage.getByRole('row').filter({ hasText: room, visible: true }).first()
  await row.getByRole('button', { name: '更多操作' }).click()
  await ownerPage.getByRole('menuitem', { name: '转账' }).click()
  await ownerPage.locator('[data-field="toId"] .ant-select').click()
  await ownerPage
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasNotText: room })
    .first()
    .click()
  await field(ownerPage, 'amount').fill('1')
  await field(ownerPage, 'reason').fill('家人之间')
  await ownerPage.keyboard.press('Control+Enter')
  const toast = toastOf(ownerPage, /已提交转账单 (\S+)，待其他人审核|已转账|最多可转/)
  await expect(toast).toBeVisible()
  const number = /转账单 ([^，]+)，/.exec((await toast.textContent()) ?? '')?.[1]
  expect(number, 'it waits for another person').toBeTruthy()
  await openScreen(chief, `/finance/reservemanagement/transfers?keyword=${number}`)
  await chief
    .getByRole('row')
    .filter({ hasText: number, visible: true })
    .first()
    .getByRole('button', { name: '审核通过' })
    .click()
  await chief.getByRole('dialog').getByRole('button', { name: '审核通过' }).click()
  await expect(toastOf(chief, /已转账 ¥1\.00/)).toBeVisible()
  await chief.context().close()
})
