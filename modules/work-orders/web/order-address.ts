import type { Id } from '#kit/domain/id.ts'
import type { Page } from '#kit/contract/shape.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { queryClient } from '#kit/web/query.ts'
import { listAuditOrders, listDispatchOrders, listOrders } from '../contract/order-list.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { paths } from '../module.ts'

export const orderPath = (id: Id): string => `${paths.detail}?id=${id}`

/** Where a cost that was forgotten, or came after the payment, is registered: of the same place. */
export const relatedOrderPath = ({ id, roomCode, reporterPhone }: WorkOrder): string => {
  const query = new URLSearchParams({ relatedOrderId: String(id) })
  if (roomCode !== undefined) {
    query.set('roomCode', roomCode)
  }
  // A masked number is none to be called under.
  if (reporterPhone !== undefined && !reporterPhone.includes('*')) {
    query.set('phone', reporterPhone)
  }
  return `${paths.register}?${query.toString()}`
}

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

const numberOf = (input: unknown, key: string): number | undefined => {
  if (typeof input !== 'object' || input === null) return undefined
  const value: unknown = Reflect.get(input, key)
  return typeof value === 'number' ? value : undefined
}

/** Where an order is in the page of the list that was read last and holds it. */
export function findNeighbours(id: Id): Neighbours | undefined {
  const [latest] = queryClient
    .getQueriesData<Page<WorkOrder>>({ predicate: query => listRoutes.has(query.queryKey[1]) })
    .flatMap(([key, page]) => {
      const at = page?.rows.findIndex(row => row.id === id) ?? -1
      if (!page || at < 0 || page.rows.length < 2) return []
      return [{ page, at, input: key[3], readAt: queryClient.getQueryState(key)?.dataUpdatedAt ?? 0 }]
    })
    .toSorted((a, b) => b.readAt - a.readAt)
  if (!latest) return undefined
  const { page, at, input } = latest
  const before = ((numberOf(input, 'page') ?? 1) - 1) * (numberOf(input, 'size') ?? page.rows.length)
  return {
    position: before + at + 1,
    total: page.total,
    previous: page.rows[at - 1]?.id,
    next: page.rows[at + 1]?.id,
  }
}
