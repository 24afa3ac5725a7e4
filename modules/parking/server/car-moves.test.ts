import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { checkOut, previewMove } from '#modules/residents/contract/move.ts'
import {
  changeResidentMobile,
  getResidentPanel,
  mergeResidents,
} from '#modules/residents/contract/maintenance.ts'
import { listResidencies } from '#modules/residents/contract/residency.ts'
import { addFamily, type Resident } from '#modules/residents/contract/resident.ts'
import { getRoomPanel } from '#modules/rooms/contract/room-board.ts'
import { addRoom, type Room } from '#modules/rooms/contract/room.ts'
import { cars, type Car } from '../contract/car.ts'
import { addPark } from '../contract/park.ts'
import { addPlace, listPlacesOfResident } from '../contract/park-place.ts'

let t: GoldenApp
let me: CallOptions
let counter = 0
const projectCode = 'GOLD0001'

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
})

afterAll(() => t?.close())

const nextMobile = (): string => String(13_766_000_000 + ++counter)

const createRoom = (): Promise<Room> =>
  t.call(
    addRoom,
    {
      projectCode,
      buildCode: 'B2',
      unitName: '1',
      floorNum: 2,
      roomNo: `V${100 + ++counter}`,
      roomType: 'home',
      roomState: 'vacant',
      state: 'on',
      deliverDate: '2024-01-01',
    },
    me,
  )

async function addOwner(room: Room, name: string): Promise<Resident> {
  const people = [{ name, mobile: nextMobile(), relation: 'owner' as const }]
  const input = { projectCode, roomIds: [String(room.id)], inDate: '2026-01-01', people } as const
  return defined((await t.call(addFamily, input, me))[0])
}

const addCar = (userId: Id, overrides: object = {}): Promise<Car> =>
  t.call(
    cars.add,
    {
      projectCode,
      plateNo: `粤V${50_000 + ++counter}`,
      plateColor: 'blue',
      carKind: 'fixed',
      userId,
      ...overrides,
    },
    me,
  )

const readCar = (id: Id): Promise<Car> => t.call(cars.get, { id }, me)

async function leave(room: Room, answer: string | undefined) {
  const { rows } = await t.call(listResidencies, { roomId: room.id, size: 5 }, me)
  const ids = rows.map(row => String(row.id))
  const answers = answer === undefined ? {} : { answers: [{ key: 'cars', value: answer }] }
  const plan = await t.call(previewMove, { kind: 'checkout', ids, day: '2026-11-20', ...answers }, me)
  await t.call(checkOut, { ids, outDate: '2026-11-20', ...answers }, me)
  return plan.steps.find(step => step.key === 'cars')
}

it('who moves out keeps the cars without the home, or cancels them', async () => {
  const room = await createRoom()
  const kept = await addCar((await addOwner(room, '搬一')).id, { roomCode: room.code })
  const other = await addCar(defined((await t.call(listResidencies, { roomId: room.id }, me)).rows[0]).userId)
  const step = await leave(room, undefined)
  expect(step?.lines.map(line => [line.value, line.note])).toEqual([['1 辆', `${kept.plateNo}（正常）`]])
  expect(await readCar(kept.id)).toMatchObject({ carState: 'normal' })
  expect((await readCar(kept.id)).roomCode).toBeUndefined()
  const next = await createRoom()
  const cancelled = await addCar((await addOwner(next, '搬二')).id, { roomCode: next.code })
  await leave(next, 'cancelled')
  expect((await readCar(cancelled.id)).carState).toBe('cancelled')
  expect((await readCar(other.id)).carState).toBe('normal')
})

it('a room and a resident show their cars, the resident the places of both', async () => {
  const room = await createRoom()
  const person = await addOwner(room, '看一')
  const lot = await t.call(addPark, { projectCode, name: '面板车库', parkType: 'below', state: 'on' }, me)
  const place = await t.call(
    addPlace,
    { projectCode, parkId: lot.id, placeNo: 'P-1', placeType: 'plain', placeState: 'own' },
    me,
  )
  const car = await addCar(person.id, { roomCode: room.code, placeId: place.id })
  const ofRoom = (await t.call(getRoomPanel, { id: room.id }, me)).sections.find(({ key }) => key === 'cars')
  const ofPerson = (await t.call(getResidentPanel, { id: person.id }, me)).sections.find(
    ({ key }) => key === 'cars',
  )
  for (const section of [ofRoom, ofPerson]) {
    expect(section?.lines?.map(line => [line.label, line.value, line.note])).toEqual([
      [car.plateNo, '正常', '固定车 · 车位 P-1'],
    ])
  }
  const places = await t.call(listPlacesOfResident, { userId: person.id }, me)
  expect(places.map(row => row.placeNo)).toEqual(['P-1'])
})

it('a car follows the number of its owner, and the person who is kept of several', async () => {
  const kept = await addOwner(await createRoom(), '并一')
  const merged = await addOwner(await createRoom(), '并一')
  const car = await addCar(merged.id)
  const mobile = nextMobile()
  await t.call(changeResidentMobile, { id: merged.id, mobile, reason: '更换号码' }, me)
  const byNumber = await t.call(cars.list, { projectCode, keyword: mobile }, me)
  expect(byNumber.rows.map(row => row.plateNo)).toEqual([car.plateNo])
  await t.call(mergeResidents, { id: kept.id, others: [String(merged.id)], reason: '同一人' }, me)
  expect((await readCar(car.id)).userId).toBe(kept.id)
})
