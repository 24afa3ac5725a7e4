import { readFile } from 'node:fs/promises'
import { expect, test, type Page } from '@playwright/test'
import { defined } from '#kit/domain/defined.ts'
import { asFen } from '#kit/domain/money.ts'
import { chargerHubs, resetHubKey } from '#modules/charging/contract/hub.ts'
import { chargerStandards } from '#modules/charging/contract/standard.ts'
import { SimulatedPile } from '#modules/charging/server/simulator/pile.ts'
import { listOtherIncomeItems } from '#modules/payments/contract/other-income.ts'
import { findSeriousFaults } from './axe.ts'
import { button, callOn, defineJourney, rowOf } from './page-actions.ts'
import { readLabelCodes } from './qr-sheets.ts'

const projectCode = 'JXHY0001'
/** Unique: a retried journey finds the records of its first try. */
const mark = String(10_000 + (Date.now() % 90_000))
let page: Page
let pile: SimulatedPile | undefined

defineJourney(opened => (page = opened))

test.afterAll(() => pile?.stop())

/** A pile of one price all day, which is connected. */
async function preparePile(): Promise<void> {
  const items = await callOn(page, listOtherIncomeItems, {})
  const standard = await callOn(page, chargerStandards.add, {
    projectCode,
    standardName: `全天一价${mark}`,
    chargeMode: 'energy',
    feeItemId: defined(items[0]).id,
    periods: [{ begin: '00:00', end: '24:00', price: '0.65' }],
    servicePrice: '0.35',
    prepaidAmounts: ['5', '20'],
    minFee: asFen(0),
    maxHours: 12,
    graceMinutes: 30,
    state: 'on',
  })
  const hub = await callOn(page, chargerHubs.add, {
    projectCode,
    hubNo: `E2E${mark}`,
    hubName: `测试桩${mark}`,
    hubType: 'carSlow',
    portCount: 1,
    maxKw: 2000,
    standardId: standard.id,
    state: 'on',
  })
  const { path, hubNo, key } = await callOn(page, resetHubKey, { id: hub.id })
  const url = `${new URL(page.url()).origin.replace('http', 'ws')}${path}`
  pile = new SimulatedPile({ url, hubNo, key, ports: 1, watts: 3270, speed: 3600 })
  expect(await pile.connect()).toBe(true)
}

test('a pile prepaid 5.00, used 3.27, refunded 1.73 (T-CHG-02)', async ({ browser }) => {
  await page.goto('/intelligence/specialEquipment/Chargingpilemanagement')
  await preparePile()
  await page.reload()
  await expect(rowOf(page, mark)).toContainText('在线')
  expect(await findSeriousFaults(page)).toEqual([])
  await rowOf(page, mark).getByRole('checkbox').check()
  const downloading = page.waitForEvent('download')
  await button(page, '打印二维码').last().click()
  const sheet = await readFile(await (await downloading).path())
  const [code = ''] = readLabelCodes(sheet)
  expect(code).toContain('/charge/port?t=')

  // Somebody's own: nobody is signed in there.
  const phone = await browser.newPage({ viewport: { width: 360, height: 740 } })
  await phone.goto(code)
  await expect(phone.getByText(`测试桩${mark} 1 号`)).toBeVisible()
  expect(await findSeriousFaults(phone)).toEqual([])
  await phone.getByRole('button', { name: '5.00 元', exact: true }).click()
  await phone.getByRole('button', { name: '支付 5.00 元并充电' }).click()
  await phone.getByRole('link', { name: '微信支付' }).click()
  await phone.getByRole('button', { name: '确认支付' }).click()
  await phone.getByRole('link', { name: '返回商家' }).click()
  await phone.getByRole('link', { name: '返回' }).click()
  await expect(phone.getByText('充电中', { exact: true })).toBeVisible({ timeout: 30_000 })
  pile?.tick(1)
  await expect(phone.getByText('¥3.27')).toBeVisible({ timeout: 15_000 })
  expect(await findSeriousFaults(phone)).toEqual([])
  await phone.getByRole('button', { name: '停止充电' }).click()
  await expect(phone.getByText('1.73 元')).toBeVisible({ timeout: 15_000 })
  await phone.close()

  await page.goto(`/chargemanagement/recordofcharging?keyword=E2E${mark}`)
  await expect(rowOf(page, mark)).toContainText('3.27')
  await expect(rowOf(page, mark)).toContainText('1.73')
  await expect(rowOf(page, mark)).toContainText(/结算中|已完成/)
})
