import { defined } from '#kit/domain/defined.ts'
import { objectOf, objectsOf, numberOf, textOf } from '#kit/contract/fixtures.ts'
import { expect, test, type Page } from '@playwright/test'
import { findSeriousFaults } from './axe.ts'
import { button, callAsPage, defineJourney, rowOf, openScreen } from './page-actions.ts'

const project = 'JXHY0001'
const photo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
let page: Page
let sheetId = 0
let roomCode = ''
let roomId = 0
let sheetNo = ''

defineJourney(p => (page = p))

const rowsAt = async (path: string) => objectsOf((await callAsPage(page, path)).Data)

const sheet = async () => objectOf((await callAsPage(page, `Checkroom/GetOne?ID=${sheetId}`)).Data)

const setState = async (state: number) => {
  const input = { Ids: String(roomId), RoomState: state, DeliverDate: '2026-11-20', Reason: '验房' }
  return objectOf((await callAsPage(page, 'Room/PutState', input, 'PUT')).Data)
}

const openPhone = async (): Promise<void> => {
  await page.setViewportSize({ width: 360, height: 740 })
  await openScreen(page, `/quality/serviceManage/checkroom/inspect?id=${sheetId}`)
}

const closeOrders = async (): Promise<void> => {
  const findings = await rowsAt(`CheckroomDetails/Get?data.CheckroomID=${sheetId}&PageSize=200`)
  const orders = findings.filter(finding => finding.WorkorderID && !finding.FixTime)
  for (const finding of orders) {
    const input = { ID: numberOf(finding.WorkorderID), Reason: '整改完成' }
    await callAsPage(page, 'workorder/v1/WorkOrder/Close', input, 'PUT')
  }
}

async function finish(): Promise<void> {
  await button(page, '完成查验').click()
  await page.getByLabel('水表读数').fill('12.5')
  await page.getByLabel('业主姓名').fill('业主')
  const pad = page.locator('.signature-pad canvas')
  await pad.evaluate(canvas => canvas.scrollIntoView({ block: 'center' }))
  const box = defined(await pad.boundingBox())
  await page.mouse.move(box.x + 20, box.y + 40)
  await page.mouse.down()
  await page.mouse.move(box.x + 160, box.y + 90, { steps: 8 })
  await page.mouse.up()
  await button(page, '提交验房结果').click()
}

test('a sheet is made for a room that waits to be delivered', async () => {
  const rooms = await rowsAt(`Room/Get?ProjectCode=${project}&data.RoomState=30&PageSize=200`)
  const sheets = await rowsAt(`Checkroom/Get?ProjectCode=${project}&PageSize=200`)
  const taken = new Set(sheets.map(row => row.RoomCode))
  const room = defined(rooms.find(row => !taken.has(row.RoomCode)))
  roomCode = textOf(room.RoomCode)
  roomId = numberOf(room.ID)
  expect(await setState(20)).toMatchObject({ Success: 1 })
  const standard = defined((await rowsAt('CheckroomStandard/Get'))[0])
  const made = await callAsPage(page, 'Checkroom/PostBatchRoom', {
    ProjectCode: project,
    Rooms: roomCode,
    StandardID: numberOf(standard.ID),
  })
  expect(made.Data).toMatchObject({ Success: 1 })
  const own = defined((await rowsAt(`Checkroom/Get?ProjectCode=${project}&data.RoomCode=${roomCode}`))[0])
  sheetId = numberOf(own.ID)
  sheetNo = textOf(own.SheetNo)
  await openScreen(page, `/quality/serviceManage/checkroom/Sheet`)
  await expect(rowOf(page, sheetNo)).toContainText('待查')
  expect(await findSeriousFaults(page)).toEqual([])
})

test('three findings with a photo on the phone; the sheet waits for its rectification', async () => {
  await openPhone()
  await button(page, '开始查验').click()
  for (const item of ['门扇门框', '门锁钥匙', '密封条与猫眼']) {
    await button(page, new RegExp(item)).click()
    await button(page, '问题').click()
    await page.getByLabel('问题描述').fill('安装松动，需返修')
    await page.getByLabel('照片：相册').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: photo })
    await expect(page.getByRole('img', { name: '照片 1' })).toBeVisible()
    expect(await findSeriousFaults(page)).toEqual([])
    if (item === '密封条与猫眼') {
      await page.context().setOffline(true)
    }
    await button(page, '保存').click()
  }
  // Without a network the last one is kept with its photo, and sent once the network is back.
  const waiting = page.getByText('1 项查验结果存在手机上')
  await expect(waiting).toBeVisible()
  await expect(button(page, /密封条与猫眼/)).toContainText('问题')
  await expect(button(page, /密封条与猫眼/)).toContainText('1 张照片')
  await page.reload().catch(() => undefined)
  await page.context().setOffline(false)
  await openPhone()
  await expect(button(page, /密封条与猫眼/)).toContainText('问题')
  await expect(waiting).toHaveCount(0)
  const findings = await rowsAt(`CheckroomDetails/Get?data.CheckroomID=${sheetId}&PageSize=200`)
  const sent = defined(findings.find(finding => finding.ItemName === '密封条与猫眼'))
  expect([sent.Problem, String(sent.Photos).split(',').length]).toEqual(['安装松动，需返修', 1])
  const pass = page.getByRole('button', { name: /其余合格$/ })
  await expect(pass.first()).toBeVisible()
  for (let remaining = await pass.count(); remaining > 0; remaining--) {
    await pass.first().click()
    await expect(pass).toHaveCount(remaining - 1)
  }
  await finish()
  await expect(button(page, '复查')).toBeVisible()
  // What was found is read without beginning the recheck.
  const first = page.getByRole('region', { name: '首次查验' })
  await expect(first).toContainText('业主在场 业主')
  await expect(first.getByText('安装松动，需返修')).toHaveCount(3)
  await expect(first.getByText('未整改')).toHaveCount(3)
  expect(await sheet()).toMatchObject({ State: 40, ProblemCount: 3, OpenCount: 3 })
  expect(await setState(30)).toMatchObject({ Success: 0, Fail: 1 })
})

test('its orders end, the recheck passes, and the room is delivered', async () => {
  await closeOrders()
  expect((await sheet()).State).toBe(50)
  await openPhone()
  await button(page, '复查').click()
  for (const item of ['门扇门框', '门锁钥匙', '密封条与猫眼']) {
    await button(page, new RegExp(item)).click()
    await button(page, '已整改').click()
    await button(page, '保存').click()
  }
  await finish()
  await expect.poll(async () => (await sheet()).State).toBe(60)
  await page.setViewportSize({ width: 1280, height: 800 })
  await openScreen(page, '/quality/serviceManage/checkroom/Already')
  await expect(rowOf(page, sheetNo)).toContainText('复查合格')
  await openScreen(page, `/quality/serviceManage/checkroom/Sheet/print?id=${sheetId}`)
  await expect(page.getByRole('img', { name: '首次查验业主签名' })).toBeVisible()
  await expect(page.getByRole('img', { name: '第 1 次复查业主签名' })).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])
  expect(await setState(30)).toMatchObject({ Success: 1 })
})
