import { useEffect, useMemo, useState } from 'react'
import type { Id } from '#kit/domain/id.ts'
import { readStored, saveStored, useStored } from '#kit/web/browser-store.ts'
import { useLiveConnection } from '#kit/web/live.ts'
import { invalidateCalls, queryClient, useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { serverNow } from '#kit/web/server-clock.ts'
import { personalKey, useSession } from '#kit/web/session.ts'
import { offlineAnswerPrefix } from '#kit/web/offline/offline-names.ts'
import { listOrders } from '../contract/order-list.ts'
import { getOrder } from '../contract/order.ts'
import { getTypeLimits } from '../contract/order-type.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { useLiveOrders } from './live-orders.ts'
import type { PriceItem } from './mobile-cost.ts'
import { useStepQueue } from './mobile-queue.ts'
import { applySteps, byDeadline } from './mobile-steps.ts'

/** More than one person has in hand. */
const maxOrders = 200
const refetchMs = 60_000
const emptyList: readonly WorkOrder[] = []
/** Of all projects: an engineer's day does not end at the gate of one. */
const allProjects = { quiet: true, project: 0, staleMs: 0, refetchMs } as const

type OrderDetail = NonNullable<typeof getOrder.output.T>

/** Answers of the server that this phone keeps for one person: they go when that person signs out. */
const answerKey = (name: string): string => `${offlineAnswerPrefix}${personalKey(name)}`
const priceKeyOf = (typeId: Id): string => answerKey(`work-orders.prices/${typeId}`)

/** The price list of a type as this phone last had it; nothing where it never had it. */
export const useStoredPrices = (typeId: Id): readonly PriceItem[] | undefined =>
  useStored<readonly PriceItem[] | undefined>(priceKeyOf(typeId), undefined)[0]

const fetchedPrices = new Set<string>()

async function fetchPrice(typeId: Id): Promise<void> {
  const storeKey = priceKeyOf(typeId)
  if (fetchedPrices.has(storeKey) && readStored(storeKey, undefined) !== undefined) return
  fetchedPrices.add(storeKey)
  try {
    const { prices } = await send(getTypeLimits, { typeId }, { quiet: true, project: 0 })
    saveStored(storeKey, prices)
  } catch {
    // Asked for again with the next list of orders.
    fetchedPrices.delete(storeKey)
  }
}

/** Price lists are fetched beside the orders: parts are entered where there may be no network. */
const fetchPrices = (typeIds: Iterable<Id>): Promise<unknown> =>
  Promise.all([...new Set(typeIds)].map(fetchPrice))

/** Orders of the signed-in person as this phone last had them: shown without a network too. */
function useKeptOrders() {
  // The key is that of the person: it is another one when somebody else signs in.
  useSession(s => s.signed?.manager.id)
  const storeKey = answerKey('work-orders.assigned')
  const [kept] = useStored<readonly WorkOrder[]>(storeKey, emptyList)
  const keep = (orders: readonly WorkOrder[]): void => saveStored(storeKey, orders)
  const replace = (order: WorkOrder): void =>
    keep(readStored(storeKey, emptyList).map(other => (other.id === order.id ? order : other)))
  return { kept, keep, replace, storeKey }
}

/** An order that is open shows at once what the server answered: its old steps must not be offered again. */
const showSent = (order: WorkOrder): void => {
  queryClient.setQueriesData<OrderDetail>(
    { predicate: query => query.queryKey[1] === getOrder.route },
    shown => (shown?.id === order.id ? { ...shown, ...order } : shown),
  )
}

/** My orders by deadline with what waits on the phone, and those that may be grabbed. */
export function useMobileOrders() {
  useLiveConnection()
  useLiveOrders(listOrders, getOrder)
  const { kept, keep, replace, storeKey } = useKeptOrders()
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
    // Only what arrives is kept.
  }, [rows])
  useEffect(() => {
    if (own.dataUpdatedAt > 0) {
      void fetchPrices(readStored(storeKey, emptyList).map(order => order.typeId))
    }
    // With every list that arrives, an unchanged one too: what did not come then comes now.
  }, [own.dataUpdatedAt, storeKey])
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
