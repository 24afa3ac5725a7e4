import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, addMinutes, fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { faultTextsOf } from '#kit/server/fixtures/refusal.ts'
import { clockScope } from '#kit/server/scope.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { listBills } from '#modules/bills/contract/list.ts'
import { collectStayFee, getStayFee, listCharges } from '#modules/parking-lanes/contract/charge.ts'
import { ParkSite, projectCode, yuan } from '#modules/parking-lanes/server/park-site.fixtures.ts'
import { stayCoupons } from '#modules/parking-lanes/server/public.ts'
import { listResidencies } from '#modules/residents/contract/residency.ts'
import { cancelInvitation } from '#modules/visitors/contract/invitations.ts'
import { getSetting, saveSetting } from '#modules/visitors/contract/setting.ts'
import { findPayerStay } from '../contract/payer.ts'
import { signPayLink } from './pay-link.ts'
import { addRule, inviteOne, nextMobile } from '#modules/visitors/server/visitors.fixtures.ts'

let t: GoldenApp
let me: CallOptions
let site: ParkSite
let home: { readonly userId: Id; readonly roomId: Id; readonly roomCode?: string | undefined }
let made = 0

const now = (): Moment => fromInstant(t.app.clock())
const newPlate = (): string => `粤H${10_000 + ++made}`

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  await t.addFeeItem('LTF', { name: '临停费', feeType: 'parking', multi: true })
  site = await ParkSite.open(t, me)
  await site.addRule()
  await addRule(t, me, { maxTimes: 5 })
  const { rows } = await t.call(listResidencies, { projectCode, size: 50 }, me)
  home = defined(rows.find(row => row.status === 'living'))
})

afterAll(() => t?.close())

const limitTo = async (hostParkingLimit: Fen | undefined) => {
  const setting = await t.call(getSetting, { projectCode }, me)
  await t.call(saveSetting, { ...setting, hostParkingLimit }, me)
}

/** A visitor of the home with a car, from now on for some hours. */
const invite = (plateNo: string | undefined, values: object = {}) =>
  inviteOne(t, me, {
    hostType: 'resident',
    hostUserId: home.userId,
    roomId: home.roomId,
    beginTime: now(),
    endTime: addMinutes(now(), 300),
    hostPaysParking: true,
    visitors: [{ visitorName: '王五', mobile: nextMobile(), ...(plateNo === undefined ? {} : { plateNo }) }],
    ...values,
  })

const billsOf = async (plateNo: string) => {
  const { rows } = await t.call(listBills, { projectCode, size: 200 }, me)
  return rows.filter(({ remark }) => remark?.includes(plateNo))
}

const chargesOf = async (plateNo: string) => (await t.call(listCharges, { projectCode, plateNo }, me)).rows

const stayOf = async (plateNo: string) => defined((await site.stays(plateNo))[0])

/** In now and out after two hours: 7.00. */
async function visit(plateNo: string, minutes = 120) {
  const at = now()
  await site.report('in', plateNo, at)
  return site.report('out', plateNo, addMinutes(at, minutes))
}

it('a host may pay for named cars only where the project has a limit (PRK-24)', async () => {
  await limitTo(undefined)
  expect((await faultTextsOf(invite(newPlate()))).HostPaysParking).toContain('未开放')
  await limitTo(yuan(10))
  expect((await faultTextsOf(invite(undefined))).HostPaysParking).toContain('车牌')
  const ofStaff = { hostType: 'staff', hostUserId: undefined }
  expect((await faultTextsOf(invite(newPlate(), ofStaff))).HostPaysParking).toContain('只有住户')
  const invited = await invite(newPlate())
  expect(invited).toMatchObject({ hostPaysParking: true, hostParkingLimit: yuan(10) })
})

it('the exit opens by it, and the room gets one bill, to the fen', async () => {
  const plateNo = newPlate()
  await invite(plateNo)
  expect(await visit(plateNo)).toMatchObject({ isOpen: true, due: 0 })
  const stay = await stayOf(plateNo)
  expect(stay).toMatchObject({ state: 'out', shouldPay: yuan(7), discount: yuan(7), paid: 0 })
  expect(await chargesOf(plateNo)).toMatchObject([
    { payMethod: 'host', amount: yuan(7), couponAmount: 0, hostAmount: yuan(7), paidAmount: 0 },
  ])
  await site.report('out', plateNo, addMinutes(now(), 121))
  expect(await billsOf(plateNo)).toMatchObject([
    {
      amount: yuan(7),
      sourceType: 'room',
      sourceCode: home.roomCode,
      feeItemName: '临停费',
      payState: 'unpaid',
    },
  ])
})

