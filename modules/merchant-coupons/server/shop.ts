import { refuse, refuseField } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { anonymous, reads, writes } from '#kit/server/handler.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, findByIds, insert, requireById } from '#kit/server/table.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { merchant, type Merchant } from '#modules/merchants/contract/merchant.ts'
import { isSessionToken, readMerchantSession } from '#modules/merchants/server/public.ts'
import { normalizePlate } from '#modules/parking/contract/licence-plate.ts'
import { merchantCode } from '../contract/code.ts'
import { merchantCoupon } from '../contract/coupon.ts'
import { payOrder } from '#modules/payments/contract/order.ts'
import { closePayOrder } from '#modules/payments/server/public.ts'
import { merchantOrder, type MerchantOrder } from '../contract/order.ts'
import {
  buyAtShop,
  cancelAtShop,
  getShopLink,
  openShop,
  payAtShop,
  presentAtShop,
  renewShopLink,
  showShopCode,
  withdrawAtShop,
} from '../contract/shop.ts'
import { merchantTicket } from '../contract/ticket.ts'
import { inCompany, type CouponContext } from './coupon-context.ts'
import { codeLinkOf, shopLink } from './coupon-link.ts'
import { cancelOrder, startPayment } from './order-money.ts'
import { createOrder } from './orders.ts'
import { fullText, presentToPlates, requireSource } from './present.ts'
import { shopPage } from './shop-page.ts'
import { withdraw } from './tickets.ts'

interface ShopEntrance {
  readonly ownerId: Id
  readonly merchantId: Id
  /** Of an employee who signed in. */
  readonly userName?: string | undefined
}

/** Where a token leads: the link of the merchant, or a sign-in with its account. */
async function readEntrance(app: App, token: string): Promise<ShopEntrance> {
  if (!isSessionToken(token)) {
    const { ownerId, id } = await shopLink.read(app, token)
    return { ownerId, merchantId: id }
  }
  const session = await readMerchantSession(app, token)
  return session.mustChange ? refuse('初始密码须先修改，请修改密码后再操作') : session
}

/** Work for the merchant behind a token, as long as it trades here. */
async function asShop<T>(
  app: App,
  token: string,
  work: (shop: Merchant, c: CouponContext) => Promise<T>,
): Promise<T> {
  const { ownerId, merchantId, userName } = await readEntrance(app, token)
  return inCompany(app, ownerId, '商户', async anybody => {
    const shop = await requireById(anybody.tx, merchant, anybody.scope, merchantId)
    if (shop.state === 'ended') throw shopLink.invalid()
    const name = userName === undefined ? shop.name : `${shop.name} ${userName}`
    return work(shop, { ...anybody, scope: { ...anybody.scope, name } })
  })
}

async function requireOwnOrder({ tx, scope }: CouponContext, shop: Merchant, id: Id): Promise<MerchantOrder> {
  const order = await requireById(tx, merchantOrder, scope, id)
  return order.merchantId === shop.id ? order : refuse('订单不存在，请刷新')
}

/** The pay order that holds the bill is closed first, at its channel too: what was paid stays paid. */
async function closeWaiting(app: App, token: string, id: Id): Promise<void> {
  const { order, scope } = await asShop(app, token, async (shop, c) => {
    const { payOrderId } = await requireOwnOrder(c, shop, id)
    const [found] = payOrderId === undefined ? [] : await findByIds(c.tx, payOrder, c.scope, [payOrderId])
    return { order: found, scope: c.scope }
  })
  if (order?.state !== 'waiting' && order?.state !== 'paying') return
  const closed = await closePayOrder(app, scope.ownerId, order, scope, '商户取消')
  if (closed.state === 'paying') {
    refuse(`暂不能取消：${closed.failReason ?? '渠道未确认未付款，请稍后再试'}`)
  }
}

async function withdrawOwn(c: CouponContext, shop: Merchant, id: Id, reason: string): Promise<void> {
  const ticket = await requireById(c.tx, merchantTicket, c.scope, id)
  if (ticket.merchantId !== shop.id) {
    refuse('停车券不存在，请刷新')
  }
  if (!(await withdraw(c, [ticket], reason)).has(id)) {
    refuse('停车券已使用、过期或正在支付，不能撤回')
  }
}

