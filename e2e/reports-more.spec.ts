import { defined } from '#kit/domain/defined.ts'
import { expect, test, type Page } from '@playwright/test'
import { button, collectConsoleErrors, visibleText, signIn } from './page-actions.ts'

const finance = '/finance/reportCenter/financialManagement'
const summaryBand = (page: Page) => page.getByLabel('汇总方式与合计').filter({ visible: true }).first()

const groupBy = async (page: Page, words: string): Promise<void> => {
  await summaryBand(page).getByLabel('汇总方式', { exact: true }).click()
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: words })
    .first()
    .click()
}

/** A report of this page, drawn; the first screen of a cold browser takes its time. */
const openReport = async (page: Page, path: string): Promise<void> => {
  await page.goto(`${finance}/${path}`)
  await expect(summaryBand(page)).toBeVisible({ timeout: 30_000 })
}

test('a manager follows what rooms owe down to the bills, and takes the report along', async ({ page }) => {
  const consoleErrors = collectConsoleErrors(page)
  await signIn(page)
  await openReport(page, 'room')
  const owed = summaryBand(page).getByRole('link', { name: /^未缴 .*查看明细/ })
  const sum = (await owed.innerText()).trim()
  expect(sum).toMatch(/^[\d,]+\.\d{2}$/)
  await groupBy(page, '收费项目')
  await expect(page.getByRole('columnheader', { name: '收费项目' }).filter({ visible: true })).toBeVisible()
  await expect(owed).toHaveText(sum)
  const file = page.waitForEvent('download')
  await button(page, /导出$/).click()
  await button(page.getByRole('dialog'), /^导出 \d+ 条$/).click()
  expect((await file).suggestedFilename()).toMatch(/^房间报表_\d{8}\.xlsx$/)
  await owed.click()
  await expect(page).toHaveURL(/chargeList\?.*payState=unpaid/)
  // The list adds the same bills up to the same sum.
  await expect(visibleText(page, sum)).toBeVisible()
  expect(consoleErrors).toEqual([])
})

test('prestore month by month closes with what the next month opens with', async ({ page }) => {
  const consoleErrors = collectConsoleErrors(page)
  await signIn(page)
  await openReport(page, 'summaryofreserves?report=month')
  const rows = page.getByRole('row', { name: /^选择.* 20\d\d-\d\d/ }).filter({ visible: true })
  await expect(rows.first()).toBeVisible()
  const months = await rows.evaluateAll(list =>
    list.map(r =>
      [...r.querySelectorAll('td, [role=cell]')]
        .map(c => c.textContent.trim())
        .filter(x => /^-?[\d,]+\.\d{2}$/.test(x))
        .map(x => Number(x.replaceAll(',', ''))),
    ),
  )
  for (const [i, m] of months.entries()) {
    expect(defined(m[0]) + defined(m[1]) - defined(m[2]) - defined(m[3]) + defined(m[4])).toBeCloseTo(
      defined(m[5]),
      2,
    )
    if (i) {
      expect(m[0]).toBe(defined(months[i - 1])[5])
    }
  }
  expect(consoleErrors).toEqual([])
})

test('a car park leads to its places, a place to its bills', async ({ page }) => {
  const consoleErrors = collectConsoleErrors(page)
  await signIn(page)
  await openReport(page, 'park')
  const first = page.locator('.report-figure').filter({ visible: true }).first()
  await first.click()
  await expect(page).toHaveURL(/\/park\?.*by=place/)
  await expect(page.getByRole('columnheader', { name: '车位或车辆' }).filter({ visible: true })).toBeVisible()
  await page.locator('.report-figure').filter({ visible: true }).first().click()
  await expect(page).toHaveURL(/chargeList\?.*sourceCode=/)
  expect(consoleErrors).toEqual([])
})
