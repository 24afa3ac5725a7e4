import { defined } from '#kit/domain/defined.ts'
import { expect, test, type Locator, type Page } from '@playwright/test'
import {
  button,
  field,
  createEstate,
  defineJourney,
  collectConsoleErrors,
  visibleText,
  toastOf,
  openScreen,
} from './page-actions.ts'
import { setSmsCode, solveCaptcha } from './verification-codes.ts'

const stamp = Date.now().toString(36).toUpperCase()
const estate = `云帆里${stamp}`
const department = `项目部${stamp}`
const companyName = `晨曦科技${stamp}`
const startedAt = Date.now()
const phone = (n: number): string => `137${String(startedAt % 10_000_000).padStart(7, '0')}${n}`
const workerPhone = phone(5)
let page: Page
defineJourney(p => (page = p))

const row = (text: string): Locator => page.getByRole('row').filter({ hasText: text, visible: true }).first()
const dialog = (): Locator => page.getByRole('dialog').filter({ visible: true }).last()
const picker = (): Locator => page.locator('.tree-chooser')

const menuItem = (name: string): Locator =>
  page.getByRole('menuitem', { name, exact: true }).filter({ visible: true }).first()

/** Picks in a drop-down of several inside a dialog, which stays open until it is left. */
async function chooseOption(name: string, option: string): Promise<void> {
  await dialog().locator(`[data-field="${name}"] .ant-select`).click()
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: option })
    .first()
    .click()
  await dialog().locator('.ant-modal-title').click()
  await expect(page.locator('.ant-select-dropdown:visible')).toHaveCount(0)
}

async function clickAction(scope: string, name: string): Promise<void> {
  const direct = row(scope).getByRole('button', { name, exact: true })
  if (await direct.count()) return direct.first().click()
  await row(scope).getByRole('button', { name: /更多/ }).click()
  await menuItem(name).click()
}

test('a department and its people: chosen from the tree, by pinyin, led, moved, tagged, gone', async () => {
  await openScreen(page, '/internal/personnel/addresslist')
  await button(page, /新增部门/).click()
  await field(page, 'name').fill(department)
  await dialog().getByRole('button', { name: '新增部门', exact: true }).click()
  await expect(toastOf(page, `已新增部门「${department}」`)).toBeVisible()

  await page.locator('.department-tree').getByRole('button', { name: department, exact: true }).click()
  await expect(visibleText(page, '暂无在职的员工')).toBeVisible()
  await button(page, /新增员工/).click()
  // The department that was chosen is in the form already.
  await expect(page.locator('[data-field="departmentId"]').filter({ visible: true })).toContainText(
    department,
  )
  await button(page, '新增员工').click()
  await expect(visibleText(page, '姓名不能为空')).toBeVisible()
  await field(page, 'name').fill('欧阳晓岚')
  await field(page, 'mobile').fill(phone(1))
  await field(page, 'position').fill('项目经理')
  await button(page, '新增员工').click()
  await expect(toastOf(page, '已新增员工「欧阳晓岚」')).toBeVisible()

  // Its leader is one person, found by the initials; a second takes the place of the first (0§4).
  await openScreen(page, '/internal/personnel/addresslist')
  await page.getByRole('button', { name: `${department}的操作` }).click()
  await menuItem('编辑部门').click()
  await page.getByRole('button', { name: '选择负责人' }).click()
  await picker()
    .getByPlaceholder(/支持拼音首字母/)
    .fill('oyxl')
  await picker().getByLabel('欧阳晓岚', { exact: true }).check()
  await expect(picker().getByText('已选 1 人').first()).toBeVisible()
  await picker()
    .getByPlaceholder(/支持拼音首字母/)
    .fill('电工')
  await picker().getByRole('radio').first().check()
  await expect(picker().locator('.tree-chosen li')).toHaveCount(1)
  await picker()
    .getByPlaceholder(/支持拼音首字母/)
    .fill(phone(1).slice(-6))
  await picker().getByLabel('欧阳晓岚', { exact: true }).check()
  await picker().getByRole('button', { name: '确定', exact: true }).click()
  await expect(page.locator('[data-field="leaderId"]').filter({ visible: true })).toContainText('欧阳晓岚')
  await dialog().getByRole('button', { name: '保存', exact: true }).click()
  await expect(toastOf(page, '已保存部门')).toBeVisible()
})

