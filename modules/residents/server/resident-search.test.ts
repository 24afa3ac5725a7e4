import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { addRoom } from '#modules/rooms/contract/room.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { searchResidentOptions } from '../contract/maintenance.ts'
import { addResident } from '../contract/resident.ts'

let t: GoldenApp
let me: CallOptions

const addPerson = async (name: string, mobile: string, roomNo?: string): Promise<void> => {
  const room =
    roomNo === undefined
      ? undefined
      : await t.call(
          addRoom,
          {
            projectCode: 'GOLD0001',
            buildCode: 'B2',
            unitName: '1',
            floorNum: 1,
            roomNo,
            roomType: 'home',
            roomState: 'vacant',
            state: 'on',
            deliverDate: '2024-01-01',
          },
          me,
        )
  await t.call(
    addResident,
    {
      homeProject: 'GOLD0001',
      name,
      userType: 'person',
      state: 'normal',
      mobile,
      ...(room ? { rooms: [{ roomId: room.id, relation: 'owner', inDate: '2025-03-01' }] } : {}),
    },
    me,
  )
}

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  await addPerson('中段', '13977701234')
  await addPerson('尾号', '13912347770')
  await addPerson('房前', '13911110001', '77701')
  await addPerson('房号', '13911110002', '7770')
})

afterAll(() => t?.close())

it('people are found in the one order of all searches: their room, then the end of their telephone (BILL-11)', async () => {
  const find = async (keyword: string, size = 50) =>
    (await t.call(searchResidentOptions, { keyword, size }, me)).map(r => r.name)
  expect(await find('7770')).toEqual(['房号', '房前', '尾号', '中段'])
  expect(await find('7770', 1)).toEqual(['房号'])
  expect(await find('2-1-7770')).toEqual(['房号', '房前'])
  expect(await find('尾号')).toEqual(['尾号'])
  expect(await find('2-1-7770 房')).toEqual(['房号', '房前'])
  expect(await find('2-1-7770 号')).toEqual(['房号'])
  expect(await find('2-1-7770 尾号')).toEqual([])
})
