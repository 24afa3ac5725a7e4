import { defined } from '#kit/domain/defined.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import type { Id } from '#kit/domain/id.ts'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { writeWorkbook } from '#kit/server/workbook/workbook-writer.ts'
import { refusalOf, faultsOf } from '#kit/server/fixtures/refusal.ts'
import { golden } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { getResidentPanel } from '#modules/residents/contract/maintenance.ts'
import { listResidencies } from '#modules/residents/contract/residency.ts'
import { listRooms } from '#modules/rooms/contract/room.ts'
import { getRoomPanel } from '#modules/rooms/contract/room-board.ts'
import {
  addPark,
  deleteParks,
  generateParkCode,
  listParks,
  listParkStatistics,
  pickParks,
  type Park,
} from '../contract/park.ts'
import {
  addPlace,
  changePlaceState,
  deletePlaces,
  editPlace,
  listPlaces,
  getPlace,
  getPlaceByCode,
  countPlacesByState,
  listPlaceNodes,
  type ParkPlace,
} from '../contract/park-place.ts'
import { exportPlaces, importPlaces } from '../contract/import-export.ts'

let t: GoldenApp
let me: CallOptions
let testPark: Park
let fileCounter = 0
const projectInput = { projectCode: 'GOLD0001' }

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  testPark = await t.call(
    addPark,
    { ...projectInput, name: '北区车库', parkType: 'below', state: 'on', totalPlace: 50 },
    me,
  )
})

afterAll(() => t?.close())

const createPlace = (placeNo: string, overrides: object = {}): Promise<ParkPlace> =>
  t.call(
    addPlace,
    { ...projectInput, parkId: testPark.id, placeNo, placeType: 'plain', placeState: 'free', ...overrides },
    me,
  )

const changeState = (ids: readonly Id[], placeState: ParkPlace['placeState'], overrides: object = {}) =>
  t.call(changePlaceState, { ids: ids.map(String), placeState, ...overrides }, me)

const editedPlace = (p: ParkPlace, overrides: object = {}) => {
  const {
    parkName: _,
    roomPath: __,
    parentPlaceNo: ___,
    sortKey: ____,
    placeState: _____,
    createTime: ______,
    updateTime: _______,
    ...rest
  } = p
  return { ...rest, ...overrides }
}

it('gives a car park a code that nobody has, and holds it while places are in it (BASE-5)', async () => {
  expect(testPark.code).toMatch(/^P\d{6}$/)
  expect(await t.call(generateParkCode, undefined, me)).not.toBe(testPark.code)
  await createPlace('H-1')
  expect(
    (await refusalOf(t.call(deleteParks, { ids: [String(testPark.id)], reason: '停用了' }, me))).message,
  ).toBe('停车场「北区车库」不能删除：还有车位 1 个，请先处理')
  expect((await t.call(pickParks, projectInput, me)).map(p => p.name)).toContain('北区车库')
})

it('keeps a number once in a car park and lists in natural order', async () => {
  for (const no of ['A10', 'A2', 'A1']) {
    await createPlace(no, { areaName: 'A区' })
  }
  expect((await refusalOf(createPlace('A2'))).message).toBe('该停车场已有此车位号')
  const rows = (await t.call(listPlaces, { parkId: [String(testPark.id)], areaName: 'A区' }, me)).rows
  expect(rows.map(p => [p.placeNo, p.parkName])).toEqual([
    ['A1', '北区车库'],
    ['A2', '北区车库'],
    ['A10', '北区车库'],
  ])
  expect(await t.call(getPlaceByCode, { code: defined(defined(rows[0]).code) }, me)).toMatchObject({
    placeNo: 'A1',
  })
})

it('links a place to a room and moves it by its states; free is nobody’s (C10.1)', async () => {
  const r = defined((await t.call(listRooms, { ...projectInput, size: 1 }, me)).rows[0])
  const p = await createPlace('L1')
  expect(faultsOf(await refusalOf(createPlace('L2', { roomCode: 'NOPE' })))[0]?.Field).toBe('RoomCode')
  expect(await changeState([p.id], 'let', { roomCode: r.code })).toMatchObject({
    success: 0,
    fail: 1,
    rows: [{ code: 'L1', reason: '改为“已租”前请先填写“结束日期”' }],
  })
  expect(
    defined(
      (await changeState([p.id], 'let', { roomCode: r.code, beginDate: '2026-12-01', endDate: '2026-11-01' }))
        .rows[0],
    ).reason,
  ).toBe('结束日期不能早于开始日期')
  expect(
    await changeState([p.id], 'let', { roomCode: r.code, beginDate: '2026-01-01', endDate: '2026-12-31' }),
  ).toMatchObject({ success: 1, fail: 0 })
  expect(await t.call(getPlace, { id: p.id }, me)).toMatchObject({
    placeState: 'let',
    roomCode: r.code,
    roomPath: r.path,
  })
  expect(
    (await refusalOf(t.call(deletePlaces, { ids: [String(p.id)], reason: '录错了' }, me))).message,
  ).toContain('只能删除空闲的车位')
  await changeState([p.id], 'free')
  const freed = await t.call(getPlace, { id: p.id }, me)
  expect([freed.placeState, freed.roomCode, freed.endDate]).toEqual(['free', undefined, undefined])
})

