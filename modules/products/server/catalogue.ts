import { labelOf } from '#kit/contract/field.ts'
import { notFound } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { unrestrictedDomain, type Scope } from '#kit/server/scope.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import { countRows, requireById } from '#kit/server/table.ts'
import { live } from '#kit/server/sql.ts'
import { property, type Property } from '#modules/accounts/contract/company.ts'
import { estate } from '#modules/estates/contract/estate.ts'
import { modules } from '#modules/index.ts'
import { propertyApp, type PropertyApp } from '../contract/property-app.ts'
import {
  listProductCategories,
  listProducts,
  listProductTypes,
  getProduct,
  product,
  listProductCenter,
  type Product,
} from '../contract/product.ts'
import { productKind } from '../contract/labels.ts'
import { resolveAppState, countChargedEstates, hasExpired } from '../domain/subscription.ts'

export interface CatalogueProduct extends Product {
  readonly typeName: string
  readonly catId: number
  readonly infs?: readonly string[]
  readonly properties?: readonly string[]
}

const installedModules = new Set(modules.map(m => m.name))

/**
 * An application whose modules this installation does not have is not offered; of one that has some, those
 * are named.
 */
const isOffered = (p: CatalogueProduct): boolean =>
  p.kind !== 'app' || (p.modules ?? []).some(m => installedModules.has(m))

const withInstalledModules = (p: CatalogueProduct): CatalogueProduct => ({
  ...p,
  ...(p.modules ? { modules: p.modules.filter(m => installedModules.has(m)) } : {}),
})

/** What is on the shelf, by category and order; there are some dozens. */
export async function loadCatalogue(db: Pick<Db, 'rows'>): Promise<CatalogueProduct[]> {
  const raw = await db.rows<Record<string, unknown>>(sql`
    select p.id, p.product_code, p.product_name, p.product_type, p.kind, p.intro, p.features, p.unit,
      p.charge_by, p.price, p.min_quantity, p.modules, p.edition, p.node_type, p.sort, p.create_time,
      p.update_time, p.version, t.type_name, t.cat_id, t.infs, t.properties
    from product p
    join product_type t on t.type_code = p.product_type
    where ${live('p')}
    order by p.sort, p.id
  `)
  return raw.map(r => toEntityRow(product, r) as CatalogueProduct).filter(isOffered)
}

export async function requireProduct(db: Pick<Db, 'rows'>, id: number): Promise<CatalogueProduct> {
  const p = (await loadCatalogue(db)).find(x => x.id === id)
  if (!p) throw notFound()
  return p
}

/** RENEW-1: projects in use, all of the company's, whatever the one who orders may see. */
export const loadChargedEstates = async (db: Db, scope: Scope): Promise<number> =>
  countChargedEstates(
    await countRows(
      db,
      estate,
      { ...scope, domain: unrestrictedDomain },
      { state: ['on'] },
      { filters: ['state'] },
    ),
  )

/** All that the company has and waits for, as the catalogue's states need it. */
export interface CompanyHoldings {
  readonly company: Property
  readonly apps: ReadonlyMap<number, PropertyApp>
  readonly nodes: ReadonlyMap<number, readonly string[]>
  readonly waiting: ReadonlyMap<number, string>
}

export async function loadHoldings(db: Db, scope: Scope): Promise<CompanyHoldings> {
  const company = await requireById(db, property, scope, scope.ownerId)
  const [apps, nodes, orders] = await db.all<
    [Record<string, unknown>, { productId: number; states: number[] }, { productId: number; orderNo: string }]
  >(
    sql`
      select id, product_id, app_name, app_code, enabled, begin_date, expire_date, version
      from property_app
      where owner_id = ${scope.ownerId} and ${live()}
    `,
    sql`
      select product_id, array_agg(distinct state) as states
      from increment_node
      where owner_id = ${scope.ownerId} and ${live()}
      group by 1
    `,
    sql`
      select product_id, max(order_no) as order_no
      from product_order
      where owner_id = ${scope.ownerId} and state = 10 and ${live()}
      group by 1
    `,
  )
  const words: Readonly<Record<number, string>> = { 10: 'open', 20: 'expired', 30: 'opening' }
  return {
    company,
    apps: new Map(
      apps.map(a => {
        const x = toEntityRow(propertyApp, a)
        return [x.productId, x]
      }),
    ),
    nodes: new Map(nodes.map(n => [n.productId, n.states.map(s => words[s]!)])),
    waiting: new Map(orders.map(o => [o.productId, o.orderNo])),
  }
}

