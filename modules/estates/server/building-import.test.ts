import { readBody } from '#kit/server/fixtures/read-body.ts'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { writeWorkbook } from '#kit/server/workbook/workbook-writer.ts'
import { refusalOf } from '#kit/server/fixtures/refusal.ts'
import { golden } from '../../../db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '../../../db/golden/golden-app.ts'
import { listBuildings, pickUnits } from '../contract/building.ts'
import { exportBuildings, importBuildings } from '../contract/building.ts'
import { exportPublicAreas } from '../contract/public-area.ts'

let t: GoldenApp
let me: CallOptions
let fileCounter = 0

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
})

afterAll(() => t?.close())
const projectInput = { projectCode: 'GOLD0001' }

async function createWorkbook(
  headings: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): Promise<Buffer> {
  const path = join(t.dir, `b${++fileCounter}.xlsx`)
  await writeWorkbook(
    headings.map(heading => ({ heading })),
    [rows],
    createWriteStream(path),
  )
  return readFile(path)
}

async function runImport(bytes: Buffer, mode: 'skip' | 'update') {
  const seen = await t.call(
    importBuildings.post,
    { ...projectInput, mode },
    {
      ...me,
      upload: t.upload(`楼栋${++fileCounter}.xlsx`, bytes),
    },
  )
  const { taskId } = await t.call(
    importBuildings.post,
    { ...projectInput, importId: seen.importId!, mode },
    me,
  )
  return { seen, task: await t.waitForTask(taskId!) }
}

it('imports buildings with their units (BASE-2)', async () => {
  const { seen, task } = await runImport(
    await createWorkbook(
      ['楼栋', '单元数', '单元命名方式', '单元名称', '楼层数', '楼栋类型'],
      [
        ['21栋', 2, '字母', '', 18, '高层'],
        ['22栋', 2, '数字', '东、西', '6,7', ''],
        ['23栋', 3, '', '东,西', 6, ''],
        ['24栋', 1, '', '', '', ''],
        ['1栋', 1, '', '', 3, ''],
      ],
    ),
    'skip',
  )
  expect(seen.errors!.map(e => [e.line, e.column])).toEqual([
    [4, '单元名称'],
    [5, '楼层数'],
  ])
  expect(task).toMatchObject({ success: 2, skipped: 1, fail: 2 })
  const made = (await t.call(listBuildings, { ...projectInput, name: '2' }, me)).rows.filter(b =>
    ['21栋', '22栋'].includes(b.name),
  )
  expect(made.map(b => b.unitNames)).toEqual([
    ['A', 'B'],
    ['东', '西'],
  ])
  expect(
    (await t.call(pickUnits, { ...projectInput, buildCode: made[1]!.code! }, me)).map(u => [
      u.name,
      u.floorCount,
    ]),
  ).toEqual([
    ['东', 6],
    ['西', 7],
  ])
})

it('overwrites what a line says, but not against the rooms that stand there (BASE-4)', async () => {
  const { seen, task } = await runImport(
    await createWorkbook(
      ['楼栋', '楼层数', '备注'],
      [
        ['1栋', 2, ''],
        ['2栋', 9, '加层'],
      ],
    ),
    'update',
  )
  expect(seen.errors!.map(e => [e.line, e.says])).toEqual([[2, '「1」单元 3 层还有房间，楼层数不能低于 3']])
  expect(task).toMatchObject({ success: 1, fail: 1 })
  expect(
    (await t.call(listBuildings, { ...projectInput, name: '2栋' }, me)).rows.find(b => b.name === '2栋'),
  ).toMatchObject({ remark: '加层', floors: ['9'], undergroundFloors: 1 })
})

it('takes its own export back unchanged, and exports areas', async () => {
  const { seen, task } = await runImport(
    await readBody(await t.call(exportBuildings.get, projectInput, me)),
    'update',
  )
  expect(seen).toMatchObject({ errorCount: 0, warningCount: 0 })
  expect(task).toMatchObject({ state: 30, success: 0, fail: 0 })
  expect((await t.call(exportPublicAreas.get, projectInput, me)).name).toBe('公共区域_20261121.xlsx')
})

it('lets no one add buildings who is limited to some', async () => {
  const one = await t.signedInAs(golden.first.buildingOnly)
  const upload = t.upload('a.xlsx', await createWorkbook(['楼栋', '楼层数'], [['31栋', 3]]))
  const refusal = await refusalOf(t.call(importBuildings.post, projectInput, { ...one, upload }))
  expect(refusal.code).toBe(10003)
})
