import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalOf, refusedTextsOf, faultTextsOf } from '#kit/server/fixtures/refusal.ts'
import { publicAreas } from '#modules/estates/contract/public-area.ts'
import { editBuilding, listBuildings } from '#modules/estates/contract/building.ts'
import { deletePlaces, listPlaces } from '#modules/parking/contract/park-place.ts'
import { getRoomPanel } from '#modules/rooms/contract/room-board.ts'
import { deleteRooms, listRooms } from '#modules/rooms/contract/room.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import {
  addRelation,
  listAreaRelations,
  listCarRelations,
  deleteRelations,
  editRelation,
  endRelations,
  listRelations,
  listPlaceRelations,
  listRelationsOfSource,
  listRelationsOfUser,
  resumeRelations,
  listRoomRelations,
  stopRelations,
} from '../contract/relation-calls.ts'
import { batchBind, batchBindByFilter, previewBind } from '../contract/binding-calls.ts'
import { addItem } from '../contract/item.ts'
import type { FeeRelation } from '../contract/relation.ts'
import { addPackage, editPackage, listPackages } from '../contract/package.ts'
import { type FeeStandard } from '../contract/standard.ts'
import { addStandard, listStandards } from '../contract/standard-calls.ts'
import { listFormulas } from '../contract/formula.ts'
import { refreshNamesCron } from './registrations.ts'
import { registerBilledRelations, onRelationEnd, type EndedRelation } from './billing-hooks.ts'

let t: GoldenApp
let me: CallOptions
let n = 0
let fixedFormulaId: Id = 0

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  fixedFormulaId = defined((await t.call(listFormulas, { keyword: '固定金额' }, me)).rows[0]).id
})

afterAll(() => t?.close())

const baseStandard = {
  projectCode: 'GOLD0001',
  cycleType: 'natural',
  cycleMonths: 1,
  alignYear: true,
  chargeMode: 'ahead',
  startRule: 'fixedDate',
  prorateMode: 'actual',
  advanceDays: 0,
  delayDays: 0,
  dueBase: 'begin',
  dueDays: 30,
  dueSkipHoliday: false,
  roundType: 'halfUp',
  roundUnit: 'fen',
  tiersStretch: true,
} as const

const createItem = (overrides: object = {}) => {
  n++
  return t.call(
    addItem,
    {
      code: `R${n}`,
      name: `关联项目${n}`,
      feeType: 'cyclic',
      category: 'property',
      incomeKind: 'own',
      inRate: true,
      billMode: 'auto',
      scene: 'roomShopArea',
      allowMulti: false,
      allowOnline: true,
      autoDeduct: true,
      principalSettles: false,
      lateFeeSwitch: false,
      ...overrides,
    },
    me,
  )
}

const createStandard = async (feeItemId?: Id, overrides: object = {}): Promise<FeeStandard> => {
  n++
  return t.call(
    addStandard,
    {
      ...baseStandard,
      code: `RS${n}`,
      name: `关联标准${n}`,
      feeItemId: feeItemId ?? (await createItem()).id,
      formulaId: fixedFormulaId,
      price: '10',
      ...overrides,
    },
    me,
  )
}

/** Rooms of B2, which nothing is bound to. */
const listTestRooms = async () => (await t.call(listRooms, { buildCode: ['B2'], size: 50 }, me)).rows

const createRelation = (s: FeeStandard, code: string, overrides: object = {}) =>
  t.call(
    addRelation,
    {
      projectCode: 'GOLD0001',
      sourceType: 'room',
      sourceCode: code,
      standardId: s.id,
      beginDate: '2026-01-01',
      ...overrides,
    },
    me,
  )

const bindStandards = (s: readonly FeeStandard[], codes: readonly string[], overrides: object = {}) =>
  t.call(
    batchBind,
    {
      projectCode: 'GOLD0001',
      sourceType: 'room',
      standardIds: s.map(x => String(x.id)),
      sourceCodes: codes,
      beginDate: '2026-01-01',
      ...overrides,
    },
    me,
  )

const findRelationsOf = async (code: string, feeItemId: Id) =>
  (await t.call(listRelationsOfSource, { sourceType: 'room', sourceCode: code }, me)).filter(
    r => r.feeItemId === feeItemId,
  )

