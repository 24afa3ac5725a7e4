import { expect, test, type Browser, type Page } from '@playwright/test'
import { defined } from '#kit/domain/defined.ts'
import { asFen } from '#kit/domain/money.ts'
import { addTempFee } from '#modules/bills/contract/temporary.ts'
import { saveChannel } from '#modules/payments/contract/channel.ts'
import { listOtherIncomeItems } from '#modules/payments/contract/other-income.ts'
import { listHomeLinks } from '#modules/resident-page/contract/codes.ts'
import { listResidencies } from '#modules/residents/contract/residency.ts'
import { findSeriousFaults } from './axe.ts'
import { button, callOn, chooseProject, defineJourney, visibleText } from './page-actions.ts'

const projectCode = 'JXHY0001'
let page: Page

defineJourney(opened => (page = opened))

/** The link of somebody who pays for the one home where they live, and a new bill there. */
async function prepareBill(): Promise<string> {
  await callOn(page, saveChannel, { channel: 'wechat', simulated: true, enabled: true })
  const [item] = await callOn(page, listOtherIncomeItems, {})
  const search = { projectCode, status: ['living' as const], relation: ['owner' as const], size: 60 }
  const { rows } = await callOn(page, listResidencies, search)
  for (const { userId, roomCode, isPayer } of rows) {
    const [link, ...others] = await callOn(page, listHomeLinks, { userId })
    if (!isPayer || others.length || link?.url === undefined || roomCode === undefined) continue
    await callOn(page, addTempFee, {
      projectCode,
      feeItemId: defined(item).id,
      amount: asFen(8888),
      sources: [{ sourceType: 'room', sourceCode: roomCode }],
      beginDate: '2026-01-01',
      endDate: '2026-01-31',
      dueDate: '2026-02-28',
    })
    return link.url
  }
  throw new Error('no resident pays for their only home')
}

async function openOldPhone(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ locale: 'zh-CN', viewport: { width: 360, height: 740 } })
  // What a telephone of 2020 lacks.
  await context.addInitScript(() => {
    for (const name of ['any', 'timeout']) {
      Reflect.deleteProperty(AbortSignal, name)
    }
    for (const name of ['at', 'toSorted', 'toReversed', 'findLast']) {
      Reflect.deleteProperty(Array.prototype, name)
    }
    Reflect.deleteProperty(Object, 'hasOwn')
    Reflect.deleteProperty(Object, 'groupBy')
    Reflect.deleteProperty(String.prototype, 'replaceAll')
    Reflect.deleteProperty(globalThis, 'BroadcastChannel')
  })
  return context.newPage()
}

test('a resident pays a bill on an old telephone and opens its receipt (PAY-4)', async ({ browser }) => {
  await page.goto('/customer/residentpage')
  await chooseProject(page, '锦绣花园')
  const url = await prepareBill()
  const phone = await openOldPhone(browser)
  await phone.goto(url)
  await phone.getByRole('link', { name: /我的账单/ }).click()
  const lines = phone.getByRole('list', { name: '待缴账单' }).getByRole('checkbox')
  await expect(lines.first()).toBeVisible()
  for (const line of await lines.all()) {
    if (await line.isEnabled()) {
      await line.uncheck()
    }
  }
  await expect(button(phone, '请勾选要缴纳的账单')).toBeDisabled()
  await phone
    .getByRole('checkbox', { name: /¥88\.88/ })
    .last()
    .check()
  expect(await findSeriousFaults(phone)).toEqual([])
  await button(phone, '支付 ¥88.88').click()
  await phone.getByRole('link', { name: '微信支付' }).click()
  await button(phone, '确认支付').click()
  await phone.getByRole('link', { name: '返回商家' }).click()
  await expect(visibleText(phone, '已支付，谢谢')).toBeVisible()
  await phone.getByRole('link', { name: '返回', exact: true }).click()
  await expect(visibleText(phone, '缴费成功')).toBeVisible()
  await phone.getByRole('link', { name: '查看收据' }).click()
  await expect(visibleText(phone, '线上微信')).toBeVisible()
  expect(await findSeriousFaults(phone)).toEqual([])
  await phone.getByRole('link', { name: '返回我的账单' }).click()
  await expect(phone.getByRole('list', { name: '缴费记录' }).getByText('¥88.88').first()).toBeVisible()
  await phone.getByRole('link', { name: '返回住户服务' }).click()
  await button(phone, '退出登录').click()
  await expect(visibleText(phone, '请打开物业发送的链接')).toBeVisible()
  await phone.context().close()
})
