import { expect, test, type Page } from '@playwright/test'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import { exampleFeeRule } from '#db/golden/park-fee-terms.ts'
import { addPark } from '#modules/parking/contract/park.ts'
import { parkFeeRules } from '#modules/parking-lanes/contract/fee-rule.ts'
import { parkLanes } from '#modules/parking-lanes/contract/park-lane.ts'
import { reportPassage } from '#modules/parking-lanes/contract/passage.ts'
import { handOverShift, listBooths, previewShift } from '#modules/parking-booth/contract/shift.ts'
import { findSeriousFaults } from './axe.ts'
import {
  button,
  callOn,
  clickRowAction,
  defineJourney,
  field,
  openSignedInPage,
  rowOf,
  toastOf,
  visibleText,
} from './page-actions.ts'

const projectCode = 'JXHY0001'
/** Unique: a retried journey finds the records of its first try. */
const mark = String(10_000 + (Date.now() % 90_000))
const [payer, mover, unseen] = [`粤P${mark}`, `粤Q${mark}`, `粤R${mark}`]
const boothName = `南亭${mark}`
let page: Page
let exitId: Id

const consoleErrors = defineJourney(opened => (page = opened))

const dialogButton = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })

/** A car park with a booth of two lanes, in which two cars are for two hours. */
async function openPark(): Promise<void> {
  const park = { projectCode, name: `车场${mark}`, parkType: 'below', state: 'on' } as const
  const { id: parkId } = await callOn(page, addPark, park)
  await callOn(page, parkFeeRules.add, { projectCode, parkId, ...exampleFeeRule, ruleName: '临停' })
  const lane = { projectCode, parkId, boothName, laneType: 'vehicle', state: 'on' } as const
  const entrance = { ...lane, laneName: `南入口${mark}`, direction: 'entrance' } as const
  const { id: laneId } = await callOn(page, parkLanes.add, entrance)
  const exit = { ...lane, laneName: `南出口${mark}`, direction: 'exit' } as const
  exitId = (await callOn(page, parkLanes.add, exit)).id
  const passTime = addMinutes(fromInstant(Date.now()), -124)
  for (const plateNo of [payer, mover]) {
    await callOn(page, reportPassage, { laneId, passKey: plateNo, plateNo, passTime, hasPassed: true })
  }
}

const arriveAtExit = (plateNo: string) =>
  callOn(page, reportPassage, { laneId: exitId, passKey: `out-${plateNo}`, plateNo })

/** A first try that stumbled leaves its shift open: one person has one at a time. */
async function endOpenShift(): Promise<void> {
  const id = (await callOn(page, listBooths, {})).find(booth => booth.isOwn)?.shiftId
  if (id === undefined) return
  const { cashAmount } = await callOn(page, previewShift, { id })
  await callOn(page, handOverShift, { id, expectCash: cashAmount, handAmount: cashAmount })
}

const panel = () => page.getByRole('complementary', { name: `车道「南出口${mark}」` })

/** How far below the top of the panel its buttons are. */
async function actionsTop(): Promise<number> {
  const [outer, actions] = await Promise.all(
    [panel(), panel().locator('.booth-actions')].map(part => part.boundingBox()),
  )
  return Math.round((actions?.y ?? 0) - (outer?.y ?? 0))
}

test('the booth takes cash and lets a car out free, as the cars come (PRK-10)', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await endOpenShift()
  await openPark()
  await arriveAtExit(payer)
  await page.goto('/parking/booth')
  await page.locator('.booth-head .ant-select').click()
  await page.locator('.ant-select-item-option').filter({ hasText: boothName }).first().click()
  await button(page, '开始当班').click()
  await expect(visibleText(page, '当班自')).toBeVisible()
  await expect(panel().getByText(payer).first()).toBeVisible()
  await expect(button(panel(), /收现金 9\.00 元/)).toBeEnabled()
  expect(await findSeriousFaults(page)).toEqual([])
  const top = await actionsTop()
  await page.keyboard.press('c')
  await expect(dialogButton('确认收取 9.00 元')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(toastOf(page, `已收取「${payer}」停车费 9.00 元`)).toBeVisible()
  await expect(visibleText(page, '¥9.00')).toBeVisible()

  await arriveAtExit(mover)
  await expect(panel().getByText(mover).first()).toBeVisible()
  await expect(button(panel(), /收现金 9\.00 元/)).toBeEnabled()
  await page.keyboard.press('r')
  await field(page, 'reason').fill('业主搬家')
  await dialogButton('放行').click()
  await expect(toastOf(page, `已放行「${mover}」`)).toBeVisible()

  await arriveAtExit(unseen)
  await expect(panel().getByText(unseen).first()).toBeVisible()
  await expect(button(panel(), /查找入场记录/)).toBeEnabled()
  // Nothing is charged here, much there: the buttons stay where they are.
  expect(await actionsTop()).toBe(top)
  await page.keyboard.press('r')
  await field(page, 'reason').fill('入口断网')
  await dialogButton('放行').click()
  await expect(toastOf(page, `已放行「${unseen}」`)).toBeVisible()
  await expect(button(panel(), /合并/)).toBeEnabled()
  await expect(
    panel()
      .getByText(/开闸 .*等待车道执行/)
      .first(),
  ).toBeVisible()
  await page.keyboard.press('o')
  await field(page, 'reason').fill('救护车')
  await dialogButton('开闸').click()
  await expect(toastOf(page, `已请「南出口${mark}」开闸`)).toBeVisible()
})

test('the shift is handed over with a shortage and its reason (PRK-10)', async () => {
  await button(page, '交班').click()
  await expect(visibleText(page, '免费放行 1 次，免收')).toBeVisible()
  await field(page, 'handAmount').fill('7')
  await expect(visibleText(page, '短款 2.00 元')).toBeVisible()
  await field(page, 'remark').fill('找零找错')
  expect(await findSeriousFaults(page)).toEqual([])
  await dialogButton('交班').click()
  await expect(toastOf(page, '已交班，待接班人确认')).toBeVisible()
  await expect(button(page, '开始当班')).toBeVisible()
})

test('the next person counts and confirms; the sheet shows what was done without a fee', async ({
  browser,
}) => {
  const other = await openSignedInPage(browser, consoleErrors, 'manager1')
  await other.goto('/parking/carshiftlist?state=waiting')
  await clickRowAction(other, boothName, '接班确认')
  await expect(visibleText(other, '现金应交 9.00 元，实交 7.00 元，短款 2.00 元')).toBeVisible()
  await other.getByRole('dialog').getByRole('button', { name: '确认', exact: true }).click()
  await expect(toastOf(other, '已确认')).toBeVisible()
  await other.close()
  await page.goto('/parking/carshiftlist')
  await expect(rowOf(page, boothName)).toContainText('有差异')
  await clickRowAction(page, boothName, '查看详情')
  await expect(visibleText(page, '找零找错')).toBeVisible()
  await page.getByRole('tab', { name: '放行与改动' }).click()
  await expect(rowOf(page, mover)).toContainText('免费放行')
  await expect(rowOf(page, '救护车')).toContainText('远程开闸')
  await page.getByRole('tab', { name: '收费' }).last().click()
  await expect(rowOf(page, payer)).toContainText('现金')
  expect(await findSeriousFaults(page)).toEqual([])
})
