import { expect, test, type Page } from '@playwright/test'
import { listHomeLinks } from '#modules/resident-page/contract/codes.ts'
import { listResidencies } from '#modules/residents/contract/residency.ts'
import { findSeriousFaults } from './axe.ts'
import {
  button,
  callOn,
  chooseProject,
  clickRowAction,
  defineJourney,
  field,
  rowOf,
  selectOption,
  toastOf,
  visibleText,
} from './page-actions.ts'

const projectCode = 'JXHY0001'
/** Unique: a retried journey finds the records of its first try. */
const title = `停水通知${String(Date.now() % 1_000_000).padStart(6, '0')}`
let page: Page
let phone: Page

defineJourney(opened => (page = opened))

test.afterAll(() => phone?.close())

/** The page of a resident of the first building, by their own link. */
async function openPhone(open: () => Promise<Page>): Promise<Page> {
  const input = { projectCode, status: ['living' as const], buildCode: ['JX01'], size: 60 }
  const { rows } = await callOn(page, listResidencies, input)
  for (const { userId } of rows) {
    const [link, ...others] = await callOn(page, listHomeLinks, { userId })
    if (others.length || link?.url === undefined) continue
    const opened = await open()
    await opened.goto(link.url)
    return opened
  }
  throw new Error('no resident of the first building has one home')
}

async function chooseBuildings(...names: readonly string[]): Promise<void> {
  const select = page.locator('[data-field="scopeJson"] .ant-select').first()
  await select.click()
  for (const name of names) {
    await page
      .locator('.ant-select-dropdown:visible .ant-select-item-option')
      .filter({ hasText: `锦绣花园 ${name}` })
      .first()
      .click()
  }
  await page.keyboard.press('Escape')
}

test('an outage is announced to two buildings by page, WeChat and SMS, after its cost is seen (NOT-1)', async () => {
  await page.goto('/notice/publicadmin')
  await chooseProject(page, '锦绣花园')
  await button(page, '新增公告').click()
  await field(page, 'title').fill(title)
  await selectOption(page, 'noticeType', '停水停电')
  await page.locator('[data-field="needConfirm"]').getByRole('switch').click()
  await selectOption(page, 'scopeType', '楼栋')
  await chooseBuildings('1 栋', '2 栋')
  for (const channel of ['微信', '短信']) {
    await page.locator('[data-field="channels"]').getByText(channel, { exact: true }).click()
  }
  await field(page, 'smsText').fill('{name}：明日 9 点停水，请储水。')
  const editor = page.getByRole('textbox', { name: '正文' })
  await editor.click()
  await page.keyboard.type('明日 9 点至 17 点停水，请提前储水。')
  await button(page, '统计接收人').click()
  await expect(visibleText(page, /预计 \d+ 条短信/)).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])
  await page.locator('.form-page:visible footer').getByRole('button', { name: '新增公告' }).click()
  await expect(toastOf(page, '已保存草稿')).toBeVisible()
  await page.goto('/notice/publicadmin')
  await clickRowAction(page, title, '发布')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/本次使用短信 \d+ 条/)).toBeVisible()
  await expect(dialog.getByText(/：明日 9 点停水，请储水。/).first()).toBeVisible()
  await dialog.getByRole('button', { name: '发布', exact: true }).click()
  await expect(toastOf(page, `已发布「${title}」`)).toBeVisible()
  await expect(rowOf(page, title)).toContainText('已发布')
})

test('a resident reads and confirms it on a phone, and the others are reminded by SMS', async ({
  browser,
}) => {
  phone = await openPhone(() => browser.newPage({ viewport: { width: 360, height: 740 } }))
  await phone.getByRole('link', { name: /公告/ }).first().click()
  await phone
    .getByRole('link', { name: new RegExp(title) })
    .first()
    .click()
  await expect(phone.getByRole('heading', { name: title })).toBeVisible()
  await expect(phone.getByText('请提前储水。')).toBeVisible()
  expect(await findSeriousFaults(phone)).toEqual([])
  await button(phone, '我已知晓').click()
  await expect(phone.getByText(/已于 .* 确认/)).toBeVisible()
  await page.reload()
  await clickRowAction(page, title, '提醒未读')
  await page.getByRole('dialog').getByRole('button', { name: '发送提醒' }).click()
  await expect(toastOf(page, /已提醒 \d+ 人/)).toBeVisible()
  // Those who are left have no number: another reminder reaches nobody.
  await clickRowAction(page, title, '提醒未读')
  const again = page.getByRole('dialog')
  await expect(again.getByText('无可送达的住户，不能发送')).toBeVisible()
  await expect(again.getByRole('button', { name: '发送提醒' })).toBeDisabled()
  await again.getByRole('button', { name: '取消' }).click()
  await rowOf(page, title).getByText(title).click()
  await page.getByRole('tab', { name: '阅读情况' }).click()
  await visibleText(page, /^更多 1$/).click()
  await page.getByText('已确认', { exact: false }).locator('visible=true').last().click()
  await expect(page.locator('.detail-drawer').getByText('已确认').first()).toBeVisible()
})

test('a lobby turns it, and goes on without a network', async ({ browser }) => {
  await page.goto('/notice/publicadmin')
  await page.getByRole('tab', { name: '信息屏' }).click()
  await clickRowAction(page, '大堂信息屏', '链接')
  const address = await page
    .locator('.link-cards')
    .getByText(/\/notice\/screen\?t=/)
    .first()
    .textContent()
  const screen = await browser.newPage({ viewport: { width: 1280, height: 720 } })
  await screen.goto(address ?? '')
  await expect(screen.getByRole('heading', { name: '水箱清洗停水通知' })).toBeVisible()
  expect(await findSeriousFaults(screen)).toEqual([])
  await screen.context().setOffline(true)
  await expect(screen.getByText(/网络中断，内容更新于/)).toBeVisible()
  await screen.close()
})
