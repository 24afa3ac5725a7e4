import { expect, test } from '@playwright/test'
import { defined } from '#kit/domain/defined.ts'
import { openSmtpReceiver } from '#kit/server/fixtures/smtp-receiver.ts'
import { findSeriousFaults } from './axe.ts'
import { button, collectConsoleErrors, signIn, toastOf } from './page-actions.ts'
import { solveCaptcha } from './verification-codes.ts'

test('an account binds its e-mail address by the code that it gets, chooses the messages that go there, and unbinds it', async ({
  page,
}) => {
  const consoleErrors = collectConsoleErrors(page)
  const receiver = await openSmtpReceiver(undefined, Number(process.env.E2E_SMTP_PORT))
  const email = `wen${Date.now()}@example.com`
  await signIn(page, 'cashier1')
  await page.goto('/setting/permission/personcenter')
  await button(page, '绑定邮箱').click()
  const dialog = page.getByRole('dialog', { name: '绑定邮箱' })
  await dialog.getByLabel('邮箱', { exact: true }).fill('wen@')
  await solveCaptcha(page)
  await button(dialog, '获取验证码').click()
  await expect(dialog.getByText('邮箱格式不正确')).toBeVisible()
  await dialog.getByLabel('邮箱', { exact: true }).fill(email)
  await solveCaptcha(page)
  await button(dialog, '获取验证码').click()
  await expect(dialog.getByText(`已发送到 ${email}`)).toBeVisible()
  const code = defined(/验证码 (\d{6})/.exec(receiver.received.at(-1)?.text ?? '')?.[1])
  await dialog.getByLabel('邮箱验证码').fill(code)
  await dialog.getByLabel('当前密码').fill('Anju2026')
  expect(await findSeriousFaults(page)).toEqual([])
  await button(dialog, '绑定邮箱').click()
  await expect(toastOf(page, '邮箱已绑定')).toBeVisible()
  await expect(page.getByText(email)).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])

  await page.goto('/setting/sysNotice/systemmessage/noticesetlist')
  await expect(page.getByText(`同时发送到 ${email}`)).toBeVisible()
  const isMailed = page.getByRole('checkbox', { name: '意见反馈回复同时发送邮件' })
  await isMailed.check()
  await button(page, '保存').click()
  await expect(toastOf(page, '通知设置已保存')).toBeVisible()
  await page.reload()
  await expect(isMailed).toBeChecked()
  expect(await findSeriousFaults(page)).toEqual([])

  await page.goto('/setting/permission/personcenter')
  await expect(page.getByText(email)).toBeVisible()
  await page.getByText(email).locator('..').getByRole('button', { name: '解除绑定' }).click()
  const unbind = page.getByRole('dialog', { name: '解除邮箱绑定' })
  await unbind.getByLabel('当前密码').fill('Anju2026')
  await button(unbind, '解除绑定').click()
  await expect(toastOf(page, '邮箱绑定已解除')).toBeVisible()
  await expect(page.getByText(email)).toBeHidden()
  await receiver.close()
  expect(consoleErrors).toEqual([])
})
