import { expect, test, type Page } from '@playwright/test'
import type { Call } from '#kit/contract/call.ts'
import { defined } from '#kit/domain/defined.ts'
import { greenAreas } from '#modules/landscaping/contract/green-area.ts'
import { greenTemplates } from '#modules/landscaping/contract/template.ts'
import { greeningWork } from '#modules/landscaping/contract/work.ts'
import { findSeriousFaults } from './axe.ts'
import { button, callOn, defineJourney, field, rowOf, toastOf, openScreen } from './page-actions.ts'
import { ownDailyPlan, reopen, waitUntilKept } from './planned-work.ts'

const projectCode = 'JXHY0001'
/** Unique names: a retried journey finds the records of its first try. */
const mark = String(Date.now() % 1_000_000)
const plantName = `桂花${mark}`
const areaName = `中庭花坛${mark}`
const planName = `花坛养护${mark}`
let page: Page

defineJourney(p => (page = p))

const call = <I, O>(declared: Call<I, O>, input: NoInfer<I>): Promise<O> => callOn(page, declared, input)

test('a plant is in an area, and a plan asks for its care', async () => {
  await openScreen(page, '/greenmanagement/greenvegetation/add')
  await field(page, 'plantName').fill(plantName)
  await button(page, '新增植物').click()
  await expect(toastOf(page, plantName)).toBeVisible()
  await openScreen(page, '/greenmanagement/greenarea/add')
  await field(page, 'areaName').fill(areaName)
  await button(page, '添加一行').click()
  const line = page.locator('.lines tbody tr').filter({ visible: true }).first()
  await line.getByRole('combobox', { name: '植物' }).click()
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: plantName })
    .click()
  await line.getByLabel('数量').fill('6')
  await button(page, '新增绿化区域').click()
  await expect(toastOf(page, areaName)).toBeVisible()
  await openScreen(page, '/greenmanagement/greenvegetation/list')
  await expect(rowOf(page, plantName)).toContainText(areaName)
  const [area] = (await call(greenAreas.list, { keyword: areaName, projectCode })).rows
  const template = await call(greenTemplates.save, {
    templateName: `花坛${mark}`,
    state: 'on',
    items: [
      { name: '浇水', weight: 3 },
      { name: '修剪', weight: 1 },
    ],
  })
  await call(greeningWork.plans.add, {
    projectCode,
    planName,
    subjectId: template.id,
    targetIds: [String(defined(area).id)],
    ...(await ownDailyPlan(page)),
  })
})

test('the care is filled in without a network, and its tab is closed on the way: nothing is lost', async ({
  browser,
}) => {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    storageState: await page.context().storageState(),
  })
  let phone = await context.newPage()
  await phone.goto('/greenmanagement/care')
  await button(phone, new RegExp(areaName)).click()
  await waitUntilKept(phone)
  await context.setOffline(true)
  // At once, also while a task is open and nothing is asked.
  await expect(phone.getByText('当前无网络')).toBeVisible()
  const items = () => phone.locator('main > section')
  await items().nth(0).getByRole('button', { name: '合格', exact: true }).click()
  await button(phone, '提交已填的 1 项').click()
  await expect(items().nth(0)).toContainText('待上传')
  await button(phone, '返回').click()
  await expect(button(phone, new RegExp(areaName))).toContainText('1 项待上传')
  await button(phone, new RegExp(areaName)).click()
  await items().nth(1).getByRole('button', { name: '不合格' }).click()
  await items().nth(1).getByLabel('问题').fill('枝条过密')
  phone = await reopen(phone, '/greenmanagement/care')
  await expect(phone.getByText('1 项存在手机上')).toBeVisible()
  await button(phone, new RegExp(areaName)).click()
  await expect(items().nth(0)).toContainText('待上传')
  await expect(items().nth(1).getByLabel('问题')).toHaveValue('枝条过密')
  expect(await findSeriousFaults(phone)).toEqual([])
  await button(phone, '提交').click()
  await context.setOffline(false)
  await expect(phone.getByText('得分 75')).toBeVisible({ timeout: 20_000 })
  await context.close()
})

test('the office sees the score, and that it came later', async () => {
  await openScreen(page, '/greenmanagement/greentask')
  const row = page.getByRole('row').filter({ hasText: areaName }).filter({ hasText: '已完成' }).first()
  await expect(row).toContainText('75')
  await row.getByText(planName).click()
  await expect(page.getByRole('dialog').getByText('枝条过密').first()).toBeVisible()
})
