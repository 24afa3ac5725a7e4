import { expect, test, type Page } from '@playwright/test'
import { findSeriousFaults } from './axe.ts'
import { button, defineJourney, field, rowOf, toastOf } from './page-actions.ts'

let page: Page

defineJourney(p => (page = p))

const deviceName = 'JX02 大堂门禁'

async function openParameters(): Promise<void> {
  await page.goto('/intelligence/specialEquipment/menjindev')
  await rowOf(page, deviceName).getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '设备参数' }).click()
  await expect(page.getByText(`设置「${deviceName}」`).filter({ visible: true }).first()).toBeVisible()
}

test('a device of a doorway is set to take residents and staff, and how loud it is', async () => {
  await openParameters()
  await page.getByRole('checkbox', { name: '住户' }).filter({ visible: true }).check()
  await page.getByRole('checkbox', { name: '员工' }).filter({ visible: true }).check()
  await field(page, 'volume').fill('3')
  expect(await findSeriousFaults(page)).toEqual([])
  await button(page, '保存').click()
  await expect(toastOf(page, '下发')).toBeVisible()
})

test('what it is set to stays, and more than it takes is refused', async () => {
  await openParameters()
  await expect(page.getByRole('checkbox', { name: '员工' }).filter({ visible: true })).toBeChecked()
  await expect(field(page, 'volume')).toHaveValue('3')
  await field(page, 'threshold').fill('101')
  await button(page, '保存').click()
  await expect(page.getByText('识别阈值').filter({ visible: true }).first()).toBeVisible()
  await expect(page.getByRole('alert').filter({ visible: true }).first()).toBeVisible()
})

test('the form of a card offers the devices that read one', async () => {
  await page.goto('/menjinSystem/menjinCarManage')
  await button(page, '新增门禁卡').click()
  await button(page, '读卡').click()
  await expect(page.getByRole('menuitem', { name: deviceName })).toBeVisible()
})
