import { expect, test, type Page } from '@playwright/test'
import {
  button,
  field,
  createEstate,
  defineJourney,
  selectOption,
  visibleText,
  toastOf,
  openScreen,
} from './page-actions.ts'

const stamp = Date.now().toString(36).toUpperCase()
const estate = `安和里${stamp}`
const code = `AHL${stamp}`
const startedAt = Date.now()
const phone = (n: number): string => `139${String(startedAt % 10_000_000).padStart(7, '0')}${n}`
let page: Page
defineJourney(p => (page = p))

const cell = (row: number, key: string) => page.locator(`[data-field="people"] [id$="-${row}-${key}"]`)

async function selectRoom(): Promise<void> {
  await button(page, /选择房屋/).click()
  await page.getByPlaceholder('请输入房间号').fill('1-1-101')
  await page.locator('.slide-in').getByLabel(`${estate}-1 栋-1-101`, { exact: true }).check()
  await page.locator('.slide-in').getByRole('button', { name: '保存' }).click()
}

async function chooseOption(of: ReturnType<typeof cell>, option: string): Promise<void> {
  await of.click()
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: new RegExp(`^${option}$`) })
    .first()
    .click()
}

const clickAction = async (scope: string, name: string): Promise<void> => {
  await page.getByRole('row').filter({ hasText: scope, visible: true }).first().hover()
  const row = page.getByRole('row').filter({ hasText: scope, visible: true }).first()
  const direct = row.getByRole('button', { name, exact: true })
  if (await direct.count()) {
    await direct.first().click()
    return
  }
  await row.getByRole('button', { name: /更多/ }).first().click()
  await page.getByRole('menuitem', { name, exact: true }).filter({ visible: true }).first().click()
}

test.beforeAll(async () => {
  await createEstate(page, estate, code, { floors: 1, perFloor: 2, of: 6 })
})

test('a family moves in at once', async () => {
  await openScreen(page, '/customer/usermanage/immigration')
  await selectRoom()
  await cell(0, 'name').fill('周大山')
  await cell(0, 'mobile').fill(phone(1))
  await button(page, /添加一位/).click()
  await cell(1, 'name').fill('周小溪')
  await chooseOption(cell(1, 'relation'), '家属')
  await button(page, '办理入住').click()
  await expect(toastOf(page, '已登记 2 位住户')).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: '周小溪', visible: true })).toContainText('家属')
})

test('a tenant awaits approval and is approved', async () => {
  await openScreen(page, '/customer/usermanage/immigration')
  await selectRoom()
  await page.locator('[data-field="pending"]').getByRole('switch').filter({ visible: true }).click()
  await cell(0, 'name').fill('林租客')
  await chooseOption(cell(0, 'relation'), '租户')
  await button(page, '办理入住').click()
  await expect(toastOf(page, '已登记 1 位住户')).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: '林租客', visible: true })).toContainText('待审核')
  await clickAction('林租客', '审核通过')
  await page.getByRole('dialog').getByRole('button', { name: '审核通过', exact: true }).click()
  await expect(page.getByRole('row').filter({ hasText: '林租客', visible: true })).toContainText('在住')
})

test('another payer begins on a day that may be entered, today unless another is (C27-7)', async () => {
  await clickAction('林租客', '编辑')
  await expect(field(page, 'effectiveDate')).toHaveCount(0)
  await page.locator('[data-field="isPayer"]').getByRole('switch').filter({ visible: true }).click()
  const day = field(page, 'effectiveDate')
  await expect(day).toHaveValue(new Date().toLocaleDateString('sv-SE', { timeZone: 'Asia/Shanghai' }))
  await expect(page.getByText(/^可填 \d{4}-\d{2}-\d{2} 至今天/)).toBeVisible()
  await day.fill('2001-01-01')
  await day.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: '保存', exact: true }).click()
  await expect(page.getByText(/生效日期不能早于/)).toBeVisible()
  await page.screenshot({ path: 'test-results/residency-edit.png' })
  await page.getByRole('dialog').getByRole('button', { name: '取消', exact: true }).click()
  await page.getByRole('button', { name: /^放\s*弃$/ }).click()
})

