import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalOf, faultsOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { deleteBuildings, editBuilding, listBuildings } from '#modules/estates/contract/building.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { listBoardBuildings, listPositionNodes, getRoomBoard, getRoomPanel } from '../contract/room-board.ts'
import {
  cancelRoomChanges,
  changeRoomAreas,
  changeRoomState,
  listRoomChanges,
} from '../contract/room-change.ts'
import { addRoom, deleteRooms, editRoom, findRooms, listRooms, getRoom, type Room } from '../contract/room.ts'
import { findRoomAreas } from './public.ts'
import { addRoomBatch, previewRoomBatch } from '../contract/room-batch.ts'
import { applyDueAreaChanges } from './room-areas.ts'

let t: GoldenApp
let me: CallOptions
let ownerId: Id

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  ownerId = t.ownerId
})

afterAll(() => t?.close())

const roomDraft = {
  projectCode: 'GOLD0001',
  buildCode: 'B2',
  unitName: '1',
  floorNum: 3,
  roomType: 'home',
  roomState: 'unsold',
  state: 'on',
} as const

const createRoom = (roomNo: string, overrides: object = {}): Promise<Room> =>
  t.call(addRoom, { ...roomDraft, roomNo, ...overrides }, me)

const editedRoom = (r: Room, overrides: object = {}) => {
  const {
    path: _,
    sortKey: __,
    roomState: ___,
    buildName: ____,
    estateName: _____,
    createTime: ______,
    updateTime: _______,
    ...rest
  } = r
  return { ...rest, ...overrides }
}

const readRoom = (id: Id): Promise<Room> => t.call(getRoom, { id }, me)

it('adds a room with its path, a code of its own and the charge area of its build area (BASE-1, BASE-7)', async () => {
  const r = await createRoom('305', { buildArea: '88.5' })
  expect(r).toMatchObject({
    path: '2-1-305',
    chargeArea: '88.5',
    feeRatio: '1',
    buildName: '2栋',
    estateName: '金一一期',
    version: 1,
  })
  expect(r.code).toMatch(/^R\d{6}$/)
  expect((await refusalOf(createRoom('305'))).message).toBe('该单元已有此房号')
  expect((await refusalOf(createRoom('306', { code: r.code }))).message).toBe('该项目已有此房屋编码')
  expect((await refusalOf(createRoom('901', { floorNum: 9 }))).data).toEqual([
    { Field: 'FloorNum', Message: '「1」单元只有 1 到 6 层和地下 1 到 1 层（填 -1 到 -1），无 9 层' },
  ])
  expect(faultsOf(await refusalOf(createRoom('307', { unitName: '9' })))[0]?.Field).toBe('Unitname')
  expect(faultsOf(await refusalOf(createRoom('307', { buildCode: 'NO' })))[0]?.Field).toBe('Buildcode')
})