test('several people are chosen from the tree at once: a branch selects its people, one sibling is open, members are not offered again', async () => {
  await page.getByRole('button', { name: `${department}的操作` }).click()
  await menuItem('调入员工').click()
  await expect(page.getByRole('dialog', { name: `调入「${department}」` })).toBeVisible()
  await picker().getByRole('button', { name: '展开职能部门', exact: true }).click()
  await picker().getByRole('button', { name: '展开财务部', exact: true }).click()
  const finance = picker().getByLabel('选择财务部的全部')
  await finance.check()
  const many = await picker().locator('.tree-chosen li').count()
  expect(many).toBeGreaterThan(2)
  await picker().locator('.tree-chosen li').first().getByRole('button').click()
  await expect(finance).toHaveAttribute('aria-checked', 'mixed')
  await expect(
    picker()
      .getByText(`已选 ${many - 1} 人`)
      .first(),
  ).toBeVisible()
  await picker().getByRole('button', { name: '展开物业服务中心', exact: true }).click()
  await expect(picker().getByRole('button', { name: '展开职能部门', exact: true })).toBeVisible()
  await picker().getByRole('button', { name: '清空', exact: true }).click()
  await picker()
    .getByPlaceholder(/支持拼音首字母/)
    .fill('oyxl')
  await expect(picker().getByLabel('欧阳晓岚', { exact: true })).toBeDisabled()
  await picker().getByRole('button', { name: '取消', exact: true }).click()
  await expect(picker()).toHaveCount(0)
})

test('a tagged staff member leaves: pickers no longer offer the name, the department has no head', async () => {
  await page.locator('.department-tree').getByRole('button', { name: department, exact: true }).click()
  await clickAction('欧阳晓岚', '添加标签')
  await chooseOption('tags', '骨干')
  await dialog().getByRole('button', { name: '添加标签', exact: true }).click()
  await expect(toastOf(page, '成功 1')).toBeVisible()
  await expect(row('欧阳晓岚')).toContainText('骨干')
  await clickAction('欧阳晓岚', '离职')
  await dialog().getByRole('button', { name: '办理离职', exact: true }).click()
  await expect(visibleText(page, '原因不能为空')).toBeVisible()
  await field(page, 'reason').fill('合同到期不续签')
  await dialog().getByRole('button', { name: '办理离职', exact: true }).click()
  await expect(toastOf(page, '成功 1')).toBeVisible()
  await page
    .getByRole('tab', { name: /已离职/ })
    .filter({ visible: true })
    .click()
  await expect(row('欧阳晓岚')).toContainText('离职')
  await page.getByRole('button', { name: `${department}的操作` }).click()
  await menuItem('编辑部门').click()
  await expect(page.locator('[data-field="leaderId"]').filter({ visible: true })).not.toContainText(
    '欧阳晓岚',
  )
  await dialog().getByRole('button', { name: '取消', exact: true }).click()
})

test('an estate with two offices is there', async () => {
  await createEstate(page, estate, `YFL${stamp}`, { floors: 1, perFloor: 2, of: 6 })
})

async function pickRooms(): Promise<void> {
  await button(page, '选择房间').click()
  await page.getByPlaceholder('请输入房间号').fill('1-1-10')
  for (const no of ['101', '102']) {
    await page.locator('.slide-in').getByLabel(`${estate}-1 栋-1-${no}`, { exact: true }).check()
  }
  await page.locator('.slide-in').getByRole('button', { name: '保存' }).click()
}

test('a company takes two rooms; another one is refused because they are occupied (BASE-16)', async () => {
  await openScreen(page, '/customer/companyManage/add')
  await field(page, 'name').fill(companyName)
  await field(page, 'creditCode').fill('91110108551385082R')
  await pickRooms()
  await expect(visibleText(page, '1-1-102')).toBeVisible()
  await button(page, '新增企业').click()
  await expect(visibleText(page, '统一社会信用代码校验位不正确，请核对')).toBeVisible()
  await field(page, 'creditCode').fill('')
  await button(page, '新增企业').click()
  await expect(toastOf(page, `已新增企业「${companyName}」`)).toBeVisible()
  await openScreen(page, '/customer/companyManage/add')
  await field(page, 'name').fill(`${companyName}二`)
  await pickRooms()
  await expect(visibleText(page, new RegExp(`属于「${companyName}」`))).toBeVisible()
  await button(page, '新增企业').click()
  await expect(visibleText(page, /请调整起止日期/)).toBeVisible()
  await button(page, '取消').click()
  await button(page, '放弃').click()
})

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAD0lEQVR4nGPYggMwDC0JAL/UhwEpk4LMAAAAAElFTkSuQmCC',
  'base64',
)