it('a relation names its object, its standard and its price; FEE-7 refuses an overlap with object and dates', async () => {
  const [r] = await listTestRooms()
  const i = await createItem()
  const s = await createStandard(i.id)
  const sameItemStandard = await createStandard(i.id, { price: '12' })
  const made = await createRelation(s, defined(defined(r).code), { endDate: '2026-06-30' })
  expect(made).toMatchObject({
    sourceName: defined(r).path,
    buildCode: 'B2',
    feeItemId: i.id,
    standardName: s.name,
    price: '10',
    state: 'charging',
    multi: false,
  })
  expect(
    await faultTextsOf(
      createRelation(sameItemStandard, defined(defined(r).code), { beginDate: '2026-06-30' }),
    ),
  ).toEqual({
    BeginDate: `「${defined(r).path}」2026-01-01 起至 2026-06-30已按「${s.name}」收费，请先结束它，或错开起止日期`,
  })
  const next = await createRelation(sameItemStandard, defined(defined(r).code), { beginDate: '2026-07-01' })
  expect(
    (await findRelationsOf(defined(defined(r).code), i.id)).map(x => [x.beginDate, x.endDate, x.price]),
  ).toEqual([
    ['2026-07-01', undefined, '12'],
    ['2026-01-01', '2026-06-30', '10'],
  ])
  expect(
    await faultTextsOf(
      t.call(
        editRelation,
        {
          id: next.id,
          projectCode: 'GOLD0001',
          sourceType: 'room',
          sourceCode: defined(defined(r).code),
          standardId: sameItemStandard.id,
          beginDate: '2026-06-01',
        },
        me,
      ),
    ),
  ).toHaveProperty('BeginDate')
  const multi = await createItem({ allowMulti: true })
  const two = [await createStandard(multi.id), await createStandard(multi.id)]
  for (const x of two) {
    await createRelation(x, defined(defined(r).code))
  }
  expect(await findRelationsOf(defined(defined(r).code), multi.id)).toHaveLength(2)
})

it('bad input is reported at its field', async () => {
  const [r] = await listTestRooms()
  const s = await createStandard()
  const place = await createStandard((await createItem({ scene: 'parkPlace' })).id)
  const bad = (overrides: object) => faultTextsOf(createRelation(s, defined(defined(r).code), overrides))
  expect(await bad({ beginDate: undefined })).toEqual({
    BeginDate: `标准「${s.name}」从指定日期起收，请填写起收日期`,
  })
  expect(await bad({ endDate: '2025-12-31' })).toEqual({ EndDate: '止收日期不能早于起收日期' })
  expect(
    await bad({
      free: [
        { begin: '2026-03-01', end: '2026-02-01' },
        { begin: '2026-05-01', end: '2026-05-31' },
        { begin: '2026-05-31', end: '2026-06-30' },
      ],
    }),
  ).toEqual({ 'FreeJson[0].End': '免收期的止不能早于起', 'FreeJson[2].Begin': '与上面的免收期重叠' })
  expect(await bad({ payerKind: 'resident', payerId: 999_999 })).toEqual({
    PayerID: '缴费人不存在，请重新选择',
  })
  expect(await bad({ meterId: 999_999 })).toEqual({ MeterID: '该项目没有该仪表，请重新选择' })
  expect(await faultTextsOf(createRelation(s, 'NOWHERE'))).toEqual({
    SourceCode: '该项目没有该房屋，请重新选择',
  })
  expect((await faultTextsOf(createRelation(place, defined(defined(r).code)))).StandardID).toContain(
    '适用场景是车位，不能用于房屋',
  )
  expect(
    (
      await refusalOf(
        createRelation(await createStandard((await createItem({ scene: 'car' })).id), 'X', {
          sourceType: 'car',
        }),
      )
    ).message,
  ).toBe('该项目没有该车辆，请重新选择')
  expect((await t.call(listCarRelations, {}, me)).rows).toEqual([])
})