test('the palette leads to a transfer by the room, and what was typed outlives a reload', async () => {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: '搜索' }).fill('过户')
  await page.getByRole('option', { name: /^过户/ }).click()
  await page.getByPlaceholder('请输入房间号').fill('1-1-101')
  await page.locator('.slide-in').getByLabel(`${estate}-1 栋-1-101`, { exact: true }).check()
  await page.locator('.slide-in').getByRole('button', { name: '保存' }).click()
  const drawer = page.getByRole('dialog', { name: /^过户「/ })
  await expect(drawer).toBeVisible()
  await field(page, 'reason').fill('二手房过户')
  await page.reload()
  await expect(drawer).toBeVisible()
  await expect(field(page, 'reason')).toHaveValue('二手房过户')
  await drawer.getByRole('button', { name: '丢弃草稿' }).click()
  await expect(field(page, 'reason')).toHaveValue('')
  await drawer.getByRole('button', { name: '取消', exact: true }).click()
  await expect(drawer).toBeHidden()
})

test('a room leads to its people', async () => {
  await openScreen(page, '/service/data/roommange?keyword=101')
  await page.locator('button.identity').filter({ visible: true }).first().click()
  await page.locator('.detail-drawer').getByRole('button', { name: '过户与迁出' }).click()
  await expect(page.getByRole('row').filter({ hasText: '周大山', visible: true })).toBeVisible()
})

test('the flat is sold: the wizard shows who leaves, who stays and who comes, a known person chosen by name', async () => {
  await openScreen(page, '/addbaseuser')
  await field(page, 'name').fill('何买主')
  await field(page, 'mobile').fill(phone(2))
  await button(page, '新增人员').click()
  await expect(toastOf(page, '已新增人员')).toBeVisible()
  await openScreen(page, '/customer/usermanage/residency')
  await clickAction('周大山', '过户')
  const plan = page.getByLabel('办理结果预览')
  await expect(plan).toContainText('周大山')
  await expect(plan).toContainText('请填写新业主')
  await page.getByRole('button', { name: '选择已有住户' }).click()
  const slide = page.locator('.slide-in')
  await expect(slide.getByRole('heading', { name: '选择住户' })).toBeVisible()
  await slide.getByPlaceholder('搜索用户').fill('没有该人')
  await expect(slide.getByText('无符合搜索条件的住户')).toBeVisible()
  await slide.getByPlaceholder('搜索用户').fill('hmz')
  await slide.getByLabel('何买主', { exact: true }).check()
  await slide.getByRole('button', { name: '保存' }).click()
  await expect(plan).toContainText('何买主')
  await expect(plan).toContainText('已有住户')
  await expect(plan).toContainText('保留的住户 林租客')
  await page.locator('[data-field="moveIn"]').getByRole('switch').filter({ visible: true }).click()
  await field(page, 'reason').fill('二手房成交')
  await button(page, '确认过户').click()
  await expect(toastOf(page, '过户')).toBeVisible()
  for (const [scope, what] of [
    ['何买主', '在住'],
    ['周大山', '已迁出'],
    ['周小溪', '已迁出'],
    ['林租客', '在住'],
  ] as const) {
    await expect(page.getByRole('row').filter({ hasText: scope, visible: true }).first()).toContainText(what)
  }
})

test('the tenant is checked out after being shown what will happen', async () => {
  await clickAction('林租客', '迁出')
  await expect(page.getByLabel('办理结果预览')).toContainText('将会发生')
  await button(page, '确认迁出').click()
  await expect(toastOf(page, '已为林租客办理迁出')).toBeVisible()
})

