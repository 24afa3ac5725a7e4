import { expect, test, type Page } from '@playwright/test'
import { button, choose, field, listen, pick, seen, signIn, toastOf } from './desk.ts'

test.describe.configure({ mode: 'serial' })
const stamp = Date.now().toString(36).toUpperCase()
const estate = `安和里${stamp}`,
  code = `AHL${stamp}`,
  phone = (n: number): string => `139${String(Date.now() % 10_000_000).padStart(7, '0')}${n}`
let page: Page, said: string[]
test.beforeAll(async ({ browser }) => {
  page = await browser.newPage()
  said = listen(page)
  await signIn(page)
})
test.afterAll(async () => {
  await page.close()
  expect(said, 'nothing is complained of in the console').toEqual([])
})

const cell = (row: number, key: string) => page.locator(`[data-field="people"] [id$="-${row}-${key}"]`)
async function room(): Promise<void> {
  await button(page, /选择房屋/).click()
  await page.getByPlaceholder('请输入房间号').fill('1-1-101')
  await page.locator('.slide-in').getByLabel(`${estate}-1 栋-1-101`, { exact: true }).check()
  await page.locator('.slide-in').getByRole('button', { name: '保存' }).click()
}
async function choice(of: ReturnType<typeof cell>, option: string): Promise<void> {
  await of.click()
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: new RegExp(`^${option}$`) })
    .first()
    .click()
}
const verb = async (who: string, name: string): Promise<void> => {
  await page.getByRole('row').filter({ hasText: who, visible: true }).first().hover()
  const row = page.getByRole('row').filter({ hasText: who, visible: true }).first(),
    direct = row.getByRole('button', { name, exact: true })
  if (await direct.count()) {
    await direct.first().click()
    return
  }
  await row.getByRole('button', { name: /更多/ }).first().click()
  await page.getByRole('menuitem', { name, exact: true }).filter({ visible: true }).first().click()
}

test('an estate with a room is there', async () => {
  await page.goto('/service/data/statelist/addstate')
  await field(page, 'name').fill(estate)
  await field(page, 'projectCode').fill(code)
  await button(page, '新增项目').click()
  await expect(toastOf(page, '已新增项目')).toBeVisible()
  await page.reload()
  await choose(page, estate)
  await page.goto('/service/data/buildlist/addbuilds')
  await field(page, 'name').fill('1 栋')
  await field(page, 'units').fill('1')
  await field(page, 'floors').fill('6')
  await button(page, '新增楼栋').click()
  await expect(toastOf(page, '已新增楼栋')).toBeVisible()
  await page.goto('/service/data/roommange/addrooms?way=batch')
  await pick(page, 'buildCode', '1 栋')
  await field(page, 'floorFrom').fill('1')
  await field(page, 'floorTo').fill('1')
  await field(page, 'perFloor').fill('2')
  await button(page, /生成 2 间/).click()
  await expect(toastOf(page, '已生成 2 间房间')).toBeVisible()
})

test('a family moves in at once', async () => {
  await page.goto('/customer/usermanage/immigration')
  await room()
  await cell(0, 'name').fill('周大山')
  await cell(0, 'mobile').fill(phone(1))
  await button(page, /添加一位/).click()
  await cell(1, 'name').fill('周小溪')
  await choice(cell(1, 'relation'), '家属')
  await button(page, '办理入住').click()
  await expect(toastOf(page, '已登记 2 位住户')).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: '周小溪', visible: true })).toContainText('家属')
})

test('a tenant waits for his audit and is passed', async () => {
  await page.goto('/customer/usermanage/immigration')
  await room()
  await page.locator('[data-field="pending"]').getByRole('switch').filter({ visible: true }).click()
  await cell(0, 'name').fill('林租客')
  await choice(cell(0, 'relation'), '租户')
  await button(page, '办理入住').click()
  await expect(toastOf(page, '已登记 1 位住户')).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: '林租客', visible: true })).toContainText('待审核')
  await verb('林租客', '审核通过')
  await page.getByRole('dialog').getByRole('button', { name: '审核通过', exact: true }).click()
  await expect(page.getByRole('row').filter({ hasText: '林租客', visible: true })).toContainText('在住')
})

test('he is checked out after being shown what will happen, and stands in the history', async () => {
  await verb('林租客', '迁出')
  await expect(page.getByLabel('办理结果预览')).toContainText('将会发生')
  await button(page, '确认迁出').click()
  await expect(toastOf(page, '已为林租客办理迁出')).toBeVisible()
  await page.goto('/customer/usermanage/movements')
  await expect(page.getByRole('row').filter({ hasText: '林租客', visible: true }).filter({ hasText: '迁出' }).first()).toBeVisible()
  await page.goto('/customer/usermanage')
  await page.getByPlaceholder(/姓名/).fill('zds')
  await expect(seen(page, '周大山')).toBeVisible()
})