it('PostBatchBind tells row by row; append leaves, replace lets the old one end the day before', async () => {
  const rooms = await listTestRooms()
  const [a = '', b = '', c = ''] = rooms.slice(1, 4).map(r => defined(r.code))
  const i = await createItem()
  const s = await createStandard(i.id)
  const next = await createStandard(i.id, { price: '20' })
  const first = await bindStandards([s], [a, b, 'NOWHERE'])
  expect(first).toMatchObject({ objects: 3, success: 2, replaced: 0, skipped: 1, fail: 0 })
  expect(first.rows.map(x => [x.sourceCode, x.outcome, x.reason])).toEqual(
    expect.arrayContaining([
      ['NOWHERE', 'skip', '没有该对象，或不在可管理的范围内'],
      [a, 'bind', '绑定'],
    ]),
  )
  const append = await bindStandards([next], [a, b, c], { beginDate: '2026-09-01' })
  expect(append).toMatchObject({
    success: 1,
    skipped: 2,
    reasons: [{ reason: '已绑定同一项目的其他标准', count: 2 }],
  })
  expect(append.rows.find(x => x.sourceCode === a)).toMatchObject({
    outcome: 'skip',
    reason: `已绑定「${s.name}」（2026-01-01 起）`,
  })
  await t.database.tx('*', tx =>
    tx.execute(
      sql`
        update fee_relation
        set billed_to = '2026-09-30'
        where standard_id = ${s.id}
          and source_code = ${b}
      `,
    ),
  )
  const request = {
    projectCode: 'GOLD0001',
    sourceType: 'room',
    standardIds: [String(next.id)],
    sourceCodes: [a, b, c],
    beginDate: '2026-09-01',
    mode: 'replace',
  } as const
  const preview = await t.call(previewBind, request, me)
  const replace = await t.call(batchBind, request, me)
  expect(preview).toEqual(replace)
  expect(replace).toMatchObject({
    success: 1,
    replaced: 1,
    skipped: 2,
    reasons: [
      { reason: '已绑定同一标准', count: 1 },
      { reason: '原标准已计费到起收日期之后', count: 1 },
    ],
  })
  expect(defined(replace.rows.find(x => x.sourceCode === b)).reason).toBe(
    `「${s.name}」已计费至 2026-09-30，起收日期请定在这之后`,
  )
  expect((await findRelationsOf(a, i.id)).map(x => [x.standardId, x.beginDate, x.endDate])).toEqual([
    [next.id, '2026-09-01', undefined],
    [s.id, '2026-01-01', '2026-08-31'],
  ])
  const earlier = await bindStandards([s], [a], { mode: 'replace', beginDate: '2026-08-01' })
  expect(earlier).toMatchObject({ success: 0, skipped: 1 })
})

it('FEE-10 PostBatchBindPro by filter with a package; what it would do is shown before', async () => {
  const all = await listTestRooms()
  const s = await createStandard()
  const other = await createStandard()
  const p = await t.call(
    addPackage,
    { projectCode: 'GOLD0001', name: '二栋套餐', standardIds: [String(s.id), String(other.id)] },
    me,
  )
  const request = {
    projectCode: 'GOLD0001',
    sourceType: 'room',
    packageId: p.id,
    buildCodes: ['B2'],
    floorFrom: 2,
    floorTo: 4,
    except: [defined(defined(all.find(r => r.floorNum === 3)).code)],
    beginDate: '2026-01-01',
  } as const
  const expectedCount = all.filter(r => defined(r.floorNum) >= 2 && defined(r.floorNum) <= 4).length - 1
  const preview = await t.call(previewBind, request, me)
  expect(preview).toMatchObject({ objects: expectedCount, success: expectedCount * 2, skipped: 0 })
  expect((await t.call(listRelations, { standardId: [String(s.id)] }, me)).total).toBe(0)
  expect(await t.call(batchBindByFilter, request, me)).toMatchObject({ success: expectedCount * 2 })
  expect(await t.call(batchBindByFilter, request, me)).toMatchObject({
    success: 0,
    skipped: expectedCount * 2,
    reasons: [{ reason: '已绑定同一标准', count: expectedCount * 2 }],
  })
  const states = await t.call(
    previewBind,
    { ...request, floorFrom: undefined, floorTo: undefined, except: undefined, roomStates: ['vacant'] },
    me,
  )
  expect(states.objects).toBe(all.filter(r => r.roomState === 'vacant').length)
  expect(defined((await t.call(listPackages, { keyword: '二栋' }, me)).rows[0]).standardNames).toEqual([
    s.name,
    other.name,
  ])
  const same = await createStandard(s.feeItemId)
  expect(
    (
      await faultTextsOf(
        t.call(
          editPackage,
          {
            id: p.id,
            projectCode: 'GOLD0001',
            name: p.name,
            standardIds: [String(s.id), String(same.id)],
          },
          me,
        ),
      )
    ).StandardIDs,
  ).toContain('请只选一个')
  expect((await faultTextsOf(bindStandards([s, same], ['X']))).StandardIDs).toContain('请只选一个')
  expect((await faultTextsOf(bindStandards([], ['X']))).StandardIDs).toBe('请选择收费标准或套餐')
})

