import { readBody } from '#kit/server/fixtures/read-body.ts'
import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FileResponse } from '#kit/contract/file-response.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { cellToText } from '#kit/server/workbook/worksheet.ts'
import { writeWorkbook } from '#kit/server/workbook/workbook-writer.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { listMeters } from '../contract/meter-calls.ts'
import { addPlan } from '../contract/plan.ts'
import { clearMonthReadings } from '../contract/reading.ts'
import { exportReport } from '../contract/report.ts'
import {
  exportMeters,
  exportReadings,
  importMeters,
  importReadings,
  downloadMonthSheet,
} from '../contract/transfer.ts'
import { refusalOf } from '#kit/server/fixtures/refusal.ts'
import { createMeterFixtures } from './fixtures.ts'
import { billReadings } from './public.ts'

let t: GoldenApp
let me: CallOptions
let fixtures: ReturnType<typeof createMeterFixtures>
let n = 0

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.signedInAs(golden.first.owner)
  fixtures = createMeterFixtures(t, me)
})

afterAll(() => t?.close())
const project = { projectCode: 'GOLD0001' }
type Cells = readonly (string | number | null)[]

async function writeBook(head: readonly string[], rows: readonly Cells[]): Promise<string> {
  const path = join(t.dir, `b${++n}.xlsx`)
  await writeWorkbook(
    head.map(heading => ({ heading })),
    [rows],
    createWriteStream(path),
  )
  return path
}

const runImport = async (of: Pick<typeof importMeters, 'post'>, path: string, mode = 'skip') => {
  const seen = await t.call(
    of.post,
    { ...project, mode },
    {
      ...me,
      upload: t.upload('表.xlsx', await readFile(path)),
    },
  )
  return {
    seen,
    go: async () =>
      t.waitForTask(
        defined((await t.call(of.post, { ...project, importId: defined(seen.importId), mode }, me)).taskId),
      ),
  }
}

const listErrors = (seen: { errors?: readonly { line: number; column?: string; message: string }[] }) =>
  (seen.errors ?? []).map(e => [e.line, e.column, e.message])

const readSheet = async (b: FileResponse): Promise<string[][]> => {
  const path = join(t.dir, `o${++n}.xlsx`)
  const { writeFile } = await import('node:fs/promises')
  await writeFile(path, await readBody(b))
  const s = await readWorkbook(path)
  return [s.heading.map(String), ...s.lines.map(l => l.cells.map(cellToText))]
}

const sheetHead = ['表号', '月份', '抄表日期', '本期止数', '翻表', '估抄', '备注']

it('IMP-1 readings from a sheet: every fault by its line; the good ones go in, in the order of their days', async () => {
  const a = await fixtures.meter({ initNum: '0' })
  const b = await fixtures.meter({ initNum: '99980', digits: 5, multiple: '40' })
  const stopped = await fixtures.meter({ initNum: '0', state: 'stopped' })
  const strict = await fixtures.meter({ initNum: '0', meterKind: 'gas' })
  const billed = await fixtures.meter({ initNum: '0' })
  const s = await fixtures.scope()
  await t.call(
    addPlan,
    {
      ...project,
      name: '燃气',
      meterKind: 'gas',
      readDay: 10,
      windowDays: 3,
      strict: true,
      beginMonth: '2026-01',
      state: 'on',
    },
    me,
  )
  const r = await fixtures.read(billed, '2026-10-20', '9')
  await t.database.tx(s.ownerId, tx =>
    billReadings(tx, s, [{ readingId: r.id, billId: asId(77), billNo: 'ZD77' }]),
  )
  const path = await writeBook(sheetHead, [
    [a.meterNo, '2026-10', '2026-10-31', 30, '', '', ''],
    [a.meterNo, '2026-09', '2026-09-30', 12, '', '', ''],
    [a.meterNo, '2026-09', '2026-09-29', 11, '', '', ''],
    [a.meterNo, '2026-08', '2026-08-31', '八十', '', '', ''],
    [b.meterNo, '2026-09', '2026-09-30', 15, '', '', ''],
    [b.meterNo, '2026-10', '2026-10-31', 15, '是', '', ''],
    ['NOPE', '2026-10', '2026-10-31', 1, '', '', ''],
    [stopped.meterNo, '2026-10', '2026-10-31', 1, '', '', ''],
    [strict.meterNo, '2026-10', '2026-10-31', 1, '', '', ''],
    [billed.meterNo, '2026-09', '2026-09-30', 5, '', '', ''],
    [billed.meterNo, '2026-10', '2026-10-31', 12, '', '', ''],
  ])
  const { seen, go } = await runImport(importReadings, path)
  expect(listErrors(seen)).toEqual([
    [5, '本期止数', expect.any(String)],
    [6, '本期止数', '本期读数小于上期读数，如为翻表请勾选'],
    [8, '表号', '表号「NOPE」不存在，请核对'],
    [9, '表号', expect.stringContaining('已停用')],
    [10, '抄表日期', expect.stringContaining('超期不能录入')],
    [11, '本期止数', expect.stringContaining('账单 ZD77')],
  ])
  expect([seen.repeated?.map(f => [f.line, f.message]), seen.existing?.map(f => f.line), seen.good]).toEqual([
    [[4, '与第 3 行重复']],
    [12],
    3,
  ])
  expect(await fixtures.all(a)).toEqual([])
  expect(await go()).toMatchObject({ success: 3, skipped: 2, fail: 6 })
  expect([
    (await fixtures.all(a)).map(x => [x.month, x.lastNum, x.usage, x.source]),
    (await fixtures.all(b)).map(x => x.usage),
  ]).toEqual([
    [
      ['2026-09', '0', '12', 'imported'],
      ['2026-10', '12', '18', 'imported'],
    ],
    ['1400'],
  ])
})

