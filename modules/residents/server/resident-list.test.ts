import { defined } from '#kit/domain/defined.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { addRoom } from '#modules/rooms/contract/room.ts'
import {
  addFamily,
  addResident,
  deleteResidents,
  listResidents,
  type Resident,
} from '../contract/resident.ts'
import { checkOut } from '../contract/move.ts'

let t: GoldenApp
let me: CallOptions
let created: Resident[]

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  ownerAllProjects = await t.signedInAs(golden.first.owner, '')
  const room = await t.call(
    addRoom,
    {
      projectCode: 'GOLD0001',
      buildCode: 'B2',
      unitName: '1',
      floorNum: 1,
      roomNo: 'S991',
      roomType: 'home',
      roomState: 'vacant',
      state: 'on',
      deliverDate: '2024-01-01',
    },
    me,
  )
  created = [
    ...(await t.call(
      addFamily,
      {
        projectCode: 'GOLD0001',
        roomIds: [String(room.id)],
        inDate: '2025-01-01',
        people: Array.from({ length: 7 }, (_, i) => ({
          name: `尉迟${'甲乙丙丁戊己庚'[i]}`,
          mobile: `1390007000${i}`,
          gender: i % 2 ? ('male' as const) : ('female' as const),
          relation: i ? ('family' as const) : ('owner' as const),
        })),
      },
      me,
    )),
  ]
  await t.call(
    addResident,
    {
      homeProject: 'GOLD0002',
      name: '尉迟辛',
      mobile: '13900070009',
      userType: 'person',
      state: 'normal',
    },
    me,
  )
})

afterAll(() => t?.close())

/** Of all projects: none is chosen above. */
let ownerAllProjects: CallOptions
const listPage = (q: object, as = ownerAllProjects) => t.call(listResidents, { size: 3, ...q }, as)
const listNames = async (q: object, as = ownerAllProjects) =>
  (await listPage({ size: 100, ...q }, as)).rows.map(r => r.name)

it('pages of a search are its total, newest first, with the homes beside, however it is asked', async () => {
  for (const q of [{ keyword: '尉迟' }, { keyword: 'yuchi' }, { keyword: '1390007000' }, { name: '尉迟' }]) {
    const pages = await Promise.all([1, 2, 3, 4].map(page => listPage({ ...q, page })))
    expect([q, pages.map(p => p.total), pages.map(p => p.rows.length)]).toEqual([
      q,
      [8, 8, 8, 8],
      [3, 3, 2, 0],
    ])
    expect(pages.flatMap(p => p.rows).map(r => r.name)).toEqual([
      '尉迟辛',
      ...created.map(r => r.name).toReversed(),
    ])
    expect(defined(defined(defined(pages[1]).rows[0]).homes).map(h => h.roomPath)).toEqual(['2-1-S991'])
  }
  // Another order and other conditions find the same people by the other way.
  expect(await listNames({ keyword: '尉迟', order: 'id' })).toEqual([...created.map(r => r.name), '尉迟辛'])
  expect(await listNames({ keyword: '尉迟', gender: ['male'] })).toEqual(['尉迟己', '尉迟丁', '尉迟乙'])
  expect(await listNames({ keyword: '尉迟', relation: ['owner'] })).toEqual(['尉迟甲'])
  expect(await listNames({ keyword: '尉迟', mobile: '13900070003' })).toEqual(['尉迟丁'])
  expect(await listNames({ keyword: 'S991', withoutHome: true })).toEqual([])
})

it('a search stays in the project and the data domain; those who left are found by name, not by their old room', async () => {
  expect((await listPage({ keyword: '尉迟', projectCode: 'GOLD0002' })).total).toBe(1)
  expect((await listPage({ keyword: '尉迟', projectCode: 'GOLD0001' })).total).toBe(7)
  expect((await listPage({ keyword: '尉迟' }, await t.signedInAs(golden.first.estateOnly, ''))).total).toBe(7)
  expect((await listPage({ keyword: '尉迟' }, await t.signedInAs(golden.first.buildingOnly, ''))).total).toBe(
    0,
  )
  expect((await listPage({ keyword: '尉迟' }, await t.signedInAs(golden.second.owner, ''))).total).toBe(0)
  expect((await listPage({ keyword: 'S991' })).total).toBe(7)
  const last = defined(created.at(-1))
  await t.call(checkOut, { ids: [String(defined(defined(last.homes)[0]).linkId)], outDate: '2026-11-20' }, me)
  expect((await listPage({ keyword: 'S991' })).total).toBe(6)
  expect((await listPage({ keyword: '尉迟' })).total).toBe(8)
  await t.call(deleteResidents, { ids: [String(last.id)], reason: '录错了' }, me)
  expect((await listPage({ keyword: '尉迟' })).total).toBe(7)
})

it('counts and pages a search with more hits than are fetched by id', async () => {
  await t.database.tx('*', tx =>
    tx.execute(
      sql`
        insert into resident (
          owner_id, home_project, name, user_type, wechat_bind, app_bind, source, state, search_text
        )
        select 1, 'GOLD0001', '众人' || i, 10, false, false, 20, 10, '众众众人人人' || i
        from generate_series(1, 5100) i
      `,
    ),
  )
  const found = await listPage({ keyword: '众人', projectCode: 'GOLD0001', page: 1700 })
  expect([found.total, found.rows.length]).toEqual([5100, 3])
})
