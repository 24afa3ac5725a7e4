import { afterAll, beforeAll, expect, it } from 'vitest'
import { keysOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { faultTextsOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import {
  adjustValidity,
  blackCars,
  cancelCars,
  checkCars,
  resumeCars,
  suspendCars,
} from '../contract/car-actions.ts'
import { cars, type Car } from '../contract/car.ts'
import { carState, type CarState } from '../contract/car-labels.ts'
import { menu } from '../module.ts'
import { expireCars } from './car-expiry.ts'

let t: GoldenApp
let me: CallOptions
let clerk: CallOptions
let made = 0
const [beginDate, past, future]: readonly [Day, Day, Day] = ['2026-01-01', '2026-10-31', '2027-12-31']
const reason = '状态核对'

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  const { view, add } = menu.car.permissions
  clerk = (await t.addClerk([view.key, add.key])).as
})

afterAll(() => t?.close())

const idsOf = ({ id }: Car) => ({ ids: [String(id)], reason })
const readCar = ({ id }: Car): Promise<Car> => t.call(cars.get, { id }, me)
const plateOf = (): string => `粤S${String(20_000 + ++made)}`

const addCar = (endDate: Day, as: CallOptions): Promise<Car> =>
  t.call(
    cars.add,
    {
      projectCode: 'GOLD0001',
      plateNo: plateOf(),
      plateColor: 'blue',
      carKind: 'month',
      ownerName: '赵一',
      beginDate,
      endDate,
    },
    as,
  )

async function carIn(state: CarState): Promise<Car> {
  const car = await addCar(state === 'expired' ? past : future, state === 'pending' ? clerk : me)
  if (state === 'suspended') {
    await t.call(suspendCars, idsOf(car), me)
  }
  if (state === 'blocked') {
    await t.call(blackCars, { ...idsOf(car), black: true }, me)
  }
  if (state === 'cancelled') {
    await t.call(cancelCars, idsOf(car), me)
  }
  const found = await readCar(car)
  expect(found.carState).toBe(state)
  return found
}

const draftOf = ({
  carState: _state,
  companyName: _company,
  roomPath: _path,
  placeNo: _place,
  feeStandardName: _fee,
  ...draft
}: Car) => draft

/** All that anybody may do with a car. */
const actions: Readonly<Record<string, (car: Car) => Promise<unknown>>> = {
  审核: car => t.call(checkCars, { ...idsOf(car), pass: true }, me),
  不通过: car => t.call(checkCars, { ...idsOf(car), pass: false }, me),
  停用: car => t.call(suspendCars, idsOf(car), me),
  恢复: car => t.call(resumeCars, idsOf(car), me),
  注销: car => t.call(cancelCars, idsOf(car), me),
  拉黑: car => t.call(blackCars, { ...idsOf(car), black: true }, me),
  移出黑名单: car => t.call(blackCars, { ...idsOf(car), black: false }, me),
  调整有效期: car => t.call(adjustValidity, { ...idsOf(car), beginDate, endDate: future }, me),
  编辑: car => t.call(cars.edit, { ...draftOf(car), remark: '核对' }, me),
  删除: car => t.call(cars.delete, { ...idsOf(car), reason: '录入有误' }, me),
  次日: () => expireCars({ ...t.app, clock: () => Date.parse('2028-01-02T00:00:00Z') }),
}

type Outcomes = Readonly<Partial<Record<string, CarState | 'deleted'>>>

/** What each action makes of each state; what is not named leaves the state as it is. */
const matrix: Readonly<Record<CarState, Outcomes>> = {
  pending: { 审核: 'normal', 不通过: 'cancelled', 注销: 'cancelled', 拉黑: 'blocked', 删除: 'deleted' },
  normal: { 停用: 'suspended', 注销: 'cancelled', 拉黑: 'blocked', 次日: 'expired' },
  expired: { 停用: 'suspended', 注销: 'cancelled', 拉黑: 'blocked', 调整有效期: 'normal' },
  suspended: { 恢复: 'normal', 注销: 'cancelled', 拉黑: 'blocked' },
  blocked: { 移出黑名单: 'normal' },
  cancelled: { 删除: 'deleted' },
}

for (const state of keysOf(carState)) {
  it(`a car that is ${state} comes to other states by these actions alone (C10.1)`, async () => {
    const reached: Record<string, CarState | 'deleted'> = {}
    for (const [name, change] of Object.entries(actions)) {
      const car = await carIn(state)
      await change(car).catch(() => undefined)
      const after = await readCar(car).then(
        found => found.carState,
        () => 'deleted' as const,
      )
      if (after !== state) {
        reached[name] = after
      }
    }
    expect(reached).toEqual(matrix[state])
  })
}

it('a plate on the black list stays on it: the car is not edited to another, nor suspended (C10.1)', async () => {
  const car = await carIn('blocked')
  const other = t.call(cars.edit, { ...draftOf(car), plateNo: plateOf() }, me)
  expect((await faultTextsOf(other)).PlateNo).toContain('请先移出黑名单')
  expect(await t.call(suspendCars, idsOf(car), me)).toMatchObject({
    success: 0,
    rows: [{ code: car.plateNo, reason: '请先移出黑名单' }],
  })
  expect(await readCar(car)).toMatchObject({ carState: 'blocked', plateNo: car.plateNo })
})