it('IMP-4, MTR-6 the same file again is skipped or written over; what was cleared may come again', async () => {
  const m = await fixtures.meter({ initNum: '0' })
  const path = await writeBook(sheetHead, [[m.meterNo, '2026-10', '2026-10-31', 30, '', '', '甲']])
  expect(await (await runImport(importReadings, path)).go()).toMatchObject({ success: 1 })
  const again = await runImport(importReadings, path)
  expect([again.seen.already !== undefined, again.seen.existingCount]).toEqual([true, 1])
  expect(await again.go()).toMatchObject({ success: 0, skipped: 1 })
  expect(
    await (
      await runImport(
        importReadings,
        await writeBook(sheetHead, [[m.meterNo, '2026-10', '2026-10-30', 25, '', '', '乙']]),
        'update',
      )
    ).go(),
  ).toMatchObject({ success: 1 })
  expect((await fixtures.all(m)).map(r => [r.readDate, r.usage, r.remark])).toEqual([
    ['2026-10-30', '25', '乙'],
  ])
  await t.call(
    clearMonthReadings,
    { ...project, month: '2026-10', meterKind: ['cold'], reason: '整月重抄' },
    me,
  )
  expect(await (await runImport(importReadings, path)).go()).toMatchObject({ success: 1 })
})

it('IMP-7 the month’s sheet is filled in and comes back as it is; lists come out as files', async () => {
  const m = await fixtures.meter({ initNum: '7', location: '=cmd' })
  const blob = await t.call(downloadMonthSheet, { ...project, month: '2026-11' }, me)
  const rows = await readSheet(blob)
  const ownRow = defined(rows.find(r => r[0] === m.meterNo))
  expect([rows[0], ownRow.slice(0, 5)]).toEqual([
    [
      '表号',
      '安装对象',
      '位置',
      '上期日期',
      '上期止数',
      '月份',
      '抄表日期',
      '本期止数',
      '翻表',
      '估抄',
      '备注',
    ],
    [m.meterNo, '', '=cmd', '', '7'],
  ])
  const filled = await writeBook(defined(rows[0]), [ownRow.map((c, i) => (i === 7 ? '9.5' : c))])
  expect(await (await runImport(importReadings, filled)).go()).toMatchObject({ success: 1 })
  const list = await readSheet(await t.call(exportReadings.get, { ...project, keyword: m.meterNo }, me))
  expect(list.map(r => [r[0], r[7], r[10]])).toEqual([
    ['表号', '本期止数', '用量'],
    [m.meterNo, '9.5', '2.5'],
    ['合计', '', ''],
  ])
  const detail = await readSheet(
    await t.call(
      exportReport,
      { ...project, fromMonth: '2026-11', toMonth: '2026-11', keyword: m.meterNo },
      me,
    ),
  )
  // Headings, the reading, the totals.
  expect(detail).toHaveLength(3)
  expect(
    (await refusalOf(t.call(exportReport, { ...project, fromMonth: '2020-01', toMonth: '2020-02' }, me)))
      .message,
  ).toContain('无符合条件')
})

