import { expect, test } from '@playwright/test'
import { defined } from '#kit/domain/defined.ts'
import { testClient, TestProvider } from '#modules/accounts/server/identity-provider.fixtures.ts'
import { findSeriousFaults } from './axe.ts'
import { button, collectConsoleErrors, signIn, toastOf } from './page-actions.ts'

test('a company sets its identity provider up; an account binds its identity, signs in by it, and unbinds it', async ({
  page,
}) => {
  const consoleErrors = collectConsoleErrors(page)
  const site = new URL(defined(process.env.E2E_ADDRESS)).origin
  const provider = await TestProvider.open(site)
  const subject = `w${Date.now()}`
  provider.people.set(subject, { name: '收费员甲（平台）' })
  const signInAtProvider = async (): Promise<void> => {
    await expect(page.getByRole('heading', { name: '身份平台' })).toBeVisible()
    await page.getByLabel('工号').fill(subject)
    await button(page, '登录').click()
  }

  await signIn(page)
  await page.goto('/setting/permission/identityprovider')
  // A second try of the journey finds what the first has saved.
  await page.getByRole('button', { name: /^(填写|修改)设置$/ }).click()
  const form = page.getByRole('dialog', { name: '统一身份认证' })
  await form.getByLabel('签发者地址').fill(`${provider.issuer}/.well-known/openid-configuration`)
  await form.getByLabel('客户端编号').fill(testClient.id)
  await form.getByLabel('客户端密钥').fill(testClient.secret)
  await form.getByLabel('按钮文字').fill('工号登录')
  expect(await findSeriousFaults(page)).toEqual([])
  await button(form, '保存').click()
  await expect(toastOf(page, '统一身份认证设置已保存')).toBeVisible()
  await expect(page.getByText(`${site}/oidclogin`)).toBeVisible()
  await button(page, '测试连接').click()
  const result = page.getByRole('dialog', { name: '测试连接' })
  await expect(result.getByText('连接正常，可以使用。')).toBeVisible()
  await page.keyboard.press('Escape')
  const loginAddress = defined(await page.getByText(/\/login\?company=/).textContent())
  expect(await findSeriousFaults(page)).toEqual([])

  await page.evaluate(() => localStorage.clear())
  await signIn(page, 'cashier1')
  await page.goto('/setting/permission/personcenter')
  const row = page.locator('dl > div', { hasText: '统一身份' })
  await button(row, '绑定').click()
  const dialog = page.getByRole('dialog', { name: '绑定统一身份' })
  await dialog.getByLabel('当前密码').fill('Anju2026')
  await button(dialog, '前往绑定').click()
  await signInAtProvider()
  await expect(toastOf(page, '统一身份已绑定')).toBeVisible()
  await expect(row.getByText('已绑定「收费员甲（平台）」')).toBeVisible()

  await page.evaluate(() => localStorage.clear())
  await page.goto(loginAddress)
  await button(page, '工号登录').click()
  // The provider still knows the person: it asks for nothing.
  await expect(page.getByRole('button', { name: /切换项目/ })).toBeVisible()
  await page.goto('/setting/permission/personcenter')
  await expect(page.getByText('统一身份登录').first()).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])

  await button(row, '解除绑定').click()
  const unbind = page.getByRole('dialog', { name: '解除统一身份绑定' })
  await unbind.getByLabel('当前密码').fill('Anju2026')
  await button(unbind, '解除绑定').click()
  await expect(toastOf(page, '统一身份绑定已解除')).toBeVisible()

  await page.evaluate(() => localStorage.clear())
  await page.goto(loginAddress)
  await button(page, '工号登录').click()
  await expect(page.getByRole('alert')).toContainText(`身份标识：${subject}`)
  expect(await findSeriousFaults(page)).toEqual([])
  await page.goto('/oidclogin?code=stolen&state=stolen')
  await expect(page.getByRole('alert')).toContainText('不是从本浏览器发起')
  await expect(page).toHaveURL(`${site}/oidclogin`)

  await signIn(page)
  await page.goto('/setting/permission/identityprovider')
  await button(page, '修改设置').click()
  await page.getByRole('dialog', { name: '统一身份认证' }).getByLabel('启用', { exact: true }).click()
  await button(page.getByRole('dialog', { name: '统一身份认证' }), '保存').click()
  await expect(page.getByText('未启用')).toBeVisible()
  await provider.close()
  expect(consoleErrors).toEqual([])
})
