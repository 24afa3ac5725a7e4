import { expect, test, type Page } from '@playwright/test'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import { asFen } from '#kit/domain/money.ts'
import { exampleFeeRule } from '#db/golden/park-fee-terms.ts'
import { merchantCoupons } from '#modules/merchant-coupons/contract/coupon.ts'
import { saveMerchantOrder } from '#modules/merchant-coupons/contract/order.ts'
import { presentTickets } from '#modules/merchant-coupons/contract/ticket.ts'
import { merchants } from '#modules/merchants/contract/merchant.ts'
import { addPark } from '#modules/parking/contract/park.ts'
import { parkFeeRules } from '#modules/parking-lanes/contract/fee-rule.ts'
import { parkLanes } from '#modules/parking-lanes/contract/park-lane.ts'
import { reportPassage } from '#modules/parking-lanes/contract/passage.ts'
import { parkCameras, renewCameraKey } from '#modules/parking-cameras/contract/camera.ts'
import { requestTo, SimulatedCamera } from '#modules/parking-cameras/server/simulator/simulated-camera.ts'
import { listPayCodes } from '#modules/parking-payments/contract/pay-code.ts'
import { saveChannel } from '#modules/payments/contract/channel.ts'
import { findSeriousFaults } from './axe.ts'
import { button, callOn, defineJourney, rowOf, visibleText } from './page-actions.ts'
import { withDatabase } from './verification-codes.ts'

const projectCode = 'JXHY0001'
/** Unique plates: a retried journey finds the records of its first try. */
const mark = String(10_000 + (Date.now() % 90_000))
const plateNo = `粤P${mark}`
const lotName = `缴费车场${mark}`
let page: Page
let codes: { readonly entrance: string; readonly exit: string }
let lotId: Id
let entranceId: Id
let exitId: Id
let entrance: SimulatedCamera

defineJourney(opened => (page = opened))

/** A car park whose exit does not let a car out that came in two hours ago. */
async function openPark(): Promise<void> {
  await callOn(page, saveChannel, { channel: 'wechat', simulated: true, enabled: true })
  const park = { projectCode, name: lotName, parkType: 'below', state: 'on' } as const
  const { id: parkId } = await callOn(page, addPark, park)
  await callOn(page, parkFeeRules.add, { projectCode, parkId, ...exampleFeeRule, ruleName: '临停' })
  const lane = { projectCode, parkId, laneType: 'vehicle', state: 'on' } as const
  const east = { ...lane, laneName: '东入口', direction: 'entrance' } as const
  const { id: laneId } = await callOn(page, parkLanes.add, east)
  ;[lotId, entranceId] = [parkId, laneId]
  exitId = (await callOn(page, parkLanes.add, { ...lane, laneName: '东出口', direction: 'exit' })).id
  const camera = { projectCode, cameraName: `东入口${mark}`, serialNo: `PAY-${mark}`, laneId } as const
  const kind = { maker: 'vzenith', authMode: 'signed', opensBarrier: true, state: 'on' } as const
  const added = await callOn(page, parkCameras.add, { ...camera, ...kind })
  const { secret, address } = await callOn(page, renewCameraKey, { id: added.id })
  const { origin } = new URL(page.url())
  entrance = new SimulatedCamera({ path: new URL(address, origin).pathname, key: secret }, requestTo(origin))
  const passTime = addMinutes(fromInstant(Date.now()), -124)
  await callOn(page, reportPassage, { laneId, passKey: mark, plateNo, passTime, hasPassed: true })
  const rows = await callOn(page, listPayCodes, { parkId })
  const urlOf = (id: Id): string => defined(rows.find(row => row.laneId === id)).url
  codes = { entrance: urlOf(laneId), exit: urlOf(exitId) }
}

test('the codes of a car park are shown in the settings of parking', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await openPark()
  await page.goto('/parking/parksetting?tab=payCodes')
  await page.locator('.pay-codes .ant-select').click()
  await page.keyboard.type(mark)
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option').filter({ hasText: mark }).click()
  await expect(visibleText(page, '东出口（出口）')).toBeVisible()
  await expect(button(page, '下载打印')).toBeEnabled()
  expect(await findSeriousFaults(page)).toEqual([])
})

async function payOnPhone(phone: Page, amount: string): Promise<void> {
  await button(phone, `支付 ${amount}`).click()
  await phone.getByRole('link', { name: '微信支付' }).click()
  await button(phone, '确认支付').click()
  await phone.getByRole('link', { name: '返回商家' }).click()
  // The page of the order asks again by itself until it is paid.
  await expect(visibleText(phone, '已支付，谢谢')).toBeVisible()
}

