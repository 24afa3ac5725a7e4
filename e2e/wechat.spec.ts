import { expect, test, type Page } from '@playwright/test'
import { button, field, defineJourney, visibleText, toastOf } from './page-actions.ts'

const stamp = String(Date.now()).slice(-7)
const name = `温信${stamp}`
let page: Page
defineJourney(p => (page = p))

test('a resident scans the QR code, agrees in WeChat, and the office sees it at once', async () => {
  await page.goto('/addbaseuser')
  await field(page, 'name').fill(name)
  await field(page, 'mobile').fill(`1390${stamp}`)
  await button(page, /^新增/).click()
  await expect(toastOf(page, /已新增/)).toBeVisible()
  await button(page, '绑定微信').click()
  await expect(visibleText(page, '请住户用自己的微信扫描，10 分钟内有效')).toBeVisible()
  const popup = page.waitForEvent('popup')
  await page.getByRole('link', { name: /在此处打开模拟的微信/ }).click()
  const phone = await popup
  await expect(phone.getByText(/把该微信绑定到住户/)).toBeVisible()
  // The full name is not shown to holders of the picture.
  await expect(phone.getByText(name)).toHaveCount(0)
  await phone.getByRole('button', { name: '前往微信确认' }).click()
  await phone.getByLabel('模拟的微信号').fill(`wx-${stamp}`)
  await phone.getByRole('button', { name: '允许' }).click()
  await expect(phone.getByText('已绑定，可以关闭该页面')).toBeVisible()
  await phone.close()
  await expect(toastOf(page, `「${name}」的微信已绑定`)).toBeVisible()
  await expect(button(page, '解除微信绑定')).toBeVisible()
})

test('it is unbound again with a reason', async () => {
  await button(page, '解除微信绑定').click()
  const dialog = page.getByRole('dialog').filter({ visible: true })
  await dialog.getByText('住户更换微信').click()
  await dialog.getByRole('button', { name: /解除绑定/ }).click()
  await expect(toastOf(page, '已解除绑定')).toBeVisible()
  await expect(button(page, '绑定微信')).toBeVisible()
})
