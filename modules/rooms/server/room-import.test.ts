import { defined } from '#kit/domain/defined.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { asId } from '#kit/domain/id.ts'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { cellToText } from '#kit/server/workbook/worksheet.ts'
import { writeWorkbook } from '#kit/server/workbook/workbook-writer.ts'
import { refusalOf } from '#kit/server/fixtures/refusal.ts'
import { golden } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { listRoomChanges } from '../contract/room-change.ts'
import { listBuildings } from '#modules/estates/contract/building.ts'
import { listRooms } from '../contract/room.ts'
import { exportRooms, exportShops, importRooms } from '../contract/import-export.ts'

let t: GoldenApp
let me: CallOptions
let fileCounter = 0

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
})

afterAll(() => t?.close())

const projectInput = { projectCode: 'GOLD0001' }
const defaultHeadings = [
  '楼栋',
  '单元',
  '楼层',
  '房号',
  '房屋类型',
  '建筑面积（㎡）',
  '房态',
  '交付日期',
  '备注',
]

async function writeWorkbookFile(
  rows: readonly (readonly (string | number | null)[])[],
  headings = defaultHeadings,
): Promise<string> {
  const path = join(t.dir, `book${++fileCounter}.xlsx`)
  await writeWorkbook(
    headings.map(heading => ({ heading })),
    [rows],
    createWriteStream(path),
  )
  return path
}

const previewImport = async (path: string, mode?: string, as = me) =>
  t.call(
    importRooms.post,
    { ...projectInput, ...(mode ? { mode } : {}) },
    {
      ...as,
      upload: t.upload('房间.xlsx', await readFile(path)),
    },
  )

const startImport = (importId: string, mode: string, as = me) =>
  t.call(importRooms.post, { ...projectInput, importId, mode }, as)

const runImport = async (path: string, mode: string) => {
  const seen = await previewImport(path, mode)
  const { taskId } = await startImport(defined(seen.importId), mode)
  return { seen, task: await t.waitForTask(defined(taskId)) }
}

const readResult = async (key: string): Promise<string[][]> => {
  const f = await t.app.files.find(asId(1), key)
  const s = await defined(f).withPath(readWorkbook)
  return [s.heading.map(String), ...s.lines.map(l => l.cells.map(cellToText))]
}

const findRoom = async (path: string) =>
  (await t.call(listRooms, { ...projectInput, keyword: path, size: 10 }, me)).rows

it('tells every fault by line, column and remedy, repeats and what is there apart, and writes nothing (IMP-1, IMP-6)', async () => {
  const seen = await previewImport(
    await writeWorkbookFile([
      ['2栋', '1', 3, '320', '住宅', 88.5, '未售', '2026-01-01', ''],
      ['2栋', '1', 3, '３２１', '别墅院', '八十', '未售', '2026-02-30', ''],
      ['99栋', '1', 3, '322', '住宅', 88, '未售', '', ''],
      ['2', '1单元', 3, '323', '', 88, '', '', ''],
      ['2栋', '1', 3, '323', '住宅', 90, '', '', ''],
      ['2栋', '1', 3, '301', '住宅', 90, '', '', ''],
      ['2栋', '7', 3, '324', '住宅', 90, '', '', ''],
      ['2栋', '1', 33, '325', '住宅', 90, '', '', ''],
      ['2栋', '1', null, '三楼东', '住宅', 90, '', '', ''],
      ['2栋', '1', 3, '', '住宅', 90, '', '', ''],
    ]),
  )
  expect(seen).toMatchObject({
    rows: 10,
    // Rows, whatever is wrong in each: line 3 has three faults. With the known one, which
    // is skipped, and those that are imported they are all.
    errorCount: 6,
    repeatedCount: 1,
    existingCount: 1,
    good: 2,
    fileName: '房间.xlsx',
  })
  expect(seen.repeated).toMatchObject([{ line: 6, value: '2栋、1、323', message: '与第 5 行重复' }])
  expect(defined(seen.errors).map(e => [e.line, e.column])).toEqual([
    [3, '房屋类型'],
    [3, '建筑面积（㎡）'],
    [3, '交付日期'],
    [4, '楼栋'],
    [8, '单元'],
    [9, '楼层'],
    [10, '楼层'],
    [11, '房号'],
  ])
  expect(defined(seen.errors).every(e => e.message && e.remedy)).toBe(true)
  expect(defined(seen.errors).at(-1)).toMatchObject({ message: '房号不能为空', remedy: '填写房号' })
  expect(defined(seen.existing).map(e => [e.line, e.value])).toEqual([[7, '2栋、1、301']])
  expect(await findRoom('2-1-320')).toEqual([])
})

