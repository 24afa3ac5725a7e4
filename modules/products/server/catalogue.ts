import type { Id } from '#kit/domain/id.ts'
import { keyOf, labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { notFound } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { unrestrictedDomain, type Scope } from '#kit/server/scope.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import { countRows, requireById } from '#kit/server/table.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
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
import { nodeState, orderState, productKind, type holdingState } from '../contract/labels.ts'
import { resolveAppState, countChargedEstates, hasExpired } from '../domain/subscription.ts'

export interface CatalogueProduct extends Product {
  readonly typeName: string
  readonly catId: Id
  readonly infs?: readonly string[]
  readonly properties?: readonly string[]
}

const installedModules = new Set(modules.map(m => m.name))

/**
 * An application is offered when this installation has some of its modules; only those are shown
 * (`withInstalledModules`).
 */
const isOffered = (p: CatalogueProduct): boolean =>
  p.kind !== 'app' || (p.modules ?? []).some(m => installedModules.has(m))

const withInstalledModules = (p: CatalogueProduct): CatalogueProduct => ({
  ...p,
  ...(p.modules ? { modules: p.modules.filter(m => installedModules.has(m)) } : {}),
})

/** The offered products in their order; some dozens. The catalogue is one for all companies. */
export async function loadCatalogue(db: Pick<Db, 'rows'>): Promise<CatalogueProduct[]> {
  const rows = await db.rows<Record<string, unknown>>(sql`
    select p.id, p.product_code, p.product_name, p.product_type, p.kind, p.intro, p.features, p.unit,
      p.charge_by, p.price, p.min_quantity, p.modules, p.edition, p.node_type, p.sort, p.create_time,
      p.update_time, p.version, t.type_name, t.cat_id, t.infs, t.properties
    from product p
    join product_type t on t.type_code = p.product_type
    where ${notDeleted('p')}
    order by p.sort, p.id
  `)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- rows of this statement
  return rows.map(row => toEntityRow(product, row) as CatalogueProduct).filter(isOffered)
}

export async function requireProduct(db: Pick<Db, 'rows'>, id: Id): Promise<CatalogueProduct> {
  const p = (await loadCatalogue(db)).find(candidate => candidate.id === id)
  if (!p) throw notFound()
  return p
}

/** RENEW-1: all projects of the company in use, whatever the data domain of the one who orders. */
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

/** What a company has of the catalogue, by product. */
export interface CompanyHoldings {
  readonly company: Property
  readonly apps: ReadonlyMap<Id, PropertyApp>
  readonly nodeStates: ReadonlyMap<Id, readonly NodeState[]>
  /** Numbers of orders that wait for payment. */
  readonly pendingOrders: ReadonlyMap<Id, string>
}

type NodeState = ChoiceOf<typeof nodeState>

export async function loadHoldings(db: Db, scope: Scope): Promise<CompanyHoldings> {
  const company = await requireById(db, property, scope, scope.ownerId)
  const [apps, nodes, orders] = await db.all<
    [Record<string, unknown>, { productId: Id; states: number[] }, { productId: Id; orderNo: string }]
  >(
    sql`
      select id, product_id, app_name, app_code, enabled, begin_date, expire_date, version
      from property_app
      where owner_id = ${scope.ownerId} and ${notDeleted()}
    `,
    sql`
      select product_id, array_agg(distinct state) as states
      from increment_node
      where owner_id = ${scope.ownerId} and ${notDeleted()}
      group by 1
    `,
    sql`
      select product_id, max(order_no) as order_no
      from product_order
      where owner_id = ${scope.ownerId} and state = ${code(orderState, 'pending')} and ${notDeleted()}
      group by 1
    `,
  )
  const toStates = (stateCodes: readonly number[]): NodeState[] =>
    stateCodes.flatMap(stateCode => keyOf(nodeState, stateCode) ?? [])
  return {
    company,
    apps: new Map(apps.map(row => toEntityRow(propertyApp, row)).map(app => [app.productId, app])),
    nodeStates: new Map(nodes.map(node => [node.productId, toStates(node.states)])),
    pendingOrders: new Map(orders.map(order => [order.productId, order.orderNo])),
  }
}

type HoldingState = ChoiceOf<typeof holdingState>

const findBestNodeState = (states: readonly NodeState[] = []): HoldingState =>
  (['open', 'opening', 'expired'] as const).find(state => states.includes(state)) ?? 'none'

/** The state of one product for the company, pending orders aside, and until when it holds. */
const holdingByKind: Readonly<
  Record<
    CatalogueProduct['kind'],
    (
      p: CatalogueProduct,
      h: CompanyHoldings,
      today: Day,
    ) => { readonly state: HoldingState; readonly until?: Day | undefined }
  >
> = {
  edition: (p, { company }, today) => {
    if (p.edition !== company.edition) return { state: 'none' }
    return { state: hasExpired(company.expireDate, today) ? 'expired' : 'open', until: company.expireDate }
  },
  app: (catalogueProduct, { company, apps }, today) => {
    const app = apps.get(catalogueProduct.id)
    return {
      state: resolveAppState(company.edition, app, today),
      until: isIncluded(catalogueProduct, company) ? company.expireDate : app?.expireDate,
    }
  },
  node: (p, { nodeStates }) => ({ state: findBestNodeState(nodeStates.get(p.id)) }),
  device: () => ({ state: 'none' }),
}

/** Every edition but the standard one includes all applications. */
const isIncluded = (p: CatalogueProduct, company: Property): boolean =>
  p.kind === 'app' && company.edition !== 'standard'

/** Whether the company has a product today. */
export function resolveProductStatus(
  catalogueProduct: CatalogueProduct,
  holdings: CompanyHoldings,
  today: Day,
): {
  state: HoldingState
  included: boolean
  enabled: boolean
  expireDate?: Day | undefined
  orderNo?: string | undefined
} {
  const { state, until } = holdingByKind[catalogueProduct.kind](catalogueProduct, holdings, today)
  const orderNo = holdings.pendingOrders.get(catalogueProduct.id)
  const isOpening = orderNo !== undefined && (state === 'none' || state === 'expired')
  return {
    state: isOpening ? 'opening' : state,
    included: isIncluded(catalogueProduct, holdings.company),
    enabled: holdings.apps.get(catalogueProduct.id)?.enabled ?? true,
    ...(until === undefined ? {} : { expireDate: until }),
    ...(orderNo === undefined ? {} : { orderNo }),
  }
}

const loadCategories = (db: Pick<Db, 'rows'>): Promise<{ id: Id; catName: string }[]> =>
  db.rows(sql`select id, cat_name from product_category order by sort, id`)

interface ProductType {
  readonly typeCode: string
  readonly typeName: string
  readonly catId: Id
  readonly infs?: string[]
  readonly properties?: string[]
}

const loadTypes = (db: Pick<Db, 'rows'>, catId: Id | undefined): Promise<ProductType[]> =>
  db.rows(
    sql`
      select type_code, type_name, cat_id, infs, properties
      from product_type
      where ${catId ?? null}::bigint is null or cat_id = ${catId ?? null}::bigint
      order by cat_id, sort, type_code
    `,
  )

const matchesKeyword = (p: CatalogueProduct, keyword: string): boolean =>
  [p.productName, p.productCode, labelOf(productKind, p.kind)].some(text =>
    text.toLowerCase().includes(keyword.toLowerCase()),
  )

export const catalogueHandlers = [
  reads(listProductCenter, async ({ kinds }, { db, scope, today }) => {
    const holdings = await loadHoldings(db, scope)
    return (await loadCatalogue(db))
      .filter(p => !kinds?.length || kinds.includes(p.kind))
      .map(p => ({ ...withInstalledModules(p), ...resolveProductStatus(p, holdings, today) }))
  }),
  reads(getProduct, async ({ id }, { db, scope, today }) => {
    const catalogueProduct = await requireProduct(db, id)
    return {
      ...withInstalledModules(catalogueProduct),
      ...resolveProductStatus(catalogueProduct, await loadHoldings(db, scope), today),
      ...(catalogueProduct.chargeBy === 'estateMonth'
        ? { estates: await loadChargedEstates(db, scope) }
        : {}),
    }
  }),
  reads(listProductCategories, async (_, { db }) => {
    const used = new Set((await loadCatalogue(db)).map(p => p.catId))
    return (await loadCategories(db)).filter(category => used.has(category.id))
  }),
  reads(listProductTypes, async ({ catId }, { db }) => {
    const used = new Set((await loadCatalogue(db)).map(p => p.productType))
    return (await loadTypes(db, catId)).filter(type => used.has(type.typeCode))
  }),
  reads(listProducts, async ({ productType, keyword, ids }, { db }) => {
    const selectedIds = ids && new Set(ids)
    const products = (await loadCatalogue(db))
      .filter(p => !productType || p.productType === productType)
      .filter(p => !selectedIds || selectedIds.has(String(p.id)))
      .filter(p => !keyword || matchesKeyword(p, keyword))
    return products.map(catalogueProduct => ({
      id: catalogueProduct.id,
      productName: catalogueProduct.productName,
      productType: catalogueProduct.productType,
      typeName: catalogueProduct.typeName,
      catId: catalogueProduct.catId,
    }))
  }),
]
