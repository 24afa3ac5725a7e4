import { expect, test, type Page } from '@playwright/test'
import { AgentProcess } from '#apps/agent/fixtures/agent-process.ts'
import { defined } from '#kit/domain/defined.ts'
import { addDays } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { asMoment, dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { devices, addDevice } from '#modules/devices/contract/device.ts'
import { deviceModels } from '#modules/devices/contract/device-model.ts'
import { addGateway, createPairingCode } from '#modules/devices/contract/gateway.ts'
import { sendRemoteTask } from '#modules/devices/contract/remote-task.ts'
import { elevators } from '#modules/elevators/contract/elevator.ts'
import { checkFloor, elevatorRights } from '#modules/elevators/contract/right.ts'
import { saveCard } from '#modules/residents/contract/card.ts'
import { listResidencies } from '#modules/residents/contract/residency.ts'
import { findSeriousFaults } from './axe.ts'
import {
  button,
  callOn,
  clickRowAction,
  defineJourney,
  field,
  rowOf,
  toastOf,
  visibleText,
} from './page-actions.ts'

const projectCode = 'JXHY0001'
/** Unique names: a retried journey finds the records of its first try. */
const mark = String(Date.now() % 1_000_000)
const liftName = `货梯${mark}`
const deviceName = `货梯梯控${mark}`
const cardNo = `L${mark}`
const today = dayOfMoment(fromInstant(Date.now()))
let page: Page
let agent: AgentProcess | undefined
let deviceId: Id = 0
let elevatorId: Id = 0

defineJourney(opened => (page = opened))

test.afterAll(() => agent?.kill())

const dialog = (title: string | RegExp) =>
  page.getByRole('dialog').filter({ hasText: title, visible: true }).last()

const band = () => page.getByRole('alert').filter({ hasText: '电梯困人报警' })

/** Picks an option of a drop-down of the dialog, which stays open. */
async function pickInDialog(name: string, option: string): Promise<void> {
  await page.locator(`[data-field="${name}"] .ant-select`).filter({ visible: true }).last().click()
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: option })
    .first()
    .click()
  const opened = page.getByRole('dialog').filter({ visible: true }).last()
  await opened.locator('.ant-modal-title, .ant-drawer-title').click()
  await expect(page.locator('.ant-select-dropdown:visible')).toHaveCount(0)
}

/** What the simulated controller does by itself. */
const onSite = (action: string, data: object) =>
  callOn(page, sendRemoteTask, {
    deviceIds: [String(deviceId)],
    cmdType: 'device',
    cmdData: JSON.stringify({ action, data }),
  })

test('a lift is added, and a controller of the site bound to it (2§2)', async () => {
  const gateway = await callOn(page, addGateway, { projectCode, name: `电梯机房${mark}` })
  const { code } = await callOn(page, createPairingCode, { id: gateway.id })
  const { rows } = await callOn(page, deviceModels.list, { keyword: '梯控控制器', size: 1 })
  const device = await callOn(page, addDevice, {
    projectCode,
    name: deviceName,
    gatewayId: gateway.id,
    modelId: defined(rows[0]).id,
    state: 'normal',
  })
  deviceId = device.id
  agent = new AgentProcess().start('--server', new URL(page.url()).origin, '--code', code)
  await page.goto('/intelligence/laddercontrolmanagement/elevatorManage/elevatorAdd')
  await field(page, 'name').fill(liftName)
  await field(page, 'floors').fill('-1,1~18')
  expect(await findSeriousFaults(page)).toEqual([])
  await button(page, '新增电梯').click()
  await expect(toastOf(page, liftName)).toBeVisible()
  await page.goto('/intelligence/laddercontrolmanagement/elevatorManage')
  await clickRowAction(page, liftName, '绑定梯控设备')
  await pickInDialog('deviceId', deviceName)
  await dialog('绑定梯控设备').locator('button[type="submit"], .ant-btn-primary').last().click()
  await expect(rowOf(page, liftName)).toContainText('在线', { timeout: 30_000 })
  const found = await callOn(page, elevators.list, { keyword: liftName })
  elevatorId = defined(found.rows[0]).id
})

