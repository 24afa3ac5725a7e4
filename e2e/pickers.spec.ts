import { defined } from '#kit/domain/defined.ts'
import { expect, test, type Page } from '@playwright/test'
import { field, collectConsoleErrors, signIn, toastOf, openScreen } from './page-actions.ts'

const slideIn = (page: Page) => page.locator('.slide-in')

const branch = (page: Page, name: string) =>
  slideIn(page)
    .locator('.pick-branch')
    .filter({ has: page.getByRole('button', { name: new RegExp(`^(展开|收起)${name}$`) }) })

const expandBranch = (page: Page, name: string) =>
  slideIn(page)
    .getByRole('button', { name: `展开${name}`, exact: true })
    .click()

const leaf = (page: Page, name: string) => slideIn(page).getByLabel(`锦绣花园-${name}`, { exact: true })

const pickerButton = (page: Page) =>
  page.locator('[data-field="roomCode"]').getByRole('button', { name: '选择关联房间' })

test('one room is chosen from floors or by search: the second replaces the first, one sibling is open, failures are shown', async ({
  page,
}) => {
  const complaints = collectConsoleErrors(page)
  await signIn(page)
  await openScreen(page, '/service/data/parklots/carportlist/addcarport')
  await pickerButton(page).click()
  await expect(slideIn(page).getByRole('heading', { name: '选择房间/商铺' })).toBeVisible()
  await expandBranch(page, '1 栋')
  await expandBranch(page, '1单元')
  await leaf(page, '1 栋-1-302').check()
  await leaf(page, '1 栋-1-303').check()
  await expect(leaf(page, '1 栋-1-302')).not.toBeChecked()
  await expandBranch(page, '2 栋')
  await expect(slideIn(page).getByRole('button', { name: '展开1 栋', exact: true })).toBeVisible()

  // The search runs for a word alone; without one the list is fetched again.
  const asked: string[] = []
  page.on('request', r => {
    const at = /\/api\/(room\/search|Room\/GetPositionRoomNode)/.exec(r.url())
    if (at) {
      asked.push(defined(at[1]))
    }
  })
  const box = slideIn(page).getByPlaceholder('请输入房间号')
  await box.fill('   ')
  await box.press('Enter')
  await box.fill('2-1-1502')
  await leaf(page, '2 栋-1-1502').check()
  expect(asked).toEqual(['room/search'])
  await box.fill('')
  await expect(branch(page, '3 栋')).toBeVisible()
  expect(asked.filter(a => a === 'Room/GetPositionRoomNode').length).toBeGreaterThan(0)
  await slideIn(page).getByRole('button', { name: '保存' }).click()
  await expect(page.locator('[data-field="roomCode"]')).toContainText('2-1-1502')

  // It opens where the choice is; 返回 leaves it as it was.
  await pickerButton(page).click()
  await expect(leaf(page, '2 栋-1-1502')).toBeChecked()
  await page.route('**/api/room/search**', r =>
    r.fulfill({ json: { Code: 10002, Message: '房间索引正在重建，请一分钟后再搜', Data: null } }),
  )
  await slideIn(page).getByPlaceholder('请输入房间号').fill('302')
  await expect(slideIn(page).getByRole('alert')).toContainText('房间索引正在重建，请一分钟后再搜')
  await page.route(/\/api\/room\/get\?/i, r => r.fulfill({ json: { Code: 0, Message: '', Data: null } }))
  await slideIn(page).getByPlaceholder('请输入房间号').fill('')
  await expandBranch(page, '3 栋')
  await expandBranch(page, '2单元')
  await expect(slideIn(page).getByRole('alert')).toContainText('请求失败，请稍后重试')
  await slideIn(page).getByRole('button', { name: '返回' }).click()
  await expect(page.locator('[data-field="roomCode"]')).toContainText('2-1-1502')
  expect(complaints).toEqual([])
})

test('several rooms: a branch selects all under it, its checkbox shows all, some or none, the limit applies', async ({
  page,
}) => {
  await signIn(page)
  await openScreen(page, '/service/data/parklots/carportlist')
  await page.getByRole('button', { name: '更多筛选' }).click()
  await page.getByRole('button', { name: '选择关联房间' }).last().click()
  await expandBranch(page, '1 栋')
  await expandBranch(page, '1单元')
  const tick = (name: string) =>
    slideIn(page).getByRole('checkbox', { name: `选择${name}的全部`, exact: true })
  await tick('1单元').click()
  await expect(slideIn(page).getByText('已选 72 间')).toBeVisible()
  await expect(tick('1单元')).toBeChecked()
  await expect(tick('1 栋')).toHaveJSProperty('indeterminate', true)
  await leaf(page, '1 栋-1-302').uncheck()
  await expect(tick('1单元')).toHaveJSProperty('indeterminate', true)
  await tick('1 栋').click()
  await expect(tick('1 栋')).toBeChecked()
  await expect(leaf(page, '1 栋-1-302')).toBeChecked()
  await tick('2 栋').click()
  await expect(toastOf(page, '最多选择200间')).toBeVisible()
  await expect(slideIn(page).getByText('已选 200 间')).toBeVisible()
  await tick('1 栋').click()
  await expect(tick('1 栋')).not.toBeChecked()
  await slideIn(page).getByRole('button', { name: '清空' }).click()
  await leaf(page, '1 栋-1-103').check()
  await slideIn(page).getByRole('button', { name: '保存' }).click()
  await page.getByRole('button', { name: '完成' }).click()
  await expect(page.getByRole('button', { name: '移除「关联房间」条件' })).toBeVisible()
  await expect(page.locator('tbody tr[data-i]')).toHaveCount(1)
})

