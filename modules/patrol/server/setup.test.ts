import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { faultTextsOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { sql } from '#kit/server/db.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { patrolAreas } from '../contract/area.ts'
import {
  importPoints,
  patrolPoints,
  printPointLabels,
  renewPointCodes,
  type PatrolPoint,
} from '../contract/point.ts'
import { addRoad, editRoad, getRoad, patrolRoads } from '../contract/road.ts'
import { patrolTemplates } from '../contract/template.ts'
import { addPatrolArea, addPatrolPoint } from './patrol.fixtures.ts'

const projectCode = 'GOLD0001'
let t: GoldenApp
let me: CallOptions

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.signedInAs(golden.first.owner)
})

afterAll(() => t?.close())

const codeOf = async (point: PatrolPoint): Promise<string | undefined> =>
  (
    await t.database
      .reader('*')
      .one<{ code?: string }>(sql`select run_qr_code as code from patrol_point where id = ${point.id}`)
  )?.code

it('a point has what each of its signs is recognised by, and a code that is not its number (PAT-1)', async () => {
  const area = await addPatrolArea(t, me)
  const draft = { projectCode, areaId: area.id, pointName: '配电房', state: 'on' } as const
  expect(await faultTextsOf(t.call(patrolPoints.add, { ...draft, signTypes: ['nfc', 'gps'] }, me))).toEqual({
    NfcNo: '签到方式含 NFC，请填写 NFC 编号',
    Longitude: '签到方式含定位，请填写经度',
    Latitude: '签到方式含定位，请填写纬度',
    RadiusM: '签到方式含定位，请填写签到半径',
  })
  const items = [{ name: '温度', minValue: '40', maxValue: '10' }, { name: '温度' }]
  expect(await faultTextsOf(t.call(patrolPoints.add, { ...draft, signTypes: ['qr'], items }, me))).toEqual({
    'CheckItems[0].MaxValue': '上限不能小于下限',
    'CheckItems[1].Name': '已有同名检查项，请更换',
  })
  const point = await t.call(patrolPoints.add, { ...draft, signTypes: ['qr', 'photo'] }, me)
  expect(point.pointCode).toMatch(/^XD/)
  const code = await codeOf(point)
  expect(code).toMatch(/^[\w-]{22}$/)
  expect(JSON.stringify(point)).not.toContain(code)
  const renewed = await t.call(renewPointCodes, { ids: [String(point.id)], reason: '二维码被翻拍' }, me)
  expect(renewed).toMatchObject({ success: 1, fail: 0 })
  expect(await codeOf(point)).not.toBe(code)
})

it('a tag is of one point, however its number is written; also in a sheet and within it (PAT-1)', async () => {
  const area = await addPatrolArea(t, me)
  const signTypes = ['nfc', 'ble'] as const
  const first = await addPatrolPoint(t, me, area, { signTypes, nfcNo: '04:A2:2B:01', bleNo: 'AA:01' })
  expect(first.nfcNo).toBe('04a22b01')
  const same = addPatrolPoint(t, me, area, { signTypes, nfcNo: '04A22B01', bleNo: 'aa:01' })
  expect(await faultTextsOf(same)).toEqual({
    NfcNo: '此 NFC 编号已用于其他点位',
    BleNo: '此蓝牙编号已用于其他点位',
  })
  await t.call(patrolPoints.edit, { ...first, remark: '门口' }, me)
  const rows = [
    ['甲点', '04-a2-2b-01'],
    ['乙点', '05:A2'],
    ['丙点', '05a2'],
    ['丁点', '06:A2'],
  ]
  const lines = rows.map(([name, nfcNo]) => `${name},${area.areaName},NFC,${nfcNo}`)
  const bytes = new TextEncoder().encode(['名称,区域,签到方式,NFC 编号', ...lines, ''].join('\n'))
  const upload = { ...t.upload('点位.csv', bytes), name: '点位.csv', type: 'text/csv' }
  const { importId } = await t.call(importPoints.post, { projectCode }, { ...me, upload })
  const input = { projectCode, importId: defined(importId), mode: 'update' } as const
  const { taskId } = await t.call(importPoints.post, input, me)
  expect(await t.waitForTask(defined(taskId))).toMatchObject({ success: 1, fail: 3 })
  const found = await t.call(patrolPoints.list, { projectCode, keyword: '丁点' }, me)
  expect(found.rows[0]?.nfcNo).toBe('06a2')
})