it('refuses the second of two operators who edit one room (G-8)', async () => {
  const r = await createRoom('405', { floorNum: 4 })
  const outcomes = await Promise.allSettled(
    ['甲', '乙'].map(remark => t.call(editRoom, editedRoom(r, { remark }), me)),
  )
  expect(outcomes.map(s => s.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(outcomes.find(s => s.status === 'rejected')).toMatchObject({
    reason: { code: 10005, message: '数据已被他人修改，请刷新后重试' },
  })
  expect((await readRoom(r.id)).version).toBe(2)
})

it('changes an area only with the day from which it holds, and knows both days (BASE-7)', async () => {
  const r = await createRoom('406', { floorNum: 4, buildArea: '100' })
  expect((await refusalOf(t.call(editRoom, editedRoom(r, { buildArea: '110' }), me))).data).toEqual([
    { Field: 'EffectiveDate', Message: '建筑面积有变更，请填写生效日期' },
  ])
  const coming = await t.call(
    changeRoomAreas,
    { id: r.id, buildArea: '110', effectiveDate: '2027-01-01', reason: '实测' },
    me,
  )
  expect(coming.buildArea).toBe('100')
  const db = t.database.reader(ownerId)
  const on = async (day: Day) => (await findRoomAreas(db, ownerId, [r.id], day)).get(r.id)
  expect(await on('2026-12-31')).toMatchObject({ buildArea: '100', chargeArea: '100' })
  expect(await on('2027-01-01')).toMatchObject({ buildArea: '110', chargeArea: '110' })
  expect(
    (
      await refusalOf(
        t.call(
          changeRoomAreas,
          { id: r.id, buildArea: '105', effectiveDate: '2026-12-01', reason: '实测' },
          me,
        ),
      )
    ).message,
  ).toContain('已有 2027-01-01 起的变更')
  const log = await t.call(listRoomChanges, { roomId: r.id }, me)
  expect(log.rows.map(c => [c.item, c.oldValue, c.newValue, c.applied, c.operatorName, c.roomPath])).toEqual([
    ['chargeArea', '100', '110', false, '金一管理员', '2-1-406'],
    ['buildArea', '100', '110', false, '金一管理员', '2-1-406'],
  ])
  await t.call(cancelRoomChanges, { ids: [String(defined(log.rows[0]).id)], reason: '看错了' }, me)
  expect(await on('2027-01-01')).toMatchObject({ buildArea: '110', chargeArea: '100' })
  expect(await applyDueAreaChanges(t.database, new Date(), '2026-12-31')).toBe(0)
  expect(await applyDueAreaChanges(t.database, new Date(), '2027-01-01')).toBe(1)
  expect(await applyDueAreaChanges(t.database, new Date(), '2027-01-01')).toBe(0)
  expect(await readRoom(r.id)).toMatchObject({ buildArea: '110', chargeArea: '100' })
  expect(await on('2026-12-31')).toMatchObject({ buildArea: '100' })
  expect(
    (
      await refusalOf(
        t.call(cancelRoomChanges, { ids: [String(defined(log.rows[1]).id)], reason: '看错了' }, me),
      )
    ).message,
  ).toContain('已经生效')
})

it('changes states where they allow it and reports why the others stay (BASE-6, G-11)', async () => {
  const [a, b] = [
    await createRoom('505', { floorNum: 5, roomState: 'pending' }),
    await createRoom('506', { floorNum: 5 }),
  ]
  const done = await t.call(
    changeRoomState,
    { ids: [String(a.id), String(b.id), '999999999'], roomState: 'vacant', deliverDate: '2026-11-01' },
    me,
  )
  expect(done).toMatchObject({
    success: 1,
    fail: 2,
    skipped: 0,
    rows: [
      { id: b.id, code: '2-1-506', reason: expect.stringContaining('未售') },
      { id: 999999999, reason: '数据不存在或已被删除' },
    ],
  })
  await t.call(changeRoomState, { ids: [String(a.id)], roomState: 'lived' }, me)
  expect(await readRoom(a.id)).toMatchObject({
    roomState: 'lived',
    deliverDate: '2026-11-01',
    checkinDate: '2026-11-21',
  })
  expect(
    (await t.call(listRoomChanges, { roomId: a.id }, me)).rows.map(c => `${c.oldValue} ${c.newValue}`),
  ).toEqual(['空置 已入住', '待交付 空置'])
})

it('an estate writes the floor of generated room numbers with its own digits (BASE-3)', async () => {
  const q = {
    projectCode: 'GOLD0001',
    buildCode: 'B2',
    floorFrom: 1,
    floorTo: 1,
    perFloor: 1,
    roomType: 'home',
    roomState: 'unsold',
  } as const
  const first = async (): Promise<string | undefined> =>
    (await t.call(previewRoomBatch, q, me)).rows[0]?.roomNo
  expect(await first()).toBe('101')
  await expect(
    t.call(updateEstateSetting, { projectCode: 'GOLD0001', key: 'RoomNoFloorDigits', value: '4' }, me),
  ).rejects.toThrow('楼层位数应为 1 到 3 的整数')
  await t.call(updateEstateSetting, { projectCode: 'GOLD0001', key: 'RoomNoFloorDigits', value: '2' }, me)
  expect(await first()).toBe('0101')
  await t.call(updateEstateSetting, { projectCode: 'GOLD0001', key: 'RoomNoFloorDigits', value: '1' }, me)
})

it('generates floors × rooms, skipping what is there (BASE-3)', async () => {
  const q = {
    projectCode: 'GOLD0001',
    buildCode: 'B2',
    floorFrom: -1,
    floorTo: 1,
    perFloor: 3,
    roomType: 'home',
    roomState: 'unsold',
    buildArea: '60',
  } as const
  const seen = await t.call(previewRoomBatch, q, me)
  expect([seen.newCount, seen.existing]).toEqual([4, 2])
  const done = await t.call(addRoomBatch, q, me)
  expect(done.rows.filter(r => !r.exists).map(r => r.roomNo)).toEqual(['B101', 'B102', 'B103', '103'])
  expect((await t.call(addRoomBatch, q, me)).newCount).toBe(0)
})

it('finds rooms by scene, unit, floor and the way people say them', async () => {
  const list = (q: object) => t.call(listRooms, { projectCode: 'GOLD0001', ...q }, me)
  expect((await list({ sceneType: 'shop', size: 50 })).rows.every(r => r.kind === 'shop')).toBe(true)
  const mixed = await list({ sceneType: 'roomShopArea', size: 2000 })
  expect(mixed.rows.slice(-2).map(r => [r.kind, r.roomNo])).toEqual([
    ['area', '1栋大堂'],
    ['area', '中心广场广告位'],
  ])
  expect(mixed.total).toBe(mixed.rows.length)
  const size = mixed.total - 1
  const second = await list({ sceneType: 'roomShopArea', size, page: 2 })
  expect(second.rows.map(r => r.roomNo)).toEqual(['中心广场广告位'])
  expect((await list({ sceneType: 'area' })).total).toBe(2)
  expect((await list({ buildCode: ['B1'], unitName: '2', floorNum: 3 })).rows.map(r => r.path)).toEqual([
    '1-2-301',
    '1-2-302',
  ])
  const lobby = defined(defined((await list({ sceneType: 'area' })).rows[0]).code)
  const floorCodes = (await list({ buildCode: ['B1'], unitName: '2', floorNum: 3 })).rows.map(r =>
    defined(r.code),
  )
  expect(
    (await list({ codes: [...floorCodes, lobby, 'NOBODY'], sceneType: 'roomShopArea', size: 10 })).rows.map(
      r => r.code,
    ),
  ).toEqual([...floorCodes, lobby])
  for (const keyword of ['1-2-302', '12302', '1栋2单元302']) {
    expect((await t.call(findRooms, { keyword, projectCode: 'GOLD0001' }, me)).map(r => r.path)).toEqual([
      '1-2-302',
    ])
  }
  expect((await list({ keyword: '%' })).total).toBe(0)
  const paths = (await list({ buildCode: ['B1'], size: 100 })).rows.map(r => r.path)
  expect(paths.slice(0, 3)).toEqual(['1-1-101', '1-1-102', '1-1-201'])
})

it('draws a building and tells its figures by the same rooms (STAT-9)', async () => {
  const board = await t.call(getRoomBoard, { projectCode: 'GOLD0001', buildCode: 'B1' }, me)
  expect(board.units.map(u => [u.unitName, u.floorCount, u.rooms.length])).toEqual([
    ['1', 3, 6],
    ['2', 3, 6],
  ])
  expect(defined(board.units[0]).rooms.map(r => r.roomNo)).toEqual(['301', '302', '201', '202', '101', '102'])
  expect(Object.fromEntries(board.counts.map(c => [c.roomState, c.count]))).toEqual({
    unsold: 1,
    pending: 1,
    vacant: 2,
    lived: 5,
    let: 1,
    fitting: 1,
    own: 1,
  })
  expect(board.occupancy).toBe('70')
  expect((await t.call(listBoardBuildings, { projectCode: 'GOLD0001' }, me))[0]).toMatchObject({
    buildCode: 'B1',
    rooms: 12,
    occupied: 7,
    occupancy: '70',
  })
})

it('opens the tree level by level, areas where asked', async () => {
  const nodes = (q: object) => t.call(listPositionNodes, q, { ...me, projectCode: 0 })
  expect((await nodes({})).map(n => n.name)).toEqual(['金一一期', '金一二期'])
  expect((await nodes({ projectCode: 'GOLD0001', sceneType: 'roomShopArea' })).map(n => n.name)).toEqual([
    '1栋',
    '2栋',
    '商业街',
    '中心广场广告位',
  ])
  expect((await nodes({ projectCode: 'GOLD0001', buildCode: 'B1' })).map(n => [n.name, n.count])).toEqual([
    ['1单元', 6],
    ['2单元', 6],
  ])
  expect(
    (await nodes({ projectCode: 'GOLD0001', buildCode: 'B3', unitName: '1' })).every(
      n => n.kind === 'shop' && n.leaf,
    ),
  ).toBe(true)
})

it('shows one room with the sections of all modules', async () => {
  const [linked] = await t.database.reader(ownerId).rows<{ id: Id }>(
    sql`
        select r.id
        from room r
        join park_place p on p.owner_id = r.owner_id
          and p.project_code = r.project_code
          and p.room_code = r.code
        limit 1
      `,
  )
  const panel = await t.call(getRoomPanel, { id: defined(linked).id }, me)
  expect(panel.sections.map(s => s.key)).toEqual([
    'residents',
    'places',
    'fees',
    'overview',
    'residents.history',
    'changes',
  ])
  expect(
    (await refusalOf(t.call(deleteRooms, { ids: [String(defined(linked).id)], reason: '录错了' }, me)))
      .message,
  ).toContain('关联车位 1 个')
})

it('keeps a building while it has rooms, and follows its name (BASE-4, BASE-5)', async () => {
  const b1 = defined((await t.call(listBuildings, { projectCode: 'GOLD0001', name: '1栋' }, me)).rows[0])
  expect(
    (await refusalOf(t.call(deleteBuildings, { ids: [String(b1.id)], reason: '拆除' }, me))).message,
  ).toMatch(/^楼栋「1栋」不能删除：还有(?=.*公共区域 1 个)(?=.*房间 12 个)(?=.*设备 1 个).*，请先处理$/)
  const { createTime: _, updateTime: __, estateName: ___, ...rest } = b1
  expect((await refusalOf(t.call(editBuilding, { ...rest, floors: ['2'] }, me))).message).toContain(
    '3 层还有房间',
  )
  await t.call(editBuilding, { ...rest, name: '11栋' }, me)
  expect(
    (await t.call(findRooms, { keyword: '11-2-302', projectCode: 'GOLD0001' }, me)).map(r => r.path),
  ).toEqual(['11-2-302'])
})

it('lets either the last room or the deletion of its building win, never both', async () => {
  for (let i = 0; i < 4; i++) {
    const made = defined(
      await t.database.tx(ownerId, tx =>
        tx.one<{ id: Id }>(
          sql`
          insert into building (owner_id, project_code, code, name, units, unit_type, floors)
          values (${ownerId}, 'GOLD0001', ${`X${i}`}, ${`临${i}`}, 1, 0, '{6}')
          returning id
        `,
        ),
      ),
    ).id
    await t.database.tx(ownerId, tx =>
      tx.execute(
        sql`
          insert into unit (owner_id, project_code, build_code, code, name, floor_count, sort)
          values (${ownerId}, 'GOLD0001', ${`X${i}`}, ${`X${i}1`}, '1', 6, 1)
        `,
      ),
    )
    const outcomes = await Promise.allSettled([
      t.call(addRoom, { ...roomDraft, buildCode: `X${i}`, roomNo: '301' }, me),
      t.call(deleteBuildings, { ids: [String(made)], reason: '录错了' }, me),
    ])
    expect(outcomes.filter(s => s.status === 'fulfilled')).toHaveLength(1)
    for (const s of outcomes) {
      if (s.status === 'rejected') {
        expect(s.reason).toBeInstanceOf(Refused)
      }
    }
  }
})

it('limits a manager to the permitted estate and building (PERM-6)', async () => {
  const one = await t.signedInAs(golden.first.buildingOnly)
  const estate = await t.signedInAs(golden.first.estateOnly)
  expect([...new Set((await t.call(listRooms, { size: 500 }, one)).rows.map(r => r.buildCode))]).toEqual([
    'B1',
  ])
  const other = defined(
    (await t.call(listRooms, { projectCode: 'GOLD0001', buildCode: ['B2'], size: 1 }, me)).rows[0],
  )
  for (const attempt of [
    () => t.call(getRoom, { id: defined(other.id) }, one),
    () => t.call(getRoomBoard, { projectCode: 'GOLD0001', buildCode: 'B2' }, one),
    () => t.call(addRoom, { ...roomDraft, roomNo: '999' }, one),
    () =>
      t.call(
        addRoomBatch,
        {
          projectCode: 'GOLD0001',
          buildCode: 'B2',
          floorFrom: 1,
          floorTo: 1,
          perFloor: 9,
          roomType: 'home',
          roomState: 'unsold',
        },
        one,
      ),
    () => t.call(listPositionNodes, { projectCode: 'GOLD0001', buildCode: 'B2' }, one),
    () => t.call(changeRoomState, { ids: [String(other.id)], roomState: 'own' }, one),
  ]) {
    expect((await refusalOf(attempt())).code).toBe(10003)
  }
  expect(
    (await t.call(listPositionNodes, { projectCode: 'GOLD0001' }, one))
      .filter(n => n.level === 'building')
      .map(n => n.buildCode),
  ).toEqual(['B1'])
  expect(
    (await refusalOf(t.call(listRooms, { projectCode: 'GOLD0002' }, { token: defined(estate.token) }))).code,
  ).toBe(10003)
  expect((await t.call(listRoomChanges, {}, one)).total).toBe(0)
})

it('answers Code 0 and no cause when the room list fails ([S])', async () => {
  await t.database.tx('*', tx => tx.execute(sql`alter table room rename to room_away`))
  try {
    expect(await t.callRaw(listRooms, {}, me)).toMatchObject({
      Code: 0,
      Message: '请求失败，请稍后重试',
      Data: null,
    })
  } finally {
    await t.database.tx('*', tx => tx.execute(sql`alter table room_away rename to room`))
  }
})

it('a room list without a database is no Code 0, but HTTP 503 as everywhere', async () => {
  const { reader } = t.database
  const away = Object.assign(new Error('terminating connection'), { code: '57P01' })
  const failing: Pick<typeof t.database, 'reader'> = {
    reader: () => ({
      ...reader(1),
      all: () => Promise.reject(away),
      rows: () => Promise.reject(away),
      one: () => Promise.reject(away),
    }),
  }
  Object.assign(t.database, failing)
  try {
    await expect(t.callRaw(listRooms, {}, me)).rejects.toBe(away)
  } finally {
    Object.assign(t.database, { reader })
  }
})

it('lets the keyword use its index behind row-level security', async () => {
  expect(
    defined(
      await t.database
        .reader(ownerId)
        .one<{ ok: boolean }>(
          sql`select bool_and(proleakproof) as ok from pg_proc where proname in ('textlike', 'texticlike')`,
        ),
    ).ok,
  ).toBe(true)
})
