import { expect, test, type Page } from '@playwright/test'
import { button, field, rowOf, seat, seen, toastOf, verbOf } from './desk.ts'

test.describe.configure({ mode: 'serial' })
const said: string[] = []
let till: Page
let chief: Page
let boss: Page
let receipt = ''

test.beforeAll(async ({ browser }) => {
  till = await seat(browser, said, 'cashier1')
  chief = await seat(browser, said, 'manager1')
  boss = await seat(browser, said)
})

test.afterAll(async () => {
  for (const page of [till, chief, boss]) {
    await page?.context().close()
  }
  expect(said, 'nothing is complained of in the console').toEqual([])
})

test('cash is taken for what a room owes, with change, and the receipt is printed', async () => {
  await till.goto('/finance/chargemanage/cashier')
  await till.getByLabel('搜索缴费对象').fill('5-1-1')
  await till.locator('#cashier-found li').filter({ hasText: '笔' }).first().click()
  await expect(seen(till, /已选/)).toBeVisible()
  await till.getByLabel('实收', { exact: true }).fill('90000')
  await expect(seen(till, '找零')).toBeVisible()
  await button(till, /确认收款/).click()
  await expect(toastOf(till, /已收 .*找零/)).toBeVisible()
  receipt = /收据 (\S+)/.exec((await toastOf(till, /收据/).textContent()) ?? '')![1]!
  await expect(till.locator('.print-paper').first()).toContainText(receipt)
  await button(till.getByRole('dialog'), /^打\s?印$/).click()
  await expect(till.getByRole('dialog')).toHaveCount(0)
})

test('one of its bills goes back once another person agrees', async () => {
  await till.goto(`/finance/chargemanage/paidbills?keyword=${receipt}`)
  await verbOf(till, receipt, '退款')
  const lines = till.locator('.refund-lines tbody tr')
  await expect(lines.first()).toBeVisible()
  for (let i = (await lines.count()) - 1; i > 0; i--) {
    await lines.nth(i).getByRole('checkbox').uncheck()
  }
  await field(till, 'reason').fill('收错月份')
  await button(till, '申请退款').click()
  await expect(toastOf(till, /已提交，等其他人审核/)).toBeVisible()
  // It waits on the workbench of whoever may agree, and leads there.
  await chief.goto('/work')
  const waits = chief.locator('.waiting').filter({ hasText: '退款待审核' })
  await expect(waits).toContainText(/最早 .*合计 ¥/)
  await waits.getByRole('link', { name: '审核' }).click()
  await verbOf(chief, '收错月份', '审核通过')
  await chief.getByRole('dialog').getByRole('button', { name: '审核通过' }).click()
  await expect(toastOf(chief, /已退款/)).toBeVisible()
  await till.goto(`/finance/chargemanage/paidbills?keyword=${receipt}`)
  await expect(rowOf(till, receipt)).toContainText(/部分退款|已退款/)
})

test('the till is handed over, and a day is closed once its sheets are confirmed', async () => {
  await till.goto('/work')
  const shift = till.getByRole('region', { name: '本班收款' })
  await expect(shift).toContainText('应交现金')
  await expect(till.getByRole('region', { name: '今日收款' }).locator('.bench-sum b')).toContainText(/¥[1-9]/)
  const owed = (await shift.locator('.bench-sum b').textContent())!.replaceAll(/[¥,]/g, '')
  await shift.getByRole('link', { name: '交账' }).click()
  await button(till, /^交\s?账$/).click()
  const cash = (await till.locator('.pay-cash b.figure').textContent())!.replaceAll(/[¥,]/g, '')
  expect(owed).toBe(cash)
  await field(till, 'handAmount').fill(cash)
  await expect(seen(till, '现金相符')).toBeVisible()
  await button(till, '提交交账').click()
  await expect(till.locator('.print-paper').first()).toContainText('收费员甲')
  await button(till, /^关\s?闭$/).click()
  await chief.goto('/finance/chargemanage/handover?view=pending&state=pending')
  await expect(rowOf(chief, '收费员甲')).toBeVisible()
  // The sheet of the day before waits as well.
  for (let left = await chief.getByRole('button', { name: '确认', exact: true }).count(); left > 0; left--) {
    await chief.getByRole('button', { name: '确认', exact: true }).first().click()
    await button(chief, '确认收到').click()
    await expect(chief.getByRole('button', { name: '确认', exact: true })).toHaveCount(left - 1)
  }
  await boss.goto('/finance/chargemanage/dayclose')
  const day = new Date(Date.now() + 8 * 3_600_000 - 86_400_000).toISOString().slice(0, 10)
  await boss.getByPlaceholder('请选择日期').fill(day)
  await boss.keyboard.press('Enter')
  await expect(seen(boss, '可以日结')).toBeVisible()
  await button(boss, /^日\s?结$/).click()
  await boss
    .getByRole('dialog')
    .getByRole('button', { name: /^日\s?结$/ })
    .click()
  await expect(toastOf(boss, `${day} 已日结`)).toBeVisible()
})

test('prestore is topped up for a known account and pays what is due', async () => {
  await till.goto('/finance/reservemanagement/depositaccount')
  const first = till.locator('tbody tr').filter({ visible: true }).first()
  const name = (await first.locator('.identity').textContent())!
  await first.getByRole('button', { name: '充值' }).click()
  await till.getByLabel('金额', { exact: true }).fill('6000')
  await till
    .getByRole('dialog')
    .getByRole('button', { name: /^充\s?值$/ })
    .click()
  await expect(toastOf(till, /已充值，余额/)).toBeVisible()
  await button(till, /^关\s?闭$/).click()
  await verbOf(till, name, '冲抵')
  await till
    .getByRole('dialog')
    .getByRole('button', { name: /^冲\s?抵$/ })
    .click()
  await expect(till.getByRole('dialog').filter({ hasText: '冲抵结果' })).toBeVisible()
  await button(till, '知道了').click()
})