it('above the limit the driver pays the rest; what is left is for the next visit', async () => {
  await limitTo(yuan(9))
  const plateNo = newPlate()
  await invite(plateNo)
  await visit(plateNo)
  const at = now()
  await site.report('in', plateNo, at)
  // 2.00 of the limit are left.
  expect(await site.report('out', plateNo, addMinutes(at, 120))).toMatchObject({
    isOpen: false,
    due: yuan(5),
  })
  expect(await site.stays(plateNo)).toHaveLength(2)
  await limitTo(yuan(10))
})

it('a cancelled visit pays nothing; one that ended while the car was inside still does', async () => {
  const [cancelled, ended] = [newPlate(), newPlate()]
  const { id } = await invite(cancelled)
  await invite(ended, { endTime: addMinutes(now(), 60) })
  const at = now()
  await site.report('in', cancelled, at)
  await site.report('in', ended, at)
  await t.call(cancelInvitation, { id, reason: '不来了' }, me)
  const out = addMinutes(at, 120)
  expect(await site.report('out', cancelled, out)).toMatchObject({ isOpen: false, due: yuan(7) })
  expect(await site.report('out', ended, out)).toMatchObject({ isOpen: true, due: 0 })
  expect(await billsOf(cancelled)).toEqual([])
  expect(await billsOf(ended)).toHaveLength(1)
})

it('what is kept for a payment holds until it is paid, and goes back with it (TKT-12)', async () => {
  const plateNo = newPlate()
  const { id, visitors } = await invite(plateNo)
  await site.report('in', plateNo, now())
  const stay = await stayOf(plateNo)
  const asked = { stayId: stay.id, passNo: 'P', plateNo }
  const use = { key: `HOST${defined(visitors[0]).id}`, kind: 'amount', discount: yuan(4) } as const
  const run = (step: 'reserve' | 'use') =>
    t.database.tx(t.ownerId, tx => stayCoupons()[step](tx, clockScope(t.app, t.ownerId), asked, [use]))
  await run('reserve')
  await t.call(cancelInvitation, { id, reason: '不来了' }, me)
  await run('use')
  expect(await billsOf(plateNo)).toMatchObject([{ amount: yuan(4), state: 'normal' }])
  await expect(run('use')).rejects.toThrow('重新计算')
  const day = dayOfMoment(now())
  const restored = await t.database.tx(t.ownerId, tx =>
    stayCoupons().restore(tx, clockScope(t.app, t.ownerId), stay.id, day),
  )
  expect(restored).toEqual([{ key: use.key, discount: yuan(4) }])
  // The list has no abolished bills.
  expect(await billsOf(plateNo)).toEqual([])
})

it('the booth takes the rest, the host is billed for the limit alone', async () => {
  await limitTo(yuan(3))
  const plateNo = newPlate()
  const { id } = await invite(plateNo)
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`
      update invite_visitor
      set begin_time = begin_time - interval '5 hours'
      where owner_id = ${t.ownerId} and invitation_id = ${id}
    `),
  )
  await site.report('in', plateNo, addMinutes(now(), -120))
  const stay = await stayOf(plateNo)
  expect(await t.call(getStayFee, { id: stay.id }, me)).toMatchObject({
    due: yuan(4),
    couponAmount: yuan(3),
    coupons: [{ discount: yuan(3), isHostCover: true }],
  })
  const code = await signPayLink(t.app, { kind: 'park', ownerId: t.ownerId, id: site.id })
  const seen = () => t.call(findPayerStay, { code, plateNo })
  const atThePhone = { couponAmount: 0, hostAmount: yuan(3), waivedAmount: 0 }
  expect(await seen()).toMatchObject({ due: yuan(4), ...atThePhone })
  const collect = () => t.call(collectStayFee, { id: stay.id, amount: yuan(4), payMethod: 'cash' }, me)
  const answers = await Promise.allSettled([collect(), collect(), collect()])
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await stayOf(plateNo)).toMatchObject({ paid: yuan(4), discount: yuan(3), shouldPay: yuan(7) })
  expect(await seen()).toMatchObject({ due: 0, paid: yuan(4), ...atThePhone })
  expect(await chargesOf(plateNo)).toMatchObject([
    {
      payMethod: 'cash',
      amount: yuan(7),
      couponAmount: 0,
      hostAmount: yuan(3),
      paidAmount: yuan(4),
      coupons: '被访人承担 3.00 元',
    },
  ])
  const bills = (await billsOf(plateNo)).filter(({ sourceType }) => sourceType === 'room')
  expect(bills).toMatchObject([{ amount: yuan(3), payState: 'unpaid' }])
})
