import { expect, test, type Locator, type Page } from '@playwright/test'
import { field, openSignedInPage, toastOf, visibleText } from './page-actions.ts'

test.describe.configure({ mode: 'serial' })
const consoleErrors: string[] = []
let page: Page
/** A home that owes five bills, and one more for cash. */
let room: string
let cashRoom: string

interface Source {
  readonly SourceName: string
  readonly Count: number
}

/** Homes of building 7 that owe five bills: other journeys keep to other buildings. */
const findOwingRooms = (): Promise<string[]> =>
  page.evaluate(async () => {
    const { Token } = JSON.parse(localStorage.getItem('etorcurrentuser')!) as { Token: string }
    const answer = await fetch('/api/Feebill/GetByPhoneOrSourceCode?KeyWord=7-', {
      headers: { token: Token },
    })
    const { Data } = (await answer.json()) as { Data: { Sources: Source[] } }
    return Data.Sources.filter(source => source.Count === 5 && /^7-.-[13-9]/.test(source.SourceName)).map(
      source => source.SourceName,
    )
  })

test.beforeAll(async ({ browser }) => {
  // Not the cashier of the other journeys: what he hands over is counted there.
  page = await openSignedInPage(browser, consoleErrors)
  const [first, second] = await findOwingRooms()
  room = first!
  cashRoom = second!
})

test.afterAll(async () => {
  await page?.context().close()
  expect(consoleErrors, 'nothing is complained of in the console').toEqual([])
})

/** As a hand types: a scanner is faster. */
const type = (text: string): Promise<void> => page.keyboard.type(text, { delay: 60 })
const press = (...keys: readonly string[]): Promise<void> =>
  keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve())

const searchBox = () => page.getByLabel('搜索缴费对象')
const rows = () => page.getByRole('group', { name: '待缴账单' })
const amount = () => page.getByLabel('实收', { exact: true })
const submit = () => page.getByRole('button', { name: /^确认收款/ })
const selectedCount = () => page.locator('.cashier-bills > footer').filter({ visible: true })
const dialog = () => page.getByRole('dialog').filter({ visible: true })

/** Goes on with Tab until a control has the focus, as somebody does who knows where it is. */
async function tabTo(target: Locator, key = 'Tab', most = 60): Promise<void> {
  for (let i = 0; i < most; i++) {
    if (await target.evaluate(element => element.matches(':focus'))) return
    await page.keyboard.press(key)
  }
  await expect(target).toBeFocused()
}

async function openRoom(path: string): Promise<void> {
  await expect(searchBox()).toBeFocused()
  await type(path)
  await press('Enter')
  await expect(rows()).toBeFocused()
  await expect(page.locator('.cashier-person').filter({ visible: true })).toContainText(path)
}

/** The receipt is put aside, and the next customer comes. */
async function closeReceipt(): Promise<void> {
  await expect(page.locator('.print-paper').first()).toBeVisible()
  await press('Escape')
  await expect(dialog()).toHaveCount(0)
  await expect(searchBox()).toBeFocused()
}

test('three of five bills, in cash and by transfer', async () => {
  await page.goto('/finance/chargemanage/cashier')
  await openRoom(room)
  // Its parking place may owe one more.
  const count = /\/(\d+)/.exec((await selectedCount().textContent())!)![1]!
  await press('Control+a')
  if (!(await selectedCount().textContent())!.includes(`已选 0/`)) {
    await press('Control+a')
  }
  await expect(selectedCount()).toContainText(`0/${count}`)
  await press('Space', 'ArrowDown', 'Space', 'ArrowDown', 'Space')
  await expect(selectedCount()).toContainText(`3/${count}`)
  // Rows, amount, method, button: in this order.
  await press('Tab')
  await expect(amount()).toBeFocused()
  const owed = await amount().inputValue()
  await press('Space')
  await expect(amount()).toHaveValue(owed)
  await press('Tab')
  await expect(page.getByRole('radio', { name: /现金/ })).toBeFocused()
  await press('Tab')
  await expect(submit()).toBeFocused()
  // The digits after F2 replace, and Ctrl A in the amount selects its text and ticks nothing.
  await press('F2')
  await type('7')
  await expect(amount()).toHaveValue('7')
  await press('Control+a')
  await type(owed)
  await expect(amount()).toHaveValue(owed)
  await expect(selectedCount()).toContainText(`3/${count}`)
  await press('Alt+a')
  await expect(page.getByLabel('第 2 种方式金额')).toBeFocused()
  await press('Control+Enter')
  await expect(page.getByRole('alert').filter({ hasText: '请填写第 2 种方式的金额' })).toBeVisible()
  await type('10')
  await press('Control+Enter')
  await expect(toastOf(page, /^已收 .*收据/)).toBeVisible()
  await expect(page.locator('.print-paper').first()).toContainText('银行转账 10.00')
  await closeReceipt()
  await expect(page.getByRole('region', { name: '刚刚办理' })).toContainText(/银行转账 10\.00/)
})

