import { defined } from '#kit/domain/defined.ts'
import { createHmac } from 'node:crypto'
import { expect, test, type Page } from '@playwright/test'
import { field, callAsPage, tokenOf } from './page-actions.ts'
import { withDatabase, setSmsCode, solveCaptcha } from './verification-codes.ts'

async function signIn(page: Page, account: string, password: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('账号', { exact: true }).fill(account)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
}

test('a company registers, makes a role and a clerk; the clerk sees one estate only, gains a permission while signed in, and is signed out after leaving', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000)
  // Unique to this run: an earlier try leaves its records behind.
  const stamp = Date.now().toString(36)
  const mobile = `139${String(Date.now()).slice(-8)}`
  const ownerLogin = `lin${stamp}`
  const clerkCode = `wen${stamp}`
  await page.goto('/goregister')
  await page.getByLabel('公司名称').fill(`晴川物业服务${stamp}有限公司`)
  await page.getByLabel('联系人').fill('林晓')
  await page.getByLabel('手机号').fill(mobile)
  await solveCaptcha(page)
  await page.getByRole('button', { name: '获取验证码' }).click()
  await expect(page.getByText(`已发送到 ${mobile}`)).toBeVisible()
  await setSmsCode(mobile, '10', 'register')
  await page.getByLabel('短信验证码').fill('246810')
  await page.getByLabel('账号', { exact: true }).fill(ownerLogin)
  await page.getByLabel('密码', { exact: true }).fill('Anju2026')
  await page.getByLabel('确认密码').fill('Anju2026')
  await page.getByRole('button', { name: '开通并进入' }).click()
  await expect(page.getByText('林晓').first()).toBeVisible()
  // Two estates, as an import would leave them.
  await withDatabase(async db => {
    const ownerId = Number(
      (await db.query('select owner_id from manager where login_code = $1', [ownerLogin])).rows[0].owner_id,
    )
    for (const [code, name] of [
      ['EAST0001', '东苑'],
      ['WEST0001', '西苑'],
    ]) {
      await db.query(
        'insert into estate (owner_id, project_code, name, project_type, state) values ($1, $2, $3, 10, 10)',
        [ownerId, code, name],
      )
    }
  })

  // The guide shows the number of estates and links to the next step.
  await page.goto('/setting/baseSetting/initGuide')
  const step = (name: string) => page.getByRole('list', { name: '步骤' }).getByRole('button', { name })
  await expect(step('项目')).toContainText('2 个')
  await step('员工账号').click()
  await page.getByRole('button', { name: '设置角色' }).click()
  await expect(page).toHaveURL(/rolelist/)

  await page.goto('/setting/permission/rolelist/editrole')
  await field(page, 'roleName').fill('东苑文员')
  await page.locator('summary', { hasText: '项目与楼栋' }).click()
  await page.getByRole('checkbox', { name: '项目管理查看' }).check()
  await page.getByRole('button', { name: '新增角色' }).click()
  await expect(page.getByText('已新增角色「东苑文员」')).toBeVisible()

  await page.goto('/setting/permission/managerlist/addmanager')
  await field(page, 'loginCode').fill(clerkCode)
  await field(page, 'password').fill('First2026')
  await field(page, 'realName').fill('文员小李')
  await field(page, 'roleIds').click()
  await page.getByTitle('东苑文员').last().click()
  await page.keyboard.press('Escape')
  // The open project is preselected.
  await page.getByRole('checkbox', { name: '西苑', exact: true }).uncheck()
  await page.getByRole('checkbox', { name: '东苑', exact: true }).check()
  await page.getByRole('button', { name: '新增管理员' }).last().click()
  await expect(page.getByText('已新增「文员小李」')).toBeVisible()
  await page.goto('/setting/baseSetting/initGuide')
  await expect(step('员工账号')).toContainText('1 位')

  const clerk = await (await browser.newContext()).newPage()
  await signIn(clerk, clerkCode, 'First2026')
  await expect(clerk.getByText('首次登录或密码已被重置')).toBeVisible()
  await clerk.getByLabel('当前密码').fill('First2026')
  await clerk.getByLabel('新密码', { exact: true }).fill('Second2026')
  await clerk.getByLabel('确认新密码').fill('Second2026')
  await clerk.getByRole('button', { name: '保存并继续' }).click()
  await expect(clerk).not.toHaveURL(/changepassword/)

  await clerk.goto('/service/data/statelist')
  await expect(clerk.getByText('东苑').first()).toBeVisible()
  await expect(clerk.getByText('西苑')).toHaveCount(0)
  // By the address bar and by the call itself.
  await clerk.goto('/setting/permission/rolelist')
  await expect(clerk.getByText('无权查看「角色」')).toBeVisible()
  await expect(clerk.getByText('需要「角色与权限·查看」权限，请联系超级管理员 林晓授权')).toBeVisible()
  const responses = [
    await callAsPage(clerk, 'Role/Get?PageIndex=1'),
    await callAsPage(clerk, 'building/get?PageIndex=1&ProjectCode=WEST0001'),
  ]
  expect(responses.map(e => e.Code)).toEqual([10003, 10003])
  expect(defined(responses[0]).Message).toContain('请联系超级管理员 林晓授权')
  expect(defined(responses[1]).Message).toBe('无权访问该项目')

  // A permission is added while the page is open; the menu redraws automatically.
  await clerk.goto('/service/data/statelist')
  await expect(
    clerk.getByRole('link', { name: '楼栋管理' }).or(clerk.getByText('楼栋管理', { exact: true })),
  ).toHaveCount(0)
  await page.goto('/setting/permission/rolelist')
  await page
    .getByRole('row', { name: /东苑文员/ })
    .getByRole('button', { name: '编辑' })
    .click()
  await page.getByRole('checkbox', { name: '楼栋管理查看' }).check()
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await expect(page.getByText('已保存「东苑文员」')).toBeVisible()
  await expect(clerk.getByText('楼栋管理', { exact: true }).first()).toBeVisible()
  // The notification says what, and by whom.
  await clerk.getByRole('button', { name: /^消息，1 条未读/ }).click()
  await clerk.getByRole('dialog', { name: '消息' }).getByRole('tab', { name: /系统/ }).click()
  await expect(clerk.getByText('林晓修改了你的权限，已经生效')).toBeVisible()
  await expect(clerk.getByText('角色「东苑文员」，新增「楼栋管理·查看」')).toBeVisible()
  await clerk.keyboard.press('Escape')
  const token = await tokenOf(clerk)

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
  // The token is void, and the password no longer works.
  const after = await page.request.get('/api/Manager/Account', { headers: { token } })
  expect(after.status()).toBe(401)
  await signIn(clerk, clerkCode, 'Second2026')
  await expect(clerk.getByText('账号已停用，请联系超级管理员 林晓启用')).toBeVisible()
})

