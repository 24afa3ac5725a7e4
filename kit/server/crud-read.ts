import type { BulkResult } from '#kit/contract/bulk-result.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Call, Permission } from '#kit/contract/call.ts'
import type { Entity } from '#kit/contract/entity.ts'
import type { Fields, ValueOf } from '#kit/contract/field.ts'
import type { ListQuery, Page } from '#kit/contract/shape.ts'
import type { App } from './app.ts'
import type { CrudContext, CrudHooks } from './crud-hooks.ts'
import { sql, type RawBuilder } from './db.ts'
import type { ReadContext, WriteContext } from './handler.ts'
import { matchesSearchText } from './search-text.ts'
import {
  countRows,
  findAll,
  findPage,
  orBuildingName,
  requireById,
  type FindOptions,
  type TableQuery,
} from './table.ts'

export type Values = Readonly<Record<string, unknown>>
export type Stored = Values & { readonly id: Id }

/** The calls of an entity as `crud` declares them. */
export interface DeclaredCrud<F extends Fields, Q, D, N> {
  readonly entity: Entity<F>
  readonly itemName: string
  readonly filters: readonly string[]
  readonly permissions: { readonly edit: Permission }
  readonly list?: Call<Q, Page<ValueOf<F>>>
  readonly get?: Call<{ readonly id: Id }, ValueOf<F>>
  readonly add?: Call<N, ValueOf<F>>
  readonly edit?: Call<D, ValueOf<F>>
  readonly save?: Call<D, ValueOf<F>>
  readonly delete?: Call<{ readonly ids: readonly string[]; readonly reason: string }, BulkResult>
}

/** An entity as it is served: inside the kit its rows are plain values by key. */
export interface Served {
  readonly crud: DeclaredCrud<any, any, any, any>
  readonly hooks: CrudHooks<any, any, any, any, any>
}

export const crudContext = (c: ReadContext | WriteContext): CrudContext & { readonly app: App } => ({
  db: 'upload' in c ? c.tx : c.db,
  scope: c.scope,
  today: c.today,
  app: c.app,
})

/** Rows with what is shown beside what is stored. */
export async function presentRows(
  { hooks }: Served,
  rows: readonly unknown[],
  c: CrudContext & { readonly app: App },
): Promise<readonly Values[]> {
  const stored = rows as readonly Stored[]
  return hooks.enrich ? await hooks.enrich(stored, c) : stored
}

/** The query of a list: its plain filters, and the conditions beside them. */
export async function listConditions(
  { crud, hooks }: Served,
  input: Values,
  c: CrudContext,
): Promise<{ readonly q: ListQuery; readonly find: FindOptions }> {
  const { keyword, ids, ...plain } = input as { keyword?: string; ids?: readonly string[] }
  const ownKeyword = hooks.keyword ?? (hooks.searchText && ((word: string) => matchesSearchText(word)))
  const where: RawBuilder<any>[] = [...(await (hooks.filter?.(input, c) ?? []))]
  if (ids) {
    where.push(sql`t.id = any(${ids.map(parseId)})`)
  }
  if (keyword && ownKeyword) {
    where.push(orBuildingName(crud.entity, c.scope.ownerId, keyword, word => ownKeyword(word, c)))
  }
  return { q: keyword && !ownKeyword ? { ...plain, keyword } : plain, find: { filters: crud.filters, where } }
}

const maxPageSize = 2000

export async function listRows(served: Served, input: Values, c: ReadContext): Promise<Page<Values>> {
  const { entity, list } = served.crud
  const { db, scope } = c
  const context = crudContext(c)
  const { q: query, find } = await listConditions(served, input, context)
  // More than a page holds is asked for whole (0§7).
  if ((query.size ?? 0) > maxPageSize && (query.page ?? 1) === 1) {
    const rows = await findAll(db, entity, scope, query as TableQuery, {
      ...find,
      limit: defined(query.size),
    })
    const total =
      rows.length < defined(query.size) ? rows.length : await countRows(db, entity, scope, query, find)
    return { total, rows: await presentRows(served, rows, context) }
  }
  const sums = defined(list).output.sums
  const found = await findPage(db, entity, scope, query, { ...find, ...(sums ? { sums } : {}) })
  return { ...found, rows: await presentRows(served, found.rows, context) }
}

/** The rows of a picker: the list's own conditions, less its totals; encoding keeps the declared fields. */
export async function pickRows(served: Served, input: Values, c: ReadContext): Promise<Page<Values>> {
  const context = crudContext(c)
  const { q, find } = await listConditions(served, input, context)
  const found = await findPage(c.db, served.crud.entity, c.scope, q, find)
  return { ...found, rows: await presentRows(served, found.rows, context) }
}

export async function getRow(s: Served, { id }: { readonly id: Id }, c: ReadContext): Promise<Values> {
  const row = await requireById(c.db, s.crud.entity, c.scope, id)
  return defined((await presentRows(s, [row], crudContext(c)))[0])
}