test('a car that waits at the exit pays on the telephone and is let out (PRK-22)', async ({ browser }) => {
  const answer = await callOn(page, reportPassage, { laneId: exitId, passKey: `${mark}-out`, plateNo })
  expect(answer).toMatchObject({ isOpen: false, due: 900 })
  const context = await browser.newContext({ locale: 'zh-CN', viewport: { width: 360, height: 740 } })
  const phone = await context.newPage()
  await phone.goto(codes.exit)
  await button(phone, `${plateNo} 缴费`).click()
  await expect(button(phone, '支付 ¥9.00')).toBeVisible()
  await expect(visibleText(phone, /2 小时/)).toBeVisible()
  expect(await findSeriousFaults(phone)).toEqual([])
  await payOnPhone(phone, '¥9.00')
  await phone.getByRole('link', { name: '返回', exact: true }).click()
  await expect(visibleText(phone, '缴费成功，请离场')).toBeVisible()
  expect(await findSeriousFaults(phone)).toEqual([])
  await context.close()
  await page.goto(`/parking/carschargelist?plateNo=${encodeURIComponent(plateNo)}`)
  await expect(rowOf(page, plateNo)).toContainText('微信')
  await page.goto(`/parking/outinlog?plateNo=${encodeURIComponent(plateNo)}`)
  await expect(rowOf(page, plateNo)).toContainText('已出场')
})

/** A coupon of 2.00 for the plate, from a merchant that got it for nothing. */
async function giveCoupon(plate: string): Promise<void> {
  const [sold] = (await callOn(page, merchantCoupons.list, { projectCode, size: 1 })).rows
  const merchant = { projectCode, name: `券店${mark}`, state: 'open' } as const
  const { id: merchantId } = await callOn(page, merchants.add, merchant)
  const { id: couponId } = await callOn(page, merchantCoupons.save, {
    projectCode,
    couponName: `抵两元${mark}`,
    parkId: lotId,
    kind: 'amount',
    faceValue: '2',
    sellPrice: asFen(0),
    feeItemId: defined(sold).feeItemId,
    validDays: 2,
    dayLimit: 0,
    totalQty: 0,
  })
  await callOn(page, saveMerchantOrder, { merchantId, details: [{ couponId, qty: 1 }] })
  await callOn(page, presentTickets, { merchantId, couponId, plateNos: [plate] })
}

test('with a coupon it pays ahead; it stays on, and pays the rest at the exit (PRK-22, PRK-23)', async ({
  browser,
}) => {
  const plate = `粤T${mark}`
  const passTime = addMinutes(fromInstant(Date.now()), -124)
  await callOn(page, reportPassage, {
    laneId: entranceId,
    passKey: plate,
    plateNo: plate,
    passTime,
    hasPassed: true,
  })
  await giveCoupon(plate)
  const context = await browser.newContext({ locale: 'zh-CN', viewport: { width: 360, height: 740 } })
  const phone = await context.newPage()
  await phone.goto(codes.exit)
  await button(phone, '键盘').click()
  await phone.getByLabel('车牌').fill(plate)
  await button(phone, '查询停车费').click()
  await expect(phone.locator('dl.facts').getByText('停车券抵扣')).toBeVisible()
  await payOnPhone(phone, '¥7.00')
  // An hour later: the 15 minutes to leave are over, one more hour is due.
  await withDatabase(db =>
    db.query(
      `update parking_stay
      set pass_time = pass_time - interval '1 hour', in_time = in_time - interval '1 hour',
        paid_time = paid_time - interval '1 hour'
      where plate_no = $1`,
      [plate],
    ),
  )
  const answer = await callOn(page, reportPassage, {
    laneId: exitId,
    passKey: `${plate}-out`,
    plateNo: plate,
  })
  expect(answer).toMatchObject({ isOpen: false, due: 200 })
  await phone.goto(codes.exit)
  await button(phone, `${plate} 缴费`).click()
  await payOnPhone(phone, '¥2.00')
  await context.close()
  await page.goto(`/parking/outinlog?plateNo=${encodeURIComponent(plate)}`)
  await expect(rowOf(page, plate)).toContainText('已出场')
  await expect(rowOf(page, plate)).toContainText('9.00')
})

test('a car without a plate comes in by the code of the entrance', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'zh-CN', viewport: { width: 360, height: 740 } })
  const phone = await context.newPage()
  await phone.goto(codes.entrance)
  await button(phone, '无牌车入场').click()
  await expect(visibleText(phone, /没有待入场的无牌车/)).toBeVisible()
  expect(await entrance.report({})).toMatchObject({ status: 200, isOpen: false })
  await button(phone, '无牌车入场').click()
  await expect(visibleText(phone, /已入场，编号 无牌\d{6}/)).toBeVisible()
  await phone.goto(codes.exit)
  await button(phone, '无牌车离场').click()
  await expect(visibleText(phone, '已开闸，请离场')).toBeVisible()
  expect(await findSeriousFaults(phone)).toEqual([])
  await context.close()
})
