import { expect, test, type Page } from '@playwright/test'
import { field } from './desk.ts'
import { inBase, readMessage, readPicture } from './inbox.ts'

async function signIn(page: Page, account: string, password: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('账号', { exact: true }).fill(account)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
}

test('a company registers, makes a role and a clerk; the clerk sees his estate alone, gains a right while signed in, and is out when he leaves', async ({
  page,
  browser,
}) => {
  test.setTimeout(90_000)
  await page.goto('/goregister')
  await page.getByLabel('公司名称').fill('晴川物业服务有限公司')
  await page.getByLabel('联系人').fill('林晓')
  await page.getByLabel('手机号').fill('13911112222')
  await readPicture(page)
  await page.getByRole('button', { name: '获取验证码' }).click()
  await expect(page.getByText('已发送到 13911112222')).toBeVisible()
  await readMessage('13911112222', '10', 'register')
  await page.getByLabel('短信验证码').fill('246810')
  await page.getByLabel('账号', { exact: true }).fill('linxiao')
  await page.getByLabel('密码', { exact: true }).fill('Anju2026')
  await page.getByLabel('再输一次密码').fill('Anju2026')
  await page.getByRole('button', { name: '开通并进入' }).click()
  await expect(page.getByText('林晓').first()).toBeVisible()
  // Two estates, as an import would leave them.
  await inBase(async db => {
    const owner = Number((await db.query(`select owner_id from manager where login_code = 'linxiao'`)).rows[0].owner_id)
    for (const [code, name] of [
      ['EAST0001', '东苑'],
      ['WEST0001', '西苑'],
    ])
      await db.query('insert into estate (owner_id, project_code, name, project_type, state) values ($1, $2, $3, 10, 10)', [owner, code, name])
  })

  // The guide has counted the estates and leads on.
  await page.goto('/setting/baseSetting/initGuide')
  const step = (name: string) => page.locator('.guide li').filter({ has: page.locator('.what', { hasText: new RegExp(`^${name}$`) }) })
  await expect(step('项目')).toContainText('已完成')
  await expect(step('项目')).toContainText('2 个')
  await expect(step('角色')).toContainText('未完成')
  await step('角色').getByRole('button', { name: '去设置' }).click()
  await expect(page).toHaveURL(/rolelist/)

  await page.goto('/setting/permission/rolelist/editrole')
  await field(page, 'roleName').fill('东苑文员')
  await page.locator('summary', { hasText: '项目与楼宇' }).click()
  await page.getByRole('checkbox', { name: '项目管理查看' }).check()
  await page.getByRole('button', { name: '新增角色' }).click()
  await expect(page.getByText('已新增角色「东苑文员」')).toBeVisible()

  await page.goto('/setting/permission/managerlist/addmanager')
  await field(page, 'loginCode').fill('wenyuan')
  await field(page, 'password').fill('First2026')
  await field(page, 'realName').fill('文员小李')
  await field(page, 'roleIds').click()
  await page.getByTitle('东苑文员').last().click()
  await page.keyboard.press('Escape')
  await page.getByRole('checkbox', { name: '东苑', exact: true }).check()
  await page.getByRole('button', { name: '新增管理员' }).last().click()
  await expect(page.getByText('已新增「文员小李」')).toBeVisible()
  await page.goto('/setting/baseSetting/initGuide')
  for (const name of ['角色', '管理员']) await expect(step(name)).toContainText('已完成')

  const clerk = await (await browser.newContext()).newPage()
  await signIn(clerk, 'wenyuan', 'First2026')
  await expect(clerk.getByText('首次登录或密码已被重置')).toBeVisible()
  await clerk.getByLabel('当前密码').fill('First2026')
  await clerk.getByLabel('新密码', { exact: true }).fill('Second2026')
  await clerk.getByLabel('再输一次新密码').fill('Second2026')
  await clerk.getByRole('button', { name: '保存并继续' }).click()
  await expect(clerk).not.toHaveURL(/changepassword/)

  await clerk.goto('/service/data/statelist')
  await expect(clerk.getByText('东苑').first()).toBeVisible()
  await expect(clerk.getByText('西苑')).toHaveCount(0)
  // By the address bar and by the call itself.
  await clerk.goto('/setting/permission/rolelist')
  await expect(clerk.getByText('无权查看「角色」')).toBeVisible()
  const said = await clerk.evaluate(async () => {
    const { Token } = JSON.parse(localStorage.getItem('etorcurrentuser')!) as { Token: string }
    const ask = async (path: string): Promise<{ Code: number; Message: string }> =>
      (await fetch(`/api/${path}`, { headers: { token: Token } })).json() as Promise<{ Code: number; Message: string }>
    return [await ask('Role/Get?PageIndex=1'), await ask('building/get?PageIndex=1&ProjectCode=WEST0001')]
  })
  expect(said.map(e => e.Code)).toEqual([10003, 10003])
  expect(said[0]!.Message).toContain('请联系超级管理员 林晓授权')
  expect(said[1]!.Message).toBe('无权访问该项目')

  // A right is added while he looks; his menu redraws by itself.
  await clerk.goto('/service/data/statelist')
  await expect(clerk.getByRole('link', { name: '楼宇管理' }).or(clerk.getByText('楼宇管理', { exact: true }))).toHaveCount(0)
  await page.goto('/setting/permission/rolelist')
  await page
    .getByRole('row', { name: /东苑文员/ })
    .getByRole('button', { name: '编辑' })
    .click()
  await page.getByRole('checkbox', { name: '楼宇管理查看' }).check()
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await expect(page.getByText('已保存「东苑文员」')).toBeVisible()
  await expect(clerk.getByText('楼宇管理', { exact: true }).first()).toBeVisible()

  await page.goto('/setting/permission/managerlist')
  await page
    .getByRole('row', { name: /文员小李/ })
    .getByRole('button', { name: '更多操作' })
    .click()
  await page.getByRole('menuitem', { name: '离职交接' }).click()
  await field(page, 'reason').fill('合同到期')
  await page.getByRole('button', { name: '办理离职' }).click()
  await expect(page.getByText('「文员小李」已办理离职')).toBeVisible()
  await expect(clerk).toHaveURL(/\/login/)
})

