import { defined } from '#kit/domain/defined.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { writeWorkbook } from '#kit/server/workbook/workbook-writer.ts'
import { refusalOf } from '#kit/server/fixtures/refusal.ts'
import { golden } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { naturalSortKey } from '#kit/domain/natural-sort-key.ts'
import {
  addBuilding,
  editBuilding,
  listBuildings,
  pickUnits,
  exportBuildings,
  importBuildings,
} from '../contract/building.ts'
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
    { ...projectInput, importId: defined(seen.importId), mode },
    me,
  )
  return { seen, task: await t.waitForTask(defined(taskId)) }
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
  expect(defined(seen.errors).map(e => [e.line, e.column])).toEqual([
    [4, '单元名称'],
    [5, '楼层数'],
  ])
  // What the mode leaves out is not announced as imported.
  expect(seen).toMatchObject({ good: 2, existingCount: 1 })
  expect(task).toMatchObject({ success: 2, skipped: 1, fail: 2 })
  const made = (await t.call(listBuildings, { ...projectInput, name: '2' }, me)).rows.filter(b =>
    ['21栋', '22栋'].includes(b.name),
  )
  expect(made.map(b => b.unitNames)).toEqual([
    ['A', 'B'],
    ['东', '西'],
  ])
  expect(
    (await t.call(pickUnits, { ...projectInput, buildCode: defined(defined(made[1]).code) }, me)).map(u => [
      u.name,
      u.floorCount,
    ]),
  ).toEqual([
    ['东', 6],
    ['西', 7],
  ])
})

it('overwrites what a line says, but not against the rooms that are there (BASE-4)', async () => {
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
  expect(defined(seen.errors).map(e => [e.line, e.message])).toEqual([
    [2, '「1」单元 3 层还有房间，楼层数不能低于 3'],
  ])
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

it('lists buildings of one rank by their numbers, imported or not', async () => {
  const names = ['B座', '210栋', '29栋', '203栋']
  const rows = names.map(name => [name, 1, 6])
  await runImport(await createWorkbook(['楼栋', '单元数', '楼层数'], rows), 'skip')
  await t.call(
    addBuilding,
    { ...projectInput, name: '200栋', units: 1, unitType: 'number', floors: ['6'], sort: 0 },
    me,
  )
  const listed = async (order?: string) =>
    (await t.call(listBuildings, { ...projectInput, ...(order ? { order } : {}), size: 100 }, me)).rows
      .map(b => b.name)
      .filter(name => [...names, '200栋'].includes(name))
  const inOrder = [...names, '200栋'].toSorted((a, b) => (naturalSortKey(a) < naturalSortKey(b) ? -1 : 1))
  expect(inOrder).toEqual(['29栋', '200栋', '203栋', '210栋', 'B座'])
  expect(await listed()).toEqual(inOrder)
  expect(await listed('-name')).toEqual(inOrder.toReversed())
})

it('keeps a code with its building, in a file and on the form (BASE-2)', async () => {
  const { rows } = await t.call(listBuildings, { ...projectInput, name: '1栋' }, me)
  const first = defined(rows.find(b => b.name === '1栋'))
  const sheet = await createWorkbook(
    ['楼栋', '楼栋编码', '楼层数'],
    [
      ['1栋', 'ZZ1', 3],
      ['41栋', defined(first.code), 3],
      ['42栋', 'ZZ2', 3],
      ['43栋', 'ZZ2', 3],
    ],
  )
  const upload = t.upload('c.xlsx', sheet)
  const seen = await t.call(importBuildings.post, { ...projectInput, mode: 'skip' }, { ...me, upload })
  expect(defined(seen.errors).map(e => [e.line, e.column, e.message])).toEqual([
    [2, '楼栋编码', `该楼栋的编码是「${first.code}」，不能修改`],
    [3, '楼栋编码', '楼栋编码已用于「1栋」'],
    [5, '楼栋编码', '表中另一楼栋「42栋」已使用该编码'],
  ])
  const recoded = await refusalOf(t.call(editBuilding, { ...first, code: 'ZZ9' }, me))
  expect(recoded.data).toEqual([{ Field: 'Buildcode', Message: '楼栋编码保存后不能修改' }])
  const moved = await refusalOf(t.call(editBuilding, { ...first, projectCode: 'GOLD0002' }, me))
  expect(moved.data).toEqual([{ Field: 'Projectcode', Message: '楼栋不能改到其他项目' }])
})

it('lets no one add buildings who is limited to some', async () => {
  const one = await t.signedInAs(golden.first.buildingOnly)
  const upload = t.upload('a.xlsx', await createWorkbook(['楼栋', '楼层数'], [['31栋', 3]]))
  const refusal = await refusalOf(t.call(importBuildings.post, projectInput, { ...one, upload }))
  expect(refusal.code).toBe(10003)
})

it('lists buildings without a sort number behind the numbered ones, in natural order', async () => {
  const add = (name: string, sort: number) =>
    t.call(addBuilding, { ...projectInput, name, sort, units: 1, unitType: 'number', floors: ['3'] }, me)
  await add('排70 栋', 0)
  await add('排8栋', 0)
  await add('排9 栋', 999999)
  const { rows } = await t.call(listBuildings, { ...projectInput, page: 1, size: 200 }, me)
  expect(rows.map(b => b.name).filter(name => name.startsWith('排'))).toEqual(['排9 栋', '排8栋', '排70 栋'])
})
