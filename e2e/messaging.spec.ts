import { expect, test, type Page } from '@playwright/test'
import { sendPropertySms } from '#modules/messaging/contract/task.ts'
import { getUsableSms } from '#modules/messaging/contract/quota.ts'
import { defined } from '#kit/domain/defined.ts'
import { listOrders } from '#modules/products/contract/order.ts'
import { getSmsPayUrl } from '#modules/products/contract/sms-purchase.ts'
import { findSeriousFaults } from './axe.ts'
import {
  button,
  callOn,
  chooseProject,
  defineJourney,
  field,
  rowOf,
  selectOption,
  openScreen,
  visibleText,
} from './page-actions.ts'

/** Unique: a retried journey finds the records of its first try. */
const mark = String(100_000 + (Date.now() % 900_000))
const taskName = `停水通知${mark}`
let page: Page

defineJourney(opened => (page = opened))

test('a message is counted, looked at and sent, and what became of it is seen (SMS-2)', async () => {
  await openScreen(page, '/notice/shortlist/addsms')
  await chooseProject(page, '锦绣花园')
  await field(page, 'taskName').fill(taskName)
  await field(page, 'content').fill('{name}您好，明日停水。')
  await selectOption(page, 'scopeType', '自有号码')
  await page.getByLabel('号码', { exact: true }).fill(`13800${mark}\n13801${mark.slice(0, 2)}0404`)
  await expect(page.getByText('可用变量：{name} 姓名', { exact: true })).toBeVisible()
  await field(page, 'content').fill('{name}您好，{project}明日停水。')
  await expect(visibleText(page, '自有号码无所属项目，请删除变量 {project}')).toBeVisible()
  await expect(button(page, '统计接收人')).toBeDisabled()
  await field(page, 'content').fill('{name}您好，明日停水。')
  await button(page, '统计接收人').click()
  await expect(page.getByText('短信：可送达 2 人')).toBeVisible()
  await expect(page.getByText('住户您好，明日停水。').first()).toBeVisible()
  await expect(page.getByText(/预计 2 条短信/)).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])
  await button(page, '发送').click()
  // Nothing goes out before somebody has seen to how many, and at what cost.
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('可送达 2 人')
  await expect(dialog).toContainText('预计 2 条短信')
  await dialog.getByRole('button', { name: '发送给 2 人' }).click()
  await expect(page.getByText(`已提交「${taskName}」，共 2 个号码`)).toBeVisible()
  await openScreen(page, `/notice/shortlist?keyword=${mark}`)
  // The provider reports one as received, the other as a number that is no longer in use.
  await expect(async () => {
    await page.reload()
    await expect(rowOf(page, taskName)).toContainText('部分失败', { timeout: 3000 })
  }).toPass({ timeout: 30_000 })
})

test('short messages are bought by the pay simulator, and credited (SMS-4)', async ({ browser }) => {
  const before = await callOn(page, getUsableSms, undefined)
  await openScreen(page, '/notice/shortlist/buysms')
  await page.getByRole('radio', { name: /^1,000 条/ }).check()
  await button(page, '购买并支付').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  const { rows } = await callOn(page, listOrders, { page: 1, size: 1, state: ['pending'] })
  const { url } = await callOn(page, getSmsPayUrl, { id: defined(rows[0]).id })
  const phone = await browser.newPage()
  await phone.goto(url)
  await phone.getByRole('link', { name: '支付宝' }).click()
  await phone.getByRole('button', { name: '确认支付' }).click()
  await phone.close()
  await expect(async () => {
    const { totalCount } = await callOn(page, getUsableSms, undefined)
    expect(totalCount).toBe(before.totalCount + 1000)
  }).toPass({ timeout: 30_000 })
})

test('a task without anybody to reach is refused with what to do', async () => {
  await expect(
    callOn(page, sendPropertySms, {
      taskName: `空${mark}`,
      channel: 'sms',
      purpose: 'service',
      content: '停水',
      scopeType: 'tags',
      scopeJson: { tags: [`无此标签${mark}`] },
    }),
  ).rejects.toThrow('没有可送达的接收人，请调整发送范围')
})