it('counts what it will do: existing rooms with residents’ columns are skipped, too (IMP-1)', async () => {
  const { seen, task } = await runImport(
    await writeWorkbookFile(
      [
        ['2栋', '1', 3, '301', '旧房新人', '13900005501', '业主', 'x'],
        ['2栋', '1', 3, 'C341', '新房新人', '13900005502', '业主', 'x'],
        ['2栋', '1', 3, 'C341', '新房家属', '13900005503', '家属', 'x'],
        ['', '1', 3, 'C342', '', '', '', 'x'],
        ['2栋', '1', 99, 'C343', '号码有误', '123', '业主', 'x'],
      ],
      ['楼栋', '单元', '楼层', '房号', '住户姓名', '住户手机号', '住户关系', '备用列'],
    ),
    'skip',
  )
  expect(task).toMatchObject({ success: 1, skipped: 2, fail: 2 })
  expect(seen).toMatchObject({
    rows: 5,
    good: 1,
    errorCount: 2,
    repeatedCount: 1,
    skippedCount: 1,
    // The column that nobody reads is no line.
    warningCount: 1,
  })
  expect(defined(seen.warnings)).toHaveLength(2)
  expect(defined(seen.repeated)[0]?.remedy).toBe('同一房间的其他住户请用「导入住户」')
  expect(defined(seen.errors).map(e => [e.line, e.column, e.remedy])).toEqual([
    [5, '楼栋', '填写楼栋'],
    [6, '住户手机号', expect.any(String)],
    [6, '楼层', '核对楼层，或先在楼栋管理中修改层数'],
  ])
})

it('finds repeats of one room however its unit is spelled, and lets the first in', async () => {
  const { task } = await runImport(
    await writeWorkbookFile([
      ['2栋', '1', 3, '331', '', 88, '', '', ''],
      ['2栋', '1', 3, '331', '', 89, '', '', ''],
      ['2号楼', '1单元', 3, '331', '', 90, '', '', ''],
    ]),
    'skip',
  )
  expect(task).toMatchObject({ success: 1, skipped: 2, fail: 0 })
  expect(await findRoom('2-1-331')).toMatchObject([{ buildArea: '88' }])
})

it('commits the good lines, says what became of each, and warns of the same file (IMP-3, IMP-4)', async () => {
  const path = await writeWorkbookFile([
    ['2栋', '1', 4, '420', '商铺', 45.25, '空置', '2026-01-01', '=1+1'],
    ['2栋', '1', 44, '421', '', 1, '', '', ''],
    ['1栋', '2', 1, '101', '', 1, '', '', ''],
  ])
  const { seen, task } = await runImport(path, 'skip')
  expect(seen).toMatchObject({ good: 1, existingCount: 1 })
  expect(task).toMatchObject({
    state: 50,
    success: 1,
    skipped: 1,
    fail: 1,
    message: '成功 1，失败 1，跳过 1',
  })
  const resultRows = await readResult(defined(task.resultFile))
  expect(resultRows.map(r => r.at(-1))).toEqual([
    '结果',
    '已导入',
    expect.stringContaining('未导入：「楼层」'),
    '已有此房间，已跳过',
  ])
  expect((await readResult(defined(task.faultFile))).length).toBe(2)
  expect(await findRoom('2-1-420')).toMatchObject([
    {
      roomType: 'shop',
      buildArea: '45.25',
      chargeArea: '45.25',
      roomState: 'vacant',
      remark: '=1+1',
      kind: 'shop',
    },
  ])
  const again = await previewImport(path)
  expect(again.already).toContain('2026-')
  const faults = await t.call(importRooms.faults, { importId: defined(again.importId) }, me)
  expect((await readWorkbook(await readBody(faults))).lines).toHaveLength(1)
})

it('replaces what a line says and leaves what it does not; areas and states keep their rules', async () => {
  await runImport(
    await writeWorkbookFile([
      ['2栋', '1', 5, '520', '住宅', 100, '待交付', '', '旧'],
      ['2栋', '1', 5, '521', '住宅', 100, '未售', '', '旧'],
    ]),
    'skip',
  )
  const headings = ['楼栋', '单元', '房号', '建筑面积', '房态', '交付日期', '备注', '面积生效日期']
  const { task } = await runImport(
    await writeWorkbookFile(
      [
        ['2栋', '1', '520', 101.5, '空置', '2026-11-01', '', '2027-01-01'],
        ['2栋', '1', '521', '', '已入住', '', '新', ''],
      ],
      headings,
    ),
    'replace',
  )
  expect(task).toMatchObject({ success: 1, fail: 1 })
  const [a] = await findRoom('2-1-520')
  const [b] = await findRoom('2-1-521')
  expect(a).toMatchObject({
    remark: '旧',
    roomState: 'vacant',
    deliverDate: '2026-11-01',
    buildArea: '100',
    roomType: 'home',
    floorNum: 5,
  })
  expect(b).toMatchObject({ remark: '旧', roomState: 'unsold' })
  expect(
    (await t.call(listRoomChanges, { roomId: defined(defined(a).id) }, me)).rows.map(c => [
      c.item,
      c.newValue,
      c.effectiveDate,
      c.applied,
    ]),
  ).toEqual([
    ['chargeArea', '101.5', '2027-01-01', false],
    ['buildArea', '101.5', '2027-01-01', false],
    ['roomState', '空置', '2026-11-21', true],
  ])
})