test('wrong passwords ask for a picture, the form stays usable by keyboard, and the way back is named', async ({ page }) => {
  await page.goto('/setting/permission/managerlist')
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await expect(page.getByText('登录已过期，登录后会回到「管理员」')).toBeVisible()
  await page.keyboard.type('demo2')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.getByLabel('密码', { exact: true }).fill('Wrong2026')
  for (let left = 4; left >= 1; left--) {
    await page.getByLabel('密码', { exact: true }).press('Enter')
    await expect(page.getByText(`还可再试 ${left} 次`)).toBeVisible()
  }
  await page.getByLabel('密码', { exact: true }).press('Enter')
  await readPicture(page)
  await page.getByLabel('密码', { exact: true }).fill('Anju2026')
  await page.getByLabel('图形验证码').press('Enter')
  await expect(page).toHaveURL(/managerlist$/)
})

test('who may import finds the templates in one place, and who may not is told so', async ({ page, browser }) => {
  await signIn(page, 'manager1', 'Anju2026')
  await expect(page).not.toHaveURL(/login/)
  await page.goto('/setting/materialdown')
  const [answer] = await Promise.all([
    page.waitForResponse(r => /getimporttemplate/i.test(r.url())),
    page.getByRole('button', { name: '下载模板' }).first().click(),
  ])
  // The name as it travels: what the browser makes of it hangs on the locale of its machine.
  expect(decodeURIComponent(answer.headers()['x-suggested-filename'] ?? '')).toBe('楼栋导入模板.xlsx')
  const cashier = await (await browser.newContext()).newPage()
  await signIn(cashier, 'cashier1', 'Anju2026')
  await expect(cashier).not.toHaveURL(/login/)
  await cashier.goto('/setting/materialdown')
  await expect(cashier.getByText('你还没有任何导入权限')).toBeVisible()
})