test('a right to a floor is given for a week: the lift goes there, says why, and not after it (2§2)', async () => {
  const { rows } = await callOn(page, listResidencies, {
    projectCode,
    status: ['living'],
    relation: ['tenant'],
    size: 1,
  })
  const { userName = '' } = defined(rows[0])
  await page.goto('/intelligence/laddercontrolmanagement/laddercontrolsetting')
  await button(page, '新增梯控权限').click()
  await page.locator('[data-field="userId"] input').fill(userName)
  const found = page.locator('.ant-select-dropdown:visible .ant-select-item-option')
  await found.filter({ hasText: userName }).first().click()
  await expect(page.locator('[data-field="userId"]')).toContainText(userName)
  await pickInDialog('elevatorId', liftName)
  await pickInDialog('floors', '6 层')
  await field(page, 'beginDate').fill(today)
  await field(page, 'beginDate').press('Enter')
  await field(page, 'endDate').fill(addDays(today, 6))
  await field(page, 'endDate').press('Enter')
  await dialog('新增梯控权限').getByRole('button', { name: '新增梯控权限', exact: true }).click()
  await expect(rowOf(page, liftName)).toContainText(addDays(today, 6))
  // Several may have the name: the card is for the one that was chosen.
  const rights = await callOn(page, elevatorRights.list, { elevatorId: [String(elevatorId)] })
  const { userId } = defined(rights.rows[0])
  await callOn(page, saveCard, { projectCode, cardNo, cardType: 'ic', userId })

  await page.goto('/intelligence/laddercontrolmanagement/elevatorManage')
  await rowOf(page, liftName).getByText(liftName).click()
  await page.getByRole('tab', { name: '楼层权限' }).filter({ visible: true }).click()
  await expect(rowOf(page, cardNo)).toContainText('梯控权限')
  await button(page, '乘梯检查').click()
  await page.getByLabel('卡号、邀请码或通行码', { exact: true }).filter({ visible: true }).fill(cardNo)
  await dialog('乘梯检查').locator('.ant-select').click()
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: '6 层' })
    .click()
  await button(page, '检查').click()
  await expect(visibleText(page, '可到达')).toBeVisible()
  await expect(visibleText(page, `至 ${addDays(today, 6)}`)).toBeVisible()
  await page.keyboard.press('Escape')
  const after = { elevatorId, cardNo, floor: '6', at: asMoment(`${addDays(today, 7)} 12:00:00`) }
  expect((await callOn(page, checkFloor, after)).isAllowed).toBe(false)
})

test('the controller has the right and decides by itself; its calls are recorded (2§2)', async () => {
  const isSynced = async () => {
    const { rows } = await callOn(page, devices.list, { keyword: deviceName })
    return defined(rows[0]).unsyncedCount ?? 0
  }
  await expect.poll(isSynced, { timeout: 30_000 }).toBe(0)
  await onSite('press', { card: cardNo, floor: '6' })
  await onSite('press', { card: cardNo, floor: '9' })
  await page.goto('/intelligence/laddercontrolmanagement/laddercontrolnote')
  await page.getByPlaceholder('卡号').filter({ visible: true }).fill(cardNo)
  await expect(async () => {
    await page.reload()
    await expect(rowOf(page, '无此楼层的权限')).toContainText('失败', { timeout: 2000 })
  }).toPass({ timeout: 30_000 })
  await expect(page.getByRole('row').filter({ hasText: '成功' }).first()).toContainText('6')
  await page.goto('/intelligence/laddercontrolmanagement/laddercontrolremote')
  await button(page, '远程呼梯').click()
  await pickInDialog('elevatorId', liftName)
  await pickInDialog('floor', '3 层')
  await field(page, 'reason').fill('搬运货物')
  await dialog('远程呼梯').getByRole('button', { name: '下发', exact: true }).click()
  await expect(rowOf(page, liftName)).toContainText('成功', { timeout: 30_000 })
})

test('a trapped person is announced over every page until somebody deals with it', async () => {
  await page.goto('/work')
  await onSite('trap', { floor: '7' })
  await expect(band()).toContainText(`${liftName} 7 层`, { timeout: 30_000 })
  expect(await findSeriousFaults(page)).toEqual([])
  await band().getByRole('button', { name: '确认', exact: true }).click()
  await expect(band()).toContainText('处理中')
  await band().getByRole('button', { name: '查看', exact: true }).click()
  await clickRowAction(page, liftName, '解除')
  await dialog('解除困人报警').getByText('已救出', { exact: true }).click()
  await field(page, 'note').fill('已救出一人，未受伤')
  await dialog('解除困人报警').getByRole('button', { name: '解除报警', exact: true }).click()
  await expect(toastOf(page, '已解除')).toBeVisible()
  await expect(band()).toHaveCount(0)
  await page.goto('/intelligence/laddercontrolmanagement/elevatorManage')
  await expect(rowOf(page, liftName)).toContainText('检修')
})
