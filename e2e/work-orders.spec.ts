import { defined } from '#kit/domain/defined.ts'
import { expect, test, type Page } from '@playwright/test'
import { findSeriousFaults } from './axe.ts'
import {
  button,
  clickRowAction,
  defineJourney,
  field,
  openSignedInPage,
  rowOf,
  toastOf,
  visibleText,
  openScreen,
} from './page-actions.ts'

/** A journey that begins once more finds what it left behind. */
const stamp = String(Date.now() % 1_000_000).padStart(6, '0')
const repairType = `对讲维修 ${stamp}`
const auditedType = `装修巡查 ${stamp}`
const subject = `门铃不响 ${stamp}`
const room = '1-1-1202'
const engineerName = '工程甲'

let clerk: Page
let engineer: Page
let orderAddress: string
const consoleErrors = defineJourney(page => {
  clerk = page
})

test.beforeAll(async ({ browser }) => {
  engineer = await openSignedInPage(browser, consoleErrors, 'engineer1')
})

test.afterAll(() => engineer.context().close())

const dialog = (page: Page, title: string | RegExp) =>
  page.getByRole('dialog').filter({ hasText: title, visible: true }).last()

const headOf = (page: Page) => page.locator('.order-page > header').filter({ visible: true })

/** Finds a record by typing and takes it; over a drawer nothing behind it may be pressed. */
async function choose(page: Page, name: string, option: string): Promise<void> {
  const select = page.locator(`[data-field="${name}"]`).filter({ visible: true }).last()
  await select.locator('.ant-select').first().click()
  await select.getByRole('combobox').fill(option)
  // The list reloads while typing: the option that is active once it has loaded is taken.
  await expect(
    page.locator('.ant-select-dropdown:visible .ant-select-item-option-active').filter({ hasText: option }),
  ).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.locator('.ant-select-dropdown:visible')).toHaveCount(0)
}

/** Adds a kind of order that is given out by hand. */
async function addType(name: string, fill: () => Promise<void>): Promise<void> {
  await button(clerk, '新增工单类型').click()
  await field(clerk, 'typeName').fill(name)
  await choose(clerk, 'category', '报修')
  await fill()
  await button(dialog(clerk, '新增工单类型'), '新增工单类型').click()
  await expect(toastOf(clerk, `已新增工单类型「${name}」`)).toBeVisible()
}

async function register(type: string, title: string, place: string): Promise<void> {
  await openScreen(clerk, '/quality/workOrderManagement/register')
  await choose(clerk, 'roomCode', place)
  await choose(clerk, 'typeId', type)
  await field(clerk, 'title').fill(title)
  await field(clerk, 'content').fill(`${title}，请上门检查`)
}

test('a kind of order is set up: by hand, accepted after the work, charged', async () => {
  await openScreen(clerk, '/quality/workOrderManagement/setting')
  await addType(repairType, async () => {
    await clerk.locator('[data-field="needAccept"] button').filter({ visible: true }).click()
    await field(clerk, 'responseMinutes').fill('30')
    await field(clerk, 'finishMinutes').fill('240')
    await clerk.locator('[data-field="isCharge"] button').filter({ visible: true }).click()
    await choose(clerk, 'feeItemId', '有偿维修费')
  })
  await addType(auditedType, async () => {
    await clerk.locator('[data-field="needAudit"] button').filter({ visible: true }).click()
  })
  expect(await findSeriousFaults(clerk)).toEqual([])
})

test('the clerk registers an order with the room’s file beside it; another for the same room is hinted at (WO-7)', async () => {
  await register(repairType, subject, room)
  await expect(clerk.locator('.register-room').filter({ visible: true })).toContainText(room)
  await expect(visibleText(clerk, '响应 30 分，完成 4 小时')).toBeVisible()
  await button(clerk, '登记').click()
  await expect(visibleText(clerk, /^已登记工单 GD\d+$/)).toBeVisible()
  await button(clerk, '继续登记').click()
  await register(repairType, `${subject} 又一次`, room)
  await expect(visibleText(clerk, '同一位置近期有 1 张同类工单未完结')).toBeVisible()
  expect(await findSeriousFaults(clerk)).toEqual([])
  await button(clerk, '取消').click()
  await button(clerk, '放弃').click()
})