test('wrong passwords ask for a captcha, the form stays usable by keyboard, and the way back is shown', async ({
  page,
}) => {
  await page.goto('/setting/permission/managerlist')
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await expect(page.getByText('登录已失效，登录后返回「管理员」')).toBeVisible()
  await page.keyboard.type('demo2')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.getByLabel('密码', { exact: true }).fill('Wrong2026')
  for (let remaining = 4; remaining >= 1; remaining--) {
    await page.getByLabel('密码', { exact: true }).press('Enter')
    await expect(page.getByText(`还可再试 ${remaining} 次`)).toBeVisible()
  }
  await page.getByLabel('密码', { exact: true }).press('Enter')
  await solveCaptcha(page)
  await page.getByLabel('密码', { exact: true }).fill('Anju2026')
  await page.getByLabel('图形验证码').press('Enter')
  // The address of the sign-in page ends with the way back too.
  await expect(page).toHaveURL(url => url.pathname.endsWith('/managerlist'), { timeout: 40_000 })
})

test('a person with the permission to import finds the templates in one place, one without it gets a message', async ({
  page,
  browser,
}) => {
  await signIn(page, 'manager1', 'Anju2026')
  await expect(page).not.toHaveURL(/login/)
  await page.goto('/setting/materialdown')
  const [download] = await Promise.all([
    page.waitForResponse(r => /getimporttemplate/i.test(r.url())),
    page
      .getByRole('listitem')
      .filter({ hasText: '楼栋导入模板' })
      .getByRole('button', { name: '下载模板' })
      .click(),
  ])
  // The name in the header: the browser's own file name depends on the locale of its machine.
  expect(decodeURIComponent(download.headers()['x-suggested-filename'] ?? '')).toBe('楼栋导入模板.xlsx')
  const cashier = await (await browser.newContext()).newPage()
  await signIn(cashier, 'cashier1', 'Anju2026')
  await expect(cashier).not.toHaveURL(/login/)
  await cashier.goto('/setting/materialdown')
  await expect(cashier.getByText('暂无可用的导入模板')).toBeVisible()
})

