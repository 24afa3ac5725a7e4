import { expect, test, type Page } from '@playwright/test'
import { defined } from '#kit/domain/defined.ts'
import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import { listResidencies } from '#modules/residents/contract/residency.ts'
import { getInvitation, invitations, listHostLinks } from '#modules/visitors/contract/invitations.ts'
import { inviteRules } from '#modules/visitors/contract/rule.ts'
import { findSeriousFaults } from './axe.ts'
import {
  button,
  callOn,
  clickRowAction,
  defineJourney,
  rowOf,
  toastOf,
  visibleText,
  openScreen,
} from './page-actions.ts'

const projectCode = 'JXHY0001'
/** Unique names: a retried journey finds the records of its first try. */
const mark = String(Date.now() % 1_000_000).padStart(6, '0')
const visitorName = `访客${mark}`
const ruleName = `看房${mark}`
let page: Page
let hostUrl = ''
let guestUrl = ''
let ruleId = 0

defineJourney(p => (page = p))

const localInput = (ms: number): string => fromInstant(ms).slice(0, 16).replace(' ', 'T')

test('the property says who may invite, and that it decides (1§2)', async () => {
  await openScreen(page, '/doorvisitors/invistssetting')
  await expect(rowOf(page, '住户邀请')).toBeVisible()
  const rule = await callOn(page, inviteRules.add, {
    projectCode,
    ruleName,
    hostTypes: ['resident'],
    visitorKinds: ['viewing'],
    advanceDays: 7,
    maxHours: 24,
    maxTimes: 1,
    maxPersons: 5,
    needsCert: true,
    needsFace: false,
    allowsCar: true,
    checkType: 'property',
    questions: [{ label: '看房渠道', kind: 'choice', options: ['中介', '自看'], isRequired: true }],
    state: 'on',
  })
  ruleId = rule.id
  expect(await findSeriousFaults(page)).toEqual([])
})

test('a resident gets a link of their own', async () => {
  const { rows } = await callOn(page, listResidencies, { projectCode, status: ['living'], size: 1 })
  const { userId, userName = '' } = defined(rows[0])
  await openScreen(page, '/doorvisitors/invitrecode')
  await button(page, '邀访链接').click()
  const dialog = page.getByRole('dialog', { name: '邀访链接' })
  await dialog.getByRole('combobox').fill(userName)
  await page
    .locator('.ant-select-item-option')
    .filter({ visible: true })
    .filter({ hasText: userName })
    .first()
    .click()
  await expect(dialog.getByRole('status', { name: /邀访链接/ }).first()).toContainText('/visit/host?t=')
  expect(await findSeriousFaults(page)).toEqual([])
  const [link] = await callOn(page, listHostLinks, { projectCode, userId })
  hostUrl = defined(defined(link).url)
})

test('the resident invites on the phone', async ({ browser }) => {
  const phone = await browser.newPage({ viewport: { width: 360, height: 740 } })
  await phone.goto(hostUrl)
  await button(phone, '邀请访客').click()
  await button(phone, '看房').click()
  await button(phone, '提交邀请').click()
  await expect(phone.getByText('请填写访客姓名')).toBeVisible()
  await phone.getByLabel('访客姓名').fill(visitorName)
  await phone.getByLabel('访客手机号').fill(`138${mark}11`)
  await phone.getByLabel('来访开始').fill(localInput(Date.now()))
  await phone.getByLabel('来访结束').fill(localInput(Date.now() + 2 * 3_600_000))
  await phone.getByLabel('看房渠道').selectOption('自看')
  expect(await findSeriousFaults(phone)).toEqual([])
  await button(phone, '提交邀请').click()
  const card = phone.getByRole('article', { name: `邀请 ${visitorName}` })
  await expect(card).toContainText('等待物业审核')
  await phone.close()
})

test('the property lets the visit pass (1§2)', async () => {
  await openScreen(page, '/informationapproval')
  await expect(rowOf(page, visitorName)).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])
  await clickRowAction(page, visitorName, '通过')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^通\s?过$/ })
    .click()
  await expect(toastOf(page, '已通过')).toBeVisible()
  await openScreen(page, '/doorvisitors/invitrecode')
  await rowOf(page, visitorName).getByText(visitorName).click()
  await expect(visibleText(page, '自看')).toBeVisible()
})

test("the visitor's page asks for the document, then shows the code", async ({ browser }) => {
  const phone = await browser.newPage({ viewport: { width: 360, height: 740 } })
  await phone.goto(hostUrl)
  const card = phone.getByRole('article', { name: `邀请 ${visitorName}` })
  await expect(card).toContainText('已通过')
  const { rows } = await callOn(page, invitations.list, { projectCode, keyword: visitorName })
  const { id } = defined(rows[0])
  await openScreen(page, `/doorvisitors/invitrecode/viewvisitorsrecode?id=${id}`)
  await expect(button(page, '复制链接')).toBeVisible()
  const { visitors } = await callOn(page, getInvitation, { id })
  guestUrl = defined(visitors[0]?.url)
  await phone.goto(guestUrl)
  await expect(phone.getByText('请先填写证件，之后显示邀请码')).toBeVisible()
  await phone.getByLabel('证件类型').selectOption({ label: '护照' })
  await phone.getByLabel('证件号').fill(`E${mark}12`)
  await button(phone, '保存资料').click()
  await expect(phone.getByLabel('邀请码', { exact: true })).toContainText(/\d{4} \d{4}/)
  expect(await findSeriousFaults(phone)).toEqual([])
  await phone.close()
})

test('the resident extends the visit, and the property ends it', async ({ browser }) => {
  const phone = await browser.newPage({ viewport: { width: 360, height: 740 } })
  await phone.goto(hostUrl)
  const card = phone.getByRole('article', { name: `邀请 ${visitorName}` })
  await card.getByRole('button', { name: '延长' }).click()
  await card.getByLabel(/延长至/).fill(localInput(Date.now() + 4 * 3_600_000))
  await card.getByRole('button', { name: '延长', exact: true }).click()
  const later = addMinutes(fromInstant(Date.now()), 230).slice(11, 13)
  await expect(card).toContainText(
    new RegExp(`(${later}|${String((Number(later) + 1) % 24).padStart(2, '0')}):`),
  )
  await phone.close()
  await openScreen(page, '/doorvisitors/invitrecode')
  await clickRowAction(page, visitorName, '取消邀访')
  const dialog = page.getByRole('dialog').filter({ hasText: '取消邀访' })
  await dialog.getByText('行程取消').click()
  await dialog.getByRole('button', { name: /取消邀访/ }).click()
  await expect(rowOf(page, visitorName)).toContainText('已取消')
  const { rows } = await callOn(page, inviteRules.list, { projectCode, keyword: ruleName })
  await callOn(page, inviteRules.edit, { ...defined(rows.find(row => row.id === ruleId)), state: 'off' })
})