test('the dispatch board gives it to an engineer by the keyboard', async () => {
  await openScreen(clerk, '/quality/workOrderManagement/dispatch')
  const card = clerk.locator('.board-orders .board-item').filter({ hasText: subject })
  await card.focus()
  await clerk.keyboard.press('Enter')
  await expect(card).toHaveAttribute('aria-pressed', 'true')
  await expect(visibleText(clerk, '按类型与位置排序')).toBeVisible()
  const person = clerk.locator('.board-people .board-item').filter({ hasText: engineerName })
  await expect(person).toBeEnabled()
  expect(await findSeriousFaults(clerk)).toEqual([])
  await card.focus()
  await clerk.keyboard.press('ArrowRight')
  await person.press('Enter')
  await expect(toastOf(clerk, new RegExp(`已派给${engineerName}`))).toBeVisible()
  await expect(card).toHaveCount(0)
})

test('the engineer accepts, suspends and resumes: a suspended clock is paused', async () => {
  await openScreen(engineer, '/quality/workOrderManagement/record?view=assigned')
  await rowOf(engineer, '待接单').waitFor()
  await engineer.getByPlaceholder(/工单号/).fill(subject)
  await clickRowAction(engineer, repairType.slice(0, 4), '办理')
  await expect(headOf(engineer)).toContainText(subject)
  orderAddress = new URL(engineer.url()).pathname + new URL(engineer.url()).search
  await button(engineer, '接单').click()
  await expect(toastOf(engineer, '已接单')).toBeVisible()
  await expect(headOf(engineer)).toContainText('处理中')
  await button(engineer, '挂起').click()
  await field(engineer, 'reason').fill('住户外出，晚些上门')
  const resumeAt = engineer.locator('[data-field="resumeTime"] input').filter({ visible: true })
  await resumeAt.fill('2030-01-01 10:00')
  await resumeAt.press('Enter')
  await button(dialog(engineer, '挂起'), '挂起').click()
  await expect(headOf(engineer)).toContainText('挂起')
  await expect(engineer.getByRole('region', { name: '完成：暂停计时' })).toBeVisible()
  expect(await findSeriousFaults(engineer)).toEqual([])
  await button(engineer, '恢复').click()
  await button(dialog(engineer, '恢复'), '恢复').click()
  await expect(headOf(engineer)).toContainText('处理中')
  await expect(engineer.getByRole('region', { name: /^完成：还剩/ })).toBeVisible()
})

test('the engineer finishes with parts; the sum is shown before it is sent', async () => {
  await button(engineer, '完成').click()
  const form = dialog(engineer, '完成')
  await field(engineer, 'resultText').fill('更换门铃按钮')
  await button(form, /添加一行$/).click()
  const line = form.locator('[data-field="lines"] tbody tr').first()
  await line.locator('.ant-select').click()
  await engineer
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: '材料' })
    .click()
  await line.getByLabel('名称').fill('门铃按钮')
  await line.getByLabel('数量').fill('2')
  await line.getByLabel('单价').fill('17.5')
  await line.getByLabel('单价').press('Tab')
  await expect(form.getByText('合计 ¥35.00')).toBeVisible()
  await button(form, '完成').click()
  await expect(headOf(engineer)).toContainText('待验收')
  await expect(engineer.getByRole('region', { name: '费用' })).toContainText('¥35.00')
})

