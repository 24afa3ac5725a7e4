import type { Id } from '#kit/domain/id.ts'
import { keyOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { insert, requireById, update } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { edition, property } from '#modules/accounts/contract/company.ts'
import { updateSubscription } from '#modules/accounts/server/public.ts'
import { listApps, propertyApp, setAppEnabled } from '../contract/property-app.ts'
import { productKind } from '../contract/labels.ts'
import { findClosedModules, type ProductApp, type SubscribedApp } from '../domain/subscription.ts'
import { loadHoldings, loadCatalogue, resolveProductStatus } from './catalogue.ts'

/** Computes the modules that a company does not have (PERM-2), and stores them where they differ. */
export async function refreshClosedModules(tx: Tx, app: App, ownerId: Id, today: Day): Promise<void> {
  const company = await tx.one<{ edition: number }>(
    sql`select edition from property where owner_id = ${ownerId} and id = ${ownerId} and ${notDeleted()}`,
  )
  const currentEdition = company && keyOf(edition, company.edition)
  if (!currentEdition) return
  // The catalogue is one for all companies: `product` has no owner.
  const apps = await tx.rows<ProductApp>(
    sql`
      select id, coalesce(modules, '{}') as modules
      from product
      where kind = ${code(productKind, 'app')} and ${notDeleted()}
    `,
  )
  const subscribed = await tx.rows<SubscribedApp>(
    sql`
      select product_id, coalesce(enabled, false) as enabled, expire_date
      from property_app
      where owner_id = ${ownerId} and ${notDeleted()}
    `,
  )
  const closedModules = findClosedModules(currentEdition, apps, subscribed, today)
  await updateSubscription(tx, app, { ownerId, closedModules })
}

export const propertyAppHandlers = [
  reads(listApps, async (_, { db, scope, today }) => {
    const holdings = await loadHoldings(db, scope)
    return (await loadCatalogue(db))
      .filter(p => p.kind === 'app')
      .map(product => {
        const { orderNo: _orderNo, ...status } = resolveProductStatus(product, holdings, today)
        return {
          productId: product.id,
          appName: product.productName,
          appCode: product.productCode,
          intro: product.intro,
          ...(product.modules ? { modules: product.modules } : {}),
          ...status,
          ...(product.price === undefined ? {} : { price: product.price }),
        }
      })
  }),
  writes(setAppEnabled, async ({ appCode, enabled }, { tx, scope, app, today }) => {
    // The company's row is locked first: a payment for the same application at this moment waits.
    await requireById(tx, property, scope, scope.ownerId, { lock: true })
    const wanted = (await loadCatalogue(tx)).find(
      product => product.kind === 'app' && product.productCode === appCode,
    )
    if (!wanted) return refuse(`没有应用「${appCode}」，请刷新后重试`)
    const holdings = await loadHoldings(tx, scope)
    const { state } = resolveProductStatus(wanted, holdings, today)
    if (state !== 'open' && state !== 'off')
      return refuse(`「${wanted.productName}」尚未开通，请先在产品中心开通`)
    const existing = holdings.apps.get(wanted.id)
    if (existing) {
      await update(tx, propertyApp, scope, existing.id, { enabled })
    } else {
      await insert(tx, propertyApp, scope, {
        productId: wanted.id,
        appName: wanted.productName,
        appCode: wanted.productCode,
        enabled,
      })
    }
    await refreshClosedModules(tx, app, scope.ownerId, today)
  }),
]