test('a worker joins by the address of the QR code, without an account', async ({ browser }) => {
  await openScreen(page, '/customer/companyManage')
  await clickAction(companyName, '二维码')
  const address = defined(await page.getByLabel('加入地址').textContent())
  expect(address).toContain('/join?code=')
  await dialog()
    .getByRole('button', { name: 'Close' })
    .or(dialog().locator('.ant-modal-close'))
    .first()
    .click()

  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const phonePage = await context.newPage()
  const complaints = collectConsoleErrors(phonePage)
  await phonePage.goto('/join?code=00000000000000000000000000000000')
  await expect(phonePage.getByRole('alert')).toHaveText('邀请码已失效，请向企业管理员重新索取')
  await phonePage.goto(address)
  await expect(phonePage.getByRole('heading', { name: `加入「${companyName}」` })).toBeVisible()
  await expect(phonePage.getByText(estate)).toBeVisible()
  await phonePage.getByRole('button', { name: '提交申请' }).click()
  await expect(phonePage.getByText('请上传本人照片')).toBeVisible()
  await phonePage.getByLabel('姓名').fill('林小满')
  await phonePage.getByLabel('职位').fill('设计师')
  await phonePage
    .locator('input[type=file]')
    .setInputFiles({ name: '脸.png', mimeType: 'image/png', buffer: png })
  await expect(phonePage.getByRole('button', { name: '更换照片' })).toBeVisible()
  await phonePage.getByLabel('手机号').fill(workerPhone)
  await solveCaptcha(phonePage)
  await phonePage.getByRole('button', { name: '获取验证码' }).click()
  await expect(phonePage.getByText(`已发送到 ${workerPhone}`)).toBeVisible()
  await setSmsCode(workerPhone, '50', 'join')
  await phonePage.getByLabel('短信验证码').fill('135790')
  await phonePage.getByRole('button', { name: '提交申请' }).click()
  await expect(phonePage.getByText('短信验证码不正确，还可再试 4 次')).toBeVisible()
  await phonePage.getByLabel('短信验证码').fill('246810')
  await phonePage.getByRole('button', { name: '提交申请' }).click()
  await expect(phonePage.getByText(`申请已提交，「${companyName}」的管理人员审核通过后生效`)).toBeVisible()
  await context.close()
  expect(complaints).toEqual([])
})

test('the worker is approved by the face photo and made the administrator', async () => {
  await openScreen(page, '/customer/companyManage/workers?state=pending&view=pending')
  await expect(row('林小满')).toContainText(companyName)
  await clickAction('林小满', '通过')
  // The face itself has come, not only its frame.
  const face = dialog().getByRole('button', { name: '放大第 1 张图片' }).locator('img')
  await expect.poll(() => face.evaluate(i => i.naturalWidth)).toBeGreaterThan(1)
  await dialog().getByRole('button', { name: '通过', exact: true }).click()
  await expect(toastOf(page, '成功 1')).toBeVisible()
  await openScreen(page, '/customer/companyManage')
  await clickAction(companyName, '查看详情')
  await page.getByRole('tab', { name: '员工', exact: true }).filter({ visible: true }).click()
  await expect(row('林小满')).toContainText('在职')
  await button(page, '设置管理员').click()
  await chooseOption('ids', '林小满')
  await dialog().getByRole('button', { name: '设置管理员', exact: true }).click()
  await expect(toastOf(page, '已设置管理员')).toBeVisible()
  await expect(row('林小满')).toContainText('管理员')
})

test('the company moves out in three steps; its rooms are vacant, the history shows it', async () => {
  await button(page, '迁出').click()
  await button(page, '下一步').click()
  await expect(visibleText(page, '原因不能为空')).toBeVisible()
  await field(page, 'reason').fill('搬到新区办公')
  await button(page, '下一步').click()
  await expect(page.getByRole('region', { name: '1-1-101' })).toContainText('空置')
  await button(page, '更改').click()
  await expect(field(page, 'reason')).toHaveValue('搬到新区办公')
  await button(page, '下一步').click()
  await button(page, '迁出（2 个房间，1 名员工）').click()
  await expect(visibleText(page, /2 个房间已退还，1 名员工已离职/)).toBeVisible()
  await button(page, '查看企业').click()
  await expect(visibleText(page, '已迁出')).toBeVisible()
  await page.getByRole('tab', { name: '房间', exact: true }).filter({ visible: true }).click()
  await expect(row('1-1-101')).toBeVisible()
  await page.getByRole('tab', { name: '变更', exact: true }).filter({ visible: true }).click()
  await expect(visibleText(page, /搬到新区办公/)).toBeVisible()
  await openScreen(page, '/service/data/roommange')
  await expect(row('101')).toContainText('空置')
  await expect(row('102')).toContainText('空置')
})

test('a merchant is added with its shop and its head, and found by initials', async () => {
  await openScreen(page, '/customer/merchantlist/addmerchant')
  await field(page, 'name').fill(`拾味面馆${stamp}`)
  await button(page, '选择商铺').click()
  await page.getByPlaceholder('请输入房间号').fill('1-1-102')
  await page.locator('.slide-in').getByLabel(`${estate}-1 栋-1-102`, { exact: true }).check()
  await page.locator('.slide-in').getByRole('button', { name: '保存' }).click()
  await field(page, 'creditLimit').fill('5000')
  await button(page, '新增商户').click()
  await expect(toastOf(page, '已新增商户')).toBeVisible()
  await page.getByRole('tab', { name: '员工', exact: true }).filter({ visible: true }).click()
  await button(page, /新增商户员工/).click()
  await dialog().locator('[data-field="name"] input').fill('王师傅')
  await dialog().getByText('店长').click()
  await dialog().getByRole('button', { name: '新增商户员工', exact: true }).click()
  await expect(row('王师傅')).toContainText('店长')
  await openScreen(page, '/customer/merchantlist?keyword=swmg')
  await expect(row(`拾味面馆${stamp}`)).toContainText('5,000.00')
})