test('the clerk accepts the work and the resident pays on a phone', async ({ browser }) => {
  await openScreen(clerk, orderAddress)
  await button(clerk, '验收通过').click()
  await expect(headOf(clerk)).toContainText('待付款')
  await button(headOf(clerk), '发起收款').click()
  const pay = clerk.locator('.pay-dialog').filter({ visible: true })
  const link = defined(await pay.getByRole('link', { name: /在本机打开付款页/ }).getAttribute('href'))
  const phone = await (await browser.newContext()).newPage()
  await phone.goto(new URL(link, clerk.url()).href)
  await phone.getByRole('link', { name: '微信支付' }).click()
  await phone.getByRole('button', { name: '确认支付' }).click()
  await expect(phone.getByRole('status')).toHaveText('支付成功')
  await phone.context().close()
  await expect(headOf(clerk)).toContainText('待评价', { timeout: 30_000 })
  await expect(clerk.getByRole('region', { name: '费用' })).toContainText('已支付')
})

test('the clerk rates it for the resident, and the order is done', async () => {
  await button(clerk, '代为评价').click()
  for (const key of ['speedScore', 'attitudeScore', 'qualityScore']) {
    await field(clerk, key).fill('5')
  }
  await button(dialog(clerk, '代报事人评价'), '提交评价').click()
  await expect(headOf(clerk)).toContainText('已完成')
  await expect(clerk.getByRole('region', { name: '评价与回访' })).toContainText('5 分')
  expect(await findSeriousFaults(clerk)).toEqual([])
})

test('what was used is among the materials, the charge among the paid ones', async () => {
  await openScreen(clerk, '/quality/workOrderManagement/material')
  await expect(rowOf(clerk, '门铃按钮')).toContainText('35.00')
  await openScreen(clerk, '/quality/workOrderManagement/finance?view=paid')
  await expect(rowOf(clerk, repairType)).toContainText('已支付')
})

test('an order that needs audit is passed, and closed with a reason', async () => {
  await register(auditedType, `敲墙 ${stamp}`, room)
  await button(clerk, '登记').click()
  const heading = visibleText(clerk, /^已登记工单 GD\d+$/)
  const number = defined((await heading.innerText()).split(' ')[1])
  await clerk.goto('/quality/workOrderManagement/check')
  await clickRowAction(clerk, number, '通过')
  await expect(toastOf(clerk, '已通过审核')).toBeVisible()
  await expect(rowOf(clerk, number)).toHaveCount(0)
  await clerk.goto(`/quality/workOrderManagement/record?keyword=${number}`)
  await clickRowAction(clerk, number, '办理')
  await button(clerk, '关闭').click()
  const form = dialog(clerk, '关闭')
  await form.getByRole('textbox').first().fill('住户撤回')
  await form.getByRole('button', { name: /关闭/ }).last().click()
  await expect(headOf(clerk)).toContainText('已关闭')
  await expect(clerk.locator('.order-events').filter({ visible: true })).toContainText('住户撤回')
})

test('a number of the statistics opens the orders that it counts', async () => {
  await clerk.goto('/quality/indexController')
  const tile = clerk.locator('.figure-tile').filter({ visible: true }).first()
  await expect(tile).toBeVisible()
  expect(await findSeriousFaults(clerk)).toEqual([])
  await tile.getByRole('link').first().click()
  await expect(clerk).toHaveURL(/workOrderManagement\/record\?registerTimeFrom=/)
  await expect(rowOf(clerk, /GD\d+/)).toBeVisible()
})

test('the number of an order that is not read yet is shown whole (WO-12)', async () => {
  await clerk.setViewportSize({ width: 1280, height: 800 })
  await clerk.goto('/quality/workOrderManagement/record?view=all')
  await rowOf(clerk, /GD\d+/).first().getByRole('checkbox').check()
  await button(clerk, '标记未读').click()
  const number = clerk.locator('.order-unread').first()
  await expect(number).toBeVisible()
  const isCut = await number.evaluate(
    element => (element.parentElement?.scrollWidth ?? 0) > (element.parentElement?.clientWidth ?? 0),
  )
  if (process.env.PICTURES) {
    await clerk.screenshot({ path: `${process.env.PICTURES}/unread.png` })
  }
  expect(isCut).toBe(false)
})