test('everything is in the history, and is found by name, initials and room', async () => {
  await openScreen(page, '/customer/usermanage/movements')
  const row = (scope: string, what: string) =>
    page.getByRole('row').filter({ hasText: scope, visible: true }).filter({ hasText: what }).first()
  for (const [scope, what] of [
    ['周大山', '登记'],
    ['周小溪', '登记'],
    ['林租客', '提交审核'],
    ['林租客', '审核通过'],
    ['周大山', '过户转出'],
    ['周小溪', '过户转出'],
    ['何买主', '过户转入'],
    ['林租客', '迁出'],
  ] as const) {
    await expect(row(scope, what)).toBeVisible()
  }
  const box = page.getByPlaceholder('姓名/手机/房间/拼音').filter({ visible: true })
  await box.fill('lzk')
  await expect(page.getByRole('row').filter({ hasText: '周大山', visible: true })).toHaveCount(0)
  await expect(row('林租客', '提交审核')).toBeVisible()
  await box.fill('1-1-101')
  await expect(row('周大山', '过户转出')).toBeVisible()
  await openScreen(page, '/customer/usermanage')
  await page.getByPlaceholder('姓名/手机/房间/拼音').filter({ visible: true }).fill('zds')
  await expect(visibleText(page, '周大山')).toBeVisible()
})

test('the resident returns, moves out with the others, and the room is empty on the board', async () => {
  await openScreen(page, '/customer/usermanage/residency')
  await clickAction('林租客', '再次入住')
  await expect(page.getByLabel('办理结果预览')).toContainText('再次入住')
  await button(page, '确认入住').click()
  await expect(toastOf(page, '已为林租客办理再次入住')).toBeVisible()
  await openScreen(page, '/service/data/roomboard')
  const roomCell = page.locator('.room-cell[title^="1-1-101 "]').filter({ visible: true })
  await expect(roomCell).toHaveAttribute('title', '1-1-101 · 已入住')
  await roomCell.click()
  await expect(page.getByRole('complementary', { name: '一房一档' })).toContainText('何买主')
  await openScreen(page, '/customer/usermanage/residency?status=living')
  for (const scope of ['林租客', '何买主']) {
    await clickAction(scope, '迁出')
    await expect(page.getByLabel('办理结果预览')).toContainText('将会发生')
    await button(page, '确认迁出').click()
    await expect(toastOf(page, `已为${scope}办理迁出`)).toBeVisible()
  }
  await openScreen(page, '/service/data/roomboard')
  await expect(roomCell).toHaveAttribute('title', '1-1-101 · 空置')
})

test('a block, another mobile, and a fault shown at its field', async () => {
  await openScreen(page, '/customer/usermanage')
  await page.getByPlaceholder('姓名/手机/房间/拼音').filter({ visible: true }).fill('林租客')
  await clickAction('林租客', '加入黑名单')
  await field(page, 'reason').fill('多次高空抛物')
  await button(page.getByRole('dialog'), /加入黑名单$/).click()
  await expect(toastOf(page, '已将「林租客」加入黑名单')).toBeVisible()
  await clickAction('林租客', '变更手机号')
  await field(page, 'mobile').fill('12345')
  await button(page.getByRole('dialog'), /变更手机号$/).click()
  await expect(page.locator('[data-field="mobile"]')).toContainText('格式不正确')
  await field(page, 'mobile').fill(phone(2))
  await button(page.getByRole('dialog'), /变更手机号$/).click()
  await expect(page.locator('[data-field="mobile"]')).toContainText('该手机号已存在')
  await field(page, 'mobile').fill(phone(3))
  await button(page.getByRole('dialog'), /变更手机号$/).click()
  await expect(toastOf(page, '已变更「林租客」的手机号')).toBeVisible()
  await openScreen(page, '/customer/usermanage/blocklist')
  await expect(page.getByRole('row').filter({ hasText: '林租客', visible: true })).toContainText(
    '多次高空抛物',
  )

  await openScreen(page, '/customer/usermanage/adduser')
  await field(page, 'name').fill('笑😀脸')
  await field(page, 'mobile').fill(phone(3))
  await selectOption(page, 'certType', '身份证')
  await field(page, 'certNo').fill('110105194912310021')
  await button(page, '新增住户').click()
  await expect(page.locator('[data-field="name"]')).toContainText('姓名不能含有表情符号')
  await field(page, 'name').fill('笑脸')
  await button(page, '新增住户').click()
  await expect(page.locator('[data-field="certNo"]').filter({ visible: true })).toContainText(
    '身份证号校验位不正确',
  )
  await field(page, 'certNo').fill('11010519491231002X')
  await button(page, '新增住户').click()
  await expect(page.locator('[data-field="mobile"]').filter({ visible: true })).toContainText(
    '该手机号已存在：林租客',
  )
})
