import { objectOf, objectsOf, textOf } from '#kit/contract/fixtures.ts'
import { defined } from '#kit/domain/defined.ts'
import { getCashierView } from '#modules/payments/contract/cashier.ts'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { field, openSignedInPage, toastOf, visibleText, callAsPage } from './page-actions.ts'

test.describe.configure({ mode: 'serial' })
const consoleErrors: string[] = []
let page: Page
/** A home that owes five bills, one more for cash, and one for the scanner. */
let room: string
let cashRoom: string
let scanRoom: string

/** Homes of building 7 that owe five bills: other journeys keep to other buildings. */
async function findOwingRooms(): Promise<string[]> {
  const { Data } = await callAsPage(page, 'Feebill/GetByPhoneOrSourceCode?KeyWord=7-')
  return objectsOf(objectOf(Data).Sources)
    .filter(source => source.Count === 5)
    .map(source => textOf(source.SourceName))
    .filter(name => /^7-.-[13-9]/.test(name))
}

test.beforeAll(async ({ browser }) => {
  // Not the cashier of the other journeys: the cash handed over is counted there.
  page = await openSignedInPage(browser, consoleErrors)
  const [first, second, third] = await findOwingRooms()
  room = defined(first)
  cashRoom = defined(second)
  scanRoom = defined(third)
})

test.afterAll(async () => {
  await page?.context().close()
  expect(consoleErrors, 'nothing is complained of in the console').toEqual([])
})

/** Types as slowly as a person; a scanner is faster. */
const type = (text: string): Promise<void> => page.keyboard.type(text, { delay: 60 })
const press = (...keys: readonly string[]): Promise<void> =>
  keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve())

/**
 * As a scanner types: keys of the keyboard, 8 ms apart by their own time, however long a busy machine takes
 * over them.
 */
async function scan(code: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const start = Date.now() / 1000
  const sent = [...code, 'Enter'].flatMap((key, i) => {
    const timestamp = start + i * 0.008
    const isEnter = key === 'Enter'
    const event = {
      key,
      code: isEnter ? key : `Digit${key}`,
      windowsVirtualKeyCode: isEnter ? 13 : key.charCodeAt(0),
    }
    return [
      session.send('Input.dispatchKeyEvent', {
        ...event,
        type: 'keyDown',
        text: isEnter ? '\r' : key,
        timestamp,
      }),
      session.send('Input.dispatchKeyEvent', { ...event, type: 'keyUp', timestamp: timestamp + 0.002 }),
    ]
  })
  await Promise.all(sent)
  await session.detach()
}

/** What is selected right after a key, before the page has had a turn: the next key may come that soon. */
const selectedAtOnceBy = (key: string): Promise<string> =>
  page.evaluate<string>(`(() => {
    const event = new KeyboardEvent('keydown', { key: '${key}', bubbles: true, cancelable: true })
    document.activeElement.dispatchEvent(event)
    const { value = '', selectionStart, selectionEnd } = document.activeElement
    return value.slice(selectionStart ?? 0, selectionEnd ?? 0)
  })()`)

const searchBox = () => page.getByLabel('搜索收费对象')
const rows = () => page.getByRole('group', { name: '待缴账单' })
const amount = () => page.getByLabel('实收', { exact: true })
const secondAmount = () => page.getByLabel('第 2 种方式金额')
const submit = () => page.getByRole('button', { name: /^确认收款/ })
const selectedCount = () => page.locator('.cashier-bills > footer').filter({ visible: true })
const dialog = () => page.getByRole('dialog').filter({ visible: true })

