import { expect, test } from '@playwright/test'
import { button, field, listen, seen, signIn, toastOf } from './desk.ts'

test('the owner renews the company, finds the order in the list and cancels it', async ({ page }) => {
  const said = listen(page)
  await signIn(page)
  await page.goto('/setting/permission/personcenter/userRenew')
  await page.getByRole('radiogroup', { name: '时长' }).getByText('2 年').click()
  // 128.00 × 3 projects × 24 months (RENEW-1).
  await expect(seen(page, '¥9,216.00')).toBeVisible()
  await button(page, '提交续费订单').click()
  await expect(toastOf(page, /已提交订单 DD\d{14}/)).toBeVisible()
  await expect(page).toHaveURL(/personbilllist\?.*state=pending/)
  const row = page.getByRole('row', { name: /专业版/ }).filter({ visible: true })
  await expect(row).toContainText('9,216.00')
  await expect(row).toContainText('待支付')

  // While it waits there is no second one.
  await page.goto('/setting/permission/personcenter/userRenew')
  await expect(seen(page, '有一笔待支付的续费订单')).toBeVisible()
  await button(page, '查看订单').click()
  await row.getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '取消' }).click()
  await field(page, 'reason').or(page.getByLabel('原因')).first().fill('改为按年续费')
  await page.getByRole('button', { name: /取消/ }).last().click()
  await expect(toastOf(page, '已取消')).toBeVisible()
  await expect(row).toHaveCount(0)
  await page.goto('/setting/permission/personcenter/userRenew')
  await expect(button(page, '提交续费订单')).toBeVisible()
  expect(said).toEqual([])
})

// The other company: what is switched off is gone for everybody of it, also for journeys beside this one.
test('an application goes out of use for the whole company, its owner too, and comes back', async ({ page }) => {
  const said = listen(page)
  await signIn(page, 'demo2')
  await page.goto('/setting/product/Product')
  await page.getByRole('link', { name: /企业与商家/ }).click()
  await button(page, '停用').click()
  await page.getByRole('dialog').getByRole('button', { name: '停用' }).click()
  await expect(toastOf(page, '已停用「企业与商家」')).toBeVisible()
  await page.goto('/setting/permission/rolelist/editrole')
  await expect(page.locator('summary', { hasText: '项目与楼宇' }).first()).toBeVisible()
  await expect(page.locator('summary', { hasText: '商家' })).toHaveCount(0)
  await page.goto('/setting/product/Product')
  await page.getByRole('link', { name: /企业与商家/ }).click()
  await button(page, '启用').click()
  await expect(toastOf(page, '已启用「企业与商家」')).toBeVisible()
  expect(said).toEqual([])
})