it('lets a child go with its mother alone (C10.1)', async () => {
  const mother = await createPlace('M1', { placeType: 'tandem' })
  const child = await createPlace('M2', { placeType: 'tandem', parentPlaceId: mother.id })
  expect(defined((await changeState([child.id], 'sold')).rows[0]).reason).toContain('子车位随母车位')
  expect(await changeState([mother.id], 'sold')).toMatchObject({ success: 2 })
  expect(faultsOf(await refusalOf(createPlace('M3', { parentPlaceId: child.id })))[0]?.Message).toContain(
    '自己就是子车位',
  )
  await changeState([mother.id, child.id], 'free')
  expect(
    (await refusalOf(t.call(deletePlaces, { ids: [String(mother.id)], reason: '录错了' }, me))).message,
  ).toContain('还有子车位「M2」')
  expect(
    faultsOf(await refusalOf(t.call(editPlace, editedPlace(mother, { parentPlaceId: mother.id }), me)))[0]
      ?.Field,
  ).toBe('ParentPlaceID')
})

it('counts by state for a car park and for the estate (STAT-9)', async () => {
  const figures = defined(
    (await t.call(listParkStatistics, projectInput, me)).find(f => f.name === '地下车库'),
  )
  expect(figures).toMatchObject({ total: 14, sold: 5, let: 4, own: 1, off: 1, free: 3, useRate: '71.43' })
  expect(
    Object.fromEntries(
      (await t.call(countPlacesByState, { parkId: figures.id }, me)).map(c => [c.placeState, c.count]),
    ),
  ).toEqual({ free: 3, sold: 5, let: 4, own: 1, off: 1 })
})

it('opens the tree project → car park → area → place', async () => {
  const nodes = (q: object) => t.call(listPlaceNodes, q, me)
  expect((await nodes({ level: 'project' })).length).toBeGreaterThan(0)
  const under = defined((await nodes(projectInput)).find(p => p.name === '地下车库'))
  expect((await nodes({ parkId: under.parkId })).map(x => [x.name, x.level, x.count])).toEqual([
    ['B1-A区', 'area', 8],
    ['B1-B区', 'area', 6],
  ])
  expect((await nodes({ parkId: under.parkId, areaName: 'B1-B区' })).map(x => x.name)[0]).toBe('B1-B-001')
})

it('imports places with mothers from the same file, and takes an export back unchanged', async () => {
  const path = join(t.dir, 'places.xlsx')
  await writeWorkbook(
    ['停车场', '车位号', '类型', '关联房间', '母车位', '结束日期'].map(heading => ({ heading })),
    [
      [
        ['北区车库', 'I2', '子母', '', 'I1', ''],
        ['北区车库', 'I1', '子母', '2-1-301', '', ''],
        ['南区车库', 'I3', '', '', '', ''],
        ['北区车库', 'I4', '', '', 'I9', ''],
      ],
    ],
    createWriteStream(path),
  )
  const run = async (bytes: Buffer, mode: 'skip' | 'update') => {
    const seen = await t.call(
      importPlaces.post,
      { ...projectInput, mode },
      {
        ...me,
        upload: t.upload(`车位${++fileCounter}.xlsx`, bytes),
      },
    )
    const { taskId } = await t.call(
      importPlaces.post,
      { ...projectInput, importId: defined(seen.importId), mode },
      me,
    )
    return { seen, task: await t.waitForTask(defined(taskId)) }
  }
  const { seen, task } = await run(await readFile(path), 'skip')
  expect(defined(seen.errors).map(e => [e.line, e.column])).toEqual([
    [4, '停车场'],
    [5, '母车位'],
  ])
  expect(task).toMatchObject({ success: 2, fail: 2 })
  expect((await t.call(listPlaces, { placeNo: 'I2' }, me)).rows[0]).toMatchObject({
    parentPlaceNo: 'I1',
  })
  expect((await t.call(listPlaces, { placeNo: 'I1' }, me)).rows[0]).toMatchObject({
    roomPath: '2-1-301',
    placeState: 'free',
    carLimit: 1,
  })
  const again = await run(await readBody(await t.call(exportPlaces.get, projectInput, me)), 'update')
  expect(again.seen).toMatchObject({ errorCount: 0, warningCount: 0 })
  expect(again.task).toMatchObject({ state: 30, success: 0, fail: 0 })
})

