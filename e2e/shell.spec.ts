import { expect, test, type Page } from '@playwright/test'
import { findSeriousFaults } from './axe.ts'
import { collectConsoleErrors, signIn, signInAtWork, tokenOf } from './page-actions.ts'

const visibleIn = (page: Page, selector: string) => page.locator(`.page:visible ${selector}`)
const tabs = (page: Page) => page.getByRole('tablist', { name: '打开的页面' }).getByRole('tab')

/** The switcher in the header bar; other tests share the account and leave it where they were. */
async function chooseProject(
  page: Page,
  name: string | RegExp,
  role: 'option' | 'button' = 'option',
): Promise<void> {
  const chooser = page.getByRole('dialog', { name: '选择项目' })
  await page.getByRole('button', { name: /切换项目/ }).click()
  await chooser.getByRole(role, { name }).first().click()
  await expect(chooser).toBeHidden()
}

const storedKeys = (page: Page) => page.evaluate(() => Object.keys(localStorage))

test('pages keep filter, address and typed text while others are in front, and come back after F5', async ({
  page,
}) => {
  const consoleErrors = collectConsoleErrors(page)
  await signInAtWork(page)
  await page.goto('/service')
  await expect(page).toHaveURL(/\/service\/data\/statelist$/)
  await expect(page).toHaveTitle('项目管理')
  await page.getByRole('link', { name: '楼栋管理' }).click()
  const word = visibleIn(page, 'input').first()
  await word.fill('商业')
  await word.press('Enter')
  await expect(visibleIn(page, '').getByText('1 栋', { exact: true })).toHaveCount(0)
  const filtered = page.url()
  await page.getByRole('link', { name: '房间管理' }).click()
  await expect(page).toHaveTitle('房间管理')
  expect(page.url()).not.toContain(encodeURIComponent('商业'))
  await tabs(page).filter({ hasText: '楼栋管理' }).click()
  await expect(page).toHaveURL(filtered)
  await expect(visibleIn(page, 'input').first()).toHaveValue('商业')
  await page.reload()
  await expect(tabs(page)).toHaveText(['工作台', '项目管理', '楼栋管理', '房间管理'])
  await expect(visibleIn(page, 'input').first()).toHaveValue('商业')
  expect(consoleErrors).toEqual([])
})

test('a page with unsaved changes is marked and asks before it closes', async ({ page }) => {
  await signIn(page)
  await page.goto('/service/data/statelist/addstate')
  await visibleIn(page, 'input').first().fill('新苑')
  await expect(page.locator('.tab-close[data-dirty]')).toHaveCount(1)
  await page.keyboard.press('Alt+w')
  await page.getByRole('button', { name: '继续编辑' }).click()
  await expect(visibleIn(page, 'input').first()).toHaveValue('新苑')
  await page.keyboard.press('Alt+w')
  await page.locator('.ant-modal').getByRole('button', { name: /放弃/ }).click()
  await expect(page).toHaveURL(/\/work$/)
})

test('Ctrl K takes what is typed on at once, by initials, full pinyin and characters', async ({ page }) => {
  await signInAtWork(page)
  await expect(page.locator('.bench')).toBeVisible()
  await page.waitForTimeout(1500)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('fjgl')
  const first = page.getByRole('listbox', { name: '搜索结果' }).getByRole('option').first()
  await expect(first).toContainText('房间管理')
  for (const typed of ['fangjianguanli', '房间管']) {
    await page.getByRole('combobox', { name: '搜索' }).fill(typed)
    await expect(first).toContainText('房间管理')
  }
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/service\/data\/roommange$/)
})

test('an unknown address says so, a page without the permission says whom to ask', async ({ page }) => {
  await signIn(page)
  for (const path of ['/no/such/page', '/finance/chargemanage/nosuchpage']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: '页面不存在' })).toBeVisible()
    await expect(page.getByRole('navigation', { name: '功能分区' })).toBeVisible()
  }
  await page.getByRole('button', { name: '搜索功能' }).click()
  await page.getByRole('combobox', { name: '搜索' }).fill('房间管理')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/service\/data\/roommange$/)
  await expect(page.getByRole('tabpanel', { name: '房间管理' })).toBeFocused()
  await page.goto('/finance/chargemanage')
  await expect(page).toHaveURL(/\/finance\/chargemanage\/tradingcenter$/)
  await page.goto('/service/data/buildlist?project=NOSUCH')
  await expect(page.getByText(/无权访问该项目，已切换到/)).toBeVisible()
  await expect(page).toHaveURL(/\/service\/data\/buildlist$/)
  await page.route('**/api/Permission/GetByOperator*', r =>
    r.fulfill({ json: { Code: 10000, Message: '', Data: [] } }),
  )
  await page.goto('/service/data/buildlist')
  await expect(page.getByText('无权查看「楼栋管理」')).toBeVisible()
  await expect(page.getByText(/需要「楼栋管理·查看」权限，请联系超级管理员 演示管理员授权/)).toBeVisible()
  await expect(
    page.getByRole('navigation', { name: '功能分区' }).getByRole('button', { name: '房客' }),
  ).toHaveCount(0)
})

