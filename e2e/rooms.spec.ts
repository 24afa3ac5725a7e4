import { defined } from '#kit/domain/defined.ts'
import { readFileSync } from 'node:fs'
import { expect, test, type Download, type Page } from '@playwright/test'
import { cellToText } from '#kit/server/workbook/worksheet.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import {
  button,
  chooseProject,
  field,
  defineJourney,
  selectOption,
  visibleText,
  toastOf,
  openScreen,
} from './page-actions.ts'
import { roomsWorkbook } from './rooms-workbook.ts'

const stamp = Date.now().toString(36).toUpperCase()
const estate = `云帆花园${stamp}`
const code = `YFHY${stamp}`
const building = '1 栋'
let page: Page
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const readDownload = async (d: Download): Promise<Buffer> => readFileSync(await d.path())

defineJourney(p => (page = p))

const uploadWorkbook = async (name: string, file: Buffer): Promise<void> => {
  await openScreen(page, '/service/data/roommange')
  await button(page, /导入$/).click()
  await page.locator('.ant-drawer input[type=file]').setInputFiles({ name, mimeType: xlsx, buffer: file })
}

const sum = (label: string) =>
  page.locator('.import .sums div').filter({ hasText: label }).locator('b').first()

test('a new estate with a building is set up by forms', async () => {
  await openScreen(page, '/service/data/statelist/addstate')
  await field(page, 'name').fill(estate)
  await field(page, 'projectCode').fill(code)
  await field(page, 'managerPhone').fill('12345')
  await button(page, '新增项目').click()
  await expect(page.locator('[data-field="managerPhone"] .note')).toContainText('手机号')
  await field(page, 'managerPhone').fill('13800138000')
  await button(page, '新增项目').click()
  await expect(toastOf(page, '已新增项目')).toBeVisible()
  await page.reload()
  await chooseProject(page, estate)
  await openScreen(page, '/service/data/buildlist/addbuilds')
  await field(page, 'name').fill(building)
  await field(page, 'units').fill('10')
  await field(page, 'floors').fill('50')
  await field(page, 'floors').press('Enter')
  await expect(visibleText(page, '将有 10 个单元')).toBeVisible()
  await button(page, '新增楼栋').click()
  await expect(toastOf(page, '已新增楼栋')).toBeVisible()
})

test('four rooms are added in a batch', async () => {
  await openScreen(page, '/service/data/roommange/addrooms?way=batch')
  await selectOption(page, 'buildCode', building)
  await selectOption(page, 'unitNames', /^1 （/)
  await field(page, 'floorFrom').fill('1')
  await field(page, 'floorTo').fill('1')
  await field(page, 'perFloor').fill('4')
  await button(page, /生成 4 间/).click()
  await expect(toastOf(page, '已生成 4 间房间')).toBeVisible()
})

test('a workbook of 5,000 rooms reports every planted fault by line and column, and imports nothing unasked', async () => {
  const book = roomsWorkbook(building, false)
  await uploadWorkbook('房间.xlsx', book.file)
  await expect(sum('错误')).not.toHaveText('0', { timeout: 30_000 })
  await expect(sum('文件内重复')).toHaveText(String(book.repeated))
  await expect(sum('已有')).toHaveText('4')
  await expect(page.locator('.import .scope-line')).toContainText(
    `共 ${book.rows.toLocaleString('en-US')} 行`,
  )
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, /下载错误行$/).click()])
  const faults = await readWorkbook(await readDownload(file))
  expect(faults.heading.at(-1)).toBe('结果')
  const results = faults.lines.map(l => cellToText(l.cells[faults.heading.length - 1]))
  // Every planted fault is reported in its own line under its column, every repeated line too, and no
  // other line.
  expect(results).toHaveLength(book.planted.length + book.repeated)
  for (const column of new Set(book.planted.map(p => p.column))) {
    expect(
      results.filter(t => t.includes(`「${column}」`)),
      column,
    ).toHaveLength(book.planted.filter(p => p.column === column).length)
  }
  const shown = page.locator('.import [role=row], .import tr')
  for (const p of book.planted.slice(0, 3)) {
    await expect(
      shown
        .filter({ hasText: String(p.line) })
        .filter({ hasText: p.column })
        .first(),
    ).toBeVisible()
  }
  await button(page.locator('.ant-drawer-footer'), /关闭/).click()
  await openScreen(page, '/service/data/roommange')
  await expect(visibleText(page, '共 4 条')).toBeVisible()
})

test('the corrected workbook is imported, a room is found and shown on the board', async () => {
  const book = roomsWorkbook(building, true)
  await uploadWorkbook('房间-改好.xlsx', book.file)
  await expect(sum('可导入')).not.toHaveText('0', { timeout: 30_000 })
  await expect(sum('错误')).toHaveText('0')
  await button(page.locator('.ant-drawer'), /导入 [\d,]+ 行/).click()
  await expect(page.locator('.outcome .big')).toContainText(/成功 4,996/, { timeout: 60_000 })
  await button(page, /完成$/).click()
  await openScreen(page, '/service/data/roommange')
  await expect(visibleText(page, '共 5,000 条')).toBeVisible()
  await page.getByPlaceholder(/房号/).fill('1-10-5010')
  await expect(visibleText(page, '1-10-5010')).toBeVisible()
  await openScreen(page, '/service/data/roomboard')
  await page.locator('.room-cell').filter({ hasText: '5010' }).last().click()
  await expect(page.getByRole('complementary', { name: '一房一档' })).toContainText('1-10-5010')
})

test('the export is re-imported unchanged', async () => {
  await openScreen(page, '/service/data/roommange')
  await button(page, /导出$/).click()
  await visibleText(page, '全部字段').click()
  await button(page, /后台导出/).click()
  await button(page, /任务中心/).click()
  // The import of the journey before is there too, with its own lines to fetch.
  const export5000 = page
    .getByRole('dialog', { name: '任务中心' })
    .getByRole('listitem')
    .filter({ hasText: '导出房间' })
  const [file] = await Promise.all([
    page.waitForEvent('download', { timeout: 60_000 }),
    button(export5000, /下载/).click({ timeout: 60_000 }),
  ])
  const exported = await readDownload(file)
  const sheet = await readWorkbook(exported)
  // The last line has the totals, which the import leaves out.
  expect(sheet.lines).toHaveLength(5001)
  expect(sheet.heading).toContain('房号')
  expect(cellToText(defined(sheet.lines[0]).cells[sheet.heading.indexOf('房号')])).toBe('101')
  await uploadWorkbook('导出.xlsx', exported)
  await expect(sum('已有')).toHaveText('5,000', { timeout: 30_000 })
  await expect(sum('错误')).toHaveText('0')
})
