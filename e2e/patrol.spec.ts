import { readFile } from 'node:fs/promises'
import { expect, test, type Browser, type Page } from '@playwright/test'
import type { Call } from '#kit/contract/call.ts'
import { envelopeOf } from '#kit/contract/fixtures.ts'
import { decodeResponse, encodeRequest } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import { addMinutes, dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { monthOf } from '#kit/domain/month.ts'
import { changePassword } from '#modules/accounts/contract/account.ts'
import { saveDataDomain } from '#modules/accounts/contract/data-domain.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { addManager } from '#modules/accounts/contract/manager.ts'
import { listRoles } from '#modules/accounts/contract/role.ts'
import { patrolPlans } from '#modules/patrol/contract/plan.ts'
import { listPatrolTasks } from '#modules/patrol/contract/task.ts'
import { staffs } from '#modules/staff/contract/staff.ts'
import { findSeriousFaults } from './axe.ts'
import { photoOfCode, readLabelCodes } from './qr-sheets.ts'
import {
  button,
  callOn,
  defineJourney,
  field,
  rowOf,
  selectOption,
  signIn,
  toastOf,
  visibleText,
  openScreen,
} from './page-actions.ts'
import { reopen, waitUntilKept } from './planned-work.ts'

const projectCode = 'JXHY0001'
/** Unique names: a retried journey finds the records of its first try. */
const mark = String(Date.now() % 1_000_000)
const areaName = `车库${mark}`
const pointNames = ['坡道口', '风机房', '充电区', '卸货区', '出口岗'].map(name => `${name}${mark}`)
const roadName = `路线${mark}`
const planName = `巡更${mark}`
const personName = `巡更员${mark}`
const account = `walker${mark}`
let page: Page
let phone: Page
let codes: string[] = []

defineJourney(p => (page = p))

test.afterAll(() => phone?.context().close())

const call = <I, O>(declared: Call<I, O>, input: NoInfer<I>): Promise<O> => callOn(page, declared, input)

/** Adds a guard with an account; without a roster, the guard is on duty every day. */
async function addGuard(browser: Browser): Promise<void> {
  const role = defined((await call(listRoles, { size: 100 })).rows.find(each => each.roleName === '秩序维护'))
  const manager = await call(addManager, {
    loginCode: account,
    realName: personName,
    managerType: 'ordinary',
    roleIds: [String(role.id)],
    showPrivacy: false,
    password: 'First2026',
  })
  await call(saveDataDomain, { managerId: manager.id, allProject: true })
  await call(staffs.add, {
    name: personName,
    managerId: manager.id,
    gender: 'unknown',
    isTicketSeller: false,
    state: 'active',
  })
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
  phone = await context.newPage()
  const response = await phone.request.post('/api/Manager/Login', {
    data: { Logincode: account, Password: 'First2026' },
  })
  const { token } = decodeResponse(login, envelopeOf(await response.json()))
  const changed = encodeRequest(changePassword, { oldPassword: 'First2026', password: 'Anju2026' }, {})
  await phone.request.post(`/api/${changed.path}`, {
    headers: { token, 'content-type': 'application/x-www-form-urlencoded' },
    data: changed.body ?? '',
  })
}

/** Picks an option of a drop-down of one value; it closes by itself. */
async function choose(name: string, option: string): Promise<void> {
  await page.locator(`[data-field="${name}"] .ant-select`).filter({ visible: true }).first().click()
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: option })
    .first()
    .click()
}

/** Shows a label to the camera of the phone. */
async function scan(code: string): Promise<void> {
  await button(phone, '扫码签到').click()
  await phone.getByLabel('二维码照片').setInputFiles({
    name: 'label.png',
    mimeType: 'image/png',
    buffer: await photoOfCode(code),
  })
}

test('points are added, and a road leads through five of them', async ({ browser }) => {
  await addGuard(browser)
  await openScreen(page, '/watchlist/watcharea')
  await button(page, '新增巡更区域').click()
  await field(page, 'areaName').fill(areaName)
  await field(page, 'sort').fill('9')
  await page.getByRole('dialog').getByRole('button', { name: /新增/ }).click()
  await expect(toastOf(page, areaName)).toBeVisible()
  await openScreen(page, '/watchlist/watchpoint')
  for (const name of pointNames) {
    await button(page, '新增巡更点位').click()
    await field(page, 'pointName').fill(name)
    await choose('areaId', areaName)
    await page.getByRole('dialog').getByRole('button', { name: '新增巡更点位' }).click()
    await expect(rowOf(page, name)).toBeVisible()
  }
  expect(await findSeriousFaults(page)).toEqual([])
  await openScreen(page, '/watchlist/watchroad/addroad')
  await field(page, 'roadName').fill(roadName)
  await choose('orderTypeId', '公共设施维修')
  for (const [i, name] of pointNames.entries()) {
    await button(page, '添加一行').click()
    const row = page.locator('.lines tbody tr').filter({ visible: true }).nth(i)
    await row.getByRole('combobox', { name: '点位' }).click()
    await page
      .locator('.ant-select-dropdown:visible .ant-select-item-option')
      .filter({ hasText: name })
      .click()
    // The first point was due at once, so that it is late; the last is due at the end.
    await row.getByLabel('到达间隔').fill(['0', '20', '0', '5', '5'][i] ?? '')
  }
  await expect(page.getByRole('list', { name: '路线示意' })).toContainText('第 30 分钟')
  expect(await findSeriousFaults(page)).toEqual([])
  await button(page, '保存').click()
  await expect(rowOf(page, roadName)).toContainText('30')
})