type HoldingState = 'none' | 'open' | 'expired' | 'opening' | 'off'

const findBestState = (states: readonly string[]): HoldingState =>
  (['open', 'opening', 'expired'] as const).find(s => states.includes(s)) ?? 'none'

/** How the company stands to one product today. */
export function resolveProductStatus(
  p: CatalogueProduct,
  h: CompanyHoldings,
  today: Day,
): {
  state: HoldingState
  included: boolean
  enabled: boolean
  expireDate?: Day | undefined
  orderNo?: string | undefined
} {
  const { edition, expireDate } = h.company
  const app = h.apps.get(p.id)
  const orderNo = h.waiting.get(p.id)
  const included = p.kind === 'app' && edition !== 'standard'
  const is: HoldingState =
    p.kind === 'edition'
      ? p.edition !== edition
        ? 'none'
        : hasExpired(expireDate, today)
          ? 'expired'
          : 'open'
      : p.kind === 'app'
        ? resolveAppState(edition, app, today)
        : p.kind === 'node'
          ? findBestState(h.nodes.get(p.id) ?? [])
          : 'none'
  const until =
    p.kind === 'edition' ? (is === 'none' ? undefined : expireDate) : included ? expireDate : app?.expireDate
  return {
    state: orderNo && (is === 'none' || is === 'expired') ? 'opening' : is,
    included,
    enabled: app?.enabled ?? true,
    ...(until === undefined ? {} : { expireDate: until }),
    ...(orderNo === undefined ? {} : { orderNo }),
  }
}

export const catalogueHandlers = [
  reads(listProductCenter, async ({ kinds }, { db, scope, today }) => {
    const h = await loadHoldings(db, scope)
    return (await loadCatalogue(db))
      .filter(p => !kinds?.length || kinds.includes(p.kind))
      .map(p => ({ ...withInstalledModules(p), ...resolveProductStatus(p, h, today) }))
  }),
  reads(getProduct, async ({ id }, { db, scope, today }) => {
    const p = await requireProduct(db, id)
    return {
      ...withInstalledModules(p),
      ...resolveProductStatus(p, await loadHoldings(db, scope), today),
      ...(p.chargeBy === 'estateMonth' ? { estates: await loadChargedEstates(db, scope) } : {}),
    }
  }),
  reads(listProductCategories, async (_, { db }) => {
    const used = new Set((await loadCatalogue(db)).map(p => p.catId))
    return (
      await db.rows<{ id: number; catName: string }>(
        sql`select id, cat_name from product_category order by sort, id`,
      )
    ).filter(c => used.has(c.id))
  }),
  reads(listProductTypes, async ({ catId }, { db }) => {
    const used = new Set((await loadCatalogue(db)).map(p => p.productType))
    return (
      await db.rows<{
        typeCode: string
        typeName: string
        catId: number
        infs?: string[]
        properties?: string[]
      }>(
        sql`
          select type_code, type_name, cat_id, infs, properties
          from product_type
          where ${catId ?? null}::bigint is null or cat_id = ${catId ?? null}::bigint
          order by cat_id, sort, type_code
        `,
      )
    ).filter(t => used.has(t.typeCode))
  }),
  reads(listProducts, async ({ productType, keyword, ids }, { db }) => {
    const asked = ids && new Set(ids)
    const word = keyword?.toLowerCase()
    return (await loadCatalogue(db))
      .filter(
        p =>
          (!productType || p.productType === productType) &&
          (!asked || asked.has(String(p.id))) &&
          (!word ||
            [p.productName, p.productCode, labelOf(productKind, p.kind)].some(s =>
              s.toLowerCase().includes(word),
            )),
      )
      .map(({ id, productName, productType: type, typeName, catId }) => ({
        id,
        productName,
        productType: type,
        typeName,
        catId,
      }))
  }),
]
