import { expect, test, type Page } from '@playwright/test'
import { findSeriousFaults } from './axe.ts'
import { button, defineJourney } from './page-actions.ts'

let page: Page
defineJourney(opened => (page = opened))

/** A select by its label: types what no option has, and looks at the open list. */
async function openEmptyList(name: string): Promise<string[]> {
  const select = page.getByRole('combobox', { name }).filter({ visible: true }).first()
  await select.click()
  await select.fill('不存在的内容')
  await expect(select).toHaveAttribute('aria-expanded', 'true')
  // The list of a select that searches on the server follows the pause in typing.
  await page.waitForTimeout(600)
  const faults = await findSeriousFaults(page)
  const named = await select.getAttribute('aria-activedescendant')
  await page.keyboard.press('Escape')
  return [...faults, ...(named ? [`${name} names a missing option: ${named}`] : [])]
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the list of a select that finds nothing has no barrier, ${colorScheme}`, async () => {
    await page.emulateMedia({ colorScheme })
    await page.goto('/service/data/roommange/addrooms')
    // Searches on the server; one with the options at hand.
    expect.soft(await openEmptyList('楼栋')).toEqual([])
    expect.soft(await openEmptyList('使用性质')).toEqual([])
    await page.goto('/service/data/roommange')
    // Several may be chosen.
    expect.soft(await openEmptyList('房态')).toEqual([])
    await page.goto('/service/data/statelist')
    await button(page, '新增项目').click()
    // Levels beside each other.
    expect.soft(await openEmptyList('所在地区')).toEqual([])
  })
}
