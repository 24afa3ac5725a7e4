import { defined } from '#kit/domain/defined.ts'
import { expect, test, type Locator, type Page } from '@playwright/test'
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
let ownerPage: Page
let receipt = ''

test.beforeAll(async ({ browser }) => {
  cashierPage = await openSignedInPage(browser, consoleErrors, 'cashier1')
  supervisorPage = await openSignedInPage(browser, consoleErrors, 'manager1')
  ownerPage = await openSignedInPage(browser, consoleErrors)
})

test.afterAll(async () => {
  for (const page of [cashierPage, supervisorPage, ownerPage]) {
    await page?.context().close()
  }
  expect(consoleErrors, 'nothing is complained of in the console').toEqual([])
})

test('a parking place finds the room it belongs to, and says that it was found by the place', async () => {
  await openScreen(cashierPage, '/finance/chargemanage/cashier')
  await cashierPage.getByLabel('搜索收费对象').fill('b1-a-0')
  const hit = cashierPage.locator('#cashier-found li').first()
  await expect(hit.locator('b')).toHaveText(/^\d+-\d+-\d+$/)
  await expect(hit.locator('small')).toHaveText(/^车位 B1-A-0\d\d$/)
  await expect(hit.locator('mark')).toHaveText('B1-A-0')
})

test('an address opens a room of its own estate only: codes repeat between estates', async () => {
  await openScreen(cashierPage, '/finance/chargemanage/cashier')
  await cashierPage.getByLabel('搜索收费对象').fill('5-1-1')
  await cashierPage.keyboard.press('Enter')
  await expect(cashierPage).toHaveURL(/[?&]estate=\w+/)
  const copied = new URL(cashierPage.url())
  copied.searchParams.set('estate', 'OTHER0001')
  await openScreen(cashierPage, copied.toString())
  await expect(cashierPage.getByText('该收费对象属于其他项目')).toBeVisible()
  await button(cashierPage, '切换项目').click()
  await expect(cashierPage.getByText(/^无权访问该项目/)).toBeVisible()
})

test('cash is taken for what a room owes, with change, and the receipt is printed', async () => {
  await openScreen(cashierPage, '/finance/chargemanage/cashier')
  await cashierPage.getByLabel('搜索收费对象').fill('5-1-1')
  await cashierPage.locator('#cashier-found li').filter({ hasText: '笔' }).first().click()
  await expect(visibleText(cashierPage, /已选/)).toBeVisible()
  await cashierPage.getByLabel('实收', { exact: true }).fill('90000')
  await expect(visibleText(cashierPage, '找零')).toBeVisible()
  await button(cashierPage, /确认收款/).click()
  await confirmChange(cashierPage)
  await expect(toastOf(cashierPage, /已收 .*找零/)).toBeVisible()
  receipt = defined(defined(/收据 (\S+)/.exec((await toastOf(cashierPage, /收据/).textContent()) ?? ''))[1])
  await expect(cashierPage.locator('.print-paper').first()).toContainText(receipt)
  await button(cashierPage.getByRole('dialog'), /^打\s?印$/).click()
  await expect(cashierPage.getByRole('dialog')).toHaveCount(0)
})

test('a refund that begins with no payment in view asks for it, with the focus where it is typed', async () => {
  await openScreen(supervisorPage, '/finance/chargemanage/backpaidbills')
  await button(supervisorPage, '申请退款').click()
  const box = supervisorPage.getByLabel('收据号、对象或缴费人')
  await expect(box).toBeFocused()
  await supervisorPage.keyboard.type(receipt)
  await expect(supervisorPage.locator('.refund-found button').first()).toContainText(receipt)
  await supervisorPage.keyboard.press('Escape')
})