it('what a tag says is neither shown to nor searched by somebody who only sees points (PAT-6)', async () => {
  const area = await addPatrolArea(t, me)
  const numbers = { nfcNo: '04:ab:cd:77', bleNo: 'BEACON-77' }
  const point = await addPatrolPoint(t, me, area, { signTypes: ['nfc', 'ble'], ...numbers })
  const { as: guard } = await t.addClerk(['patrol.point.view', 'patrol.task.view'])
  const found = async (keyword: string, as: CallOptions) =>
    (await t.call(patrolPoints.list, { projectCode, keyword }, as)).rows
  expect(await found('04abcd77', me)).toMatchObject([{ id: point.id, nfcNo: '04abcd77' }])
  expect([await found('04abcd', guard), await found('beacon-77', guard)]).toEqual([[], []])
  const [seen] = await found(point.pointName, guard)
  expect([seen?.id, seen?.nfcNo, seen?.bleNo]).toEqual([point.id, undefined, undefined])
  const one = await t.call(patrolPoints.get, { id: point.id }, guard)
  expect([one.nfcNo, one.bleNo]).toEqual([undefined, undefined])
})

it('an area or template in use, and a point of a road, stay', async () => {
  const area = await addPatrolArea(t, me)
  const template = await t.call(
    patrolTemplates.add,
    { templateName: '设备房', items: [{ name: '门锁' }], state: 'on' },
    me,
  )
  const point = await addPatrolPoint(t, me, area, { templateId: template.id })
  const reason = '录入有误'
  const removed = (call: typeof patrolAreas.delete, id: number) =>
    refusalMessageOf(t.call(call, { ids: [String(id)], reason }, me))
  expect(await removed(patrolAreas.delete, area.id)).toContain('点位 1 个')
  expect(await removed(patrolTemplates.delete, template.id)).toContain('点位 1 个')
  const other = await addPatrolPoint(t, me, area)
  const points = [point, other].map(({ id }) => ({ pointId: id, legMinutes: 5, tolerance: 5 }))
  const road = await t.call(
    addRoad,
    { projectCode, roadName: '夜巡', inOrder: true, state: 'on', points },
    me,
  )
  expect(await removed(patrolPoints.delete, point.id)).toContain('路线 1 个')
  await t.call(patrolRoads.delete, { ids: [String(road.id)], reason }, me)
  await t.call(patrolPoints.delete, { ids: [String(point.id)], reason }, me)
})

it('a road has two points at least, each once and of its project; edits keep their order (PAT-1)', async () => {
  const area = await addPatrolArea(t, me)
  const made = [await addPatrolPoint(t, me, area), await addPatrolPoint(t, me, area)]
  const legs = made.map(({ id }) => ({ pointId: id, legMinutes: 10, tolerance: 5 }))
  const first = defined(legs[0])
  const second = defined(legs[1])
  const draft = { projectCode, roadName: '地库', inOrder: true, state: 'on' } as const
  expect(await faultTextsOf(t.call(addRoad, { ...draft, points: [first] }, me))).toHaveProperty('Points')
  expect(await faultTextsOf(t.call(addRoad, { ...draft, points: [first, first] }, me))).toEqual({
    'Points[1].LocationID': expect.stringContaining('在路线中已有'),
  })
  const road = await t.call(addRoad, { ...draft, points: [first, second] }, me)
  expect([road.totalMinutes, road.pointCount]).toEqual([20, 2])
  const points = [second, { ...first, legMinutes: 15 }]
  await t.call(editRoad, { ...draft, id: road.id, version: road.version, points }, me)
  const read = await t.call(getRoad, { id: road.id }, me)
  expect(read.points.map(point => [point.pointId, point.legMinutes])).toEqual([
    [second.pointId, 10],
    [first.pointId, 15],
  ])
  expect(read.totalMinutes).toBe(25)
  expect((await t.call(patrolRoads.list, { projectCode, keyword: '地库' }, me)).rows[0]?.pointCount).toBe(2)
})

it('a sheet has a label for each point; another company finds none of them', async () => {
  const area = await addPatrolArea(t, me)
  const point = await addPatrolPoint(t, me, area)
  const ids = [String(point.id)]
  const sheet = await t.call(printPointLabels, { projectCode, ids, address: 'https://anju.example' }, me)
  const pdf = await readBody(sheet)
  expect([sheet.type, pdf.subarray(0, 5).toString()]).toEqual(['application/pdf', '%PDF-'])
  const tagged = await addPatrolPoint(t, me, area, { signTypes: ['nfc'], nfcNo: '07:A2' })
  const ofTagged = t.call(printPointLabels, { projectCode, ids: [String(tagged.id)] }, me)
  expect(await refusalMessageOf(ofTagged)).toContain('签到方式含二维码')
  const other = await t.signedInAs(golden.second.owner)
  expect(await refusalMessageOf(t.call(printPointLabels, { ids }, other))).toContain(
    '无签到方式含二维码的点位',
  )
})
