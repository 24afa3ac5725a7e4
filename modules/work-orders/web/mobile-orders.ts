import { useEffect, useMemo, useState } from 'react'
import type { Fen } from '#kit/domain/money.ts'
import type { Id } from '#kit/domain/id.ts'
import { readStored, saveStored, useStored } from '#kit/web/browser-store.ts'
import { invalidateCalls, queryClient, useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { serverNow } from '#kit/web/server-clock.ts'
import { useSession } from '#kit/web/session.ts'
import { listOrders } from '../contract/order-list.ts'
import { getOrder } from '../contract/order.ts'
import { getTypeLimits } from '../contract/order-type.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { useStepQueue } from './mobile-queue.ts'
import { applySteps, byDeadline } from './mobile-steps.ts'

/** More than one person has in hand. */
const maxOrders = 200
const refetchMs = 60_000
const emptyList: readonly WorkOrder[] = []
/** Of all projects: an engineer's day does not end at the gate of one. */
const allProjects = { quiet: true, project: 0, staleMs: 0, refetchMs } as const

type OrderDetail = NonNullable<typeof getOrder.output.T>

export interface PriceItem {
  readonly name: string
  readonly unit?: string | undefined
  readonly price: Fen
}

const noPrices: readonly PriceItem[] = []
const priceKeyOf = (typeId: Id): string => `work-orders.prices/${typeId}`

/** The price list of a type as this telephone last had it. */
export const useStoredPrices = (typeId: Id): readonly PriceItem[] =>
  useStored<readonly PriceItem[]>(priceKeyOf(typeId), noPrices)[0]

const fetchedPrices = new Set<Id>()

/** Price lists are fetched beside the orders: parts are entered where there may be no network. */
async function fetchPrices(typeIds: readonly Id[]): Promise<void> {
  for (const typeId of typeIds) {
    if (fetchedPrices.has(typeId)) continue
    try {
      const { prices } = await send(getTypeLimits, { typeId }, { quiet: true, project: 0 })
      saveStored(priceKeyOf(typeId), prices)
      fetchedPrices.add(typeId)
    } catch {
      // Without them parts are entered by name and price.
    }
  }
}

/** Orders of the signed-in person as this telephone last had them: shown without a network too. */
function useKeptOrders() {
  const userId = useSession(s => s.signed?.manager.id ?? 0)
  const storeKey = `work-orders.assigned/${userId}`
  const [kept] = useStored<readonly WorkOrder[]>(storeKey, emptyList)
  const keep = (orders: readonly WorkOrder[]): void => saveStored(storeKey, orders)
  const replace = (order: WorkOrder): void =>
    keep(readStored(storeKey, emptyList).map(other => (other.id === order.id ? order : other)))
  return { kept, keep, replace }
}

/** An order that is open shows at once what the server answered: its old steps must not be offered again. */
const showSent = (order: WorkOrder): void => {
  queryClient.setQueriesData<OrderDetail>(
    { predicate: query => query.queryKey[1] === getOrder.route },
    shown => (shown?.id === order.id ? { ...shown, ...order } : shown),
  )
}

/** My orders by deadline with what waits on the telephone, and those that may be grabbed. */
export function useMobileOrders() {
  const { kept, keep, replace } = useKeptOrders()
  const own = useCall(
    listOrders,
    { view: 'assigned', order: 'nextDeadline,id', page: 1, size: maxOrders },
    allProjects,
  )
  const pool = useCall(
    listOrders,
    { view: 'pool', order: '-level,registerTime', page: 1, size: maxOrders },
    allProjects,
  )
  const refetchChanged = (): void => {
    void own.refetch()
    void invalidateCalls(getOrder)
  }
  const queue = useStepQueue({
    onSent: order => {
      replace(order)
      showSent(order)
      refetchChanged()
    },
    onRefused: refetchChanged,
  })
  const rows = own.data?.rows
  useEffect(() => {
    if (!rows) return
    keep(rows)
    void fetchPrices([...new Set(rows.map(order => order.typeId))])
    // Only what arrives is kept.
  }, [rows])
  const orders = useMemo(
    () => kept.map(order => applySteps(order, queue.queue)).toSorted(byDeadline),
    [kept, queue.queue],
  )
  const refetch = (): void => {
    void own.refetch()
    void pool.refetch()
  }
  return { orders, own, pool, queue, refetch }
}

export type MobileOrders = ReturnType<typeof useMobileOrders>

/** The server's time, again every half minute: deadlines on screen run. */
export function useServerTime(): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
