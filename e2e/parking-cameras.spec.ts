import { expect, test, type Page } from '@playwright/test'
import { exampleFeeRule } from '#db/golden/park-fee-terms.ts'
import { addPark } from '#modules/parking/contract/park.ts'
import { parkFeeRules } from '#modules/parking-lanes/contract/fee-rule.ts'
import { parkLanes } from '#modules/parking-lanes/contract/park-lane.ts'
import { requestTo, SimulatedCamera } from '#modules/parking-cameras/server/simulator/simulated-camera.ts'
import { findSeriousFaults } from './axe.ts'
import { button, callOn, clickRowAction, defineJourney, field, rowOf, toastOf } from './page-actions.ts'

const projectCode = 'JXHY0001'
/** Unique names: a retried journey finds the records of its first try. */
const mark = String(10_000 + (Date.now() % 90_000))
const lane = `相机入口${mark}`
const cameraName = `相机${mark}`
const misread = `粤Q${mark}`
const real = `粤R${mark}`
let page: Page
let camera: SimulatedCamera

defineJourney(opened => (page = opened))

test('a camera gets its key once, and reports with it (PRK-61)', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  const park = { projectCode, name: `相机车场${mark}`, parkType: 'below', state: 'on' } as const
  const { id: parkId } = await callOn(page, addPark, park)
  await callOn(page, parkFeeRules.add, { projectCode, parkId, ...exampleFeeRule, ruleName: '临停' })
  await callOn(page, parkLanes.add, {
    projectCode,
    parkId,
    laneName: lane,
    direction: 'entrance',
    laneType: 'vehicle',
    deviceNo: `CAM-${mark}`,
    state: 'on',
  })
  await page.goto('/parking/parksetting?tab=cameras')
  await button(page, '新增相机').click()
  await field(page, 'cameraName').fill(cameraName)
  await field(page, 'serialNo').fill(`CAM-${mark}`)
  await page.getByRole('dialog').getByRole('button', { name: '新增相机', exact: true }).click()
  const shown = page.getByRole('dialog').filter({ hasText: `「${cameraName}」的密钥` })
  const key = await shown.getByLabel('密钥', { exact: true }).textContent()
  const { origin, pathname } = new URL((await shown.locator('[aria-label="推送地址"]').textContent()) ?? '')
  expect(await findSeriousFaults(page)).toEqual([])
  await shown.getByRole('button', { name: '已保存，关闭' }).click()
  await expect(rowOf(page, cameraName)).toContainText('未连接')
  camera = new SimulatedCamera({ path: pathname, key: key ?? '' }, requestTo(origin))
  expect(await camera.report({ plateNo: misread, confidence: 60 })).toMatchObject({
    status: 200,
    isOpen: false,
  })
})

test('the booth checks the plate that was not read for sure, and the barrier opens (PRK-62)', async () => {
  const waiting = camera.poll()
  await page.goto('/parking/outinlog?tab=readings')
  await clickRowAction(page, misread, '核对车牌')
  await field(page, 'plateNo').fill(real)
  expect(await findSeriousFaults(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: '确认车牌', exact: true }).click()
  await expect(toastOf(page, `${real} 已开闸：临时车`)).toBeVisible()
  await expect(rowOf(page, misread)).toContainText('已核对')
  const first = await waiting
  expect([...first, ...(first.length ? [] : await camera.poll())]).toHaveLength(1)
  await page.goto(`/parking/outinlog?plateNo=${encodeURIComponent(real)}`)
  await expect(rowOf(page, real)).toContainText('在场')
})
