import { expect, test, type Page } from '@playwright/test'
import { button, defineJourney, visibleText, toastOf, openScreen } from './page-actions.ts'

let page: Page
defineJourney(p => (page = p))
const generatePath = '/finance/chargemanage/chargeList/generate'

/** Three buildings of the demo's river estate would be many; one building of the garden is enough. */
async function chooseScope(): Promise<void> {
  await openScreen(page, generatePath)
  await expect(visibleText(page, '最早计费截至')).toBeVisible()
  await page.locator('#g-builds').click()
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: /^7 栋$/ })
    .click()
  await page.keyboard.press('Escape')
}

test('previews a month: every bill with its computation, nothing written', async () => {
  await chooseScope()
  await button(page, '预览账单').click()
  await expect(page.getByText(/将生成 [\d,]+ 张，合计/)).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('gridcell', { name: /㎡ × 2\.85 元\/㎡·月 × 1 月/ }).first()).toBeVisible()
  await expect(page.getByText('生成前不会写入任何数据')).toBeVisible()
})

test('takes one out of the run, and bills the rest', async () => {
  const before = await page.getByRole('button', { name: /^生成 [\d,]+ 张账单$/ }).innerText()
  await page
    .getByRole('checkbox', { name: /^选择(「|第)/ })
    .first()
    .click()
  await expect(page.getByRole('button', { name: /^生成 [\d,]+ 张账单$/ })).not.toHaveText(before)
  await page.getByLabel('排除原因').fill('住户有异议，下次再出')
  await page.getByRole('button', { name: /^生成 [\d,]+ 张账单$/ }).click()
  await expect(page.getByRole('heading', { name: /^已生成 [\d,]+ 张账单，合计 ¥/ })).toBeVisible({
    timeout: 60_000,
  })
  await expect(visibleText(page, /可整批撤销/)).toBeVisible()
})

test('each of its bills says how it came about', async () => {
  const result = page.url()
  await button(page, /查看本批账单/).click()
  await page
    .getByRole('row')
    .filter({ hasText: '物业费', visible: true })
    .first()
    .getByRole('button')
    .first()
    .click()
  await expect(visibleText(page, '计费明细')).toBeVisible({ timeout: 20_000 })
  await expect(visibleText(page, /㎡ × 2\.85 元\/㎡·月 × 1 月/)).toBeVisible()
  await openScreen(page, result)
})

test('undoes the batch: its months can be billed again', async () => {
  await button(page, /撤销本批/).click()
  await page.getByLabel('撤销原因').fill('单价录错')
  const undo = page.getByRole('button', { name: /^作废 [\d,]+ 张$/ })
  await undo.click()
  await expect(page.getByText(/^与「\d+」不一致$/), 'over a hundred bills the count is typed').toBeVisible()
  const typed = page.getByLabel(/输入「\d+」以确认/)
  await typed.fill((await undo.innerText()).replace(/\D/g, ''))
  await undo.click()
  await expect(toastOf(page, /已作废 [\d,]+ 张账单/)).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('heading', { name: /^已撤销 [\d,]+ 张账单$/ })).toBeVisible({ timeout: 30_000 })
  await openScreen(page, '/finance/chargemanage/chargeList/runs')
  await expect(page.getByRole('row').filter({ hasText: '已撤销' }).first()).toBeVisible()
  await chooseScope()
  await button(page, '预览账单').click()
  await expect(page.getByText(/将生成 [\d,]+ 张，合计/)).toBeVisible({ timeout: 60_000 })
})

test('shares a common cost to the fen', async () => {
  await openScreen(page, '/finance/chargemanage/sharepools')
  const row = page.getByRole('row').filter({ hasText: '公共照明与电梯用电' }).first()
  await row.hover()
  await row.getByRole('button', { name: '分摊', exact: true }).click()
  await expect(page.getByText(/户参加/)).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('gridcell', { name: /公摊总额 18,?642\.50 元 × / }).first()).toBeVisible()
})
