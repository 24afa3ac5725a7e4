import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { listCharges } from '#modules/parking-lanes/contract/charge.ts'
import { openCouponTable, type CouponTable } from '#modules/parking-lanes/server/coupon-table.fixtures.ts'
import { registerStayCoupons, ticketCoupons } from '#modules/parking-lanes/server/public.ts'
import { CameraSite, projectCode } from './camera-site.fixtures.ts'
import type { SimulatedCamera } from './simulator/simulated-camera.ts'

let t: GoldenApp
let me: CallOptions
let site: CameraSite
let entrance: SimulatedCamera
let exit: SimulatedCamera
let coupons: CouponTable

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  site = await CameraSite.open(t, me)
  entrance = await site.camera('in')
  exit = await site.camera('out')
  coupons = await openCouponTable(t)
})

afterAll(() => t?.close())

let plates = 20_000

/** A car that owes 5.00, with a coupon that covers it. */
async function enterWithCoupon(): Promise<string> {
  t.advanceClock(11_000)
  const plateNo = `粤C${++plates}`
  expect(await entrance.report({ plateNo })).toMatchObject({ isOpen: true })
  await coupons.add({ key: plateNo, kind: 'amount', value: 500, parkId: site.park.id, plateNo })
  t.advanceClock(50 * 60_000)
  return plateNo
}

const withdraw = (plateNo: string) =>
  t.database.tx('*', tx =>
    tx.execute(sql`update test_coupon set state = 'used' where key = ${plateNo} and state = 'unused'`),
  )

const chargesOf = async (plateNo: string) =>
  (await t.call(listCharges, { projectCode, plateNo }, me)).rows.map(row => row.couponAmount)

it('a coupon that the exit has counted on is not withdrawn any more until the car is out', async () => {
  const plateNo = await enterWithCoupon()
  const kept = ticketCoupons()
  const late: Promise<number>[] = []
  registerStayCoupons({
    ...kept,
    find: async (...asked) => {
      const found = await kept.find(...asked)
      late.push(withdraw(plateNo))
      await Promise.race([...late, pause(300)])
      return found
    },
  })
  try {
    expect(await exit.report({ plateNo })).toMatchObject({ isOpen: true })
  } finally {
    registerStayCoupons(kept)
  }
  expect(await Promise.all(late)).toEqual([0])
  expect(await chargesOf(plateNo)).toEqual([500])
})

it('a coupon withdrawn as its car is read at the exit is used, or the car is asked for its fee', async () => {
  for (let round = 0; round < 8; round++) {
    const plateNo = await enterWithCoupon()
    const [answer, withdrawn] = await Promise.all([exit.report({ plateNo }), withdraw(plateNo)])
    const [stay] = await site.stays(plateNo)
    expect([plateNo, answer.isOpen, stay?.state, stay?.discount, await chargesOf(plateNo)]).toEqual(
      withdrawn ? [plateNo, false, 'inside', 0, []] : [plateNo, true, 'out', 500, [500]],
    )
    expect(answer.text).toContain(withdrawn ? '5.00' : '')
  }
}, 60_000)

it('what a lane refuses while it decides leaves nothing written but the reading', async () => {
  const plateNo = await enterWithCoupon()
  const kept = ticketCoupons()
  registerStayCoupons({ ...kept, use: async () => refuse('停车券已使用，请重新查询') })
  try {
    expect(await exit.report({ plateNo })).toMatchObject({ isOpen: false, text: '停车券已使用，请重新查询' })
  } finally {
    registerStayCoupons(kept)
  }
  expect(await site.stays(plateNo)).toMatchObject([{ state: 'inside', discount: 0 }])
  expect(await chargesOf(plateNo)).toEqual([])
  expect(defined((await site.readings('out'))[0])).toMatchObject({ plateNo, state: 'refused' })
  t.advanceClock(11_000)
  expect(await exit.report({ plateNo })).toMatchObject({ isOpen: true })
  expect(await coupons.stateOf(plateNo)).toBe('used')
})