it('places and public areas are bound by their own filters; a shop is no home (FEE-9)', async () => {
  const place = await createStandard((await createItem({ scene: 'parkPlace' })).id)
  const area = await createStandard((await createItem({ scene: 'area' })).id)
  const home = await createStandard((await createItem({ scene: 'room' })).id)
  const pro = (s: FeeStandard, sourceType: FeeRelation['sourceType'], overrides: object = {}) =>
    t.call(
      batchBindByFilter,
      {
        projectCode: 'GOLD0001',
        sourceType,
        standardIds: [String(s.id)],
        beginDate: '2026-01-01',
        ...overrides,
      },
      me,
    )
  const places = (await t.call(listPlaces, { size: 50 }, me)).rows
  expect(await pro(place, 'parkPlace', { placeStates: ['sold', 'off'] })).toMatchObject({
    success: places.filter(p => p.placeState === 'sold').length,
    skipped: places.filter(p => p.placeState === 'off').length,
  })
  expect(await pro(area, 'publicArea', { rentStates: ['let'] })).toMatchObject({ success: 1, skipped: 0 })
  expect(await pro(home, 'room', { buildCodes: ['B3'] })).toMatchObject({
    success: 0,
    reasons: [{ reason: '收费项目不适用', count: 8 }],
  })
  expect((await t.call(listPlaceRelations, { standardId: [String(place.id)] }, me)).total).toBe(
    places.filter(p => p.placeState === 'sold').length,
  )
  expect(
    defined((await t.call(listAreaRelations, { standardId: [String(area.id)] }, me)).rows[0]).sourceName,
  ).toBe('中心广场广告位')
})

it('CYC-8 stop and resume: the suspended time is charged later, or charging restarts', async () => {
  const [r] = await listTestRooms()
  const s = await createStandard()
  const x = await createRelation(s, defined(defined(r).code))
  const ids = [String(x.id)]
  const readRelations = async () =>
    defined((await t.call(listRelations, { standardId: [String(s.id)] }, me)).rows[0])
  await t.database.tx('*', tx =>
    tx.execute(sql`update fee_relation set billed_to = '2026-08-31' where id = ${x.id}`),
  )
  expect(await t.call(stopRelations, { ids, reason: '空关' }, me)).toMatchObject({ success: 1 })
  expect(await readRelations()).toMatchObject({
    state: 'suspended',
    billedTo: '2026-08-31',
    stopReason: '空关',
  })
  expect(defined((await t.call(stopRelations, { ids, reason: '空关' }, me)).rows[0]).reason).toContain(
    '已是停收',
  )
  await t.call(resumeRelations, { ids, resumeMode: 'backwards' }, me)
  expect(await readRelations()).toMatchObject({ state: 'charging', billedTo: '2026-08-31' })
  await t.call(stopRelations, { ids, reason: '空关' }, me)
  await t.call(resumeRelations, { ids, resumeMode: 'onwards', day: '2026-11-10' }, me)
  expect(await readRelations()).toMatchObject({
    state: 'charging',
    billedTo: '2026-11-09',
    free: [{ begin: '2026-09-01', end: '2026-11-09' }],
  })
  expect(
    defined((await t.call(resumeRelations, { ids, resumeMode: 'onwards' }, me)).rows[0]).reason,
  ).toContain('未停收')
})

