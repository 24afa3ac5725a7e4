import { defined } from '#kit/domain/defined.ts'
import { expect, test } from '@playwright/test'
import {
  button,
  field,
  collectConsoleErrors,
  selectOption,
  visibleText,
  signIn,
  toastOf,
  openScreen,
} from './page-actions.ts'

test('the owner renews the company, finds the order in the list and cancels it', async ({ page }) => {
  const consoleErrors = collectConsoleErrors(page)
  await signIn(page)
  await openScreen(page, '/setting/permission/personcenter/userRenew')
  await page.getByRole('radiogroup', { name: '时长' }).getByText('2 年').click()
  // 128.00 × projects × 24 months (RENEW-1); journeys beside this one open projects of their own.
  const projects = Number(
    defined(
      /计费项目\s*(\d+)/.exec(await page.getByRole('region', { name: '账户', exact: true }).innerText()),
    )[1],
  )
  const sum = (128 * 24 * projects).toLocaleString('en-US', { minimumFractionDigits: 2 })
  await expect(visibleText(page, `¥${sum}`)).toBeVisible()
  await button(page, '创建续费订单').click()
  await expect(toastOf(page, /已创建订单 DD\d{14}/)).toBeVisible()
  await expect(page).toHaveURL(/personbilllist\?.*state=pending/)
  const row = page.getByRole('row', { name: /专业版/ }).filter({ visible: true })
  await expect(row).toContainText(sum)
  await expect(row).toContainText('待支付')

  // While it waits there is no second one.
  await openScreen(page, '/setting/permission/personcenter/userRenew')
  await expect(visibleText(page, '有一笔待支付的续费订单')).toBeVisible()
  await button(page, '查看订单').click()
  await row.getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '取消订单' }).click()
  await field(page, 'reason').or(page.getByLabel('原因')).first().fill('改为按年续费')
  await page.getByRole('button', { name: '取消订单 1 笔' }).click()
  await expect(toastOf(page, /已取消订单「DD/)).toBeVisible()
  await expect(row).toHaveCount(0)
  await openScreen(page, '/setting/permission/personcenter/userRenew')
  await expect(button(page, '创建续费订单')).toBeVisible()
  expect(consoleErrors).toEqual([])
})

// The other company: what is switched off is gone for everybody of it, also for journeys beside this one.
test('an application goes out of use for the whole company, its owner too, and comes back', async ({
  page,
}) => {
  const consoleErrors = collectConsoleErrors(page)
  await signIn(page, 'demo2')
  await openScreen(page, '/setting/product/Product')
  await page.getByRole('link', { name: /企业与商户/ }).click()
  await button(page, '停用').click()
  await page.getByRole('dialog').getByRole('button', { name: '停用' }).click()
  await expect(toastOf(page, '已停用「企业与商户」')).toBeVisible()
  await openScreen(page, '/setting/permission/rolelist/editrole')
  await expect(page.locator('summary', { hasText: '项目与楼栋' }).first()).toBeVisible()
  await expect(page.locator('summary', { hasText: '商户' }).filter({ hasNotText: '停车券' })).toHaveCount(0)
  await openScreen(page, '/setting/product/Product')
  await page.getByRole('link', { name: /企业与商户/ }).click()
  await button(page, '启用').click()
  await expect(toastOf(page, '已启用「企业与商户」')).toBeVisible()
  expect(consoleErrors).toEqual([])
})

test('a receipt is set up for other paper, seen as it will be printed, and refused where nothing would fit', async ({
  page,
}) => {
  const consoleErrors = collectConsoleErrors(page)
  await signIn(page, 'demo2')
  await openScreen(page, '/setting/baseSetting/print')
  const sheet = page.locator('.print-paper').filter({ visible: true })
  await expect(sheet).toContainText('清园物业演示公司收款收据')
  await expect(sheet).toContainText('第一联 存根')
  await selectOption(page, 'paperSize', 'A5')
  await expect(visibleText(page, '148 × 210 mm')).toBeVisible()
  await page.locator('[data-field="landscape"] button[role="switch"]').click()
  await expect(visibleText(page, '210 × 148 mm')).toBeVisible()
  await field(page, 'title').fill('物业费收据')
  await expect(sheet).toContainText('清园物业演示公司物业费收据')
  await field(page, 'marginTop').fill('12')
  await button(page, '保存').click()
  await expect(toastOf(page, '已保存「收款收据」的打印设置')).toBeVisible()
  await page.reload()
  await expect(sheet).toContainText('清园物业演示公司物业费收据')
  // The paper brings its margins.
  await selectOption(page, 'paperSize', '热敏')
  await field(page, 'marginLeft').fill('50')
  await field(page, 'marginRight').fill('50')
  await button(page, '保存').click()
  await expect(visibleText(page, '左右边距太大，纸宽 80 mm，至少要留 40 mm')).toBeVisible()
  // The defaults come back into the form, and stay there until they are saved.
  await button(page, '恢复默认').click()
  await expect(sheet).toContainText('清园物业演示公司收款收据')
  await button(page, '保存').click()
  await expect(toastOf(page, '已保存「收款收据」的打印设置')).toBeVisible()
  expect(consoleErrors).toEqual([])
})

test('orders are found by product, chosen in three steps: category, type, product', async ({ page }) => {
  const consoleErrors = collectConsoleErrors(page)
  await signIn(page)
  await openScreen(page, '/setting/permission/personbilllist')
  await button(page, /更多筛选$/).click()
  await page.locator('.ant-drawer button', { hasText: '选择' }).click()
  const picker = page.locator('.slide-in')
  for (const name of ['智能设备', '增值服务']) {
    await picker.getByRole('button', { name: `展开${name}`, exact: true }).click()
  }
  await picker.getByRole('button', { name: '展开通行节点', exact: true }).click()
  await picker.getByText('停车道', { exact: true }).click()
  await picker.getByRole('button', { name: '保存', exact: true }).click()
  await button(page, '完成').click()
  const rows = page.getByRole('row', { name: /DD\d{14}/ }).filter({ visible: true })
  await expect(rows.first()).toContainText('停车道')
  await expect(rows.filter({ hasNotText: '停车道' })).toHaveCount(0)
  expect(consoleErrors).toEqual([])
})

test('a seat of the service line beyond those opened is refused, with the way to more', async ({ page }) => {
  await signIn(page)
  await openScreen(page, '/setting/ValueAddCenter/call-seating-manage')
  await expect(visibleText(page, '已开通')).toContainText('已开通 2 席，已启用 2 席')
  await button(page, /新增坐席$/).click()
  await field(page, 'seatNo').fill('8009')
  await page.getByRole('dialog').getByRole('button', { name: '新增坐席' }).click()
  await expect(visibleText(page, '已开通 2 席，都在使用')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()
})
