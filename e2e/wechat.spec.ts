import { expect, test, type Page } from '@playwright/test'
import { defined } from '#kit/domain/defined.ts'
import { wechatAccounts } from '#modules/wechat/contract/account.ts'
import { getWechatMenu } from '#modules/wechat/contract/menu.ts'
import { findSeriousFaults } from './axe.ts'
import {
  button,
  callOn,
  clickRowAction,
  defineJourney,
  field,
  rowOf,
  toastOf,
  openScreen,
} from './page-actions.ts'

/** Unique: a retried journey finds the records of its first try. */
const mark = String(10_000 + (Date.now() % 90_000))
const mpName = `公众号${mark}`
const keyword = `停水${mark}`
const answer = `明天九点停水，编号 ${mark}`
let page: Page

defineJourney(opened => (page = opened))

const findAccount = async () =>
  defined((await callOn(page, wechatAccounts.list, { keyword: mpName })).rows[0])

test('an account of the simulator is added and tested (WX-1)', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await openScreen(page, '/setting/baseSetting/oalist')
  await button(page, '新增公众号').click()
  await field(page, 'mpName').fill(mpName)
  await page.getByRole('switch', { name: '模拟公众号' }).click()
  await field(page, 'appId').fill(`wx${mark.padStart(16, '0')}`)
  await button(page, '新增公众号').click()
  await openScreen(page, '/setting/baseSetting/oalist')
  await expect(rowOf(page, mpName)).toBeVisible()
  await clickRowAction(page, mpName, '测试连接')
  await expect(toastOf(page, '连接正常')).toBeVisible()
  await expect(rowOf(page, mpName)).toContainText('已授权')
  expect(await findSeriousFaults(page)).toEqual([])
})

test('a keyword reply is tried in the simulated WeChat (WX-1)', async ({ browser }) => {
  const account = await findAccount()
  await openScreen(page, `/setting/baseSetting/oalist/answer?id=${account.id}`)
  await button(page, '新增自动回复').click()
  await field(page, 'ruleName').fill('停水')
  const words = field(page, 'keywords')
  await words.fill(keyword)
  await words.press('Enter')
  await field(page, 'replyContent').fill(answer)
  await button(page.getByRole('dialog'), '新增自动回复').click()
  await expect(rowOf(page, keyword)).toBeVisible()
  const phone = await browser.newPage({ viewport: { width: 360, height: 740 } })
  await phone.goto(defined(account.simulatorUrl))
  await phone.getByRole('button', { name: '关注' }).click()
  await phone.getByLabel('消息').fill(` ${keyword} `)
  await phone.getByRole('button', { name: '发送' }).click()
  await expect(phone.getByRole('main')).toContainText(answer)
  await phone.close()
})

test('a menu is made, published and tapped in the simulated WeChat (WX-1)', async ({ browser }) => {
  const account = await findAccount()
  await openScreen(page, `/setting/baseSetting/oalist/custommenu?id=${account.id}`)
  await page.getByRole('button', { name: '添加菜单' }).click()
  await page.getByRole('textbox', { name: '名称' }).fill('一二三四五')
  await expect(page.getByRole('alert')).toContainText('菜单名称不超过 4 个汉字')
  await page.getByRole('textbox', { name: '名称' }).fill('停水查询')
  await page.getByRole('combobox', { name: '动作' }).click()
  await page.locator('.ant-select-item-option').getByText('回复关键词').click()
  await page.getByRole('textbox', { name: '关键词' }).fill(keyword)
  await button(page, '保存').click()
  await expect(toastOf(page, '已保存')).toBeVisible()
  await button(page, '发布').click()
  await button(page.getByRole('dialog'), '发布').click()
  await expect(toastOf(page, '已发布菜单')).toBeVisible()
  expect((await callOn(page, getWechatMenu, { accountId: account.id })).isPublished).toBe(true)
  const phone = await browser.newPage({ viewport: { width: 360, height: 740 } })
  await phone.goto(defined(account.simulatorUrl))
  await phone
    .getByRole('navigation', { name: '公众号菜单' })
    .getByRole('button', { name: '停水查询' })
    .click()
  await expect(phone.getByRole('main')).toContainText('点击菜单')
  await expect(phone.getByRole('main')).toContainText(answer)
  await phone.close()
})