it('CYC-3, CYC-9 ends on a day; bills beyond it are notified', async () => {
  const rooms = (await listTestRooms()).slice(0, 3).map(r => defined(r.code))
  const s = await createStandard()
  const published: EndedRelation[] = []
  onRelationEnd(async (_tx, _scope, list) => {
    published.push(...list)
  })
  await bindStandards([s], rooms)
  const all = (await t.call(listRelations, { standardId: [String(s.id)], order: 'sourceName' }, me)).rows
  const ids = all.map(x => String(x.id))
  await t.database.tx('*', tx =>
    tx.execute(sql`update fee_relation set billed_to = '2026-12-31' where id = ${defined(all[0]).id}`),
  )
  expect(
    await faultTextsOf(t.call(endRelations, { ids, endDate: '2025-12-31', reason: '退租' }, me)),
  ).toHaveProperty('EndDate')
  expect(await t.call(endRelations, { ids, endDate: '2026-11-30', reason: '退租' }, me)).toMatchObject({
    success: 3,
  })
  expect(published.map(x => [x.id, x.endDate, x.billedTo])).toEqual([
    [defined(all[0]).id, '2026-11-30', '2026-12-31'],
  ])
  expect(
    (await t.call(endRelations, { ids: ids.slice(1), endDate: '2026-12-15', reason: '改期' }, me)).skipped,
  ).toBe(2)
  expect(
    (
      await faultTextsOf(
        t.call(
          editRelation,
          {
            id: defined(all[0]).id,
            projectCode: 'GOLD0001',
            sourceType: 'room',
            sourceCode: defined(all[0]).sourceCode,
            standardId: s.id,
            beginDate: '2026-02-01',
          },
          me,
        ),
      )
    ).BeginDate,
  ).toContain('已计费至 2026-12-31')
  registerBilledRelations(async (_tx, _owner, list) => list.filter(id => id === defined(all[0]).id))
  const deletion = await t.call(deleteRelations, { ids, reason: '绑错了' }, me)
  expect(deletion).toMatchObject({ success: 2, skipped: 1 })
  expect(defined(deletion.rows[0]).reason).toContain('已有账单，请改为结束收费')
})

it('what is charged is not deleted; the panel and the resident show it', async () => {
  const b1 = defined((await t.call(listRooms, { buildCode: ['B1'], size: 1 }, me)).rows[0])
  expect(
    (await refusalOf(t.call(deleteRooms, { ids: [String(b1.id)], reason: '录错了' }, me))).message,
  ).toContain('收费关联 3 个')
  expect(
    defined(
      (await t.call(getRoomPanel, { id: defined(b1.id) }, me)).sections.find(x => x.key === 'fees'),
    ).lines.map(l => l.label),
  ).toEqual(['物业费', '垃圾清运费', '电梯运行费'])
  const parkPlace = defined((await t.call(listPlaces, { placeState: ['free'], size: 1 }, me)).rows[0])
  const hired = defined((await t.call(publicAreas.list, { rentState: ['let'] }, me)).rows[0])
  await t.call(
    addRelation,
    {
      projectCode: 'GOLD0001',
      sourceType: 'parkPlace',
      sourceCode: defined(parkPlace.code),
      standardId: (await createStandard((await createItem({ scene: 'parkPlace' })).id)).id,
      beginDate: '2026-01-01',
    },
    me,
  )
  expect(
    (await refusalOf(t.call(deletePlaces, { ids: [String(parkPlace.id)], reason: '录错了' }, me))).message,
  ).toContain('收费关联 1 个')
  expect(
    (await refusalOf(t.call(publicAreas.delete, { ids: [String(hired.id)], reason: '录错了' }, me))).message,
  ).toContain('收费关联 1 个')
  const lived = await t.database.reader('*').one<{ user: number; code: string }>(
    sql`
        select u.user_id as user, r.code
        from user_room u
        join room r on r.owner_id = u.owner_id and r.id = u.room_id
        join property p on p.id = u.owner_id and p.company_name = ${golden.first.company}
        where u.status = 20 and r.project_code = 'GOLD0001' and r.build_code = 'B1' and u.delete_tag = 0
        limit 1
      `,
  )
  expect(
    (await t.call(listRelationsOfUser, { userId: defined(lived).user }, me))
      .filter(x => x.sourceCode === defined(lived).code)
      .map(x => x.feeItemName),
  ).toEqual(['物业费', '垃圾清运费', '电梯运行费'])
})

