import { expect, test } from '@playwright/test'
import {
  button,
  field,
  collectConsoleErrors,
  visibleText,
  signInAtWork,
  toastOf,
  openScreen,
} from './page-actions.ts'

const stamp = Date.now().toString(36)

test('a clerk writes what could be better; the manager is notified at once, answers, and the clerk is notified of the answer', async ({
  page,
  browser,
}) => {
  const consoleErrors = collectConsoleErrors(page)
  await signInAtWork(page, 'manager1')
  const clerk = await (await browser.newContext({ locale: 'zh-CN', timezoneId: 'Asia/Shanghai' })).newPage()
  await signInAtWork(clerk, 'engineer1')
  const bell = page.getByRole('button', { name: /^消息/ })
  const unread = async (): Promise<number> =>
    Number(/(\d+) 条未读/.exec((await bell.getAttribute('aria-label')) ?? '')?.[1] ?? 0)
  const before = await unread()

  await clerk.getByRole('button', { name: '帮助' }).click()
  await clerk.getByRole('menuitem', { name: '意见反馈' }).click()
  await field(clerk, 'content').fill('短')
  await button(clerk, '提交').click()
  await expect(visibleText(clerk, /至少 5|不少于 5|5 个字/)).toBeVisible()
  await field(clerk, 'content').fill(`巡查房间时希望能直接拍照 ${stamp}`)
  await button(clerk, '提交').click()
  await expect(toastOf(clerk, '已提交')).toBeVisible()

  // The count of the other goes up without reloading, and opening the message leads to the place. How far it
  // goes up is not checked: what the manager began in a parallel journey (a 红冲, say) sends a notification too
  // when it ends.
  await expect.poll(unread).toBeGreaterThan(before)
  const panel = page.getByRole('dialog', { name: '消息' })
  const message = panel.getByRole('button', { name: new RegExp(stamp) })
  await bell.click()
  await panel.getByRole('tab', { name: '通知' }).click()
  await expect(message).not.toHaveAttribute('data-read')
  await message.click()
  await expect(page).toHaveURL(/feedbacklist/)
  await bell.click()
  await panel.getByRole('tab', { name: '通知' }).click()
  await expect(message).toHaveAttribute('data-read', 'true')
  await page.keyboard.press('Escape')
  const row = page.getByRole('row').filter({ hasText: stamp, visible: true })
  await expect(row).toContainText('未读')
  await row.getByRole('button', { name: '回复', exact: true }).click()
  await field(page, 'reply').fill('下个版本会加上')
  await page.getByRole('dialog').getByRole('button', { name: '回复', exact: true }).click()
  await expect(toastOf(page, '已回复')).toBeVisible()
  await expect(row).toContainText('已回复')

  await expect(clerk.getByRole('button', { name: /^消息，\d+ 条未读/ })).toBeVisible()
  await openScreen(clerk, '/setting/sysNotice/systemmessage')
  await clerk
    .getByRole('row')
    .filter({ hasText: stamp, visible: true })
    .first()
    .click({ position: { x: 120, y: 20 } })
  const drawer = clerk.getByRole('dialog', { name: '详情' })
  await expect(drawer.getByText('下个版本会加上')).toBeVisible()
  await expect(clerk.getByRole('row').filter({ hasText: stamp, visible: true }).first()).toContainText('已读')
  await clerk.keyboard.press('Escape')
  await clerk.getByRole('button', { name: '帮助' }).click()
  await clerk.getByRole('menuitem', { name: '意见反馈' }).click()
  await clerk.getByRole('button', { name: '查看我的反馈和回复' }).click()
  await expect(clerk.getByText('下个版本会加上').last()).toBeVisible()
  // A clerk cannot reply to others, by the address bar either.
  await openScreen(clerk, '/quality/serviceManage/feedbacklist')
  await expect(clerk.getByText('无权查看「意见反馈」')).toBeVisible()
  expect(consoleErrors).toEqual([])
})

test('an announcement is above every page until it is read or withdrawn, and settings keep what one does not want', async ({
  page,
  browser,
}) => {
  await signInAtWork(page, 'manager1')
  const other = await (await browser.newContext({ locale: 'zh-CN', timezoneId: 'Asia/Shanghai' })).newPage()
  await signInAtWork(other, 'auditor1')
  await openScreen(page, '/setting/sysNotice/announcement')
  await button(page, /新增系统公告/).click()
  await field(page, 'title').fill(`停电演练 ${stamp}`)
  await field(page, 'content').fill('今天下午三点停电演练，请提前保存。')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /发布|新增|保存/ })
    .last()
    .click()
  await expect(page.getByRole('row').filter({ hasText: stamp, visible: true })).toContainText('已发布')
  const band = other.getByRole('status').filter({ hasText: stamp })
  await expect(band).toBeVisible()
  await band.getByRole('button', { name: '知道了' }).click()
  await expect(band).toHaveCount(0)
  await other.reload()
  await expect(other.getByRole('button', { name: /切换项目/ })).toBeVisible()
  await expect(band).toHaveCount(0)
  // Withdrawn: nobody else is prompted, and the messages are gone.
  const row = page.getByRole('row').filter({ hasText: stamp, visible: true })
  await row.getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '撤回' }).click()
  await page.getByRole('dialog').getByText('事项取消').click()
  await page.getByRole('dialog').getByRole('button', { name: /撤回/ }).last().click()
  await expect(row).toHaveCount(0)
  await openScreen(other, '/setting/sysNotice/systemmessage')
  await expect(visibleText(other, '全部')).toBeVisible()
  await expect(other.getByRole('row').filter({ hasText: stamp })).toHaveCount(0)

  await openScreen(other, '/setting/sysNotice/systemmessage/noticesetlist')
  await expect(other.getByRole('switch', { name: '账号被锁定' })).toBeDisabled()
  const device = other.getByRole('switch', { name: '新设备登录' })
  const quiet = other.getByRole('switch', { name: '开启免打扰' })
  // A try before this one may have ended half-way.
  if (!(await device.isChecked())) {
    await device.click()
    if (await quiet.isChecked()) {
      await quiet.click()
    }
    await button(other, '保存').click()
    await expect(toastOf(other, '通知设置已保存')).toBeVisible()
    await other.reload()
  }
  await device.click()
  await quiet.click()
  await button(other, '保存').click()
  await expect(toastOf(other, '通知设置已保存')).toBeVisible()
  await other.reload()
  await expect(other.getByRole('switch', { name: '新设备登录' })).not.toBeChecked()
  await expect(other.getByRole('switch', { name: '开启免打扰' })).toBeChecked()
  await other.getByRole('switch', { name: '新设备登录' }).click()
  await other.getByRole('switch', { name: '开启免打扰' }).click()
  await button(other, '保存').click()
  await expect(toastOf(other, '通知设置已保存')).toBeVisible()
})
