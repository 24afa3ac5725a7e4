import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { AgentProcess } from '#apps/agent/fixtures/agent-process.ts'
import { findSeriousFaults } from './axe.ts'
import {
  button,
  clickRowAction,
  defineJourney,
  field,
  rowOf,
  selectOption,
  toastOf,
  visibleText,
  openScreen,
} from './page-actions.ts'

/** A journey that begins once more finds what it left behind. */
const stamp = String(Date.now() % 1_000_000).padStart(6, '0')
const gatewayName = `东门机房 ${stamp}`
const deviceName = `大堂门禁 ${stamp}`
/** The kernel folder of the demo company. */
const kernelFolder = '内核升级'
const kernelName = `access-${stamp}.kernel`

let page: Page
let agent: AgentProcess | undefined
/** What the page says on its live connection. */
const sentMessages: string[] = []
defineJourney(opened => {
  page = opened
  page.on('websocket', socket => socket.on('framesent', ({ payload }) => sentMessages.push(String(payload))))
})

test.afterAll(() => agent?.kill())

const dialog = (title: string | RegExp) =>
  page.getByRole('dialog').filter({ hasText: title, visible: true }).last()

const openTab = (title: string) =>
  page.getByRole('tablist', { name: '打开的页面' }).getByRole('tab', { name: title, exact: true })

test('a new gateway gets a code, an agent is paired with it, and the dialog shows it automatically', async () => {
  await openScreen(page, '/intelligence/specialEquipment/terminal')
  await button(page, '新增网关').click()
  await field(page, 'name').fill(gatewayName)
  await button(dialog('新增网关'), '新增网关').click()
  const pairing = dialog(`配对「${gatewayName}」`)
  await expect(pairing.getByRole('timer')).toHaveText(/^(10:00|09:5\d) 后失效$/)
  const code = (await pairing.getByLabel('配对码').innerText()).replaceAll(/\s/g, '')
  await expect(pairing.getByText(`--code ${code}`)).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])
  agent = new AgentProcess().start('--server', new URL(page.url()).origin, '--code', code)
  await expect(pairing.getByText('已配对', { exact: true })).toBeVisible({ timeout: 30_000 })
  await button(pairing, '关闭').click()
  await expect(rowOf(page, gatewayName)).toContainText('在线', { timeout: 30_000 })
})

test('its processes are listed by the site itself', async () => {
  await clickRowAction(page, gatewayName, '详情')
  await page.getByRole('tab', { name: '远程工具' }).click()
  await page.getByRole('tab', { name: '进程' }).click()
  const processes = page.getByRole('grid', { name: '进程' })
  await expect(processes.getByRole('row').filter({ hasText: 'node' }).first()).toBeVisible({
    timeout: 30_000,
  })
  // The rows say themselves that the listing succeeded.
  await expect(visibleText(page, '任务执行成功')).toHaveCount(0)
  expect(sentMessages.filter(message => message.includes('"cmdtype":2072'))).toHaveLength(1)
  expect(await findSeriousFaults(page)).toEqual([])
})

test('a command line is refused where the site does not allow one, and says where that is set', async () => {
  await page.getByRole('tab', { name: '命令行' }).click()
  await expect(
    visibleText(page, /该网关不允许「执行命令」，须在现场计算机的 agent.json 中设置/),
  ).toBeVisible()
})

test('a device of the gateway goes online', async () => {
  await openScreen(page, '/wisdom/deveditor')
  // The screen is 设备编辑: its tab says what this one is for.
  await expect(openTab('新增设备')).toBeVisible()
  await field(page, 'name').fill(deviceName)
  await selectOption(page, 'modelId', '门禁控制器')
  await selectOption(page, 'gatewayId', gatewayName)
  await button(page, '新增设备').click()
  await expect(toastOf(page, `已新增设备「${deviceName}」`)).toBeVisible()
  await openScreen(page, '/wisdom/devlist')
  await expect(rowOf(page, deviceName)).toContainText('在线', { timeout: 30_000 })
})

const fileRow = (name: string) =>
  page.getByRole('grid', { name: '文件' }).getByRole('row', { name }).filter({ visible: true })

test('a kernel is pushed to the device, into a folder chosen on the site', async () => {
  await openScreen(page, '/wisdom/filemgr')
  await fileRow(kernelFolder).dblclick()
  await expect(page.getByRole('navigation', { name: '当前位置' }).getByText(kernelFolder)).toBeVisible()
  await page
    .getByLabel('选择要上传的文件')
    .setInputFiles([
      { name: kernelName, mimeType: 'application/octet-stream', buffer: Buffer.alloc(70_000, 5) },
    ])
  await fileRow(kernelName).getByRole('checkbox').check()
  await expect(button(page, '推送文件')).toHaveCount(0)
  await button(page, '推送内核').click()
  const push = dialog(`推送内核「${kernelName}」`)
  await push.getByRole('radio', { name: gatewayName }).check()
  await push.getByRole('radio', { name: deviceName }).check()
  await button(push, '选择目录').click()
  const directories = dialog('的目标目录')
  await directories.getByRole('row').filter({ hasText: '根目录' }).first().click()
  expect(await findSeriousFaults(page)).toEqual([])
  await button(directories, '选择该目录').click()
  await button(push, '推送内核').click()
  await expect(push.getByText('任务执行成功')).toBeVisible({ timeout: 60_000 })
  expect(sentMessages.some(message => message.includes('"cmdtype":"PUSHFILE"'))).toBe(true)
  expect(existsSync(join(agent?.dataDir ?? '', 'files', kernelName))).toBe(true)
  await push.locator('.ant-modal-footer').getByRole('button', { name: '关闭' }).click()
  await fileRow(kernelName).click()
  const record = page.getByRole('complementary', { name: '文件信息' }).getByRole('listitem')
  await expect(record.filter({ hasText: gatewayName })).toContainText('成功')
})

test('several files are refused for a push, with the words of the specification', async () => {
  await page
    .getByLabel('选择要上传的文件')
    .setInputFiles([
      { name: `b-${kernelName}`, mimeType: 'application/octet-stream', buffer: Buffer.alloc(9, 5) },
    ])
  await fileRow(`b-${kernelName}`).getByRole('checkbox').check()
  await fileRow(kernelName).first().getByRole('checkbox').check()
  await button(page, '推送内核').click()
  await expect(toastOf(page, /内核升级不能选择文件夹或多个文件/)).toBeVisible()
})

test('the tasks are kept with their whole result', async () => {
  await openScreen(page, '/wisdom/devtask')
  await expect(rowOf(page, kernelName)).toContainText('成功')
  await rowOf(page, kernelName).getByRole('button', { name: '推送内核' }).click()
  await expect(visibleText(page, '执行结果')).toBeVisible()
})

test('the pages of a watchdog say which it is', async () => {
  await openScreen(page, '/intelligence/specialEquipment/watchdog/addDevice')
  await expect(openTab('新增看门狗')).toBeVisible()
  // Of the demo company.
  const watchdogName = '水泵房看护'
  await openScreen(page, '/intelligence/specialEquipment/watchdog')
  await clickRowAction(page, watchdogName, '查看')
  await expect(openTab(`看门狗「${watchdogName}」`)).toBeVisible()
  await button(page, '编辑').click()
  await expect(openTab(`编辑看门狗「${watchdogName}」`)).toBeVisible()
})

test('the page that edits a watchdog names none without its number', async () => {
  await openScreen(page, '/intelligence/specialEquipment/watchdog/editDevice')
  await expect(page.getByText('链接无效，请从列表重新打开')).toBeVisible()
})
