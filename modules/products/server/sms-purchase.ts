import { refuse } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { findAll, requireById } from '#kit/server/table.ts'
import { registerSmsShop } from '#modules/messaging/server/public.ts'
import { payOrder } from '#modules/payments/contract/order.ts'
import { toOrderView } from '#modules/payments/server/public.ts'
import { productOrder } from '../contract/order.ts'
import { getSmsPayUrl, listSmsPackages, orderSms } from '../contract/sms-purchase.ts'
import { menu, paths } from '../module.ts'
import { loadCatalogue, type CatalogueProduct } from './catalogue.ts'
import { orderNewNode } from './order.ts'

registerSmsShop({ permission: menu.increment.permissions.add, path: paths.buySms })

const offered = [1_000, 5_000, 10_000, 50_000, 100_000]

async function requireSmsProduct(db: Pick<Db, 'rows'>): Promise<CatalogueProduct> {
  const product = (await loadCatalogue(db)).find(each => each.nodeType === 'sms')
  return product ?? refuse('平台未上架短信产品，请联系客服')
}

export const smsPurchaseHandlers = [
  reads(listSmsPackages, async (_, { db }) => {
    const product = await requireSmsProduct(db)
    const price = defined(product.price)
    return {
      productId: product.id,
      price,
      minQuantity: product.minQuantity,
      packages: offered
        .filter(qty => qty >= product.minQuantity)
        .map(qty => ({
          packageName: `${qty.toLocaleString('en-US')} 条`,
          qty,
          amount: asFen(price * qty),
        })),
    }
  }),
  writes(orderSms, async ({ qty }, c) => orderNewNode(c, await requireSmsProduct(c.tx), qty, undefined, {})),
  reads(getSmsPayUrl, async ({ id }, { db, scope, now }) => {
    const order = await requireById(db, productOrder, scope, id)
    const [latest] = await findAll(
      db,
      payOrder,
      scope,
      { order: '-id' },
      { where: [sql`t.ref_type = ${productOrder.name} and t.ref_id = ${order.id}`], limit: 1 },
    )
    const isOpen = latest?.state === 'waiting' || latest?.state === 'paying'
    if (!isOpen || latest.expireTime < now) return refuse('订单没有等待支付的支付单，请点击「在线支付」')
    return toOrderView(latest)
  }),
]
