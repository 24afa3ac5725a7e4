import { asFen, parseYuan, type Fen } from '#kit/domain/money.ts'
import { shiftMonth, monthOf, type Month } from '#kit/domain/month.ts'
import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import type { Merchant } from '#modules/merchants/contract/merchant.ts'
import { findEstateFacts } from '#modules/estates/server/public.ts'
import { merchantOrderState, ticketState } from '../contract/choices.ts'
import { merchantCoupon, type MerchantCoupon } from '../contract/coupon.ts'
import { merchantOrder } from '../contract/order.ts'
import type { ShopPage } from '../contract/shop.ts'
import { merchantStock } from '../contract/stock.ts'
import { merchantTicket } from '../contract/ticket.ts'
import { couponRefusal, couponText } from '../domain/coupon.ts'
import type { CouponContext } from './coupon-context.ts'

const shownTickets = 100

const startOf = (month: Month) => sql`${`${month}-01 00:00:00+08`}::timestamptz`

/** Coupons in use in the project of the merchant, and others of which it has some left. */
async function shopCoupons(
  { tx, scope, today }: CouponContext,
  shop: Merchant,
): Promise<ShopPage['coupons']> {
  const stocks = await findAll(tx, merchantStock, scope, {}, { where: [sql`t.merchant_id = ${shop.id}`] })
  const coupons = await findAll(tx, merchantCoupon, scope, { projectCode: shop.projectCode, order: 'id' })
  const balanceOf = ({ id }: MerchantCoupon): number =>
    stocks.find(({ couponId }) => couponId === id)?.balance ?? 0
  return coupons
    .map(coupon => ({
      couponId: coupon.id,
      couponName: coupon.couponName,
      valueText: couponText(coupon),
      parkName: coupon.parkName ?? '',
      sellPrice: coupon.sellPrice,
      balance: balanceOf(coupon),
      isOn: couponRefusal(coupon, today) === undefined,
    }))
    .filter(({ isOn, balance }) => isOn || balance > 0)
}

interface MonthFigures {
  readonly presentedQty: number
  readonly usedQty: number
  readonly usedValue: Fen
}

/** What was presented in a month, less what was withdrawn, and what was used in it. */
async function monthFigures(
  { tx, scope: { ownerId } }: CouponContext,
  shop: Merchant,
  month: Month,
): Promise<MonthFigures> {
  const isIn = (column: ReturnType<typeof sql>) =>
    sql`${column} >= ${startOf(month)} and ${column} < ${startOf(shiftMonth(month, 1))}`
  const row = await tx.one<{ presentedQty: number; usedQty: number; usedValue: string }>(sql`
    select count(*) filter (
        where ${isIn(sql`t.present_time`)} and t.state <> ${code(ticketState, 'withdrawn')}
      )::integer as presented_qty,
      count(*) filter (where ${isIn(sql`t.used_time`)})::integer as used_qty,
      coalesce(sum(t.used_value) filter (where ${isIn(sql`t.used_time`)}), 0)::text as used_value
    from merchant_parking_ticket t
    where t.owner_id = ${ownerId} and t.merchant_id = ${shop.id}
  `)
  return {
    presentedQty: row?.presentedQty ?? 0,
    usedQty: row?.usedQty ?? 0,
    usedValue: row ? parseYuan(row.usedValue) : asFen(0),
  }
}

/** The page of a merchant, with the tickets of one month. */
export async function shopPage(
  c: CouponContext,
  shop: Merchant,
  month: Month = monthOf(c.today),
): Promise<ShopPage> {
  const { tx, scope } = c
  const tickets = await findAll(
    tx,
    merchantTicket,
    scope,
    { order: '-id' },
    {
      where: [
        sql`t.merchant_id = ${shop.id}
          and t.present_time >= ${startOf(month)}
          and t.present_time < ${startOf(shiftMonth(month, 1))}`,
      ],
      limit: shownTickets,
    },
  )
  const orders = await findAll(
    tx,
    merchantOrder,
    scope,
    { order: '-id' },
    {
      where: [sql`t.merchant_id = ${shop.id} and t.state = ${code(merchantOrderState, 'pending')}`],
      limit: 20,
    },
  )
  return {
    ...(await findEstateFacts(tx, scope.ownerId, shop.projectCode)),
    merchantName: shop.name,
    coupons: await shopCoupons(c, shop),
    orders: orders.map(({ id, orderNo, totalQty, payableAmount }) => ({
      id,
      orderNo,
      totalQty,
      payableAmount,
    })),
    month,
    ...(await monthFigures(c, shop, month)),
    tickets: tickets.map(ticket => ({
      id: ticket.id,
      ticketNo: ticket.ticketNo,
      plateNo: ticket.plateNo,
      couponName: ticket.couponName ?? '',
      presentTime: ticket.presentTime,
      validTo: ticket.validTo,
      usedValue: ticket.usedValue,
      state: ticket.state,
    })),
  }
}
