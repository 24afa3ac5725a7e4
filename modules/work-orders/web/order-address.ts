import type { Id } from '#kit/domain/id.ts'
import type { Page } from '#kit/contract/shape.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { queryClient } from '#kit/web/query.ts'
import { listAuditOrders, listDispatchOrders, listOrders } from '../contract/order-list.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { paths } from '../module.ts'

export const orderPath = (id: Id): string => `${paths.detail}?id=${id}`

export const openOrder = (id: Id): void => navigateTo(orderPath(id))

const listRoutes: ReadonlySet<unknown> = new Set([
  listOrders.route,
  listAuditOrders.route,
  listDispatchOrders.route,
])

interface Neighbours {
  /** Within all that the list holds, from 1. */
  readonly position: number
  readonly total: number
  readonly previous: Id | undefined
  readonly next: Id | undefined
}

/** Where an order stands in the page of the list that was read last and holds it. */
export function findNeighbours(id: Id): Neighbours | undefined {
  const [latest] = queryClient
    .getQueryCache()
    .findAll({ predicate: query => listRoutes.has(query.queryKey[1]) })
    .flatMap(({ state, queryKey }) => {
      const page = state.data as Page<WorkOrder> | undefined
      const at = page?.rows.findIndex(row => row.id === id) ?? -1
      return page && at >= 0 && page.rows.length > 1
        ? [{ page, at, time: state.dataUpdatedAt, input: queryKey[3] }]
        : []
    })
    .toSorted((a, b) => b.time - a.time)
  if (!latest) return undefined
  const { page, at, input } = latest
  const { page: number = 1, size = page.rows.length } = input as { page?: number; size?: number }
  return {
    position: (number - 1) * size + at + 1,
    total: page.total,
    previous: page.rows[at - 1]?.id,
    next: page.rows[at + 1]?.id,
  }
}