it('MTR-15 readings by time of day from a sheet: the month’s sheet asks for them, their prices go on, and registers that do not add up are reported', async () => {
  const [a, b, c] = [
    await fixtures.meter({ initNum: '0', meterKind: 'power' }),
    await fixtures.meter({ initNum: '0', meterKind: 'power' }),
    await fixtures.meter({ initNum: '0', meterKind: 'power' }),
  ]
  for (const m of [a, b, c]) {
    await fixtures.read(m, '2026-10-20', '30', {
      registers: [
        { name: '峰', last: '0', current: '10', price: '1' },
        { name: '谷', last: '0', current: '20', price: '0.3' },
      ],
    })
  }
  const rows = await readSheet(
    await t.call(downloadMonthSheet, { ...project, month: '2026-11', meterKind: 'power' }, me),
  )
  const ownRow = defined(rows.find(r => r[0] === a.meterNo))
  expect([defined(rows[0]).slice(5, 13), ownRow[5]]).toEqual([
    ['上期分时', '月份', '抄表日期', '本期止数', '尖', '峰', '平', '谷'],
    '峰 10，谷 20',
  ])
  const { seen, go } = await runImport(
    importReadings,
    await writeBook(
      ['表号', '月份', '抄表日期', '本期止数', '峰时读数', '谷'],
      [
        [a.meterNo, '2026-11', '2026-11-20', 45, 15, 30],
        [b.meterNo, '2026-11', '2026-11-20', 45, 15, 35],
        [c.meterNo, '2026-11', '2026-11-20', 45, '', ''],
      ],
    ),
  )
  expect([listErrors(seen), seen.warnings?.map(w => [w.line, w.message])]).toEqual([
    [[3, '本期止数', '各时段用量合计 20，总用量 15，两者不符，请核对']],
    [[4, expect.stringContaining('只有总读数')]],
  ])
  expect(await go()).toMatchObject({ success: 2, fail: 1 })
  expect((await fixtures.all(a)).at(-1)).toMatchObject({
    usage: '15',
    registers: [
      { name: '峰', last: '10', current: '15', price: '1' },
      { name: '谷', last: '20', current: '30', price: '0.3' },
    ],
  })
})

it('meters from a sheet: rooms, areas and main meters by name; written over, and out again', async () => {
  const head = [
    '表号',
    '表类型',
    '用途',
    '楼栋',
    '单元',
    '房号',
    '公共区域编码',
    '倍率',
    '位数',
    '初始读数',
    '上级表号',
  ]
  const room = await fixtures.home(4)
  const no = defined(room.path.split('-').at(-1))
  const main = await writeBook(head, [['ZB1', '冷水', '总表', '', '', '', 'A1', 1, 6, 0, '']])
  expect(await (await runImport(importMeters, main)).go()).toMatchObject({ success: 1 })
  const { seen, go } = await runImport(
    importMeters,
    await writeBook(head, [
      ['SB1', '冷水', '', '1栋', defined(room.path.split('-').at(-2)), no, '', '', 5, 10, 'ZB1'],
      ['SB2', '冷水', '', '1栋', '9', '9999', '', '', '', '', ''],
      ['SB3', '冷水', '', '', '', '', '', '', '', '', ''],
      ['SB4', '电', '公共表', '', '', '', 'NOPE', 0, 3, 1000, 'ZB1'],
      ['SB5', '水', '公共表', '', '', '', '', '', '', '', ''],
      ['SB#6', '冷水', '公共表', '', '', '', '', '', '', '', ''],
    ]),
  )
  expect(listErrors(seen).map(x => x.slice(0, 2))).toEqual([
    [3, '房号'],
    [4, '房号'],
    [5, '公共区域编码'],
    [5, '倍率'],
    [5, '初始读数'],
    [5, '上级表号'],
    [6, '表类型'],
    [7, '表号'],
  ])
  expect(await go()).toMatchObject({ success: 1, fail: 5 })
  const find = async (keyword: string) =>
    defined((await t.call(listMeters, { ...project, keyword }, me)).rows[0])
  const [sub, top] = [await find('SB1'), await find('ZB1')]
  expect(sub).toMatchObject({
    sourceName: room.path,
    buildCode: 'B1',
    parentMeterId: top.id,
    initNum: '10',
    meterUse: 'household',
    multiple: '1',
  })
  expect(
    await (
      await runImport(
        importMeters,
        await writeBook(head, [['SB1', '冷水', '', '', '', '', '', 20, '', '', '']]),
        'update',
      )
    ).go(),
  ).toMatchObject({ success: 1 })
  expect(await find('SB1')).toMatchObject({ multiple: '20', sourceName: room.path, initNum: '10' })
  expect(
    defined((await readSheet(await t.call(exportMeters.get, { ...project, keyword: 'SB1' }, me)))[1]).slice(
      0,
      5,
    ),
  ).toEqual(['SB1', '冷水', '户表', room.path, '20'])
})

it('PERM-6 an import changes no meter outside the buildings of the operator, and adds no second one', async () => {
  const elsewhere = await fixtures.meter({ initNum: '5' })
  const clerk = await t.signedInAs(golden.first.buildingOnly)
  const path = await writeBook(
    ['表号', '表类型', '用途', '位置'],
    [[elsewhere.meterNo, '冷水', '公共表', '别处']],
  )
  const seen = await t.call(
    importMeters.post,
    { ...project, mode: 'update' },
    { ...clerk, upload: t.upload('表.xlsx', await readFile(path)) },
  )
  expect(seen.good).toBe(0)
  expect(listErrors(seen)).toEqual([[2, '表号', '不在你的数据权限内']])
})