test('their labels are printed, and each says a code of its own', async () => {
  await openScreen(page, '/watchlist/watchpoint')
  await page.getByRole('searchbox').or(page.getByPlaceholder(/NFC/)).first().fill('')
  for (const name of pointNames) {
    await rowOf(page, name).getByRole('checkbox').check()
  }
  const printed = page.waitForEvent('download')
  await button(page, '打印二维码').click()
  codes = readLabelCodes(await readFile(await (await printed).path()))
  expect(codes).toHaveLength(5)
  expect(new Set(codes).size).toBe(5)
  expect(codes[0]).toContain('/watchlist/walk?code=')
})

test('a plan is previewed and saved; its round is on the phone', async () => {
  await openScreen(page, '/watchlist/watchplan/form')
  await field(page, 'planName').fill(planName)
  await choose('subjectId', roadName)
  const now = fromInstant(Date.now())
  const times = page.locator('.lines tbody tr').filter({ visible: true }).first()
  await times.getByLabel('开始').fill(addMinutes(now, -20).slice(11, 16))
  await times.getByLabel('结束').fill(addMinutes(now, 40).slice(11, 16))
  await selectOption(page, 'staffIds', personName)
  await expect(visibleText(page, /今后 14 天 \d+ 个任务/)).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])
  await button(page, '保存').click()
  await expect(rowOf(page, planName)).toContainText('启用')
  await signIn(phone, account)
  await phone.goto('/watchlist/walk')
  await expect(button(phone, new RegExp(planName))).toContainText('0 / 5')
  expect(await findSeriousFaults(phone)).toEqual([])
})

test('the guard walks it: one late, two on time, one of them without a network, one with a finding', async () => {
  await button(phone, new RegExp(planName)).click()
  await scan(defined(codes[0]))
  await expect(button(phone, /坡道口/)).toContainText('迟到')
  await scan(defined(codes[1]))
  await expect(button(phone, /风机房/)).toContainText('正常')
  await scan('https://anju.example/watchlist/walk?code=forged')
  await expect(phone.getByRole('alert')).toContainText('签到码无效')
  await button(phone, '知道了').click()
  await waitUntilKept(phone)
  await phone.context().setOffline(true)
  await scan(defined(codes[2]))
  await expect(button(phone, /充电区/)).toContainText('待上传')
  // The phone closed the page to free memory; it opens again without a network.
  phone = await reopen(phone, '/watchlist/walk')
  await expect(phone.getByText('1 次签到存在手机上')).toBeVisible()
  await button(phone, new RegExp(planName)).click()
  await expect(button(phone, /充电区/)).toContainText('待上传')
  await phone.context().setOffline(false)
  await expect(button(phone, /充电区/)).toContainText('正常', { timeout: 20_000 })
  await button(phone, /卸货区/).click()
  await phone.getByLabel('异常说明').fill('消防栓被货物遮挡')
  await button(phone, '扫码签到').click()
  await phone.getByLabel('二维码照片').setInputFiles({
    name: 'label.png',
    mimeType: 'image/png',
    buffer: await photoOfCode(defined(codes[3])),
  })
  await expect(phone.getByText('已扫码')).toBeVisible()
  expect(await findSeriousFaults(phone)).toEqual([])
  await button(phone, '提交签到').click()
  await expect(button(phone, /卸货区/)).toContainText('有异常')
  await button(phone, '结束巡更').click()
  await phone.getByRole('dialog').getByRole('button', { name: '结束巡更' }).click()
  await expect(button(phone, /出口岗/)).toContainText('漏检')
})

test('the office sees it late and missed, the finding as an order, and the month on paper', async () => {
  const plan = defined((await call(patrolPlans.list, { keyword: planName, size: 5 })).rows[0])
  const [task] = (await call(listPatrolTasks, { planId: [String(plan.id)], order: 'beginTime', size: 5 }))
    .rows
  expect(task).toMatchObject({ state: 'partial', stepDone: 4, lateCount: 1, missCount: 1, abnormalCount: 1 })
  await openScreen(page, `/watchlist/tasks/detail?id=${defined(task).id}`)
  await expect(visibleText(page, '消防栓被货物遮挡')).toBeVisible()
  await expect(visibleText(page, '未计入的签到 1')).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])
  await page.getByRole('link', { name: /^GD/ }).click()
  await expect(visibleText(page, `巡更异常：卸货区${mark}`)).toBeVisible()
  await openScreen(page, '/watchlist/rates?by=road')
  await expect(rowOf(page, roadName).or(page.getByRole('row', { name: new RegExp(roadName) }))).toContainText(
    '80.00%',
  )
  expect(await findSeriousFaults(page)).toEqual([])
  const month = monthOf(dayOfMoment(fromInstant(Date.now())))
  await openScreen(page, `/watchlist/rates/print?month=${month}&project=${projectCode}`)
  await expect(page.getByRole('heading', { name: '巡更月报' })).toBeVisible()
  await expect(page.getByRole('row', { name: new RegExp(roadName) })).toContainText('80.00%')
  await expect(page.getByRole('row', { name: new RegExp(personName) })).toContainText('20.00%')
})