/** The code that the phone shows: one for each coupon of a merchant, made when it is first asked for. */
async function ensureCode(c: CouponContext, shop: Merchant, couponId: Id): Promise<Id> {
  const { tx, scope } = c
  const [found] = await findAll(
    tx,
    merchantCode,
    scope,
    { order: 'id' },
    {
      where: [
        sql`t.merchant_id = ${shop.id}
          and t.coupon_id = ${couponId}
          and t.state = ${code(enabledState, 'on')}`,
      ],
      limit: 1,
    },
  )
  if (found) return found.id
  const made = await insert(tx, merchantCode, scope, {
    projectCode: shop.projectCode,
    codeName: '手机出示',
    merchantId: shop.id,
    couponId,
    state: 'on',
  })
  return made.id
}

const pageHandlers = [
  anonymous(openShop, ({ token, month }, { app }) =>
    asShop(app, token, (shop, c) => shopPage(c, shop, month)),
  ),
  anonymous(presentAtShop, ({ token, couponId, plateNo: typed }, { app }) =>
    asShop(app, token, async (shop, c) => {
      const plateNo = normalizePlate(typed)
      const source = await requireSource(c, 'plate', { merchantId: shop.id, couponId })
      const { tickets } = await presentToPlates(c, source, [plateNo])
      if (!tickets.length) {
        refuseField('PlateNo', `${plateNo} ${fullText(source.coupon)}`)
      }
      return shopPage(c, shop)
    }),
  ),
  anonymous(withdrawAtShop, ({ token, id, reason }, { app }) =>
    asShop(app, token, async (shop, c) => {
      await withdrawOwn(c, shop, id, reason)
      return shopPage(c, shop)
    }),
  ),
  anonymous(buyAtShop, ({ token, couponId, qty }, { app }) =>
    asShop(app, token, async (shop, c) => {
      const { couponName, sellPrice } = await requireById(c.tx, merchantCoupon, c.scope, couponId)
      // What costs nothing is a gift of the property: the link alone must not take it.
      if (sellPrice === 0) return refuseField('CouponID', `「${couponName}」为免费券，由物业发放，请联系物业`)
      const order = await createOrder(c, { merchantId: shop.id, details: [{ couponId, qty }] })
      return { url: (await startPayment(c, order.id)).url }
    }),
  ),
  anonymous(payAtShop, ({ token, id }, { app }) =>
    asShop(app, token, async (shop, c) => {
      const order = await requireOwnOrder(c, shop, id)
      return { url: (await startPayment(c, order.id)).url }
    }),
  ),
  anonymous(cancelAtShop, async ({ token, id }, { app }) => {
    await closeWaiting(app, token, id)
    return asShop(app, token, async (shop, c) => {
      await requireOwnOrder(c, shop, id)
      await cancelOrder(c, id, '商户取消')
      return shopPage(c, shop)
    })
  }),
  anonymous(showShopCode, ({ token, couponId }, { app }) =>
    asShop(app, token, async (shop, c) => {
      const source = await requireSource(c, 'code', { merchantId: shop.id, couponId })
      const id = await ensureCode(c, shop, source.coupon.id)
      return { url: await codeLinkOf(app, 'fixed', c.scope.ownerId, id) }
    }),
  ),
]

const linkHandlers = [
  reads(getShopLink, async ({ merchantId }, { app, db, scope }) => {
    const { id } = await requireById(db, merchant, scope, merchantId)
    return shopLink.current(app, scope.ownerId, id)
  }),
  writes(renewShopLink, async ({ merchantId, isVoid = false, reason }, { tx, scope }) => {
    const shop = await requireById(tx, merchant, scope, merchantId, { lock: true })
    await shopLink.renew(tx, scope.ownerId, shop, isVoid)
    await audit(tx, scope, [
      {
        action: 'state',
        entity: merchant.name,
        entityId: shop.id,
        projectCode: shop.projectCode,
        reason: `${isVoid ? '作废' : '更换'}商户手机页链接：${reason}`,
      },
    ])
  }),
]

export const shopHandlers = [...pageHandlers, ...linkHandlers]