test('rooms are generated as previewed, an area changes from a day on, an impossible state says why', async ({
  page,
}) => {
  await signIn(page)
  await openScreen(page, '/service/data/roommange/addrooms?way=batch')
  await page.locator('[data-field="buildCode"] .ant-select').click()
  await page.locator('.ant-select-item-option').filter({ hasText: /^1 栋/ }).first().click()
  await field(page, 'floorTo').fill('2')
  await field(page, 'perFloor').fill('5')
  await expect(page.getByText('将新增 4 间，已存在 16 间')).toBeVisible()
  await page.getByRole('button', { name: '生成 4 间房间' }).click()
  await expect(toastOf(page, '已生成 4 间房间，16 间已存在，保持原样')).toBeVisible()

  await openScreen(page, '/service/data/roommange?keyword=1-1-105')
  await page.getByRole('button', { name: '1-1-105' }).click()
  await page.getByRole('dialog', { name: '详情' }).getByRole('button', { name: '编辑' }).click()
  await field(page, 'buildArea').fill('88.6')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('面积或收费系数有变更，请填写生效日期')).toBeVisible()
  await field(page, 'effectiveDate').fill('2099-01-01')
  await field(page, 'effectiveDate').press('Enter')
  await field(page, 'reason').fill('实测面积')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(toastOf(page, '已保存房间「1-1-105」')).toBeVisible()

  await openScreen(page, '/service/data/roommange?keyword=1-1-105')
  await page.locator('tbody tr td.tick').first().click()
  await page.getByRole('button', { name: '变更房态' }).first().click()
  await page.locator('[data-field="roomState"] .ant-select').click()
  await page.locator('.ant-select-item-option').filter({ hasText: '已入住' }).click()
  await expect(page.getByText(/1 间不能变更/)).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: '变更房态' }).click()
  await expect(page.getByText('房态变更结果')).toBeVisible()
  await expect(page.getByText(/当前为“未售”，不能改为“已入住”/)).toBeVisible()
})

test('a person is chosen by name or by room: one room is open, the second person replaces the first, 返回 changes nothing', async ({
  page,
}) => {
  const complaints = collectConsoleErrors(page)
  await signIn(page)
  await openScreen(page, '/customer/usermanage/blocklist')
  await page.getByRole('button', { name: '新增黑名单' }).click()
  const user = page.locator('[data-field="userId"]')
  await user.getByRole('button', { name: '选择住户' }).click()
  await expect(slideIn(page).getByRole('heading', { name: '选择住户' })).toBeVisible()
  await expect(slideIn(page).getByRole('radio')).toHaveCount(50)
  await slideIn(page).getByRole('button', { name: '按房间' }).click()
  await expect(slideIn(page).getByRole('heading', { name: '选择房间' })).toBeVisible()
  await expandBranch(page, '1 栋')
  await expandBranch(page, '1单元')
  await expandBranch(page, '302')
  const person = (room: string) =>
    slideIn(page).getByRole('radio', { name: new RegExp(`^锦绣花园-1 栋-1-${room} `) })
  const first = defined(
    defined(await person('302').first().getAttribute('aria-label'))
      .split(' ')
      .at(-1),
  )
  await person('302').first().check()
  await expandBranch(page, '303')
  await expect(person('302')).toHaveCount(0)
  await person('303').first().check()
  await expect(slideIn(page).locator('footer')).toContainText('1-303')
  // A room's number finds the people of that room alone.
  await slideIn(page).getByPlaceholder('请输入房间号').fill('1-1-302')
  await person('302').first().check()
  await slideIn(page).getByRole('button', { name: '保存' }).click()
  await expect(user).toContainText(first)
  await user.getByRole('button', { name: '选择住户' }).click()
  await slideIn(page).getByPlaceholder('搜索用户').fill('没有该人')
  await expect(slideIn(page).getByText('无符合搜索条件的住户')).toBeVisible()
  await slideIn(page).getByRole('button', { name: '返回' }).click()
  await expect(user).toContainText(first)
  expect(complaints).toEqual([])
})