it('a relation follows a changed name of its object', async () => {
  const parkPlace = defined(
    (await t.call(listPlaces, { placeState: ['free'], size: 1, order: '-id' }, me)).rows[0],
  )
  const s = await createStandard((await createItem({ scene: 'parkPlace' })).id)
  const name = async () =>
    defined((await t.call(listRelations, { standardId: [String(s.id)] }, me)).rows[0]).sourceName
  await t.call(
    addRelation,
    {
      projectCode: 'GOLD0001',
      sourceType: 'parkPlace',
      sourceCode: defined(parkPlace.code),
      standardId: s.id,
      beginDate: '2026-01-01',
    },
    me,
  )
  await t.database.tx('*', tx =>
    tx.execute(sql`update park_place set place_no = 'NEW-1' where id = ${parkPlace.id}`),
  )
  expect(await name()).toBe(parkPlace.placeNo)
  await refreshNamesCron.run(t.app, new AbortController().signal)
  expect(await name()).toBe('NEW-1')
})

it('and when a building is renamed, at once', async () => {
  const [b] = (await t.call(listBuildings, { keyword: 'B1' }, me)).rows.filter(x => x.code === 'B1')
  const r = defined((await t.call(listRooms, { buildCode: ['B1'], size: 1 }, me)).rows[0])
  await t.call(editBuilding, { ...defined(b), name: '8栋' }, me)
  expect(
    defined((await t.call(listRelationsOfSource, { sourceType: 'room', sourceCode: defined(r.code) }, me))[0])
      .sourceName,
  ).toBe(defined(r.path).replace(/^1-/, '8-'))
})

it('two users bind the same rooms: one succeeds, the other gets the reason', async () => {
  const rooms = (await listTestRooms()).map(r => defined(r.code))
  const i = await createItem()
  const [a, b] = [await createStandard(i.id), await createStandard(i.id)]
  const results = await Promise.all([bindStandards([a], rooms), bindStandards([b], rooms.toReversed())])
  expect(results.reduce((x, s) => x + s.success, 0)).toBe(rooms.length)
  expect(results.reduce((x, s) => x + s.fail + s.skipped, 0)).toBe(rooms.length)
  const outcomes = await Promise.allSettled(
    [a, b].map(async () =>
      createRelation(await createStandard(i.id), defined(rooms[0]), {
        beginDate: '2025-01-01',
        endDate: '2025-06-30',
      }),
    ),
  )
  expect(outcomes.map(x => x.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(refusedTextsOf(outcomes)[0]).toMatch(/已按|刚刚绑定/)
})

it('a user limited to one building binds and sees only its rooms', async () => {
  const s = await createStandard()
  const house = await t.signedInAs(golden.first.buildingOnly)
  const result = await t
    .call(
      batchBindByFilter,
      {
        projectCode: 'GOLD0001',
        sourceType: 'room',
        standardIds: [String(s.id)],
        beginDate: '2026-01-01',
      },
      house,
    )
    .catch((e: unknown) => e)
  expect(result).toMatchObject({ objects: 12, success: 12 })
  expect(
    (await t.call(listRoomRelations, { standardId: [String(s.id)], size: 50 }, me)).rows.every(
      r => r.buildCode === 'B1',
    ),
  ).toBe(true)
})

it('20,000 objects are the limit of one binding', async () => {
  const s = await createStandard()
  await t.database.tx('*', tx =>
    tx.execute(
      sql`
        insert into room (
          owner_id, project_code, code, path, build_code, unit_name, floor_num, room_no, room_type,
          room_state, state, sort_key
        )
        select s.owner_id, 'GOLD0002', 'BULK' || g, 'BULK-' || g, 'B1', 'Z', 1, 'Z' || g, 3, 30, 10,
          'z' || g
        from fee_standard s, generate_series(1, 20001) g
        where s.id = ${s.id}
      `,
    ),
  )
  const far = defined((await t.call(listStandards, { projectCode: 'GOLD0002', keyword: 'LJ01' }, me)).rows[0])
  const request = {
    projectCode: 'GOLD0002',
    sourceType: 'room',
    standardIds: [String(far.id)],
    beginDate: '2026-01-01',
  } as const
  expect((await faultTextsOf(t.call(batchBindByFilter, request, me))).Buildcodes).toContain(
    '一次最多 20000 个',
  )
  expect(
    (await t.call(batchBindByFilter, { ...request, unitNames: ['Z'], except: ['BULK1'] }, me)).success,
  ).toBe(20_000)
})