test('cash takes eight keys at most, from the search to the next customer', async () => {
  let keys = 0
  const count = async (...pressed: readonly string[]): Promise<void> => {
    keys += pressed.length
    await press(...pressed)
  }
  await expect(searchBox()).toBeFocused()
  // Building and number: the unit is not needed.
  const [building, , number] = cashRoom.split('-')
  const typed = `${building} ${number}`
  for (const key of typed) {
    await count(key === ' ' ? 'Space' : key)
    await page.waitForTimeout(60)
  }
  await count('Enter')
  await expect(rows()).toBeFocused()
  await expect(page.locator('.cashier-person').filter({ visible: true })).toContainText(cashRoom)
  await count('Control+Enter')
  await expect(toastOf(page, /^已收 .*收据/)).toBeVisible()
  await expect(page.locator('.print-paper').first()).toBeVisible()
  expect(keys).toBeLessThanOrEqual(8)
  await closeReceipt()
})

test('a part is paid: what was received and what is still owed stand on the bill', async () => {
  await openRoom(room)
  await press('Tab')
  await type('20')
  // Enter moves on; it takes no money.
  await press('Enter')
  await expect(page.getByRole('radio', { name: /现金/ })).toBeFocused()
  await press('Enter')
  await expect(submit()).toBeFocused()
  await press('Control+Enter')
  await expect(toastOf(page, /^已收 ¥20\.00/)).toBeVisible()
  await closeReceipt()
  await openRoom(room)
  await expect(rows()).toContainText(/已收 [\d.,]+\s*未收 [\d.,]+/)
})

test('a burst of digits and Enter takes no money, wherever it comes from', async () => {
  await press('Tab')
  await expect(amount()).toBeFocused()
  const owed = await amount().inputValue()
  await page.keyboard.type('6901234567892')
  await press('Enter')
  await page.waitForTimeout(400)
  await expect(toastOf(page, /^已收 /)).toHaveCount(0)
  // Much change is asked about, and the answer leads back to the amount.
  await press('F2')
  await type('9000')
  await press('Control+Enter')
  await expect(dialog()).toContainText('找零超过 ¥200.00')
  // The next payer's code: its Enter must not press the dialog's button.
  await page.keyboard.type('134567890123456784')
  await page.keyboard.press('Enter')
  await expect(toastOf(page, /付款码输入框/)).toBeVisible()
  await expect(toastOf(page, /^已收 /)).toHaveCount(0)
  await expect(dialog()).toContainText('找零超过 ¥200.00')
  await press('Escape')
  await expect(page.getByRole('alert').filter({ hasText: '找零过大' })).toBeVisible()
  await expect(amount()).toBeFocused()
  await press('F2')
  await type('12.345')
  await press('Control+Enter')
  await expect(page.getByRole('alert').filter({ hasText: '最多两位小数' })).toBeVisible()
  await press('F2')
  await type(owed)
})

test('a temporary fee is ticked when it is added, and the rows have the focus again', async () => {
  const before = Number(/(\d+)\//.exec((await selectedCount().textContent())!)![1])
  await press('Alt+t')
  await expect(dialog()).toContainText('新增临时费用')
  await tabTo(dialog().locator('[data-field="feeItemId"] input'))
  // A deposit would not go with the other bills.
  await type('临时')
  await expect(page.locator('.ant-select-dropdown:visible .ant-select-item-option-active')).toContainText(
    '临时',
  )
  await press('Enter')
  await tabTo(dialog().locator('[data-field="amount"] input'))
  await type('30')
  await press('Control+Enter')
  await expect(toastOf(page, /已生成 1 张账单/)).toBeVisible()
  await expect(dialog()).toHaveCount(0)
  await expect(selectedCount()).toContainText(`${before + 1}/`)
  await expect(rows()).toBeFocused()
})

test('without a network it asks before anything is sent later, and shows that it waits', async () => {
  await page.context().setOffline(true)
  await press('Control+Enter')
  await expect(dialog()).toContainText('网络已断开')
  await expect(dialog()).toContainText('尚未提交')
  await press('Escape')
  await expect(dialog()).toHaveCount(0)
  await expect(visibleText(page, '网络已断开，本次收款未提交')).toBeVisible()
  await press('Control+Enter')
  await tabTo(dialog().getByRole('button', { name: '网络恢复后自动提交' }))
  await press('Enter')
  await expect(dialog()).toContainText('等待网络恢复')
  await page.context().setOffline(false)
  await expect(toastOf(page, /^已收 .*收据/)).toBeVisible()
  await closeReceipt()
})

test('the last payment is refunded from where it is shown', async () => {
  const recent = page.getByRole('region', { name: '刚刚办理' })
  await tabTo(recent.getByRole('button', { name: '退款' }).first())
  await press('Enter')
  await expect(page.locator('.refund-lines tbody tr').first()).toBeVisible()
  await tabTo(field(page, 'reason'))
  await type('重复收款')
  await press('Control+Enter')
  await expect(toastOf(page, /已提交，等其他人审核|已退款/)).toBeVisible()
})

test('the till is handed over', async () => {
  await press('Control+k')
  await type('交账')
  await expect(page.locator('.palette-row[aria-selected="true"]')).toContainText('交账')
  await press('Enter')
  const handOver = page.getByRole('button', { name: /^交\s?账$/ }).filter({ visible: true })
  await expect(handOver).toBeVisible()
  await tabTo(handOver)
  await press('Enter')
  const cash = (await page.locator('.pay-cash b.figure').textContent())!.replaceAll(/[¥,]/g, '')
  await tabTo(field(page, 'handAmount'))
  await type(cash)
  await expect(visibleText(page, '现金相符')).toBeVisible()
  await press('Control+Enter')
  await expect(toastOf(page, /已交账|已提交/)).toBeVisible()
})
