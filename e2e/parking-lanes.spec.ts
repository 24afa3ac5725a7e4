import { expect, test, type Page } from '@playwright/test'
import { recordPath } from '#kit/contract/crud-screens.ts'
import { addDays } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { exampleFeeRule } from '#db/golden/park-fee-terms.ts'
import { cars } from '#modules/parking/contract/car.ts'
import { addPark } from '#modules/parking/contract/park.ts'
import { carScreens } from '#modules/parking/module.ts'
import { parkFeeRules } from '#modules/parking-lanes/contract/fee-rule.ts'
import { parkLanes } from '#modules/parking-lanes/contract/park-lane.ts'
import { reportPassage } from '#modules/parking-lanes/contract/passage.ts'
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
  openScreen,
} from './page-actions.ts'

const projectCode = 'JXHY0001'
/** Unique plates: a retried journey finds the records of its first try. */
const mark = String(10_000 + (Date.now() % 90_000))
const temporary = `粤T${mark}`
const month = `粤M${mark}`
const expired = `粤E${mark}`
const today = dayOfMoment(fromInstant(Date.now()))
const lanes = { entrance: `入口${mark}`, exit: `出口${mark}` }
let page: Page
let monthCar: Id

defineJourney(opened => (page = opened))

const dialogButton = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })

const addMonthCar = (plateNo: string, endDate: typeof today) =>
  callOn(page, cars.add, {
    projectCode,
    plateNo,
    plateColor: 'blue',
    carKind: 'month',
    ownerName: '林先生',
    beginDate: addDays(today, -60),
    endDate,
  })

/** A car park of this journey, with a lane in, a lane out and a price; a car came in two hours ago. */
async function openPark(): Promise<void> {
  const park = { projectCode, name: `车场${mark}`, parkType: 'below', state: 'on' } as const
  const { id: parkId } = await callOn(page, addPark, park)
  await callOn(page, parkFeeRules.add, { projectCode, parkId, ...exampleFeeRule, ruleName: '临停' })
  const lane = { projectCode, parkId, laneType: 'vehicle', state: 'on' } as const
  const entrance = { ...lane, laneName: lanes.entrance, direction: 'entrance' } as const
  const { id: laneId } = await callOn(page, parkLanes.add, entrance)
  await callOn(page, parkLanes.add, { ...lane, laneName: lanes.exit, direction: 'exit' })
  const passTime = addMinutes(fromInstant(Date.now()), -124)
  await callOn(page, reportPassage, { laneId, passKey: mark, plateNo: temporary, passTime, hasPassed: true })
}

async function register(lane: string, plateNo: string): Promise<void> {
  await button(page, '登记通行').click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('[data-field="laneId"] .ant-select').click()
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option').filter({ hasText: lane }).click()
  await field(page, 'plateNo').fill(plateNo)
  await dialogButton('登记').click()
}

test('a temporary car sees its fee and why, pays and is let out (PRK-2, PRK-20)', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await openPark()
  await openScreen(page, `/parking/outinlog?plateNo=${encodeURIComponent(temporary)}`)
  await expect(rowOf(page, temporary)).toContainText('在场')
  await register(lanes.exit, temporary)
  await expect(toastOf(page, '待收 9.00，请先缴费')).toBeVisible()
  await clickRowAction(page, temporary, '收费')
  await expect(visibleText(page, '首 60 分钟 5.00')).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])
  await dialogButton('收取 9.00 元').click()
  await expect(toastOf(page, `已收取「${temporary}」停车费 9.00 元`)).toBeVisible()
  // It waits at the exit, which opens with the payment.
  await expect(rowOf(page, temporary)).toContainText('已出场')
})

test('a month car comes and goes free, and its page shows it (PRK-2)', async () => {
  const endDate = addDays(today, 30)
  monthCar = (await addMonthCar(month, endDate)).id
  await openScreen(page, `/parking/outinlog?plateNo=${encodeURIComponent(month)}`)
  await register(lanes.entrance, month)
  await expect(toastOf(page, `月租车，有效期至 ${endDate}`)).toBeVisible()
  await expect(rowOf(page, month)).toContainText('在场')
  await register(lanes.exit, month)
  await expect(toastOf(page, `${month} 已放行：月租车，费用已结清`)).toBeVisible()
  await openScreen(page, recordPath(carScreens.paths.detail, monthCar))
  // The page of all stays, still open above, is a tab of the same name.
  await expect(page.getByRole('tab', { name: '有效期' })).toBeVisible()
  await page.getByRole('tab', { name: '出入记录' }).last().click()
  await expect(visibleText(page, '全部出入记录')).toBeVisible()
  await expect(rowOf(page, `车场${mark}`)).toContainText('已出场')
  expect(await findSeriousFaults(page)).toEqual([])
})

test('from a record to its car, and from the car to the record (PRK-8)', async () => {
  await clickRowAction(page, `车场${mark}`, '查看记录')
  await rowOf(page, month).getByText(month).click()
  await page.getByRole('dialog').getByRole('button', { name: '查看车辆' }).click()
  await expect(page).toHaveURL(new RegExp(`cardetail\\?id=${monthCar}$`))
})

test('a month car whose days are over comes in as a temporary one (PRK-3)', async () => {
  const endDate = addDays(today, -1)
  await addMonthCar(expired, endDate)
  await openScreen(page, `/parking/outinlog?plateNo=${encodeURIComponent(expired)}`)
  await register(lanes.entrance, expired)
  await expect(toastOf(page, `月卡已于 ${endDate} 到期，按临停计费`)).toBeVisible()
  await expect(rowOf(page, expired)).toContainText('临时车')
})