it('renumbers rooms, also exchanging their numbers', async () => {
  await runImport(
    await writeWorkbookFile([
      ['2栋', '1', 6, '620', '', 1, '', '', '甲'],
      ['2栋', '1', 6, '621', '', 1, '', '', '乙'],
      ['2栋', '1', 6, '622', '', 1, '', '', '丙'],
    ]),
    'skip',
  )
  const headings = ['楼栋', '单元', '房号', '新房号']
  const { task } = await runImport(
    await writeWorkbookFile(
      [
        ['2栋', '1', '620', '621'],
        ['2栋', '1', '621', '620'],
        ['2栋', '1', '622', '601'],
        ['2栋', '1', '699', '698'],
      ],
      headings,
    ),
    'renumber',
  )
  expect(task).toMatchObject({ success: 2, fail: 2 })
  expect((await findRoom('2-1-620'))[0]).toMatchObject({ remark: '乙' })
  expect((await findRoom('2-1-621'))[0]).toMatchObject({ remark: '甲', roomNo: '621' })
})

it('takes two imports of one file at once: every room once', async () => {
  const rows = Array.from({ length: 300 }, (_, i) => [
    '2栋',
    '1',
    2,
    `2${String(i + 500)}`,
    '',
    50,
    '',
    '',
    '',
  ])
  const path = await writeWorkbookFile(rows)
  const seen = await Promise.all([previewImport(path), previewImport(path)])
  const begun = await Promise.all(seen.map(s => startImport(defined(s.importId), 'skip')))
  const tasks = await Promise.all(begun.map(b => t.waitForTask(defined(b.taskId))))
  expect(tasks.map(x => x.success).toSorted((a, b) => a - b)).toEqual([0, 300])
  expect(tasks.map(x => x.skipped).toSorted((a, b) => a - b)).toEqual([0, 300])
  expect((await startImport(defined(seen[0].importId), 'skip')).taskId).toBe(defined(begun[0]).taskId)
})

it('keeps an import to the data domain and to its own operator (PERM-6)', async () => {
  const one = await t.signedInAs(golden.first.buildingOnly)
  const path = await writeWorkbookFile([
    ['1栋', '1', 1, '130', '', 1, '', '', ''],
    ['2栋', '1', 1, '130', '', 1, '', '', ''],
  ])
  const seen = await previewImport(path, 'skip', one)
  expect(seen).toMatchObject({ good: 1, errors: [{ line: 3, column: '楼栋' }] })
  expect((await refusalOf(startImport(defined(seen.importId), 'skip'))).message).toContain('请重新上传')
  expect(
    (
      await refusalOf(
        t.call(
          importRooms.post,
          { projectCode: 'GOLD0002' },
          {
            ...one,
            upload: t.upload('a.xlsx', await readFile(path)),
          },
        ),
      )
    ).code,
  ).toBe(10003)
})

it('exports what the list shows and takes it back unchanged (EXP-1)', async () => {
  const filter = { ...projectInput, buildCode: ['B1', 'B3'] }
  const file = await t.call(
    exportRooms.get,
    { ...filter, expected: (await t.call(listRooms, filter, me)).total },
    me,
  )
  expect(file.name).toBe('房间_20261121.xlsx')
  const bytes = await readBody(file)
  const sheet = await readWorkbook(bytes)
  const shown = await t.call(listRooms, filter, me)
  // The last line has the totals of the list; an import leaves it out.
  expect(sheet.lines).toHaveLength(shown.total + 1)
  const totals = defined(sheet.lines.at(-1)).cells
  expect(totals[0]).toBe('合计')
  const areaIndex = sheet.heading.findIndex(h => h.startsWith('建筑面积'))
  expect(Number(totals[areaIndex])).toBe(Number(defined(shown.sum).buildArea))
  expect(sheet.heading.slice(0, 5).map(h => String(h).replace('*', ''))).toEqual([
    '房屋编码',
    '楼栋',
    '单元',
    '楼层',
    '房号',
  ])
  const path = t.upload('x.xlsx', bytes).path
  const { seen, task } = await runImport(path, 'replace')
  expect(seen).toMatchObject({
    errorCount: 0,
    warningCount: 0,
    repeatedCount: 0,
    existingCount: shown.total,
  })
  expect(task).toMatchObject({ state: 30, success: 0, fail: 0, skipped: shown.total })
  expect(
    (await readWorkbook(await readBody(await t.call(exportShops.get, projectInput, me)))).lines.length,
  ).toBeGreaterThan(7)
  expect((await refusalOf(t.call(exportRooms.get, { ...filter, expected: 3 }, me))).message).toContain(
    '刚才是 3 条',
  )
  const some = await t.call(exportRooms.get, { ...filter, columns: ['path', 'roomState', 'estateName'] }, me)
  expect((await readWorkbook(await readBody(some))).heading).toEqual(['房间', '房态', '项目'])
})

