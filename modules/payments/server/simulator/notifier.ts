import { asFen } from '#kit/domain/money.ts'
import type { SimulatorNotification } from './context.ts'
import type { Behaviour, Order, OrderStore } from './order-store.ts'

/** Milliseconds: how slow is slow, how late is late, when a callback that was not taken is sent again. */
export interface Timings {
  readonly slow: number
  readonly late: number
  readonly again: readonly number[]
}

export const defaultTimings: Timings = { slow: 4000, late: 60_000, again: [15_000, 60_000] }

/** Runs later; what fails then has no caller, and must not end the process that the simulator runs in. */
export function runAfter(
  milliseconds: number,
  work: () => void,
  onError: (error: unknown) => void = () => {},
): void {
  const run = (): void => {
    try {
      work()
    } catch (error) {
      onError(error)
    }
  }
  if (milliseconds) {
    setTimeout(run, milliseconds).unref()
  } else {
    setImmediate(run)
  }
}

/** Never rejects: nobody waits for a notification. */
async function post(url: string, create: () => SimulatorNotification): Promise<boolean> {
  try {
    const { body, headers } = create()
    const signal = AbortSignal.timeout(10_000)
    const response = await fetch(url, { method: 'POST', body, headers: { ...headers }, signal })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

/** Calls back for an order; what was not acknowledged is sent again after the delays. */
async function notify(
  order: Order,
  notificationOf: (order: Order) => SimulatorNotification,
  [nextDelay, ...laterDelays]: readonly number[],
): Promise<void> {
  if (!/^https?:/.test(order.notifyUrl)) return
  const isAcknowledged = await post(order.notifyUrl, () => notificationOf(order))
  if (!isAcknowledged && nextDelay !== undefined) {
    runAfter(nextDelay, () => void notify(order, notificationOf, laterDelays))
  }
}

/** What each behaviour does once the payer has confirmed. */
export function createBehaviours(
  orderStore: OrderStore,
  timings: Timings,
  notificationOf: (order: Order) => SimulatorNotification,
): Readonly<Record<Behaviour, (order: Order) => void>> {
  const send = (order: Order): void => void notify(order, notificationOf, timings.again)
  return {
    normal: order => {
      orderStore.markPaid(order)
      send(order)
    },
    slow: order => {
      orderStore.markPaid(order)
      runAfter(timings.slow, () => send(order))
    },
    doubleCallback: order => {
      orderStore.markPaid(order)
      send(order)
      send(order)
    },
    delayed: order =>
      runAfter(timings.late, () => {
        orderStore.markPaid(order)
        send(order)
      }),
    wrongAmount: order => {
      orderStore.markPaid(order, asFen(order.amount + 1))
      send(order)
    },
    dropConnection: order => {
      order.unansweredRequests = 5
      orderStore.markPaid(order)
    },
    noCallback: order => orderStore.markPaid(order),
    fail: order => {
      order.state = 'PAYERROR'
      orderStore.save()
    },
  }
}
