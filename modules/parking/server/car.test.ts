import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { faultsOf, refusalOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { listResidents } from '#modules/residents/contract/resident.ts'
import {
  addToBlackList,
  adjustValidity,
  blackCars,
  cancelCars,
  checkCars,
  resumeCars,
  suspendCars,
  unbindPlaceCars,
} from '../contract/car-actions.ts'
import {
  cars,
  carValidities,
  countCarsByState,
  getCarWithOwner,
  listCarsOfPlace,
  listCarsOfResident,
  type Car,
} from '../contract/car.ts'
import { menu } from '../module.ts'
import { addPark, type Park } from '../contract/park.ts'
import { addPlace, changePlaceState, type ParkPlace } from '../contract/park-place.ts'
import { expireCars } from './car-expiry.ts'

let t: GoldenApp
let me: CallOptions
let clerk: CallOptions
let lot: Park
let counter = 0
const today: Day = '2026-11-21'
const project = { projectCode: 'GOLD0001' }

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  const { view, add } = menu.car.permissions
  clerk = (await t.addClerk([view.key, add.key])).as
  lot = await t.call(addPark, { ...project, name: '车辆测试车库', parkType: 'below', state: 'on' }, me)
})

afterAll(() => t?.close())

const newPlate = (): string => `粤T${String(10_000 + ++counter)}`

const addCar = (overrides: object = {}, as: CallOptions = me): Promise<Car> =>
  t.call(
    cars.add,
    {
      ...project,
      plateNo: newPlate(),
      plateColor: 'blue',
      carKind: 'month',
      ownerName: '赵一',
      mobile: '13600002222',
      beginDate: addDays(today, -10),
      endDate: addDays(today, 20),
      ...overrides,
    },
    as,
  )

const createPlace = (overrides: object = {}): Promise<ParkPlace> =>
  t.call(
    addPlace,
    {
      ...project,
      parkId: lot.id,
      placeNo: `T-${++counter}`,
      placeType: 'plain',
      placeState: 'sold',
      ...overrides,
    },
    me,
  )

const readCar = (id: Id): Promise<Car> => t.call(cars.get, { id }, me)

it('keeps a plate in capitals, once among the live cars of a project (PRK-1)', async () => {
  const car = await addCar({ plateNo: '粤t·99999' })
  expect(car).toMatchObject({ plateNo: '粤T99999', carState: 'normal', ownerName: '赵一' })
  expect((await refusalOf(addCar({ plateNo: '粤T99999' }))).message).toBe(
    '该项目已有此车牌；已拉黑的请先移出黑名单',
  )
  await t.call(cancelCars, { ids: [String(car.id)], reason: '车辆已售' }, me)
  expect((await addCar({ plateNo: '粤T99999' })).id).not.toBe(car.id)
})

it('is checked by those who may, or registered as checked by them (C10.1)', async () => {
  const car = await addCar({}, clerk)
  expect(car.carState).toBe('pending')
  const ids = [String(car.id)]
  expect(faultsOf(await refusalOf(t.call(checkCars, { ids, pass: false }, me)))[0]).toEqual({
    Field: 'Reason',
    Message: '不通过请填写原因',
  })
  expect(await t.call(checkCars, { ids, pass: true }, me)).toMatchObject({ success: 1, fail: 0 })
  expect((await readCar(car.id)).carState).toBe('normal')
  expect(await t.call(checkCars, { ids, pass: true }, me)).toMatchObject({
    fail: 1,
    rows: [{ code: car.plateNo, reason: '车辆为“正常”，无需审核' }],
  })
  const refused = await addCar({}, clerk)
  await t.call(checkCars, { ids: [String(refused.id)], pass: false, reason: '行驶证不符' }, me)
  expect((await readCar(refused.id)).carState).toBe('cancelled')
})

it('asks for an owner and for the last day of a month car', async () => {
  expect(faultsOf(await refusalOf(addCar({ ownerName: undefined })))[0]?.Message).toBe(
    '请选择住户、企业，或填写车主姓名',
  )
  expect(faultsOf(await refusalOf(addCar({ endDate: undefined })))[0]).toEqual({
    Field: 'EndDate',
    Message: '月租车、访客车请填写有效期止',
  })
  expect(faultsOf(await refusalOf(addCar({ endDate: addDays(today, -20) })))[0]?.Message).toBe(
    '有效期止不能早于有效期起',
  )
  expect((await addCar({ carKind: 'inner', endDate: undefined })).endDate).toBeUndefined()
})

it('is called after the resident whose it is, and found by that name', async () => {
  const [person] = (await t.call(listResidents, { ...project, size: 1 }, me)).rows
  const { id, name } = defined(person)
  const car = await addCar({ userId: id, ownerName: undefined, mobile: undefined })
  expect(car.ownerName).toBe(name)
  expect((await t.call(listCarsOfResident, { userId: id }, me)).map(row => row.plateNo)).toContain(
    car.plateNo,
  )
  const found = await t.call(cars.list, { ...project, keyword: name }, me)
  expect(found.rows.map(row => row.plateNo)).toContain(car.plateNo)
  expect((await t.call(getCarWithOwner, { ...project, plateNo: car.plateNo }, me)).ownerName).toBe(name)
})

