import { expect, test, type Page } from '@playwright/test'
import { defined } from '#kit/domain/defined.ts'
import { addDays } from '#kit/domain/day.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { listFormulas } from '#modules/fees/contract/formula.ts'
import { addItem } from '#modules/fees/contract/item.ts'
import { addStandard } from '#modules/fees/contract/standard-calls.ts'
import { listMonthOrders } from '#modules/month-cards/contract/month-order.ts'
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
  visibleText,
  openScreen,
} from './page-actions.ts'

const projectCode = 'JXHY0001'
/** Unique: a retried journey finds the records of its first try. */
const mark = String(10_000 + (Date.now() % 90_000))
const plateNo = `粤K${mark}`
const today = dayOfMoment(fromInstant(Date.now()))
let page: Page

defineJourney(opened => (page = opened))

/** A price of 300 a month, and a car whose right ended yesterday. */
async function prepareCar(): Promise<void> {
  const item = await callOn(page, addItem, {
    code: `YK${mark}`,
    name: `月租费${mark}`,
    feeType: 'monthCard',
    category: 'parking',
    incomeKind: 'own',
    inRate: true,
    billMode: 'manual',
    scene: 'car',
    allowMulti: false,
    allowOnline: true,
    autoDeduct: false,
    principalSettles: false,
    lateFeeSwitch: false,
  })
  const formulas = (await callOn(page, listFormulas, { keyword: '固定金额', size: 20 })).rows
  const standard = await callOn(page, addStandard, {
    projectCode,
    code: `YK${mark}`,
    name: `月租${mark}`,
    feeItemId: item.id,
    formulaId: defined(formulas.find(row => row.formulaType === 'fixed')).id,
    cycleType: 'anniversary',
    cycleMonths: 1,
    alignYear: false,
    chargeMode: 'ahead',
    startRule: 'fixedDate',
    prorateMode: 'actual',
    advanceDays: 0,
    delayDays: 0,
    dueBase: 'begin',
    dueDays: 0,
    dueSkipHoliday: false,
    roundType: 'halfUp',
    roundUnit: 'fen',
    tiersStretch: true,
    price: '300',
    effectiveDate: '2020-01-01',
  })
  await callOn(page, cars.add, {
    projectCode,
    plateNo,
    plateColor: 'blue',
    carKind: 'month',
    ownerName: '车先生',
    endDate: addDays(today, -1),
    feeStandardId: standard.id,
  })
}

async function takeCash(): Promise<void> {
  await expect(visibleText(page, /已选/)).toBeVisible()
  await button(page, /确认收款/).click()
  await expect(toastOf(page, /已收/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

const readCar = async () =>
  defined((await callOn(page, cars.list, { projectCode, keyword: plateNo })).rows[0])

test('a month card is bought from the list of cars and paid at the till (PRK-4)', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await openScreen(page, '/parking/carslist')
  await chooseProject(page, '锦绣花园')
  await prepareCar()
  await openScreen(page, `/parking/carslist?keyword=${mark}`)
  await expect(rowOf(page, mark)).toContainText('已到期')
  await clickRowAction(page, mark, '月卡续费')
  await expect(visibleText(page, '¥300.00')).toBeVisible()
  await expect(visibleText(page, new RegExp(`^${today} 至 `))).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])
  await button(page, '生成账单并收款').click()
  await expect(page).toHaveURL(/\/cashier/)
  await takeCash()
  const { carState, endDate } = await readCar()
  expect(carState).toBe('normal')
  expect(defined(endDate) >= addDays(today, 27)).toBe(true)
})

test('it is renewed at the till, where the car is found by its plate', async () => {
  const { endDate } = await readCar()
  await openScreen(page, '/finance/chargemanage/cashier')
  await page.getByLabel('搜索收费对象').fill(mark)
  await page.locator('#cashier-found li').filter({ hasText: plateNo }).first().click()
  await button(page, /^月卡续费/).click()
  await field(page, 'months').fill('2')
  await expect(visibleText(page, '¥600.00')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: '生成账单' }).click()
  await takeCash()
  const after = await readCar()
  expect(defined(after.endDate) > addDays(defined(endDate), 58)).toBe(true)
  const { rows } = await callOn(page, listMonthOrders, { projectCode, keyword: plateNo })
  expect(rows.map(row => [row.months, row.state])).toEqual([
    [2, 'paid'],
    [1, 'paid'],
  ])
})

test('months that have not begun are asked back whole, by the amount that was paid for them (PRK-5)', async () => {
  await openScreen(page, `/parking/monthcards?keyword=${mark}`)
  await expect(rowOf(page, '600.00')).toContainText('已支付')
  await clickRowAction(page, '600.00', '退款')
  await expect(visibleText(page, /退 ¥600\.00/)).toBeVisible()
  await field(page, 'reason').fill('车辆出售')
  expect(await findSeriousFaults(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: '申请退款' }).click()
  await expect(toastOf(page, /已退款|已申请退款/)).toBeVisible()
})