/** The current six digits, as an authenticator shows them (RFC 6238). */
function totp(secret: string, ms = Date.now()): string {
  const bits = [...secret.replaceAll(/\s/g, '')]
    .map(c => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from(defined(bits.match(/.{8}/g)).map(b => Number.parseInt(b, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(ms / 30_000)))
  const h = createHmac('sha1', key).update(counter).digest()
  return String((h.readUInt32BE(defined(h[19]) & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

test('a role over money or permissions is offered a second factor; its holder binds one at sign-in, and an administrator can reset it', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000)
  const stamp = Date.now().toString(36)
  await signIn(page, 'demo', 'Anju2026')
  await expect(page.getByRole('button', { name: /切换项目/ })).toBeVisible()
  await page.goto('/setting/permission/rolelist/editrole')
  await field(page, 'roleName').fill(`人事${stamp}`)
  const totpSwitch = page.locator('[data-field="needTotp"]').getByRole('switch')
  await expect(totpSwitch).not.toBeChecked()
  await page.locator('summary', { hasText: '账号与权限' }).click()
  await page.getByRole('checkbox', { name: '管理员查看' }).check()
  await expect(totpSwitch).not.toBeChecked()
  await page.getByRole('checkbox', { name: '管理员编辑' }).check()
  await expect(totpSwitch).toBeChecked()
  await page.getByRole('button', { name: '新增角色' }).click()
  await expect(page.getByText(`已新增角色「人事${stamp}」`)).toBeVisible()
  await page.goto('/setting/permission/managerlist/addmanager')
  await field(page, 'loginCode').fill(`hr${stamp}`)
  await field(page, 'password').fill('First2026')
  await field(page, 'realName').fill(`人事${stamp}`)
  await field(page, 'roleIds').fill(`人事${stamp}`)
  await page.getByTitle(`人事${stamp}`).last().click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '新增管理员' }).last().click()
  await expect(page.getByText(`已新增「人事${stamp}」`)).toBeVisible()

  const hr = await (await browser.newContext({ locale: 'zh-CN', timezoneId: 'Asia/Shanghai' })).newPage()
  await signIn(hr, `hr${stamp}`, 'First2026')
  await hr.getByLabel('当前密码').fill('First2026')
  await hr.getByLabel('新密码', { exact: true }).fill('Second2026')
  await hr.getByLabel('确认新密码').fill('Second2026')
  await hr.getByRole('button', { name: '保存并继续' }).click()
  await expect(hr).toHaveURL(/bindfactor/)
  // The page cannot be skipped.
  await hr.goto('/setting/permission/managerlist')
  await expect(hr).toHaveURL(/bindfactor\?redirect=/)
  await hr.getByLabel('当前密码').fill('Second2026')
  await hr.getByRole('button', { name: '下一步' }).click()
  const secret = await hr.locator('.auth-qr code').innerText()
  await hr.getByLabel('应用中显示的 6 位数字').fill('000000')
  await hr.getByRole('button', { name: '绑定', exact: true }).click()
  await expect(hr.getByText('动态验证码不正确')).toBeVisible()
  await hr.getByLabel('应用中显示的 6 位数字').fill(totp(secret))
  await hr.getByRole('button', { name: '绑定', exact: true }).click()
  const codes = (await hr.locator('pre.once').innerText())
    .split('\n')
    .map(c => c.trim())
    .filter(Boolean)
  expect(codes).toHaveLength(10)
  await hr.getByRole('button', { name: '我已保存，进入系统' }).click()
  await expect(hr).toHaveURL(/managerlist$/)

  const secondSignIn = await (
    await browser.newContext({ locale: 'zh-CN', timezoneId: 'Asia/Shanghai' })
  ).newPage()
  await signIn(secondSignIn, `hr${stamp}`, 'Second2026')
  await secondSignIn.getByLabel('动态验证码').fill(defined(codes[0]))
  await secondSignIn.getByRole('button', { name: '登录', exact: true }).click()
  await expect(secondSignIn.getByRole('button', { name: /账号菜单/ })).toBeVisible()

  await page.goto('/setting/permission/managerlist')
  const row = page.getByRole('row').filter({ hasText: `hr${stamp}`, visible: true })
  await row.getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '重置二次验证' }).click()
  await page.getByRole('dialog').getByText('手机丢失').click()
  await page.getByRole('dialog').getByRole('button', { name: /重置/ }).last().click()
  await expect(page.getByText(`已重置「人事${stamp}」的二次验证`)).toBeVisible()
  await expect(hr).toHaveURL(/\/login/)
  await signIn(hr, `hr${stamp}`, 'Second2026')
  await expect(hr).toHaveURL(/bindfactor/)
})