test('one of its bills goes back once another person agrees', async () => {
  await openScreen(cashierPage, `/finance/chargemanage/paidbills?keyword=${receipt}`)
  await clickRowAction(cashierPage, receipt, '退款')
  const lines = cashierPage.locator('.refund-lines tbody tr')
  await expect(lines.first()).toBeVisible()
  for (let i = (await lines.count()) - 1; i > 0; i--) {
    await lines.nth(i).getByRole('checkbox').uncheck()
  }
  await field(cashierPage, 'reason').fill('收错月份')
  await button(cashierPage, '申请退款').click()
  await expect(toastOf(cashierPage, /已提交，待其他人审核/)).toBeVisible()
  // It waits on the workbench of those who may approve, and leads there.
  await openScreen(supervisorPage, '/work')
  const waits = supervisorPage.locator('.waiting').filter({ hasText: '退款待审核' })
  // More urgent kinds of work stand above it; the list shows the first few.
  await button(supervisorPage, /^显示其余 \d+ 类待办$/).click()
  await expect(waits).toContainText(/最早 .*合计 ¥/)
  await waits.getByRole('link', { name: '审核' }).click()
  await clickRowAction(supervisorPage, '收错月份', '审核通过')
  await supervisorPage.getByRole('dialog').getByRole('button', { name: '审核通过' }).click()
  await expect(toastOf(supervisorPage, /已退款/)).toBeVisible()
  await openScreen(cashierPage, `/finance/chargemanage/paidbills?keyword=${receipt}`)
  await expect(rowOf(cashierPage, receipt)).toContainText(/部分退款|已退款/)
})

const readFigure = async (figure: Locator): Promise<string> =>
  defined(await figure.textContent()).replaceAll(/[¥,]/g, '')

test('the cashier hands over, and a day is closed once its sheets are confirmed', async () => {
  const shift = cashierPage.getByRole('region', { name: '本班收款' })
  let cash = ''
  // Another journey may take cash as the same cashier between the two figures.
  await expect(async () => {
    await openScreen(cashierPage, '/work')
    await expect(shift).toContainText('应交现金')
    await expect(cashierPage.getByRole('region', { name: '今日收款' }).locator('.bench-sum b')).toContainText(
      /¥[1-9]/,
    )
    const owed = await readFigure(shift.locator('.bench-sum b'))
    await shift.getByRole('link', { name: '交账' }).click()
    await button(cashierPage, /^交\s?账$/).click()
    cash = await readFigure(cashierPage.locator('.pay-cash b.figure'))
    expect(owed).toBe(cash)
  }).toPass({ timeout: 60_000 })
  await field(cashierPage, 'handAmount').fill(cash)
  await expect(visibleText(cashierPage, '现金相符')).toBeVisible()
  await button(cashierPage, '提交交账').click()
  await expect(cashierPage.locator('.print-paper').first()).toContainText('收费员甲')
  await button(cashierPage, /^关\s?闭$/).click()
  await openScreen(supervisorPage, '/finance/chargemanage/handover?view=pending&state=pending')
  await expect(rowOf(supervisorPage, '收费员甲')).toBeVisible()
  // The sheet of the day before waits as well.
  for (
    let remaining = await supervisorPage.getByRole('button', { name: '确认', exact: true }).count();
    remaining > 0;
    remaining--
  ) {
    await supervisorPage.getByRole('button', { name: '确认', exact: true }).first().click()
    await button(supervisorPage, '确认收到').click()
    await expect(supervisorPage.getByRole('button', { name: '确认', exact: true })).toHaveCount(remaining - 1)
  }
  await openScreen(ownerPage, '/finance/chargemanage/dayclose')
  const day = new Date(Date.now() + 8 * 3_600_000 - 86_400_000).toISOString().slice(0, 10)
  await ownerPage.getByPlaceholder('请选择日期').fill(day)
  await ownerPage.keyboard.press('Enter')
  await expect(visibleText(ownerPage, '可以日结')).toBeVisible()
  await button(ownerPage, /^日\s?结$/).click()
  await ownerPage
    .getByRole('dialog')
    .getByRole('button', { name: /^日\s?结$/ })
    .click()
  await expect(toastOf(ownerPage, `${day} 已日结`)).toBeVisible()
})

test('prestore is topped up for a known account and pays what is due', async () => {
  await openScreen(cashierPage, '/finance/reservemanagement/depositaccount')
  const first = cashierPage.locator('tbody tr').filter({ visible: true }).first()
  const name = defined(await first.locator('.identity').textContent())
  await first.getByRole('button', { name: '充值' }).click()
  await cashierPage.getByLabel('金额', { exact: true }).fill('6000')
  await cashierPage
    .getByRole('dialog')
    .getByRole('button', { name: /^充\s?值$/ })
    .click()
  await expect(toastOf(cashierPage, /已充值，余额/)).toBeVisible()
  await button(cashierPage, /^关\s?闭$/).click()
  await clickRowAction(cashierPage, name, '冲抵')
  await cashierPage
    .getByRole('dialog')
    .getByRole('button', { name: /^冲\s?抵$/ })
    .click()
  await expect(cashierPage.getByRole('dialog').filter({ hasText: '冲抵结果' })).toBeVisible()
  await button(cashierPage, '知道了').click()
})