it('goes on the black list and comes back to the state before', async () => {
  const car = await addCar()
  const ids = [String(car.id)]
  await t.call(suspendCars, { ids, reason: '欠费两个月' }, me)
  await t.call(blackCars, { ids, black: true, reason: '多次逃费' }, me)
  expect(await readCar(car.id)).toMatchObject({ carState: 'blocked', blackReason: '多次逃费' })
  expect((await refusalOf(t.call(cars.delete, { ids, reason: '录入有误' }, me))).message).toBe(
    `车辆「${car.plateNo}」为“黑名单”，只能删除待审核、已注销的车辆，请先注销`,
  )
  await t.call(blackCars, { ids, black: false, reason: '已补缴' }, me)
  expect((await readCar(car.id)).carState).toBe('suspended')
  await t.call(resumeCars, { ids, reason: '已补缴' }, me)
  expect((await readCar(car.id)).carState).toBe('normal')
})

it('takes a plate of nobody on the black list, which is cancelled when it is taken off', async () => {
  const plateNo = newPlate()
  await t.call(addToBlackList, { ...project, plateNo: plateNo.toLowerCase(), reason: '冲闯道闸' }, me)
  expect(
    (await refusalOf(t.call(addToBlackList, { ...project, plateNo, reason: '冲闯道闸' }, me))).message,
  ).toBe(`车牌 ${plateNo} 已在黑名单中`)
  const [row] = (await t.call(cars.list, { ...project, keyword: plateNo, carState: ['blocked'] }, me)).rows
  expect(row).toMatchObject({ plateNo, carKind: 'temp', blackReason: '冲闯道闸' })
  await t.call(blackCars, { ids: [String(defined(row).id)], black: false, reason: '登记有误' }, me)
  expect((await readCar(defined(row).id)).carState).toBe('cancelled')
})

it('keeps its days in an edit; they change with a reason and stay in the history', async () => {
  const car = await addCar()
  const { carState: _s, companyName: _c, roomPath: _r, placeNo: _p, feeStandardName: _f, ...draft } = car
  const edited = await t.call(
    cars.edit,
    { ...draft, plateNo: newPlate(), endDate: addDays(today, 300), remark: '换牌' },
    me,
  )
  expect(edited).toMatchObject({ endDate: car.endDate, remark: '换牌' })
  const ids = [String(car.id)]
  await t.call(
    adjustValidity,
    { ids, beginDate: car.beginDate, endDate: addDays(today, -1), reason: '登记有误' },
    me,
  )
  expect((await readCar(car.id)).carState).toBe('expired')
  await t.call(adjustValidity, { ids, beginDate: car.beginDate, endDate: today, reason: '登记有误' }, me)
  expect((await readCar(car.id)).carState).toBe('normal')
  const history = (await t.call(carValidities.list, { carId: ids }, me)).rows
  expect(history.map(row => [row.changeType, row.oldEnd, row.newEnd])).toEqual([
    ['adjusted', addDays(today, -1), today],
    ['adjusted', car.endDate, addDays(today, -1)],
    ['registered', undefined, car.endDate],
  ])
})

it('holds a place that is given out, no more cars than it takes (PRK-7)', async () => {
  const free = await createPlace({ placeState: 'free' })
  expect(faultsOf(await refusalOf(addCar({ placeId: free.id })))[0]?.Message).toBe(
    `车位「${free.placeNo}」未售、未租，不能绑定车辆；请先变更车位状态`,
  )
  const place = await createPlace()
  const car = await addCar({ placeId: place.id })
  expect(faultsOf(await refusalOf(addCar({ placeId: place.id })))[0]?.Message).toBe(
    `车位「${place.placeNo}」最多绑定 1 辆车，已有 ${car.plateNo}；请先解除，或修改可绑车数`,
  )
  expect((await t.call(listCarsOfPlace, { placeId: place.id }, me)).map(row => row.plateNo)).toEqual([
    car.plateNo,
  ])
  await t.call(cancelCars, { ids: [String(car.id)], reason: '车辆已售' }, me)
  expect((await addCar({ placeId: place.id })).placeNo).toBe(place.placeNo)
})

it('loses its month right at once with its place (PRK-7)', async () => {
  const place = await createPlace({ carLimit: 2 })
  const car = await addCar({ placeId: place.id })
  const coming = await addCar({ placeId: place.id, beginDate: addDays(today, 5) })
  const reason = '车位退租'
  await t.call(unbindPlaceCars, { placeId: place.id, ids: [String(car.id)], reason }, me)
  const unbound = await readCar(car.id)
  expect(unbound).toMatchObject({
    carState: 'expired',
    beginDate: car.beginDate,
    endDate: addDays(today, -1),
  })
  expect(unbound.placeId).toBeUndefined()
  await t.call(changePlaceState, { ids: [String(place.id)], placeState: 'free', reason }, me)
  const freed = await readCar(coming.id)
  expect(freed).toMatchObject({ carState: 'expired', endDate: addDays(today, -1) })
  expect([freed.placeId, freed.beginDate]).toEqual([undefined, undefined])
  expect((await refusalOf(t.call(unbindPlaceCars, { placeId: place.id, reason }, me))).message).toBe(
    `车位「${place.placeNo}」暂无可解除的车辆，请刷新后重试`,
  )
})

it('expires with the day after its last', async () => {
  const car = await addCar({ endDate: today })
  await expireCars(t.app)
  expect((await readCar(car.id)).carState).toBe('normal')
  await expireCars({ ...t.app, clock: () => t.app.clock() + 86_400_000 })
  expect((await readCar(car.id)).carState).toBe('expired')
  const counts = await t.call(countCarsByState, project, me)
  expect(counts.find(row => row.carState === 'expired')?.count).toBeGreaterThan(0)
})
