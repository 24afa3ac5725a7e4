import type { Id } from '#kit/domain/id.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { addMinutes, dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, touch } from '#kit/server/sql.ts'
import { findAll, insert } from '#kit/server/table.ts'
import { payableBills } from '#modules/bills/server/public.ts'
import { feeType } from '#modules/fees/contract/choices.ts'
import { feeItem } from '#modules/fees/contract/item.ts'
import { ticketState } from '#modules/merchant-coupons/contract/choices.ts'
import { merchantCode } from '#modules/merchant-coupons/contract/code.ts'
import { merchantCoupon, type MerchantCoupon } from '#modules/merchant-coupons/contract/coupon.ts'
import type { CouponContext } from '#modules/merchant-coupons/server/coupon-context.ts'
import { createOrder } from '#modules/merchant-coupons/server/orders.ts'
import { presentCodes, presentToPlates } from '#modules/merchant-coupons/server/present.ts'
import { merchant, merchantState, type Merchant } from '#modules/merchants/contract/merchant.ts'
import { park } from '#modules/parking/contract/park.ts'
import { stayState } from '#modules/parking-lanes/contract/choices.ts'
import { parkingStay } from '#modules/parking-lanes/contract/stay.ts'
import { settle } from '#modules/payments/server/public.ts'

/** What coupons are sold under: an item that the company has, or one of their own. */
async function findItem(tx: Tx, scope: Scope, isSold: boolean): Promise<Id | undefined> {
  if (!isSold) {
    const [item] = await findAll(
      tx,
      feeItem,
      scope,
      {},
      { where: [sql`t.fee_type in ${codes(feeType, 'temporary', 'other')}`], limit: 1 },
    )
    return item?.id
  }
  const item = await insert(tx, feeItem, scope, {
    code: 'TCQ',
    name: '停车券',
    feeType: 'other',
    category: 'parking',
    incomeKind: 'own',
    inRate: false,
    billMode: 'manual',
    scene: 'car',
    allowMulti: true,
    allowOnline: true,
    autoDeduct: false,
    principalSettles: false,
    lateFeeSwitch: false,
    taxRate: '0.09',
    sort: 46,
    state: 'on',
  })
  return item.id
}

const kinds = [
  { couponName: '两小时停车券', kind: 'minutes', faceValue: '120', price: 400 },
  { couponName: '五元停车券', kind: 'amount', faceValue: '5', price: 500 },
  { couponName: '当次免费停车券', kind: 'free', faceValue: undefined, price: 1000 },
] as const

interface SoldOrder {
  readonly id: Id
  readonly projectCode: string
  readonly billId?: Id | undefined
  readonly payableAmount: Fen
}

async function pay(
  { tx, scope, now, today }: CouponContext,
  order: SoldOrder,
  buyer: Merchant,
): Promise<void> {
  if (order.billId === undefined) return
  const bills = await payableBills(tx, scope, [order.billId], today, { lock: true })
  await settle(tx, scope, {
    projectCode: order.projectCode,
    type: 'payment',
    bills,
    allocations: [{ billId: order.billId, principal: order.payableAmount, late: 0 }],
    tenders: [{ method: 'transfer', amount: order.payableAmount }],
    change: 0,
    toPrestore: 0,
    payer: { name: buyer.name },
    at: now,
    cashier: { id: scope.operatorId, name: scope.name },
  })
}

/** The coupon of a car that has left was taken off its fee. */
const markUsed = ({ tx, scope, now }: CouponContext, ids: readonly Id[]) =>
  tx.execute(sql`
    update merchant_parking_ticket
    set state = ${code(ticketState, 'used')}, used_time = ${addMinutes(now, -30)}::timestamptz, used_value = 3,
      present_time = ${addMinutes(now, -90)}::timestamptz, used_pass_no = ticket_no, ${touch(scope)}
    where owner_id = ${scope.ownerId} and id = any(${[...ids]}::bigint[])
  `)

/** Coupons to the plates of cars that are or were in the car park, some used, some by codes. */
async function presentSome(
  c: CouponContext,
  shops: readonly Merchant[],
  coupons: readonly MerchantCoupon[],
): Promise<void> {
  const { tx, scope } = c
  const [first] = coupons
  const [shop] = shops
  if (!first || !shop) return
  const stays = await findAll(
    tx,
    parkingStay,
    scope,
    { projectCode: first.projectCode, order: 'id' },
    {
      where: [sql`t.park_id = ${first.parkId} and t.state in ${codes(stayState, 'inside', 'out')}`],
      limit: 12,
    },
  )
  const plates = [...new Set(stays.map(({ plateNo }) => plateNo))]
  for (const [i, coupon] of coupons.slice(0, 2).entries()) {
    const source = { origin: 'plate', shop, coupon } as const
    const some = plates.slice(i * 4, i * 4 + 4)
    const { tickets } = await presentToPlates(c, source, some)
    await markUsed(
      c,
      tickets.slice(0, 2).map(({ id }) => id),
    )
  }
  await presentCodes(c, { origin: 'once', shop, coupon: first }, 6)
  await insert(tx, merchantCode, scope, {
    projectCode: shop.projectCode,
    codeName: '收银台',
    merchantId: shop.id,
    couponId: first.id,
    state: 'on',
  })
}

/** Those that trade in the project; one where there is none. */
async function findShops(tx: Tx, scope: Scope, projectCode: string): Promise<readonly Merchant[]> {
  const found = await findAll(
    tx,
    merchant,
    scope,
    { projectCode, order: 'id' },
    { where: [sql`t.state = ${code(merchantState, 'open')}`], limit: 3 },
  )
  if (found.length) return found
  const name = '邻里便利店'
  const values = { projectCode, merchantNo: 'SH000001', name, creditLimit: asFen(0), balance: asFen(0) }
  return [await insert(tx, merchant, scope, { ...values, state: 'open' })]
}

export interface CouponSeed {
  readonly projectCode: string
  readonly now: Moment
  /** Sold for money; otherwise given to merchants, so that no money moves. */
  readonly isSold: boolean
}

/** Coupons of the first car park of a project, merchants that have bought some, plates that have some. */
export async function seedMerchantCoupons(tx: Tx, owner: Scope, seed: CouponSeed): Promise<void> {
  const { projectCode, now, isSold } = seed
  const scope = { ...owner, name: owner.name || '物业' }
  const c: CouponContext = { tx, scope, now, today: dayOfMoment(now) }
  const [carPark] = await findAll(tx, park, scope, { projectCode, order: 'id' }, { limit: 1 })
  const shops = await findShops(tx, scope, projectCode)
  const feeItemId = await findItem(tx, scope, isSold)
  if (!carPark || !shops.length || feeItemId === undefined) return
  const coupons: MerchantCoupon[] = []
  for (const { price, ...values } of kinds) {
    coupons.push(
      await insert(tx, merchantCoupon, scope, {
        ...values,
        projectCode,
        parkId: carPark.id,
        sellPrice: asFen(isSold ? price : 0),
        feeItemId,
        validDays: 3,
        dayLimit: 1,
        totalQty: 0,
        soldQty: 0,
        state: 'on',
      }),
    )
  }
  for (const [i, shop] of shops.entries()) {
    const details = coupons.slice(0, 2).map(({ id: couponId }) => ({ couponId, qty: 20 + 10 * i }))
    const order = await createOrder(c, { merchantId: shop.id, details })
    if (i < 2) {
      await pay(c, order, shop)
    }
  }
  await presentSome(c, shops, coupons)
}
