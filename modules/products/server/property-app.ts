import { keyOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { insert, requireById, update } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { live } from '#kit/server/sql.ts'
import { edition as editions, property } from '#modules/accounts/contract/company.ts'
import { updateSubscriptions } from '#modules/accounts/server/public.ts'
import { listApps, propertyApp, setAppEnabled } from '../contract/property-app.ts'
import { findClosedModules, type SubscribedApp } from '../domain/subscription.ts'
import { loadHoldings, loadCatalogue, resolveProductStatus } from './catalogue.ts'

/** Works out anew which modules these companies do not have (PERM-2) and writes where that differs. */
export async function refreshClosedModules(
  tx: Tx,
  app: App,
  owners: readonly number[],
  today: Day,
): Promise<void> {
  if (!owners.length) return
  const apps = await tx.rows<{ id: number; modules: string[] }>(
    sql`select id, coalesce(modules, '{}') as modules from product where kind = 20 and ${live()}`,
  )
  const rows = await tx.rows<{
    ownerId: number
    edition: number
    productId?: number
    enabled?: boolean
    expireDate?: Day
  }>(sql`
    select p.owner_id, p.edition, a.product_id, a.enabled, a.expire_date
    from property p
    left join property_app a on a.owner_id = p.owner_id and ${live('a')}
    where p.owner_id = any(${owners}::bigint[]) and ${live('p')}
  `)
  const of = Map.groupBy(rows, r => r.ownerId)
  const taken = (all: typeof rows): SubscribedApp[] =>
    all.flatMap(r =>
      r.productId === undefined
        ? []
        : [{ productId: r.productId, enabled: r.enabled === true, expireDate: r.expireDate }],
    )
  await updateSubscriptions(
    tx,
    app,
    [...of].map(([ownerId, all]) => ({
      ownerId,
      closedModules: findClosedModules(keyOf(editions, all[0]!.edition)!, apps, taken(all), today),
    })),
  )
}

export const propertyAppHandlers = [
  reads(listApps, async (_, { db, scope, today }) => {
    const h = await loadHoldings(db, scope)
    return (await loadCatalogue(db))
      .filter(p => p.kind === 'app')
      .map(p => {
        const { orderNo: _o, ...s } = resolveProductStatus(p, h, today)
        return {
          productId: p.id,
          appName: p.productName,
          appCode: p.productCode,
          intro: p.intro,
          ...(p.modules ? { modules: p.modules } : {}),
          ...s,
          ...(p.price === undefined ? {} : { price: p.price }),
        }
      })
  }),
  writes(setAppEnabled, async ({ appCode, enabled }, { tx, scope, app: world, today }) => {
    // The company's row first: whoever pays for the same application meanwhile waits.
    await requireById(tx, property, scope, scope.ownerId, true)
    const p = (await loadCatalogue(tx)).find(x => x.kind === 'app' && x.productCode === appCode)
    if (!p) return refuse(`没有应用「${appCode}」，请刷新后重试`)
    const h = await loadHoldings(tx, scope)
    const { state } = resolveProductStatus(p, h, today)
    const row = h.apps.get(p.id)
    if (state !== 'open' && state !== 'off')
      return refuse(`「${p.productName}」还没有开通，请先在产品中心开通`)
    if (row) {
      await update(tx, propertyApp, scope, row.id, { enabled })
    } else {
      await insert(tx, propertyApp, scope, {
        productId: p.id,
        appName: p.productName,
        appCode: p.productCode,
        enabled,
      })
    }
    await refreshClosedModules(tx, world, [scope.ownerId], today)
  }),
]
