import { expect, test, type Page } from '@playwright/test'
import { crc32, deflateSync } from 'node:zlib'
import { findSeriousFaults } from './axe.ts'
import {
  button,
  defineJourney,
  field,
  rowOf,
  selectOption,
  toastOf,
  visibleText,
  openScreen,
} from './page-actions.ts'

/** Unique names: a retried journey finds the records of its first try. */
const callNo = `C${Date.now() % 1_000_000}`
let page: Page

defineJourney(p => (page = p))

function chunkOf(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  size.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([size, body, sum])
}

/** A grey PNG of squares: in the light of the brighter of two values. */
function photoOf(dark: number, bright: number): Buffer {
  const [width, height] = [480, 640]
  const lines = Array.from({ length: height }, (_, y) =>
    Buffer.from([
      0,
      ...Array.from({ length: width }, (__, x) =>
        (Math.floor(x / 12) + Math.floor(y / 12)) % 2 ? dark : bright,
      ),
    ]),
  )
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.writeUInt8(8, 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunkOf('IHDR', head),
    chunkOf('IDAT', deflateSync(Buffer.concat(lines))),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
}

const choosePhoto = (buffer: Buffer): Promise<void> =>
  page.getByLabel('人脸照片：选择照片').setInputFiles({ name: 'face.png', mimeType: 'image/png', buffer })

test('a face is taken on a phone: a dark photo is refused, a good one goes to the devices', async () => {
  await page.setViewportSize({ width: 360, height: 740 })
  await openScreen(page, '/face')
  await page.getByRole('searchbox', { name: '查找人员' }).fill('张')
  await page.getByRole('list', { name: '查找结果' }).getByRole('button').first().click()
  await choosePhoto(photoOf(0, 40))
  await expect(page.getByText('光线太暗，请到明亮处重拍')).toBeVisible()
  await expect(page.getByRole('button', { name: /^(保存|更换人脸)$/ })).toBeDisabled()
  await choosePhoto(photoOf(90, 170))
  await expect(page.getByText('合格')).toHaveCount(3)
  expect(await findSeriousFaults(page)).toEqual([])
  await page.getByRole('button', { name: /^(保存|更换人脸)$/ }).click()
  await expect(page.getByText('已录入，正在下发到门禁设备')).toBeVisible()
  await page.setViewportSize({ width: 1280, height: 800 })
})

test('a door shows its checks in order, with those who pass and the devices', async () => {
  await openScreen(page, '/accessprocess?doorwayId=1')
  await expect(page.getByRole('heading', { name: '出示凭证' })).toBeVisible()
  await expect(page.getByRole('region', { name: '通行权限' })).toContainText('公共门')
  await expect(page.getByRole('region', { name: '门禁设备' })).toContainText('大堂门禁')
  expect(await findSeriousFaults(page)).toEqual([])
})

test('a station of the intercom is added, looked at and taken back', async () => {
  await openScreen(page, '/intelligence/specialEquipment/visibleintertalk')
  await button(page, '新增可视对讲设备').click()
  // A device is one station alone: the second try takes another.
  await selectOption(page, 'deviceId', test.info().retry ? '生活水泵' : '地库入口道闸')
  await page.getByRole('radio', { name: '管理机' }).filter({ visible: true }).check()
  await field(page, 'callNo').fill(callNo)
  await button(page, '新增可视对讲设备').click()
  await expect(toastOf(page, '已新增可视对讲设备')).toBeVisible()
  await expect(page).toHaveURL(/LookEquipment\?id=/)
  await expect(visibleText(page, callNo)).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])
  await openScreen(page, '/intelligence/specialEquipment/visibleintertalk')
  await page.getByPlaceholder('设备名称、呼叫号').filter({ visible: true }).fill(callNo)
  await expect(rowOf(page, 'M101')).toHaveCount(0)
  await rowOf(page, callNo).getByRole('checkbox').check()
  await button(page, '删除').click()
  await page.getByRole('dialog').getByText('录入有误').click()
  await page.getByRole('dialog').getByRole('button', { name: /^删除/ }).click()
  await expect(rowOf(page, callNo)).toHaveCount(0)
})

test('imports of cards begin with their template', async () => {
  await openScreen(page, '/doorvisitors/doorcardmanage')
  await button(page, '导入').click()
  await expect(visibleText(page, '导入门禁卡')).toBeVisible()
})