/** Goes on with Tab until a control has the focus, as somebody does who knows where it is. */
async function tabTo(target: Locator, key = 'Tab', limit = 60): Promise<void> {
  for (let i = 0; i < limit; i++) {
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
  const count = defined(defined(/\/(\d+)/.exec(defined(await selectedCount().textContent())))[1])
  // 全选 always ticks, also where all is ticked; another key unticks.
  await press('Control+a')
  await expect(selectedCount()).toContainText(`${count}/${count}`)
  await press('Control+Shift+a')
  await expect(selectedCount()).toContainText(`0/${count}`)
  // The same room once more: the rows have the focus again.
  await press('/')
  await openRoom(room)
  await expect(searchBox()).toHaveValue('')
  await press('/')
  await type('x')
  await press('Escape')
  await expect(rows()).toBeFocused()
  await expect(searchBox()).toHaveValue('')
  await press('Space', 'ArrowDown', 'Space', 'ArrowDown', 'Space')
  await expect(selectedCount()).toContainText(`3/${count}`)
  expect(await selectedAtOnceBy('F2')).toBe(await amount().inputValue())
  await press('F3')
  await expect(amount()).toHaveCount(0)
  await expect(page.getByRole('radio', { name: /收款码/ })).toBeFocused()
  expect(await selectedAtOnceBy('F2')).toBe(await amount().inputValue())
  await page.getByRole('radio', { name: /现金/ }).focus()
  expect(await selectedAtOnceBy('F2')).toBe(await amount().inputValue())
  await rows().focus()
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
  // What was typed stays, the second method has the rest, and its line has the keys of the methods.
  await press('F2')
  await type('１００．５')
  await press('Alt+a')
  await expect(secondAmount()).toBeFocused()
  await expect(amount()).toHaveValue('100.50')
  await expect(secondAmount()).toHaveValue((Number(owed) - 100.5).toFixed(2))
  await press('F8')
  await expect(page.locator('.cashier-also').first()).toContainText('线下 POS')
  await expect(page.getByRole('radio', { name: /现金/ })).toBeChecked()
  await expect(secondAmount()).toBeFocused()
  await press('F7')
  await expect(page.locator('.cashier-also').first()).toContainText('银行转账')
  await tabTo(page.getByRole('button', { name: '移除第 2 种方式' }))
  await press('Enter')
  await expect(amount()).toBeFocused()
  await press('Control+a')
  await type(owed)
  await press('Alt+a')
  await expect(secondAmount()).toBeFocused()
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

test('a payer who was open before is drawn as read now, not with the bills that are paid', async () => {
  let release: () => void = () => {}
  const untilReleased = new Promise<void>(resolve => (release = resolve))
  const [, path = ''] = getCashierView.route.split(' ')
  const isAsked = (url: URL): boolean => url.pathname.endsWith(`/${path}`)
  const asked = page.waitForRequest(request => isAsked(new URL(request.url())))
  await page.route(isAsked, async route => {
    await untilReleased
    await route.continue()
  })
  await type(room)
  await press('Enter')
  await asked
  await expect(page.locator('.cashier-rest .sheet-skeleton').first()).toBeVisible()
  await expect(rows()).toHaveCount(0)
  release()
  await expect(rows()).toBeFocused()
  await page.unroute(isAsked)
  await press('/')
})

test('a payer’s code pays what it was read for, once, and nothing that is opened or selected later', async () => {
  let sent = 0
  page.on('request', request => {
    sent += request.url().includes('Payment/GetPay') && request.method() === 'POST' ? 1 : 0
  })
  const note = () => page.locator('.cashier-how').filter({ visible: true }).first()
  const scanner = () => page.getByRole('radio', { name: /扫码枪/ })
  const readCode = async (): Promise<void> => {
    await scan('134567890123456784')
    await expect(scanner()).toBeChecked()
    await expect(note()).toContainText('已读取付款码（尾号 6784）')
  }
  await openRoom(scanRoom)
  await readCode()
  // Another household: the method and the code are gone.
  await press('/')
  await openRoom(room)
  await expect(page.getByRole('radio', { name: /现金/ })).toBeChecked()
  await press('F4')
  await expect(note()).not.toContainText('付款码（尾号')
  await press('F2')
  await rows().focus()
  // The same one once more.
  await readCode()
  await press('/')
  await openRoom(room)
  await expect(note()).toContainText('收费对象已重新打开，付款码已清除，请重新扫码')
  // Other bills: the method stays, or the next key would book cash.
  await readCode()
  await rows().focus()
  const selected = defined(await selectedCount().textContent())
  await press('Space')
  await expect(note()).toContainText('账单已变更，付款码已清除')
  await expect(selectedCount()).not.toHaveText(selected)
  await press('Space')
  // The note stays as it was: a code read before the second change was drawn would go with it.
  await expect(selectedCount()).toHaveText(selected)
  await expect(note()).toContainText('账单已变更，付款码已清除')
  await expect(scanner()).toBeChecked()
  // By hand, by another method, and by leaving the page.
  await readCode()
  await page.getByRole('button', { name: '清除付款码' }).click()
  await expect(note()).not.toContainText('尾号')
  await readCode()
  await press('F2', 'F4')
  await expect(note()).not.toContainText('尾号')
  await press('F2')
  await rows().focus()
  await readCode()
  await page.getByRole('tab', { name: '工作台' }).click()
  await expect(rows()).toHaveCount(0)
  await page.getByRole('tab', { name: '收银台' }).click()
  await expect(note()).not.toContainText('尾号')
  expect(sent).toBe(0)
  // Refused: the order that takes its place waits for another code.
  await press('F4')
  await scan('134567890123456789')
  await expect(dialog()).toContainText('余额不足')
  await dialog().getByRole('button', { name: '重新发起' }).click()
  await expect(dialog().getByLabel('付款码')).toBeEnabled()
  await dialog().locator('.ant-segmented-item').filter({ hasText: '收款码' }).click()
  await dialog().locator('.ant-segmented-item').filter({ hasText: '扫码枪' }).click()
  await expect(dialog().getByLabel('付款码')).toBeEnabled()
  expect(sent).toBe(1)
  await dialog().getByRole('button', { name: '取消收款' }).click()
  await expect(dialog()).toHaveCount(0)
  await expect(note()).not.toContainText('尾号')
  await press('/')
})

test('with the scanner chosen a payer’s code pays at once, and no other code is looked for', async () => {
  await openRoom(scanRoom)
  await press('F4')
  await scan('6901234567899')
  await expect(toastOf(page, /付款码无效/)).toBeVisible()
  await expect(searchBox()).toHaveValue('')
  await scan('134567890123456784')
  await expect(dialog().locator('.print-paper, .pay-right').first()).toBeVisible()
  await expect(page.locator('.print-paper').first()).toBeVisible({ timeout: 30_000 })
  await closeReceipt()
})

/** 预缴 up to the money: the periods are priced, and the counter's own fields ask for what was received. */
async function startPrepayment(): Promise<void> {
  await press('Alt+y')
  await expect(page.getByLabel('预缴周期数')).toBeFocused()
  await expect(dialog().getByRole('button', { name: /^生成 \d+ 张并收款/ })).toBeEnabled()
  await press('Control+Enter')
  await expect(dialog().getByRole('button', { name: /^确认收款/ })).toBeEnabled()
  await expect(dialog().getByLabel('实收', { exact: true })).toBeFocused()
}

test('periods ahead are paid by the method of the counter, and leave no bills when cancelled (TMP-2)', async () => {
  await openRoom(cashRoom)
  await startPrepayment()
  await expect(dialog().locator('.ant-segmented-item-selected')).toHaveText('线下')
  await expect(dialog()).toContainText('预缴账单同时撤销')
  await press('Escape')
  await expect(dialog()).toHaveCount(0)
  await expect(rows()).toBeFocused()
  await expect(page.getByRole('button', { name: /^待支付/ })).toHaveCount(0)
  await startPrepayment()
  const received = dialog().getByLabel('实收', { exact: true })
  const owed = Number((await received.inputValue()).replaceAll(',', ''))
  await type('1')
  await press('Control+Enter')
  await expect(dialog().getByRole('alert').filter({ hasText: '须一次收清' })).toBeVisible()
  await press('F7')
  await expect(dialog().locator('.pay-offline > .ant-select')).toContainText('银行转账')
  // The select takes no Ctrl Enter for itself: what is wrong with the amount is shown again.
  const methods = dialog().getByLabel('支付方式')
  await methods.focus()
  await press('ArrowDown')
  await expect(methods).toHaveAttribute('aria-expanded', 'true')
  await press('Enter')
  await expect(methods).toHaveAttribute('aria-expanded', 'false')
  await press('Control+Enter')
  await expect(dialog().getByRole('alert').filter({ hasText: '须一次收清' })).toBeVisible()
  await expect(methods).toHaveAttribute('aria-expanded', 'false')
  await press('F2')
  await type((Math.ceil(owed) + 20).toFixed(2))
  await expect(dialog()).toContainText(/找零\s*¥2\d\.\d\d/)
  await press('Control+Enter')
  await expect(page.locator('.print-paper').first()).toContainText('现金')
  await press('Escape')
  await expect(dialog()).toHaveCount(0)
  await page.goto('/finance/chargemanage/cashier')
})

test('a part is paid: what was received and what is still owed are on the bill', async () => {
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

test('a burst of digits and Enter takes no money, whatever its source', async () => {
  await press('Tab')
  await expect(amount()).toBeFocused()
  const owed = await amount().inputValue()
  await scan('6901234567892')
  // It is looked for, and the amount is as it was.
  await expect(searchBox()).toHaveValue('6901234567892')
  await expect(amount()).toHaveValue(owed)
  await expect(toastOf(page, /^已收 /)).toHaveCount(0)
  await page.getByLabel('备注').filter({ visible: true }).focus()
  await type('补缴')
  await scan('6901234567892')
  await expect(page.getByLabel('备注').filter({ visible: true })).toHaveValue('补缴')
  // Much change is asked about, and the answer leads back to the amount.
  await press('F2')
  await type('9000')
  await press('Control+Enter')
  await expect(dialog()).toContainText('找零超过 ¥200.00')
  await expect(dialog().getByRole('button', { name: '返回修改' })).toBeFocused()
  // The next payer's code: its Enter must not press the dialog's button.
  await scan('134567890123456784')
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

test('a temporary fee is selected when it is added, and the rows have the focus again', async () => {
  const before = Number(defined(/(\d+)\//.exec(defined(await selectedCount().textContent())))[1])
  await press('Alt+t')
  await expect(dialog()).toContainText('新增临时费用')
  await tabTo(dialog().locator('[data-field="feeItemId"] input'))
  // The keys of the counter wait behind it, and none of them takes the focus.
  await press('F3', 'F2', 'Alt+a', 'Alt+j', 'Alt+y', 'F9', 'Control+k')
  await expect(dialog()).toHaveCount(1)
  await expect(dialog()).toContainText('新增临时费用')
  await expect(dialog().locator('[data-field="feeItemId"] input')).toBeFocused()
  await expect(page.locator('.cashier-also')).toHaveCount(0)
  await expect(page.getByRole('radio', { name: /现金/ })).toBeChecked()
  // No deposit is offered: it would not go with the other bills.
  await type('有偿')
  await expect(page.locator('.ant-select-dropdown:visible .ant-select-item-option-active')).toHaveText(
    '有偿维修费',
  )
  await press('Enter')
  await tabTo(dialog().locator('[data-field="amount"] input'))
  await type('25.5')
  await press('Control+Enter')
  await expect(toastOf(page, /已生成 1 张账单/)).toBeVisible()
  await expect(dialog()).toHaveCount(0)
  await expect(selectedCount()).toContainText(`${before + 1}/`)
  await expect(rows()).toBeFocused()
})

test('a code that is scanned while a temporary fee is added stays whole and in no box', async () => {
  const before = Number(defined(/(\d+)\//.exec(defined(await selectedCount().textContent())))[1])
  await press('Alt+t')
  await tabTo(dialog().locator('[data-field="feeItemId"] input'))
  await type('有偿')
  await press('Enter')
  await tabTo(dialog().locator('[data-field="amount"] input'))
  await type('30')
  await press('Control+Enter')
  await expect(dialog()).toHaveCount(0)
  await scan('6901234567892')
  await expect(searchBox()).toHaveValue('6901234567892')
  await expect(selectedCount()).toContainText(`${before + 1}/`)
  await expect(amount()).toHaveValue(/\.\d\d$/)
  await expect(toastOf(page, /^已收 /)).toHaveCount(0)
  await press('Escape')
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
  await expect(toastOf(page, /已提交，待其他人审核|已退款/)).toBeVisible()
  // The keyboard goes on near where it was.
  await expect(recent.locator(':focus')).toHaveCount(1)
})

test("after a refund from a receipt the keys are the receipt's again", async () => {
  const recent = page.getByRole('region', { name: '刚刚办理' })
  // The one before: the last is refunded.
  const earlier = recent.locator(':scope > div').nth(1)
  await earlier.getByRole('button', { name: '补打' }).focus()
  await press('Enter')
  const refund = dialog().getByRole('button', { name: /^退\s?款$/ })
  await tabTo(refund)
  await press('Enter')
  await expect(page.locator('.refund-lines tbody tr').first()).toBeVisible()
  await tabTo(field(page, 'reason'))
  await type('重复收款')
  await press('Control+Enter')
  await expect(toastOf(page, /已提交，待其他人审核|已退款/)).toBeVisible()
  await expect(page.locator('.refund-lines')).toHaveCount(0)
  // What is closing takes the key until it is gone.
  await expect(async () => {
    await press('Escape')
    await expect(dialog()).toHaveCount(0, { timeout: 1000 })
  }).toPass({ timeout: 10_000 })
  await press('Control+k')
  await expect(page.getByRole('combobox', { name: '搜索', exact: true })).toBeFocused()
  await press('Escape')
  // And after the palette and the help they are where they were.
  await recent.getByRole('button').first().focus()
  const before = await page.evaluate<string>('document.activeElement.outerHTML')
  for (const key of ['Control+k', '?']) {
    await press(key)
    await expect(page.locator('[data-covering], .ant-modal-wrap').first()).toBeVisible()
    await press('Escape')
    await expect.poll(() => page.evaluate<string>('document.activeElement.outerHTML')).toBe(before)
  }
})

test('the cashier hands over', async () => {
  await press('Control+k')
  await type('交账')
  await expect(page.locator('.palette-row[aria-selected="true"]')).toContainText('交账')
  await press('Enter')
  const handOver = page.getByRole('button', { name: /^交\s?账$/ }).filter({ visible: true })
  await expect(handOver).toBeVisible()
  await tabTo(handOver)
  await press('Enter')
  const cash = defined(await page.locator('.pay-cash b.figure').textContent()).replaceAll(/[¥,]/g, '')
  await tabTo(field(page, 'handAmount'))
  await type(cash)
  await expect(visibleText(page, '现金相符')).toBeVisible()
  await press('Control+Enter')
  await expect(toastOf(page, /已交账|已提交/)).toBeVisible()
})
