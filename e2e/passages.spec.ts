import { expect, test, type Page } from '@playwright/test'
import type { Call } from '#kit/contract/call.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { doorwayDevices } from '#modules/access/contract/doorway-device.ts'
import { doorways } from '#modules/access/contract/doorway.ts'
import { addDeviceModel } from '#modules/devices/contract/device-model.ts'
import { addDevice } from '#modules/devices/contract/device.ts'
import { addGateway, createPairingCode } from '#modules/devices/contract/gateway.ts'
import { AgentClient, pairAgent } from '#modules/devices/server/fixtures/agent-client.ts'
import { saveCard } from '#modules/residents/contract/card.ts'
import { listResidencies } from '#modules/residents/contract/residency.ts'
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
const mark = String(Date.now() % 1_000_000)
const doorwayName = `北门${mark}`
const cardNo = `T${mark}`
let page: Page
let agent: AgentClient
let deviceId: Id = 0
let tenantName = ''
let seq = 0

defineJourney(p => (page = p))

test.afterAll(() => agent?.close())

const call = <I, O>(declared: Call<I, O>, input: NoInfer<I>): Promise<O> => callOn(page, declared, input)

/** What the gateway of the door sends, as a driver does. */
async function report(type: string, data: object): Promise<void> {
  agent.events([{ type, deviceId, data: { ...data } }], ++seq)
  await agent.waitFor('eventsAck', ack => ack.seq >= seq)
}

const passed = (key: string, more: object = {}) =>
  report('doorPassage', {
    key: `${mark}-${key}`,
    at: new Date().toISOString(),
    method: 1,
    result: 1,
    direction: 1,
    card: cardNo,
    ...more,
  })

/** A door with a controller behind a gateway that is there. */
async function addSite(): Promise<void> {
  const gateway = await call(addGateway, { projectCode, name: `网关${mark}` })
  const model = await call(addDeviceModel, {
    name: `读头${mark}`,
    systemType: 'security',
    devType: 'access',
    driver: 'simulator',
    state: 'on',
  })
  const device = await call(addDevice, {
    projectCode,
    name: `读头${mark}`,
    gatewayId: gateway.id,
    modelId: model.id,
    state: 'normal',
  })
  const doorway = await call(doorways.add, {
    projectCode,
    doorwayName,
    direction: 'both',
    passageType: 'pedestrian',
    isPublic: true,
    openSeconds: 5,
    state: 'on',
  })
  deviceId = device.id
  await call(doorwayDevices.add, { projectCode, doorwayId: doorway.id, deviceId, direction: 'both' })
  const { code } = await call(createPairingCode, { id: gateway.id })
  const { origin } = new URL(page.url())
  const { identity } = await pairAgent(origin, code)
  agent = await AgentClient.connect(origin, identity, {
    clock: () => Date.now(),
    onCommand: ({ taskId }) => ({ taskId, outcome: 'done' }),
  })
  await agent.beatHeard([{ id: deviceId, isOnline: true }])
}

test('a tenant passes: the record comes to the open list by itself, with the name', async () => {
  await addSite()
  const { rows } = await call(listResidencies, { projectCode, status: ['living'], size: 1 })
  const tenant = defined(rows[0])
  tenantName = tenant.userName ?? ''
  const { userId, roomId } = tenant
  await call(saveCard, { projectCode, cardNo, cardType: 'ic', userId, roomId })
  await openScreen(page, '/doorvisitors/accessrecord')
  await expect(visibleText(page, '开门方式').first()).toBeVisible()
  await passed('1')
  await expect(rowOf(page, doorwayName)).toContainText(tenantName, { timeout: 15_000 })
  await expect(rowOf(page, doorwayName)).toContainText('已开')
  expect(await findSeriousFaults(page)).toEqual([])
})

test('a stranger is refused: seen in the live view, and in the figures of the day', async () => {
  await passed('2', { card: `X${mark}`, result: 0, reason: '卡号未登记' })
  await page.getByRole('tab', { name: '实时' }).filter({ visible: true }).click()
  const tile = page.getByRole('listitem').filter({ hasText: doorwayName }).filter({ visible: true })
  await expect(tile.filter({ hasText: '未开：卡号未登记' })).toContainText('陌生人')
  await passed('3', { at: new Date(Date.now() + 4000).toISOString(), direction: 2 })
  await expect(tile).toHaveCount(3, { timeout: 15_000 })
  expect(await findSeriousFaults(page)).toEqual([])
  await page.getByRole('tab', { name: '统计' }).filter({ visible: true }).click()
  await expect(visibleText(page, '通行最多的门')).toBeVisible()
  await expect(
    page.getByRole('listitem').filter({ hasText: '卡号未登记' }).filter({ visible: true }),
  ).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])
})

test('the door is opened from afar, and says that it is open', async () => {
  await openScreen(page, '/doorvisitors/doorway')
  await page.getByPlaceholder('名称、编码').filter({ visible: true }).fill(doorwayName)
  await rowOf(page, doorwayName).getByText(doorwayName).click()
  await button(page, '远程开门').click()
  await page.getByLabel(/^原因/).filter({ visible: true }).fill('住户忘带卡')
  await button(page, '开 门').or(button(page, '开门')).first().click()
  await expect(visibleText(page, '门已打开')).toBeVisible({ timeout: 15_000 })
  await page.keyboard.press('Escape')
})

test('a forced door is an alarm until somebody says what was done', async () => {
  await report('doorAlarm', { key: `${mark}-a`, at: new Date().toISOString(), alarm: 'forced' })
  await openScreen(page, '/doorvisitors/dooralarm')
  const row = rowOf(page, doorwayName)
  await expect(row).toContainText('强行开门')
  await clickRowAction(page, doorwayName, '处理报警')
  await page.getByRole('dialog').getByText('已到现场查看').click()
  await page.getByRole('dialog').getByRole('button', { name: '处理报警' }).click()
  await expect(toastOf(page, '已处理报警')).toBeVisible()
  await expect(row).toHaveCount(0)
})
