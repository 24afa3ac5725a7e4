import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Blob } from '#kit/contract/shape.ts'
import { Refused } from '#kit/contract/wire.ts'
import type { As } from '#kit/server/ground/world.ts'
import { writeWorkbook } from '#kit/server/workbook/write.ts'
import { golden } from '../../../db/golden/fill.ts'
import { openGolden, type GoldenWorld } from '../../../db/golden/world.ts'
import { listRooms } from '#modules/rooms/contract/room.ts'
import {
  addPark,
  deleteParks,
  freshParkCode,
  listParks,
  parkFigures,
  pickParks,
  type Park,
} from '../contract/park.ts'
import {
  addPlace,
  changePlaceState,
  deletePlaces,
  editPlace,
  listPlaces,
  onePlace,
  placeByCode,
  placeCounts,
  placeNodes,
  type ParkPlace,
} from '../contract/place.ts'
import { exportPlaces, importPlaces } from '../contract/transfer.ts'

let t: GoldenWorld
let me: As
let lot: Park
let n = 0
const project = { projectCode: 'GOLD0001' }

beforeAll(async () => {
  t = await openGolden({ works: true })
  me = await t.owner
  lot = await t.ask(
    addPark,
    { ...project, name: '北区车库', parkType: 'below', state: 'on', totalPlace: 50 },
    me,
  )
})

afterAll(() => t?.close())

const refusal = async (p: Promise<unknown>): Promise<Refused & { data: any }> => {
  const e = await p.then(
    () => undefined,
    x => x,
  )
  expect(e).toBeInstanceOf(Refused)
  return e as never
}

const place = (placeNo: string, more: object = {}): Promise<ParkPlace> =>
  t.ask(
    addPlace,
    { ...project, parkId: lot.id, placeNo, placeType: 'plain', placeState: 'free', ...more },
    me,
  )

const move = (ids: readonly number[], placeState: ParkPlace['placeState'], more: object = {}) =>
  t.ask(changePlaceState, { ids: ids.map(String), placeState, ...more }, me)

const saved = (p: ParkPlace, more: object = {}) => {
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
  return { ...rest, ...more }
}

const bytesOf = async (b: Blob): Promise<Buffer> => {
  if (b.body instanceof Uint8Array) return Buffer.from(b.body)
  const all: Uint8Array[] = []
  for await (const c of b.body) {
    all.push(c)
  }
  return Buffer.concat(all)
}

it('gives a car park a code that nobody has, and holds it while places stand in it (BASE-5)', async () => {
  expect(lot.code).toMatch(/^P\d{6}$/)
  expect(await t.ask(freshParkCode, undefined, me)).not.toBe(lot.code)
  await place('H-1')
  expect((await refusal(t.ask(deleteParks, { ids: [String(lot.id)], reason: '停用了' }, me))).message).toBe(
    '停车场「北区车库」不能删除：还有车位 1 个，请先处理',
  )
  expect((await t.ask(pickParks, project, me)).map(p => p.name)).toContain('北区车库')
})

it('keeps a number once in a car park and lists in natural order', async () => {
  for (const no of ['A10', 'A2', 'A1']) {
    await place(no, { areaName: 'A区' })
  }
  expect((await refusal(place('A2'))).message).toBe('该停车场已有此车位号')
  const rows = (await t.ask(listPlaces, { parkId: [String(lot.id)], areaName: 'A区' } as never, me)).rows
  expect(rows.map(p => [p.placeNo, p.parkName])).toEqual([
    ['A1', '北区车库'],
    ['A2', '北区车库'],
    ['A10', '北区车库'],
  ])
  expect(await t.ask(placeByCode, { code: rows[0]!.code! }, me)).toMatchObject({ placeNo: 'A1' })
})

it('links a place to a room and moves it by its states; free is nobody’s (C10.1)', async () => {
  const r = (await t.ask(listRooms, { ...project, size: 1 } as never, me)).rows[0]!
  const p = await place('L1')
  expect((await refusal(place('L2', { roomCode: 'NOPE' }))).data[0].Field).toBe('RoomCode')
  expect(await move([p.id], 'let', { roomCode: r.code })).toMatchObject({
    success: 0,
    fail: 1,
    rows: [{ code: 'L1', reason: '改为“已租”前请先填写“结束日期”' }],
  })
  expect(
    (await move([p.id], 'let', { roomCode: r.code, beginDate: '2026-12-01', endDate: '2026-11-01' })).rows[0]!
      .reason,
  ).toBe('结束日期不能早于开始日期')
  expect(
    await move([p.id], 'let', { roomCode: r.code, beginDate: '2026-01-01', endDate: '2026-12-31' }),
  ).toMatchObject({ success: 1, fail: 0 })
  expect(await t.ask(onePlace, { id: p.id }, me)).toMatchObject({
    placeState: 'let',
    roomCode: r.code,
    roomPath: r.path,
  })
  expect(
    (await refusal(t.ask(deletePlaces, { ids: [String(p.id)], reason: '录错了' }, me))).message,
  ).toContain('只能删除空闲的车位')
  await move([p.id], 'free')
  const freed = await t.ask(onePlace, { id: p.id }, me)
  expect([freed.placeState, freed.roomCode, freed.endDate]).toEqual(['free', undefined, undefined])
})

