import type { Entity } from '#kit/contract/entity.ts'
import type { PartQuery } from '#kit/contract/list-parts.ts'
import type { ListQuery } from '#kit/contract/shape.ts'
import { sql } from '../db.ts'
import type { Scope } from '../scope.ts'
import type { Sql } from './columns.ts'
import { filterConditions, tenantFilter, type FieldValues } from './filter.ts'
import { keywordCondition, searchableKeys } from './keyword.ts'

/** `filters`, `sums` and `keys` are keys of the entity; `where` is joined with `and`, the table is `t`. */
export interface FindOptions {
  readonly where?: readonly Sql[]
  readonly filters?: readonly string[]
  readonly sums?: readonly string[]
  /** What the rows hold; all readable keys unless given. */
  readonly keys?: readonly string[]
}

/**
 * Page, order, keyword, project, and the values of the filters under their keys (`From`, `To` for ranges).
 */
export type TableQuery = ListQuery & PartQuery & { readonly projectCode?: string } & FieldValues

export const maxPageSize = 2000

export const whereSql = (entity: Entity, scope: Scope, query: TableQuery, find: FindOptions): Sql =>
  sql.join(
    [
      tenantFilter(entity, scope, query.projectCode),
      ...filterConditions(entity, query, find.filters ?? []),
      ...keywordCondition(entity, scope.ownerId, query.keyword),
      ...(find.where ?? []),
    ],
    sql` and `,
  )

/** The keys that the conditions speak of: their references must be joined. */
export const conditionKeys = (e: Entity, query: TableQuery, find: FindOptions): string[] => [
  ...(find.filters ?? []),
  ...(query.keyword ? searchableKeys(e) : []),
]
