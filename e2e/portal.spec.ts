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

const title = `雨季设备房巡查 ${Date.now() % 100_000}`
const script = '<script>document.title = "bad"</script>'
let page: Page
let employee: Page

const consoleErrors = defineJourney(p => (page = p), 'manager1')

test.afterAll(() => employee?.close())

test('a manager writes an important notice to a department and publishes it', async () => {
  await openScreen(page, '/internal/portal/notices')
  await button(page, '新增公告').click()
  await field(page, 'title').fill(title)
  await page.locator('[data-field="isImportant"]').getByRole('switch').click()
  await page.getByRole('radio', { name: '指定部门' }).check()
  await page.locator('[data-field="departmentIds"] .ant-select').click()
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: '工程维修部' })
    .first()
    .click()
  await page.keyboard.press('Tab')
  await field(page, 'content').fill(`每日巡查设备房，发现渗水立即派单。\n${script}`)
  await page.locator('.file-upload input[type=file]').setInputFiles({
    name: '巡查表.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('设备房一\n设备房二\n'),
  })
  await expect(page.locator('.file-upload').getByText('巡查表.txt')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: '新增公告' }).click()
  await expect(toastOf(page, '已保存草稿')).toBeVisible()
  await clickRowAction(page, title, '发布')
  await expect(visibleText(page, /将通知 \d+ 人，每人须确认「已阅」/)).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: '发布', exact: true }).click()
  await expect(toastOf(page, `已发布「${title}」`)).toBeVisible()
  await expect(rowOf(page, title)).toContainText('已发布')
})

test('an employee sees the number of unread notices on a phone, reads it and confirms', async ({
  browser,
}) => {
  employee = await openSignedInPage(browser, consoleErrors, 'engineer1')
  await employee.setViewportSize({ width: 360, height: 740 })
  await openScreen(employee, '/work')
  // Below what is more urgent.
  await button(employee, /^显示其余 \d+ 类待办/).click()
  await expect(visibleText(employee, '内部公告待阅')).toBeVisible()
  await openScreen(employee, '/internal/portal')
  await expect(visibleText(employee, /待阅 \d+/)).toBeVisible()
  // The page shows it a moment before the server has noted that it was read.
  const noted = employee.waitForResponse(response => /NinternalNotice\/PutRead/i.test(response.url()))
  await employee.getByRole('link', { name: title }).click()
  await expect(employee.getByRole('heading', { name: title })).toBeVisible()
  expect(await (await noted).json()).toMatchObject({ Code: 10000 })
  // What is typed as markup is there as text.
  await expect(visibleText(employee, script)).toBeVisible()
  await expect(employee).not.toHaveTitle(/bad/)
  await expect(employee.getByRole('link', { name: /巡查表\.txt/ })).toHaveAttribute('href', /^\/|^http/)
  expect(await employee.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  expect(await findSeriousFaults(employee)).toEqual([])
})

test('the manager sees who has read and who has not, and reminds once', async () => {
  await page.reload()
  await rowOf(page, title).getByRole('button', { name: title }).click()
  await page.getByRole('tab', { name: /接收情况/ }).click()
  const receivers = page.locator('.detail-drawer')
  await expect(receivers.getByRole('row').filter({ hasText: '工程甲' })).toContainText('已读')
  await receivers.getByRole('button', { name: '提醒未读' }).click()
  await expect(toastOf(page, /已提醒 \d+ 人/)).toBeVisible()
  await receivers.getByRole('button', { name: '提醒未读' }).click()
  await expect(toastOf(page, '未读人员均已提醒')).toBeVisible()
  await page.keyboard.press('Escape')
})

test('the employee confirms; the notice waits no more and the manager sees it', async () => {
  await button(employee, '已阅').click()
  await expect(toastOf(employee, '已确认已阅')).toBeVisible()
  await expect(employee.locator('.portal-confirm')).toContainText(/已阅 \d{4}-/)
  await button(employee, '返回门户首页').click()
  await employee.getByText(/^待阅/).click()
  await expect(employee.getByRole('link', { name: title })).toHaveCount(0)
  await openScreen(page, '/internal/portal/notices')
  await expect(rowOf(page, title)).toContainText(/1 \/ \d+/)
})

test('withdrawn, the notice is gone for its readers', async () => {
  await clickRowAction(page, title, '撤回')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('内容有误').click()
  await dialog.getByRole('button', { name: '撤回 1 条' }).click()
  await expect(toastOf(page, `已撤回「${title}」`)).toBeVisible()
  await openScreen(employee, '/internal/portal')
  await expect(employee.getByRole('region', { name: '内部公告' })).toBeVisible()
  await expect(employee.getByRole('link', { name: title })).toHaveCount(0)
})

test('a site is added, pinned and found on the portal; an address without https is refused', async () => {
  const site = `资料站 ${Date.now() % 100_000}`
  await openScreen(page, '/internal/portal/websites')
  await button(page, '新增网站').click()
  await field(page, 'title').fill(site)
  await field(page, 'linkUrl').fill('javascript:alert(1)')
  await page.getByRole('dialog').getByRole('button', { name: '新增网站' }).click()
  await expect(visibleText(page, /网址格式不正确/)).toBeVisible()
  await field(page, 'linkUrl').fill('https://files.example.com')
  await page.getByRole('dialog').getByRole('button', { name: '新增网站' }).click()
  await expect(toastOf(page, `已新增网站「${site}」`)).toBeVisible()
  await clickRowAction(page, site, '置顶')
  await page.getByRole('dialog').getByRole('button', { name: '置顶' }).click()
  await expect(toastOf(page, '已置顶')).toBeVisible()
  await openScreen(page, '/internal/portal')
  const link = page.getByRole('link', { name: site })
  await expect(link).toHaveAttribute('href', 'https://files.example.com')
  await expect(link).toHaveAttribute('rel', /noreferrer/)
  await expect(link).toContainText('置顶')
})

test('everybody finds colleagues as cards; their phones only those with the right', async () => {
  await openScreen(page, '/internal/personnel/addresslist/cards')
  const cards = page.locator('.staff-cards')
  await cards.locator('li').filter({ hasText: '****' }).first().getByRole('button', { name: '显示' }).click()
  // Shown whole, the card is none of those with a masked number any more.
  await expect(cards.getByRole('link', { name: /^1\d{10}$/ })).toHaveAttribute('href', /^tel:1\d{10}$/)
  await openScreen(employee, '/internal/personnel/addresslist/cards')
  await expect(employee.locator('.staff-cards li').first()).toBeVisible()
  await expect(employee.locator('.staff-cards').getByText('****')).toHaveCount(0)
})