it('sends more than 2,000 rows to the task centre (EXP-2)', async () => {
  await t.database.tx(1, tx =>
    tx.execute(sql`
      insert into room (
        owner_id, project_code, code, path, build_code, unit_name, floor_num, room_no, room_type,
        room_state, state, sort_key
      )
      select 1, 'GOLD0002', 'Z' || i, 'A-A-' || i, 'B1', 'A', 1, 'Z' || i, 1, 10, 10, lpad(i::text, 6, '0')
      from generate_series(1, 2500) i
    `),
  )
  const filter = { projectCode: 'GOLD0002' }
  expect((await refusalOf(t.call(exportRooms.get, filter, me))).message).toContain(
    '超过 2,000 条，请用后台导出',
  )
  const task = await t.waitForTask(await t.call(exportRooms.start, filter, me))
  expect(task).toMatchObject({ state: 30, success: 2512 })
  expect((await readResult(defined(task.resultFile))).length).toBe(2514)
})

it('gives a template with live lists (IMP-7)', async () => {
  const template = await t.call(importRooms.template, projectInput, me)
  const sheet = await readWorkbook(await readBody(template))
  expect(template.name).toBe('房间导入模板.xlsx')
  expect(sheet.heading).toContain('*楼栋')
  expect(sheet.heading).toContain('楼层')
  // From when a corrected area counts (BASE-7).
  expect(sheet.heading).toContain('面积生效日期')
  expect(sheet.heading).not.toContain('新房号')
  expect(sheet.lines).toEqual([])
})

it('takes the floor from the room number where the line leaves it empty (BASE-1)', async () => {
  const path = await writeWorkbookFile([
    ['2栋', '1', null, '405'],
    ['2栋', '1', null, '后院'],
    ['2栋', '1', null, '9901'],
  ])
  const { seen, task } = await runImport(path, 'skip')
  expect(defined(seen.errors).map(e => [e.line, e.column, e.message])).toEqual([
    [3, '楼层', '楼层无法按房号推算'],
    [4, '楼层', expect.stringContaining('无 99 层')],
  ])
  expect(task).toMatchObject({ success: 1, fail: 2 })
  expect(await findRoom('2-1-405')).toMatchObject([{ floorNum: 4 }])
})

it('offers the building of lines that have other faults, too, and units that buildings lack (BASE-2)', async () => {
  const path = await writeWorkbookFile([
    ['51栋', '1', null, null],
    ['2栋', '7单元', null, '1203'],
    ['2栋', '7', null, '201'],
  ])
  const seen = await previewImport(path)
  expect(seen).toMatchObject({ good: 0, errorCount: 3 })
  expect(seen.missing).toEqual([
    { name: '51栋', note: '1 个单元，1 层' },
    { name: '2栋 7单元', note: '12 层' },
  ])
  const before = defined((await t.call(listBuildings, { ...projectInput, name: '2栋' }, me)).rows[0])
  const after = await t.call(
    importRooms.post,
    { ...projectInput, addMissing: true },
    { ...me, upload: t.upload('房间.xlsx', await readFile(path)) },
  )
  expect(after.missing).toBeUndefined()
  expect(after).toMatchObject({ good: 2, errorCount: 1 })
  const building = defined((await t.call(listBuildings, { ...projectInput, name: '2栋' }, me)).rows[0])
  expect(building.unitNames).toEqual([...defined(before.unitNames), '7'])
  expect(building.floors.at(-1)).toBe('12')
  const { taskId } = await startImport(defined(after.importId), 'skip')
  expect(await t.waitForTask(defined(taskId))).toMatchObject({ success: 2, fail: 1 })
})

it('refuses a file that is no workbook', async () => {
  expect(
    (
      await refusalOf(
        t.call(importRooms.post, projectInput, {
          ...me,
          upload: t.upload('a.xlsx', Buffer.from('PK\u0003\u0004 nothing')),
        }),
      )
    ).message,
  ).toMatch(/损坏|读取|不是/)
  expect((await refusalOf(t.call(importRooms.post, projectInput, me))).message).toBe('请选择要导入的文件')
  expect((await refusalOf(startImport('123456', 'skip'))).message).toContain('请重新上传')
})
