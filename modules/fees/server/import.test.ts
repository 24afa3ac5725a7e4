import { defined } from '#kit/domain/defined.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { listRelations } from '../contract/relation-calls.ts'
import { exportRelations, importRelations } from '../contract/transfer.ts'

let t: GoldenApp
let me: CallOptions

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
})

afterAll(() => t?.close())
const sheetKeys = [
  'sourceType',
  'sourceName',
  'standardId',
  'beginDate',
  'endDate',
  'billedTo',
  'priceOverride',
]

function buildSheet(lines: readonly (readonly (string | undefined)[])[]): string {
  const head = sheetKeys.map(k => defined(importRelations.schema.columns.find(c => c.key === k)).heading)
  return [head, ...lines].map(l => l.map(c => c ?? '').join(',')).join('\n')
}

const preview = async (csv: string, mode?: string) =>
  t.call(
    importRelations.post,
    { projectCode: 'GOLD0001', ...(mode ? { mode } : {}) },
    {
      ...me,
      upload: {
        ...t.upload('收费关联.csv', new TextEncoder().encode(csv)),
        name: '收费关联.csv',
        type: 'text/csv',
      },
    },
  )

const runImport = async (csv: string, mode: string) => {
  const p = await preview(csv)
  const started = await t.call(
    importRelations.post,
    { projectCode: 'GOLD0001', importId: p.importId, mode },
    me,
  )
  return t.waitForTask(defined(started.taskId))
}

it('imports relations: every fault at its line, good ones go in, repeated imports leave or change them', async () => {
  const csv = buildSheet([
    ['房屋', '2-1-101', '住宅物业费', '2026-01-01', '', '2026-10-31', '2.5'],
    ['', '2-1-102', 'WY01', '2026-01-01'],
    ['车位', 'B1-A-001', '地下车位管理费', '2026-01-01'],
    ['公共区域', '中心广场广告位', 'CD01', '2026-01-01'],
    ['房屋', '9-9-909', 'WY01', '2026-01-01'],
    ['房屋', '2-1-201', '没有的标准', '2026-01-01'],
    ['房屋', '2-1-202', 'CW01', '2026-01-01'],
    ['房屋', '2-1-301', 'WY01', ''],
    ['房屋', '2-1-302', 'WY01', '2026-05-01', '2026-01-01'],
    ['房屋', '1-1-101', 'WY01', '2026-01-01'],
    ['房屋', '2-1-401', 'WY01', '2026-01-01'],
    ['房屋', '2-1-401', 'WY02', '2026-03-01'],
    ['商户', '便利店', 'CW01', '2026-01-01'],
    ['车辆', '粤B12345', 'CW01', '2026-01-01'],
  ])
  const p = await preview(csv)
  const message = Object.fromEntries((p.errors ?? []).map(e => [e.line, e.message]))
  expect(message).toMatchObject({
    6: '没有房屋「9-9-909」',
    7: '收费标准「没有的标准」不存在',
    8: '收费项目「车位管理费」的适用场景是车位',
    9: '该标准从指定日期起收',
    10: '止收日期不能早于起收日期',
    13: '表中另一行在该段时间按同一项目的标准收费',
    14: '商户暂不能绑定收费标准',
    15: '收费项目「车位管理费」的适用场景是车位',
  })
  expect(message[11]).toContain('已按「住宅物业费」收费')
  expect(p.good).toBe(4)
  expect(await runImport(csv, 'skip')).toMatchObject({ success: 4 })
  const result = (await t.call(listRelations, { keyword: '2-1-101' }, me)).rows
  expect(result).toMatchObject([
    {
      sourceName: '2-1-101',
      standardName: '住宅物业费',
      beginDate: '2026-01-01',
      billedTo: '2026-10-31',
      priceOverride: '2.5',
      price: '2.5',
    },
  ])
  const again = buildSheet([['房屋', '2-1-101', 'WY01', '2026-01-01', '2026-12-31']])
  expect(await runImport(again, 'skip')).toMatchObject({ success: 0, skipped: 1 })
  expect(await runImport(`${again}\n`, 'update')).toMatchObject({ success: 1 })
  expect((await t.call(listRelations, { keyword: '2-1-101' }, me)).rows[0]).toMatchObject({
    endDate: '2026-12-31',
    priceOverride: '2.5',
  })
})

it('exports what the list shows', async () => {
  const file = await t.call(exportRelations.get, { keyword: '1-1-101' }, me)
  expect(file.name).toMatch(/^收费关联_\d{8}\.xlsx$/)
})
