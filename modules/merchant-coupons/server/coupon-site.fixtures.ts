import { defined } from '#kit/domain/defined.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { sql } from '#kit/server/db.ts'
import { systemScope } from '#kit/server/scope.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { addItem } from '#modules/fees/contract/item.ts'
import { merchants, type Merchant } from '#modules/merchants/contract/merchant.ts'
import { ParkSite } from '#modules/parking-lanes/server/park-site.fixtures.ts'
import { stayCoupons } from '#modules/parking-lanes/server/stay-coupons.ts'
import { merchantCoupons, type MerchantCoupon } from '../contract/coupon.ts'
import {
  getMerchantOrder,
  payMerchantOrderOffline,
  saveMerchantOrder,
  type MerchantOrder,
} from '../contract/order.ts'
import { merchantStocks } from '../contract/stock.ts'
import { listTickets, presentTickets, type MerchantTicket } from '../contract/ticket.ts'

export const projectCode = 'GOLD0001'

let made = 0

/** A car park, and merchants that buy coupons for it. */
export class CouponSite {
  readonly t: GoldenApp
  readonly me: CallOptions
  readonly site: ParkSite
  readonly feeItemId: Id

  private constructor(t: GoldenApp, me: CallOptions, site: ParkSite, feeItemId: Id) {
    this.t = t
    this.me = me
    this.site = site
    this.feeItemId = feeItemId
  }

  static async open(): Promise<CouponSite> {
    const t = await openGoldenApp({ works: true })
    const me: CallOptions = await t.owner
    await t.call(updateEstateSetting, { projectCode, key: 'RefundAuditFrom', value: '99999999' }, me)
    const item = await t.call(
      addItem,
      {
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
      },
      me,
    )
    return new CouponSite(t, me, await ParkSite.open(t, me), item.id)
  }

  addShop(values: object = {}): Promise<Merchant> {
    return this.t.call(
      merchants.add,
      { projectCode, name: `券店${++made}`, state: 'open', ...values },
      this.me,
    )
  }

  addCoupon(values: object = {}): Promise<MerchantCoupon> {
    return this.t.call(
      merchantCoupons.save,
      {
        projectCode,
        couponName: `停车券${++made}`,
        parkId: this.site.id,
        kind: 'minutes',
        faceValue: '120',
        sellPrice: asFen(500),
        feeItemId: this.feeItemId,
        validDays: 2,
        dayLimit: 0,
        totalQty: 0,
        ...values,
      },
      this.me,
    )
  }

  order(shop: Merchant, coupon: MerchantCoupon, qty: number, values: object = {}): Promise<MerchantOrder> {
    const details = [{ couponId: coupon.id, qty }]
    return this.t.call(saveMerchantOrder, { merchantId: shop.id, details, ...values }, this.me)
  }

  pay({ id, payableAmount }: MerchantOrder): Promise<MerchantOrder> {
    return this.t.call(payMerchantOrderOffline, { id, payMethod: 'transfer', amount: payableAmount }, this.me)
  }

  /** A shop that has bought some of a coupon. */
  async stocked(qty: number, values: object = {}) {
    const shop = await this.addShop()
    const coupon = await this.addCoupon(values)
    const order = await this.pay(await this.order(shop, coupon, qty))
    return { shop, coupon, order }
  }

  readOrder({ id }: MerchantOrder): Promise<MerchantOrder> {
    return this.t.call(getMerchantOrder, { id }, this.me)
  }

  present(shop: Merchant, coupon: MerchantCoupon, ...plateNos: string[]) {
    return this.t.call(presentTickets, { merchantId: shop.id, couponId: coupon.id, plateNos }, this.me)
  }

  async balance(shop: Merchant, coupon: MerchantCoupon): Promise<number> {
    const { rows } = await this.t.call(
      merchantStocks.list,
      { projectCode, merchantId: [String(shop.id)], couponId: [String(coupon.id)] },
      this.me,
    )
    return rows[0]?.balance ?? 0
  }

  async tickets(shop: Merchant): Promise<readonly MerchantTicket[]> {
    return (
      await this.t.call(listTickets, { projectCode, merchantId: [String(shop.id)], size: 200 }, this.me)
    ).rows
  }

  /** What a payment of a stay does with the coupons of its plate. */
  stayOf(plateNo: string, stayId: number) {
    const { app, ownerId } = this.t
    const stay = { stayId: parseId(String(stayId)), passNo: `P${stayId}`, plateNo }
    const scope = systemScope(ownerId, new Date(app.clock()).toISOString())
    const coupons = stayCoupons()
    const find = async (day: `${number}-${number}-${number}`) =>
      (
        await coupons.find(app.database.reader(ownerId), ownerId, {
          parkId: this.site.id,
          plateNos: [plateNo],
          day,
          stayIds: [stay.stayId],
        })
      ).get(plateNo) ?? []
    const uses = (keys: readonly string[]) =>
      keys.map(key => ({ key, kind: 'minutes' as const, discount: asFen(300) }))
    return {
      find,
      reserve: (...keys: string[]) =>
        app.database.tx(ownerId, tx => coupons.reserve(tx, scope, stay, uses(keys))),
      use: (...keys: string[]) => app.database.tx(ownerId, tx => coupons.use(tx, scope, stay, uses(keys))),
      restore: (day: `${number}-${number}-${number}`) =>
        app.database.tx(ownerId, tx => coupons.restore(tx, scope, stay.stayId, day)),
      release: () => app.database.tx(ownerId, tx => coupons.release(tx, scope, [stay.stayId])),
    }
  }

  /** A car comes in and is inside from then on. */
  async enter(plateNo: string, at: Moment): Promise<Id> {
    await this.site.report('in', plateNo, at)
    const [stay] = await this.site.stays(plateNo)
    return defined(stay).id
  }

  /** bought − presented + withdrawn − refunded − expired, of every stock of the company. */
  async stockFaults(): Promise<number> {
    const { ownerId, app } = this.t
    const row = await app.database.reader(ownerId).one<{ faults: number }>(sql`
      select count(*)::integer as faults
      from merchant_coupon_stock s
      where s.owner_id = ${ownerId}
        and s.balance <> (
          select coalesce(sum(r.qty), 0)
          from merchant_parking_record r
          where r.owner_id = ${ownerId} and r.merchant_id = s.merchant_id and r.coupon_id = s.coupon_id
        )
    `)
    return defined(row).faults
  }
}
