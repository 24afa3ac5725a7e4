import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect, test, type Page } from '@playwright/test'
import { objectOf } from '#kit/contract/fixtures.ts'
import { findFreePort } from '#kit/server/postgres/cluster.ts'
import { findSeriousFaults } from './axe.ts'
import {
  button,
  callAsPage,
  clickRowAction,
  defineJourney,
  field,
  rowOf,
  toastOf,
  visibleText,
} from './page-actions.ts'

const run = promisify(execFile)
const stamp = String(Date.now() % 1_000_000).padStart(6, '0')
const keyName = `财务系统 ${stamp}`
const hookName = `推送 ${stamp}`

let page: Page
let secret = ''
let receiver: ChildProcess | undefined
const received: { type: string; data: Record<string, unknown> }[] = []

defineJourney(opened => {
  page = opened
})
test.afterAll(() => receiver?.kill())

const dialog = (title: string | RegExp) =>
  page.getByRole('dialog').filter({ hasText: title, visible: true }).last()

/** Calls the interface as a program does; returns status and envelope. */
async function callByKey(path: string): Promise<{ status: number; code: number; rows: unknown[] }> {
  const { stdout } = await run('curl', [
    '-s',
    '-w',
    '\n%{http_code}',
    '-H',
    `Authorization: Bearer ${secret}`,
    `${new URL(page.url()).origin}/api/${path}`,
  ])
  const [body = '', status = ''] = stdout.split('\n')
  const { Code, Data } = JSON.parse(body)
  return { status: Number(status), code: Code, rows: Data ?? [] }
}

test('a key is made with what it may do, and shown once', async () => {
  await page.goto('/setting/integration/apikey')
  await button(page, '新增接口密钥').click()
  await field(page, 'name').fill(keyName)
  await page.getByRole('switch', { name: '全部项目' }).filter({ visible: true }).click()
  await page.getByLabel('查找菜单').filter({ visible: true }).fill('项目管理')
  await page.getByRole('checkbox', { name: '项目管理查看' }).filter({ visible: true }).click()
  expect(await findSeriousFaults(page)).toEqual([])
  await button(page, '新增接口密钥').last().click()
  const shown = dialog(`接口密钥「${keyName}」`)
  secret = await shown.getByLabel('密钥', { exact: true }).innerText()
  expect(secret).toMatch(/^anju_[\w-]{43}$/)
  expect(await findSeriousFaults(page)).toEqual([])
  await button(shown, '已保存，关闭').click()
  await expect(rowOf(page, keyName)).toContainText('有效')
})

test('a program calls with it, within its permissions, and its calls are logged', async () => {
  const estates = await callByKey('estate/get?data.PageIndex=1&data.PageSize=5')
  expect([estates.status, estates.code]).toEqual([200, 10000])
  expect(estates.rows.length).toBeGreaterThan(0)
  expect((await callByKey('User/Get?data.PageIndex=1')).code).toBe(10003)
  await clickRowAction(page, keyName, '详情')
  await page.getByRole('tab', { name: '调用记录' }).click()
  const calls = page.getByRole('grid', { name: '调用记录' })
  // The log is written once a second: two calls may come into it one after the other.
  await expect(async () => {
    await button(page, '刷新').click()
    await expect(calls.getByRole('row').filter({ hasText: 'estate/get' })).toBeVisible({ timeout: 1_000 })
    await expect(calls.getByRole('row').filter({ hasText: '10003' })).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 15_000 })
  expect(await findSeriousFaults(page)).toEqual([])
})

test('a revoked key is refused at once', async () => {
  await button(page, '吊销').click()
  const confirm = dialog('吊销接口密钥')
  await confirm.getByText('不再使用').click()
  await confirm.getByRole('textbox').last().fill(keyName)
  await button(confirm, /吊销/).last().click()
  await expect(toastOf(page, `已吊销「${keyName}」`)).toBeVisible()
  expect((await callByKey('estate/get?data.PageIndex=1')).status).toBe(401)
})

test('an endpoint is added, and the receiver of the documentation hears of a payment', async () => {
  const port = await findFreePort()
  await page.goto('/setting/integration/webhook')
  await button(page, '新增推送地址').click()
  const form = dialog('新增推送地址')
  await field(page, 'name').fill(hookName)
  await field(page, 'url').fill(`http://127.0.0.1:${port}/`)
  await form.locator('[data-field="eventTypes"] .ant-select').click()
  for (const event of ['收款', '账单变动']) {
    await page.locator('.ant-select-dropdown:visible').getByTitle(event, { exact: true }).click()
  }
  await form.locator('.ant-modal-title').click()
  await form.getByRole('switch', { name: '全部项目' }).click()
  await button(form, '新增推送地址').click()
  const shown = dialog(`「${hookName}」的签名密钥`)
  const hookSecret = await shown.getByLabel('签名密钥', { exact: true }).innerText()
  await button(shown, '已保存，关闭').click()
  receiver = spawn(process.execPath, ['docs/samples/webhook-receiver.mjs', String(port)], {
    env: { ...process.env, WEBHOOK_SECRET: hookSecret },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (!receiver.stdout) throw new Error('the receiver has no output')
  createInterface(receiver.stdout).on('line', line => {
    const event = JSON.parse(line)
    if ('type' in event) {
      received.push(event)
    }
  })
  await clickRowAction(page, hookName, '推送测试事件')
  await expect.poll(() => received.map(event => event.type), { timeout: 20_000 }).toContain('webhook.test')
  await payOneBill()
  await expect.poll(() => received.map(event => event.type), { timeout: 20_000 }).toContain('payment.created')
  expect(received.map(event => event.type)).toContain('bill.updated')
})

const recordsOf = (data: unknown) => (Array.isArray(data) ? data.map(objectOf) : [])

/** Pays a bill of the demo with the calls of the cashier's screen. */
async function payOneBill(): Promise<void> {
  const list = await callAsPage(
    page,
    'finance/v1/FeeBill/GetPagedList?data.PageIndex=1&data.PageSize=1&data.PayState=0',
  )
  const [bill] = recordsOf(list.Data)
  if (!bill) throw new Error('the demo owes nothing')
  const quote = await callAsPage(page, `finance/v1/Feecenter/GetFeePayment?data.BillIDs=${String(bill.ID)}`)
  const { Due } = objectOf(quote.Data)
  const paid = await callAsPage(page, 'finance/v1/FeePayRecord/PostPayBill', {
    ProjectCode: bill.ProjectCode,
    BillIDs: [bill.ID],
    ExpectAmount: Due,
    Methods: [{ Method: 10, Amount: Due }],
  })
  expect(paid.Code, paid.Message).toBe(10000)
}

test('the log shows what was sent and answered', async () => {
  await clickRowAction(page, hookName, '详情')
  await page.getByRole('tab', { name: '推送记录' }).click()
  const log = page.getByRole('grid', { name: '推送记录' })
  await expect(log.getByRole('row').filter({ hasText: '收款' }).first()).toContainText('成功')
  expect(await findSeriousFaults(page)).toEqual([])
  await log.getByRole('row').filter({ hasText: '收款' }).first().click()
  await page.keyboard.press('Enter')
  await expect(visibleText(page, '推送内容')).toBeVisible()
  await expect(page.getByLabel('推送内容').filter({ visible: true })).toContainText('"payment.created"')
  await expect(page.getByLabel('应答内容').filter({ visible: true })).toContainText('ok')
  expect(await findSeriousFaults(page)).toEqual([])
})
