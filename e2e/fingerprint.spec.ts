import { expect, test, type Page } from '@playwright/test'
import { startFingerprintSimulator, type FingerprintSimulator } from '#tools/fingerprint-service.ts'
import { button, defineJourney, field, toastOf, visibleText } from './page-actions.ts'

/** The browser asks the service of its own computer at this port (0§7). */
const servicePort = 22003
const name = `指纹${Date.now().toString(36)}`
let page: Page
let reader: FingerprintSimulator
defineJourney(p => (page = p))

const dialog = () => page.getByRole('dialog').filter({ visible: true })
const progress = () => dialog().getByRole('status')

test.beforeAll(async () => {
  reader = await startFingerprintSimulator({ port: servicePort, presses: 3, faults: [10009], pressMs: 1000 })
})

test.afterAll(() => reader.close())

test('a new member of staff is there', async () => {
  await page.goto('/internal/personnel/addresslist/add')
  await field(page, 'name').fill(name)
  await button(page, '新增员工').click()
  await expect(toastOf(page, `已新增员工「${name}」`)).toBeVisible()
})

test('a finger is enrolled with three presses, after one that was refused', async () => {
  await page.goto('/internal/personnel/addresslist')
  await page.getByPlaceholder(/姓名/).filter({ visible: true }).first().fill(name)
  const row = page.getByRole('row').filter({ hasText: name, visible: true }).first()
  await expect(row).toBeVisible()
  await row.getByRole('button', { name: /更多/ }).first().click()
  await page.getByRole('menuitem', { name: '采集指纹', exact: true }).filter({ visible: true }).click()
  await expect(progress()).toContainText('检测到假手指，请用真实手指按压')
  await expect(progress()).toContainText('采集完成', { timeout: 10_000 })
  await expect(toastOf(page, '已采集右手食指')).toBeVisible()
  await expect(dialog().getByRole('list', { name: '已采集的指纹' })).toContainText('右手食指')
})

test('another finger closes and opens the reader and starts again', async () => {
  await dialog().getByText('中指', { exact: true }).first().click()
  await expect(progress()).toContainText('采集完成', { timeout: 10_000 })
  await expect(toastOf(page, '已采集左手中指')).toBeVisible()
})

test('a stopped service is reported, and a retry continues', async () => {
  await dialog().getByText('拇指', { exact: true }).first().click()
  await expect(progress()).toContainText('请将左手拇指按在指纹仪上')
  await reader.close()
  await expect(progress()).toContainText('未连接到指纹服务，请在本机启动指纹服务后重试')
  reader = await startFingerprintSimulator({ port: servicePort, presses: 2, faults: [], pressMs: 250 })
  await button(dialog(), '重新连接').click()
  await expect(toastOf(page, '已采集左手拇指')).toBeVisible({ timeout: 10_000 })
})

test('an enrolled finger is deleted with a reason', async () => {
  const print = dialog().getByRole('listitem').filter({ hasText: '左手中指' })
  await print.getByRole('button', { name: '删除' }).click()
  await button(page, '录错手指').click()
  await page
    .getByRole('dialog')
    .filter({ hasText: '删除「左手中指」' })
    .getByRole('button', { name: /删除/ })
    .click()
  await expect(print).toHaveCount(0)
  await button(dialog(), '关闭').click()
  await visibleText(page, name).click()
  await expect(visibleText(page, '左手拇指、右手食指')).toBeVisible()
})
