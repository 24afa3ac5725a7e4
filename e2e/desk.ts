import { expect, type Page } from '@playwright/test'

/** What a clerk does again and again, by what he sees. */
export async function signIn(page: Page, account = 'demo', password = 'Anju2026'): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('账号', { exact: true }).fill(account)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page.getByRole('button', { name: /锦绣花园|项目|全部/ }).first()).toBeVisible()
}
/** Whatever the page complains of in the console is a fault of ours. */
export function listen(page: Page): string[] {
  const said: string[] = []
  page.on('pageerror', e => said.push(e.message))
  page.on('console', m => { if (m.type() === 'error' && !/favicon|Failed to load resource/.test(m.text())) said.push(m.text()) })
  return said
}
export const field = (page: Page, name: string) => page.locator(`[data-field="${name}"] input, [data-field="${name}"] textarea`).first()
export const toastOf = (page: Page, text: string | RegExp) => page.locator('.ant-message').getByText(text).first()