it('lets a child go with its mother alone (C10.1)', async () => {
  const mother = await place('M1', { placeType: 'tandem' })
  const child = await place('M2', { placeType: 'tandem', parentPlaceId: mother.id })
  expect((await move([child.id], 'sold')).rows[0]!.reason).toContain('子车位随母车位')
  expect(await move([mother.id], 'sold')).toMatchObject({ success: 2 })
  expect((await refusal(place('M3', { parentPlaceId: child.id }))).data[0].Message).toContain(
    '自己就是子车位',
  )
  await move([mother.id, child.id], 'free')
  expect(
    (await refusal(t.ask(deletePlaces, { ids: [String(mother.id)], reason: '录错了' }, me))).message,
  ).toContain('还有子车位「M2」')
  expect(
    (await refusal(t.ask(editPlace, saved(mother, { parentPlaceId: mother.id }) as never, me))).data[0].Field,
  ).toBe('ParentPlaceID')
})

it('counts by state for a car park and for the estate (STAT-9)', async () => {
  const figures = (await t.ask(parkFigures, project, me)).find(f => f.name === '地下车库')!
  expect(figures).toMatchObject({ total: 14, sold: 5, let: 4, own: 1, off: 1, free: 3, useRate: '71.43' })
  expect(
    Object.fromEntries(
      (await t.ask(placeCounts, { parkId: figures.id }, me)).map(c => [c.placeState, c.count]),
    ),
  ).toEqual({ free: 3, sold: 5, let: 4, own: 1, off: 1 })
})

it('opens the tree project → car park → area → place', async () => {
  const nodes = (q: object) => t.ask(placeNodes, q as never, me)
  expect((await nodes({ level: 'project' })).length).toBeGreaterThan(0)
  const under = (await nodes(project)).find(p => p.name === '地下车库')!
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
    const seen = await t.ask(importPlaces.post, { ...project, mode } as never, {
      ...me,
      upload: t.upload(`车位${++n}.xlsx`, bytes),
    })
    const { taskId } = await t.ask(
      importPlaces.post,
      { ...project, importId: seen.importId!, mode } as never,
      me,
    )
    return { seen, task: await t.ended(taskId!) }
  }
  const { seen, task } = await run(await readFile(path), 'skip')
  expect(seen.errors!.map(e => [e.line, e.column])).toEqual([
    [4, '停车场'],
    [5, '母车位'],
  ])
  expect(task).toMatchObject({ success: 2, fail: 2 })
  expect((await t.ask(listPlaces, { placeNo: 'I2' } as never, me)).rows[0]).toMatchObject({
    parentPlaceNo: 'I1',
  })
  expect((await t.ask(listPlaces, { placeNo: 'I1' } as never, me)).rows[0]).toMatchObject({
    roomPath: '2-1-301',
    placeState: 'free',
    carLimit: 1,
  })
  const again = await run(await bytesOf(await t.ask(exportPlaces.get, project as never, me)), 'update')
  expect(again.seen).toMatchObject({ errorCount: 0, warningCount: 0 })
  expect(again.task).toMatchObject({ state: 30, success: 0, fail: 0 })
})

it('keeps to the data domain (PERM-6)', async () => {
  const one = await t.as(golden.first.estateOnly)
  const other = (await t.ask(listPlaces, { projectCode: 'GOLD0002' } as never, me)).rows[0]!
  for (const ask of [
    () => t.ask(onePlace, { id: other.id }, one),
    () => t.ask(pickParks, { projectCode: 'GOLD0002' }, one),
    () => t.ask(changePlaceState, { ids: [String(other.id)], placeState: 'own' }, one),
  ]) {
    expect((await refusal(ask())).code).toBe(10003)
  }
  expect(
    (await t.ask(listParks, {}, { token: one.token! })).rows.every(p => p.projectCode === 'GOLD0001'),
  ).toBe(true)
})
