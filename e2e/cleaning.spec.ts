import { expect, test, type Page } from '@playwright/test'
import type { Call } from '#kit/contract/call.ts'
import { defined } from '#kit/domain/defined.ts'
import { cleaningLocations } from '#modules/cleaning/contract/location.ts'
import { cleaningTemplates } from '#modules/cleaning/contract/template.ts'
import { cleaningWork } from '#modules/cleaning/contract/work.ts'
import { findSeriousFaults } from './axe.ts'
import { button, callOn, defineJourney, field, rowOf, visibleText, openScreen } from './page-actions.ts'
import { ownDailyPlan } from './planned-work.ts'

const projectCode = 'JXHY0001'
const mark = String(Date.now() % 1_000_000)
const pointName = `会所门厅${mark}`
let page: Page

defineJourney(p => (page = p))

const call = <I, O>(declared: Call<I, O>, input: NoInfer<I>): Promise<O> => callOn(page, declared, input)

test('a point is added, and a plan asks for its inspection', async () => {
  await openScreen(page, '/cleanmanagement/cleanpoint')
  await button(page, '新增保洁点位').click()
  await field(page, 'locationName').fill(pointName)
  await field(page, 'floorNum').fill('1')
  await page.getByRole('dialog').getByRole('button', { name: '新增保洁点位' }).click()
  await expect(rowOf(page, pointName)).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])
  const [point] = (await call(cleaningLocations.list, { keyword: pointName, projectCode })).rows
  const [template] = (await call(cleaningTemplates.list, { keyword: '大堂' })).rows
  await call(cleaningWork.plans.add, {
    projectCode,
    planName: `门厅检查${mark}`,
    subjectId: defined(template).id,
    targetIds: [String(defined(point).id)],
    ...(await ownDailyPlan(page)),
  })
  await openScreen(page, '/cleanmanagement/cleanplan')
  await expect(rowOf(page, `门厅检查${mark}`)).toContainText(pointName)
  expect(await findSeriousFaults(page)).toEqual([])
})

test('the inspection is filled in on the phone, scored, and a fault becomes a work order', async () => {
  await page.setViewportSize({ width: 360, height: 740 })
  const [point] = (await call(cleaningLocations.list, { keyword: pointName, projectCode })).rows
  await openScreen(page, `/cleanmanagement/inspect?point=${defined(point).qrCode}`)
  await expect(page.getByText('已扫描点位二维码')).toBeVisible()
  const items = page.locator('main > section')
  await expect(items).toHaveCount(4)
  for (let i = 0; i < 3; i++) {
    await items.nth(i).getByRole('button', { name: '合格', exact: true }).click()
  }
  await items.nth(3).getByRole('button', { name: '不合格' }).click()
  await items.nth(3).getByLabel('问题').fill('顶灯不亮')
  const photo = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  await items
    .nth(0)
    .getByLabel('照片：拍照')
    .setInputFiles({ name: 'floor.png', mimeType: 'image/png', buffer: photo })
  expect(await findSeriousFaults(page)).toEqual([])
  // What was filled in outlives the page.
  await page.reload()
  await expect(items.nth(3).getByLabel('问题')).toHaveValue('顶灯不亮')
  await button(page, '提交').click()
  await expect(page.getByText('得分 70')).toBeVisible()
  await page.screenshot({ path: 'test-results/cleaning-phone.png' })
})

test('the score and the work order stand with the task', async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await openScreen(page, '/cleanmanagement/cleantask')
  await page.getByPlaceholder('计划、对象').fill(pointName)
  const row = page.getByRole('row').filter({ hasText: pointName }).filter({ hasText: '已完成' }).first()
  await expect(row).toContainText('70')
  await row.getByText(/^门厅检查/).click()
  await expect(page.getByRole('dialog').getByText('顶灯不亮').first()).toBeVisible()
  await expect(
    page
      .getByRole('dialog')
      .getByText(/工单 GD/)
      .first(),
  ).toBeVisible()
  await page.screenshot({ path: 'test-results/cleaning-task.png' })
})

test('the calendar opens the task, the figures open what they count', async () => {
  await openScreen(page, '/task_standard/calendar?scale=day&by=place&kinds=cleaning')
  const entry = page.getByRole('row').filter({ hasText: pointName }).getByRole('button')
  await expect(entry.first()).toContainText('已完成')
  expect(await findSeriousFaults(page)).toEqual([])
  await entry.first().click()
  await expect(page).toHaveURL(/cleantask\/detail/)
  await expect(visibleText(page, '顶灯不亮')).toBeVisible()
  await openScreen(page, '/task_standard/figures?by=target&kinds=cleaning')
  const row = rowOf(page, pointName)
  await expect(row).toContainText('70')
  expect(await findSeriousFaults(page)).toEqual([])
  await row.getByRole('link', { name: '1', exact: true }).first().click()
  await expect(page).toHaveURL(/figures\/tasks/)
  await expect(visibleText(page, /^统计对象/)).toContainText(pointName)
  await expect(rowOf(page, `门厅检查${mark}`)).toContainText('已完成')
  await page.goBack()
  await rowOf(page, pointName).getByRole('link', { name: '4', exact: true }).first().click()
  await expect(page).toHaveURL(/figures\/records/)
  await expect(rowOf(page, `门厅检查${mark}`)).toContainText('合格')
  expect(await findSeriousFaults(page)).toEqual([])
})

test('a plan that is changed keeps what was done, and asks for the rest otherwise', async () => {
  const [plan] = (await call(cleaningWork.plans.list, { keyword: `门厅检查${mark}`, projectCode })).rows
  await openScreen(page, `/cleanmanagement/cleanplan/subform?id=${defined(plan).id}`)
  await field(page, 'planName').fill(`门厅改检${mark}`)
  await expect(visibleText(page, /今后 14 天 \d+ 个任务/)).toBeVisible()
  await button(page, '保存').click()
  await expect(page).toHaveURL(/cleanplan\/detail/)
  await openScreen(page, '/cleanmanagement/cleantask?view=*')
  await page.getByPlaceholder('计划、对象').fill(pointName)
  const tasks = page.getByRole('row').filter({ hasText: pointName })
  await expect(tasks.filter({ hasText: '已完成' })).toContainText(`门厅检查${mark}`)
  await expect(tasks.filter({ hasText: '未开始' })).toContainText(`门厅改检${mark}`)
})
