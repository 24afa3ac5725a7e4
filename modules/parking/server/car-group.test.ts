import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asMoment } from '#kit/domain/moment.ts'
import { faultsOf, refusalOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { addToBlackList, suspendCars } from '../contract/car-actions.ts'
import {
  addGroupParks,
  addGroupPlates,
  carGroups,
  listGroupParks,
  listGroupPlates,
  removeGroupPlates,
  type CarGroup,
} from '../contract/car-group.ts'
import { cars, type Car } from '../contract/car.ts'
import { addPark, deleteParks, type Park } from '../contract/park.ts'
import { findMonthRight } from './public.ts'

let t: GoldenApp
let me: CallOptions
let lot: Park
let otherLot: Park
let counter = 0
const projectCode = 'GOLD0001'
const at = asMoment('2026-11-21 09:00:00')

const createPark = (name: string): Promise<Park> =>
  t.call(addPark, { projectCode, name, parkType: 'below', state: 'on' }, me)

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  lot = await createPark('分组车库')
  otherLot = await createPark('分组外车库')
})

afterAll(() => t?.close())

const newPlate = (): string => `粤G${String(20_000 + ++counter)}`

const addCar = (plateNo: string, overrides: object = {}): Promise<Car> =>
  t.call(
    cars.add,
    {
      projectCode,
      plateNo,
      plateColor: 'blue',
      carKind: 'month',
      ownerName: '钱二',
      beginDate: '2026-11-01',
      endDate: '2026-11-30',
      ...overrides,
    },
    me,
  )

const addGroup = (plateNos: readonly string[], overrides: object = {}): Promise<CarGroup> =>
  t.call(
    carGroups.add,
    {
      projectCode,
      groupName: `两位三车 ${++counter}`,
      placeCount: 2,
      plateNos,
      parkIds: [String(lot.id)],
      switchOnLeave: true,
      state: 'on',
      ...overrides,
    },
    me,
  )

const rightOf = async (plateNo: string, parkId: Id = lot.id) =>
  defined(
    (await findMonthRight(t.database.reader(t.ownerId), t.ownerId, projectCode, parkId, [plateNo], at)).get(
      plateNo,
    ),
  )

it('has no more places than plates, and a plate in one group (PRK-6)', async () => {
  const plates = [newPlate(), newPlate(), newPlate()]
  expect(faultsOf(await refusalOf(addGroup(plates, { placeCount: 4 })))[0]).toEqual({
    Field: 'PlaceCount',
    Message: '车位数不能多于车牌数（3 个）',
  })
  const group = await addGroup(plates)
  expect(group).toMatchObject({ plateCount: 3, plateNos: plates })
  expect(faultsOf(await refusalOf(addGroup([defined(plates[1])], { placeCount: 1 })))[0]?.Message).toBe(
    `车牌 ${plates[1]} 已在分组「${group.groupName}」中，请先从该分组移除`,
  )
})

it('takes and gives away plates and car parks one by one', async () => {
  const plates = [newPlate(), newPlate(), newPlate()]
  const group = await addGroup(plates)
  const car = await addCar(defined(plates[0]))
  const added = newPlate()
  await t.call(addGroupPlates, { groupId: group.id, plateNos: [added.toLowerCase()] }, me)
  const reason = '车辆已售'
  await t.call(
    removeGroupPlates,
    { id: group.id, plateNos: [defined(plates[1]), defined(plates[2])], reason },
    me,
  )
  expect(await t.call(listGroupPlates, { groupId: group.id }, me)).toEqual([
    {
      plateNo: plates[0],
      priority: 1,
      carId: car.id,
      carKind: 'month',
      carState: 'normal',
      endDate: '2026-11-30',
    },
    { plateNo: added, priority: 2 },
  ])
  expect(
    (await refusalOf(t.call(removeGroupPlates, { id: group.id, plateNos: [added], reason }, me))).message,
  ).toBe('车位数不能多于车牌数（1 个）')
  await t.call(addGroupParks, { groupId: group.id, parkIds: [String(otherLot.id)] }, me)
  expect((await t.call(listGroupParks, { groupId: group.id }, me)).map(row => row.name).toSorted()).toEqual([
    '分组外车库',
    '分组车库',
  ])
  expect((await refusalOf(t.call(deleteParks, { ids: [String(otherLot.id)], reason }, me))).message).toBe(
    '停车场「分组外车库」不能删除：还有车辆分组 1 个，请先处理',
  )
})

it('answers the month right of plates in a car park at once (PRK-3)', async () => {
  const [valid, expired, blocked, unknown, suspended] = [
    newPlate(),
    newPlate(),
    newPlate(),
    newPlate(),
    newPlate(),
  ]
  await addCar(valid, { parkIds: [String(lot.id)] })
  await addCar(expired, { beginDate: '2026-10-01', endDate: '2026-11-19' })
  await t.call(addToBlackList, { projectCode, plateNo: blocked, reason: '多次逃费' }, me)
  await t.call(suspendCars, { ids: [String((await addCar(suspended)).id)], reason: '欠费两个月' }, me)
  const asked = [valid.toLowerCase(), expired, blocked, unknown, suspended]
  const rights = await findMonthRight(t.database.reader(t.ownerId), t.ownerId, projectCode, lot.id, asked, at)
  const shown = [...rights.values()].map(({ plateNo, status, carState, blackReason }) => [
    plateNo,
    status,
    carState,
    blackReason,
  ])
  expect(shown.toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))).toEqual([
    [valid, 'valid', 'normal', undefined],
    [expired, 'expired', 'expired', undefined],
    [blocked, 'none', 'blocked', '多次逃费'],
    [unknown, 'none', undefined, undefined],
    [suspended, 'none', 'suspended', undefined],
  ])
  expect((await rightOf(valid, otherLot.id)).status).toBe('none')
  await t.call(updateEstateSetting, { projectCode, key: 'parking.graceDays', value: '2' }, me)
  await t.call(updateEstateSetting, { projectCode, key: 'parking.expiredEntry', value: '2' }, me)
  expect(await rightOf(expired)).toMatchObject({ status: 'grace', expiredEntry: 'refused' })
})

it('answers the group of a plate, in its car parks and on its days alone (PRK-6)', async () => {
  const plates = [newPlate(), newPlate(), newPlate()]
  const group = await addGroup(plates, { endDate: '2026-11-21' })
  const plate = defined(plates[2])
  const car = await addCar(plate, { beginDate: '2026-10-01', endDate: '2026-11-01' })
  expect((await t.call(cars.get, { id: car.id }, me)).groupName).toBe(group.groupName)
  expect(await rightOf(plate)).toMatchObject({
    status: 'valid',
    group: { id: group.id, placeCount: 2, plateNos: plates, switchesOnLeave: true },
  })
  expect((await rightOf(plate, otherLot.id)).group).toBeUndefined()
  const { userName: _u, companyName: _c, plateCount: _p, ...draft } = group
  await t.call(carGroups.edit, { ...draft, endDate: '2026-11-20' }, me)
  expect((await rightOf(plate)).status).toBe('expired')
})
