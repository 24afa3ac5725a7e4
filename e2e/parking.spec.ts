import { expect, test, type Page } from '@playwright/test'
import { addDays } from '#kit/domain/day.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { cars } from '#modules/parking/contract/car.ts'
import { findSeriousFaults } from './axe.ts'
import {
  button,
  callOn,
  chooseProject,
  clickRowAction,
  defineJourney,
  field,
  rowOf,
  toastOf,
} from './page-actions.ts'

const projectCode = 'JXHY0001'
/** Unique plates: a retried journey finds the records of its first try. */
const mark = String(10_000 + (Date.now() % 90_000))
const plateNo = `粤X${mark}`
const strangePlate = `粤Y${mark}`
const today = dayOfMoment(fromInstant(Date.now()))
let page: Page

defineJourney(opened => (page = opened))

const dialogButton = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })

test('a car is registered, found by its plate, and stopped and resumed (C10.1)', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/parking/carslist')
  await chooseProject(page, '锦绣花园')
  await button(page, '新增车辆').click()
  await field(page, 'plateNo').fill(plateNo.toLowerCase())
  await field(page, 'ownerName').fill('车先生')
  await field(page, 'endDate').fill(addDays(today, 30))
  await field(page, 'endDate').press('Enter')
  await dialogButton('新增车辆').click()
  await expect(rowOf(page, mark)).toContainText('正常')
  expect(await findSeriousFaults(page)).toEqual([])
  await clickRowAction(page, mark, '停用')
  await field(page, 'reason').fill('欠费两个月')
  await dialogButton('停用').click()
  await expect(rowOf(page, mark)).toContainText('欠费停用')
  await clickRowAction(page, mark, '恢复')
  await field(page, 'reason').fill('已补缴')
  await dialogButton('恢复').click()
  await expect(rowOf(page, mark)).toContainText('正常')
})

test('a car on the black list comes back to its state; a plate of nobody goes on it too', async () => {
  await clickRowAction(page, mark, '拉黑')
  await field(page, 'reason').fill('多次逃费')
  await dialogButton('拉黑').click()
  await expect(rowOf(page, mark)).toContainText('黑名单')
  await clickRowAction(page, mark, '移出黑名单')
  await field(page, 'reason').fill('已补缴')
  await dialogButton('移出黑名单').click()
  await expect(rowOf(page, mark)).toContainText('正常')
  await button(page, '加入黑名单').click()
  await field(page, 'plateNo').fill(strangePlate)
  await field(page, 'reason').fill('冲闯道闸')
  await dialogButton('加入').click()
  await expect(toastOf(page, '已加入黑名单')).toBeVisible()
  const { rows } = await callOn(page, cars.list, { projectCode, keyword: strangePlate })
  expect(rows.map(row => [row.plateNo, row.carState])).toEqual([[strangePlate, 'blocked']])
})