test('the keys go from the account to the password to signing in', async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('账号', { exact: true }).fill('demo')
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('密码', { exact: true })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: '登录', exact: true })).toBeFocused()
})

test('a calendar speaks Chinese', async ({ page }) => {
  await signIn(page)
  await page.goto('/finance/chargemanage/dayclose')
  await page.getByLabel('日期', { exact: true }).first().click()
  const calendar = page.locator('.ant-picker-dropdown:visible')
  await expect(calendar.locator('thead th').first()).toHaveText('一')
  await expect(calendar.locator('.ant-picker-month-btn')).toHaveText(/^\d+月$/)
})

test('an ended session leads to the login page with the way back; local storage is cleared', async ({
  page,
  request,
}) => {
  await signIn(page)
  await page.goto('/service/data/buildlist?kw=1')
  await expect(page).toHaveTitle('楼栋管理')
  const token = await tokenOf(page)
  await request.post('/api/Manager/Logout', { headers: { token } })
  await expect(page).toHaveURL(/\/login\?redirect=%2Fservice%2Fdata%2Fbuildlist/)
  expect(await storedKeys(page)).not.toContain('etorcurrentuser')
  await page.getByLabel('账号', { exact: true }).fill('demo')
  await page.getByLabel('密码', { exact: true }).fill('Anju2026')
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page).toHaveURL(/\/service\/data\/buildlist/)
})

test('signing out in one window signs out in all', async ({ page, context }) => {
  await signInAtWork(page)
  const other = await context.newPage()
  await other.goto('/work')
  await expect(other.locator('.bench')).toBeVisible()
  await page.getByRole('button', { name: /账号菜单/ }).click()
  await page.getByText('退出', { exact: true }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect(other).toHaveURL(/\/login/)
})

test('a window that was left by signing out in another says so, not that the session has expired', async ({
  page,
  context,
}) => {
  await signInAtWork(page)
  const other = await context.newPage()
  await other.goto('/service/data/buildlist')
  await expect(other).toHaveTitle('楼栋管理')
  await page.getByRole('button', { name: /账号菜单/ }).click()
  await page.getByText('退出', { exact: true }).click()
  await expect(other.getByText('已退出登录，登录后返回「楼栋管理」')).toBeVisible()
})

test('a lost chunk reloads the page once, then says what to do; without a network a band reports it', async ({
  page,
  context,
}) => {
  await signIn(page)
  let loads = 0
  await page.route(/assets\/public-areas-.*\.js/, r => r.fulfill({ status: 404, body: '' }))
  page.on('load', () => {
    loads++
  })
  await page.goto('/service/data/PublicAreaManage')
  await expect(page.getByRole('button', { name: '重新加载' })).toBeVisible()
  await expect(page.getByText(/服务器繁忙/)).toBeVisible()
  expect(loads).toBe(2)
  await context.setOffline(true)
  await expect(page.getByText('网络错误')).toBeVisible()
  await expect(page.getByText(/网络已断开/)).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText(/网络已断开/)).toHaveCount(0)
})

test('switching the project reloads what is open; all projects together only where the page can', async ({
  page,
}) => {
  await signIn(page)
  await page.goto('/service/data/buildlist')
  await chooseProject(page, '锦绣花园')
  await expect(visibleIn(page, '').getByText('JX01')).toBeVisible()
  await chooseProject(page, '滨江国际')
  await expect(visibleIn(page, '').getByText('BJ0A')).toBeVisible()
  await expect(visibleIn(page, '').getByText('JX01')).toHaveCount(0)
  await chooseProject(page, /全部项目/, 'button')
  await expect(visibleIn(page, '').getByText('JX01')).toBeVisible()
  await page.getByRole('link', { name: '房态图' }).click()
  await expect(page.getByText('「房态图」一次只能看一个项目')).toBeVisible()
  await visibleIn(page, '').getByRole('button', { name: '锦绣花园' }).click()
  await expect(page.getByText('「房态图」一次只能看一个项目')).toHaveCount(0)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`nothing serious bars the way in ${colorScheme}`, async ({ browser }) => {
    const page = await browser.newPage({ colorScheme })
    const faults = () => findSeriousFaults(page)
    await signIn(page)
    await page.goto('/work')
    await expect(page.locator('.bench')).toBeVisible()
    await page.waitForTimeout(800)
    expect(await faults()).toEqual([])
    await page.goto('/service/data/buildlist')
    await expect(visibleIn(page, '').getByRole('grid')).toBeVisible()
    await page.waitForTimeout(800)
    await page.keyboard.press('Control+k')
    await page.waitForTimeout(500)
    expect(await faults()).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /任务中心/ }).click()
    await page.waitForTimeout(500)
    expect(await faults()).toEqual([])
    await page.close()
  })
}