test('a WeChat is bound by its QR code and released with the password', async ({ page, context }) => {
  await signIn(page, 'service1', 'Anju2026')
  await expect(page.getByRole('button', { name: /切换项目/ })).toBeVisible()
  await page.goto('/setting/permission/personcenter')
  const wechat = page.locator('dl > div').filter({ has: page.getByText('微信', { exact: true }) })
  const bindWechat = async (choice: '允许' | '拒绝'): Promise<void> => {
    await wechat.getByRole('button', { name: '绑定', exact: true }).click()
    const [phone] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: /打开模拟的微信/ }).click(),
    ])
    await expect(phone.getByText('把该微信绑定到账号')).toBeVisible()
    await expect(page.getByText('已扫描，请在手机上确认')).toBeVisible()
    await phone.getByRole('button', { name: '前往微信确认' }).click()
    await phone.getByRole('button', { name: choice }).click()
    await expect(phone.getByText(choice === '允许' ? '已绑定，可以关闭该页面' : '已取消')).toBeVisible()
    await phone.close()
  }
  await bindWechat('拒绝')
  await expect(page.getByText('已在手机上取消')).toBeVisible()
  await page.keyboard.press('Escape')
  await bindWechat('允许')
  await expect(wechat).toContainText('已绑定')
  await wechat.getByRole('button', { name: '解除绑定' }).click()
  await page.getByLabel('当前密码').fill('Anju2026')
  await page.getByRole('dialog').getByRole('button', { name: '解除绑定' }).click()
  await expect(wechat).toContainText('未绑定')
})

test('a menu that a project disables disappears for that project alone', async ({ page }) => {
  await signIn(page, 'demo2', 'Anju2026')
  await expect(page.getByRole('button', { name: /切换项目/ })).toBeVisible()
  await page.goto('/setting/baseSetting/projectmenu')
  const menuSwitch = page.getByRole('switch', { name: '项目与楼栋 公共区域管理' })
  await expect(menuSwitch).toBeChecked()
  await menuSwitch.click()
  await page.getByRole('button', { name: '保存 1 项' }).click()
  await expect(page.getByText(/的菜单立即生效/)).toBeVisible()
  await page.goto('/service/data/PublicAreaManage')
  await expect(page.getByText(/无权查看「公共区域/)).toBeVisible()
  await page.goto('/setting/baseSetting/projectmenu')
  await menuSwitch.click()
  await page.getByRole('button', { name: '保存 1 项' }).click()
  await expect(page.getByText(/的菜单立即生效/).first()).toBeVisible()
  await expect(menuSwitch).toBeChecked()
})
