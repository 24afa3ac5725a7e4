import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { writeWorkbook } from '#kit/server/workbook/workbook-writer.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { addResident } from '#modules/residents/contract/resident.ts'
import { exportCars, importCars } from '../contract/car-sheet.ts'
import { cars, carValidities } from '../contract/car.ts'
import { addPark } from '../contract/park.ts'
import { addPlace } from '../contract/park-place.ts'

let t: GoldenApp
let me: CallOptions
let fileCounter = 0
const project = { projectCode: 'GOLD0001' }

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
})

afterAll(() => t?.close())

const headings = ['车牌', '类别', '车主', '手机', '车位', '有效期起', '有效期止'].map(heading => ({
  heading,
}))

async function run(bytes: Buffer, mode: 'skip' | 'update' = 'skip') {
  const upload = t.upload(`车辆${++fileCounter}.xlsx`, bytes)
  const seen = await t.call(importCars.post, { ...project, mode }, { ...me, upload })
  const { taskId } = await t.call(importCars.post, { ...project, importId: defined(seen.importId), mode }, me)
  return { seen, task: await t.waitForTask(defined(taskId)) }
}

async function importRows(rows: readonly (readonly string[])[], mode: 'skip' | 'update' = 'skip') {
  const path = join(t.dir, `cars${++fileCounter}.xlsx`)
  await writeWorkbook(headings, [rows], createWriteStream(path))
  return run(await readFile(path), mode)
}

const findCar = async (plateNo: string) =>
  defined((await t.call(cars.list, { ...project, plateNo, size: 5 }, me)).rows[0])

it('imports cars with their places and residents, and an export comes back unchanged', async () => {
  const lot = await t.call(addPark, { ...project, name: '导入车库', parkType: 'below', state: 'on' }, me)
  const place = { ...project, parkId: lot.id, placeType: 'plain', placeState: 'sold' } as const
  await t.call(addPlace, { ...place, placeNo: 'X-1' }, me)
  await t.call(addPlace, { ...place, placeNo: 'X-2', placeState: 'free' }, me)
  const person = await t.call(
    addResident,
    { homeProject: 'GOLD0001', name: '车一', mobile: '13755550001', userType: 'person', state: 'normal' },
    me,
  )
  const { seen, task } = await importRows([
    ['粤m·30001', '月租车', '车一', '13755550001', 'X-1', '2026-11-01', '2026-12-31'],
    ['粤M30002', '月租车', '车二', '', 'X-2', '2026-11-01', '2026-12-31'],
    ['粤M30003', '月租车', '车三', '', '', '', ''],
    ['粤M30004', '内部车', '', '', '', '', ''],
    ['粤M30005', '内部车', '车五', '', '', '', ''],
    ['粤M3', '内部车', '车六', '', '', '', ''],
  ])
  expect(defined(seen.errors).map(({ line, column }) => [line, column])).toEqual([
    [3, '车位'],
    [4, '有效期止'],
    [5, '车主'],
    [7, '车牌'],
  ])
  expect(task).toMatchObject({ success: 2, fail: 4 })
  const first = await findCar('粤M30001')
  expect(first).toMatchObject({
    userId: person.id,
    placeNo: 'X-1',
    carState: 'normal',
    endDate: '2026-12-31',
  })
  const history = await t.call(carValidities.list, { carId: [String(first.id)] }, me)
  expect(history.rows.map(row => [row.changeType, row.newEnd])).toEqual([['registered', '2026-12-31']])
  const exported = await readBody(await t.call(exportCars.get, { ...project, keyword: '粤M3000' }, me))
  const again = await run(exported, 'update')
  expect(again.seen.errorCount).toBe(0)
  expect(again.task).toMatchObject({ state: 30, fail: 0 })
})

it('changes the days of a registered car by no import', async () => {
  const { seen } = await importRows([['粤M30001', '月租车', '车一', '', '', '', '2027-12-31']], 'update')
  expect(defined(seen.errors).map(({ line, column, message }) => [line, column, message])).toEqual([
    [2, '有效期止', '已登记车辆的有效期不能由导入修改'],
  ])
  expect((await findCar('粤M30001')).endDate).toBe('2026-12-31')
})