it('an import changes states as 变更状态 does, tandem pairs together (C10.1)', async () => {
  const headings = ['停车场', '车位号', '状态', '结束日期', '母车位'].map(heading => ({ heading }))
  const importRows = async (rows: readonly (readonly string[])[], mode: 'skip' | 'update' = 'update') => {
    const path = join(t.dir, `states${++fileCounter}.xlsx`)
    await writeWorkbook(headings, [rows.map(row => ['北区车库', ...row])], createWriteStream(path))
    const upload = t.upload(`状态${fileCounter}.xlsx`, await readFile(path))
    const seen = await t.call(importPlaces.post, { ...projectInput, mode }, { ...me, upload })
    if (!seen.errorCount) {
      const { taskId } = await t.call(
        importPlaces.post,
        { ...projectInput, importId: defined(seen.importId), mode },
        me,
      )
      await t.waitForTask(defined(taskId))
    }
    return defined(seen.errors).map(e => [e.line, e.column, `${e.message}；${e.remedy}`])
  }
  const find = async (placeNo: string) =>
    defined((await t.call(listPlaces, { placeNo, size: 5 }, me)).rows[0])
  expect(
    await importRows(
      [
        ['Z1', '', '', ''],
        ['Z2', '', '', ''],
        ['Z3', '', '', 'Z2'],
      ],
      'skip',
    ),
  ).toEqual([])
  // 空闲 → 已租 needs its last day; it is sold from there, and does not go to 停用.
  expect(await importRows([['Z1', '已租', '', '']])).toEqual([
    [2, '状态', expect.stringContaining('结束日期')],
  ])
  expect(await importRows([['Z1', '已租', '2027-06-30', '']])).toEqual([])
  expect(await find('Z1')).toMatchObject({ placeState: 'let', endDate: '2027-06-30' })
  expect(await importRows([['Z1', '停用', '', '']])).toEqual([
    [2, '状态', expect.stringContaining('变更状态')],
  ])
  expect(await importRows([['Z1', '空闲', '2027-07-31', '']])).toEqual([
    [2, '状态', expect.stringContaining('会清空')],
  ])
  expect(await importRows([['Z1', '空闲', '', '']])).toEqual([])
  expect(await find('Z1')).toMatchObject({ placeState: 'free' })
  expect(await find('Z1')).not.toHaveProperty('endDate')
  // Neither of a pair goes alone.
  expect(await importRows([['Z2', '已售', '', '']])).toEqual([
    [2, '状态', expect.stringContaining('子车位「Z3」要一起变更')],
  ])
  expect(await importRows([['Z3', '已售', '', '']])).toEqual([
    [2, '状态', expect.stringContaining('子车位随母车位一起租售')],
  ])
  expect(
    await importRows([
      ['Z3', '已售', '', ''],
      ['Z2', '已售', '', ''],
    ]),
  ).toEqual([])
  expect([(await find('Z2')).placeState, (await find('Z3')).placeState]).toEqual(['sold', 'sold'])
})

it('keeps to the data domain (PERM-6)', async () => {
  const one = await t.signedInAs(golden.first.estateOnly)
  const other = defined((await t.call(listPlaces, { projectCode: 'GOLD0002' }, me)).rows[0])
  for (const attempt of [
    () => t.call(getPlace, { id: other.id }, one),
    () => t.call(pickParks, { projectCode: 'GOLD0002' }, one),
    () => t.call(changePlaceState, { ids: [String(other.id)], placeState: 'own' }, one),
  ]) {
    expect((await refusalOf(attempt())).code).toBe(10003)
  }
  expect(
    (await t.call(listParks, {}, { token: defined(one.token) })).rows.every(
      p => p.projectCode === 'GOLD0001',
    ),
  ).toBe(true)
})

it('a room and its residents show its parking place', async () => {
  const living = defined(
    (await t.call(listResidencies, { ...projectInput, status: ['living'], page: 1, size: 1 }, me)).rows[0],
  )
  await createPlace('P-9001', { placeState: 'sold', roomCode: living.roomCode })
  for (const { sections } of [
    await t.call(getRoomPanel, { id: living.roomId }, me),
    await t.call(getResidentPanel, { id: living.userId }, me),
  ]) {
    expect(sections.find(section => section.key === 'places')?.lines).toContainEqual(
      expect.objectContaining({ label: 'P-9001', value: '已售' }),
    )
  }
})
