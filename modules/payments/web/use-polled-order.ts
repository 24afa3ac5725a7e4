import { useEffect, useRef, useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { invalidate } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { payMethod } from '../contract/choices.ts'
import { pollOrder, type OrderView } from '../contract/order.ts'
import { payeeOf } from '../domain/order.ts'

const pollIntervalMs = 1000
const networkErrorMessage = '网络错误，正在重试；请不要重复收款'

/** The company is the payer of what it buys of the platform. */
export const isPlatformPaid = (order: OrderView): boolean => payeeOf(order.orderType) === 'platform'

export const isOrderOpen = (order: OrderView): boolean =>
  order.state === 'waiting' || order.state === 'paying'

export interface PolledOrder {
  readonly order: OrderView
  readonly setOrder: (order: OrderView) => void
  /** Milliseconds since 1970, updated each second. */
  readonly now: number
  /** Milliseconds for which the payer has been paying. */
  readonly payingMs: number | undefined
  readonly fault: string
  readonly setFault: (fault: string) => void
}

interface PolledOrderOptions {
  /** Entities that are stale once it is paid. */
  readonly stale: readonly string[]
  readonly onPaid: (order: OrderView) => void
}

/** Asks for an order each second until it ends (C5.1); calls `onPaid` once when it is paid. */
export function usePolledOrder(first: OrderView, { stale, onPaid }: PolledOrderOptions): PolledOrder {
  const [order, setOrder] = useState(first)
  const [now, setNow] = useState(() => Date.now())
  const [fault, setFault] = useState('')
  const isOpen = isOrderOpen(order)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), pollIntervalMs)
    return () => clearInterval(timer)
  }, [])
  usePolling(order.orderNo, isOpen, setOrder, setFault)
  usePaidNotice(order, stale, onPaid)
  const payingSince = useRef<number>(undefined)
  if (order.state === 'paying') {
    payingSince.current ??= Date.now()
  } else {
    payingSince.current = undefined
  }
  return {
    order,
    setOrder,
    now,
    payingMs: payingSince.current === undefined ? undefined : now - payingSince.current,
    fault,
    setFault,
  }
}

/**
 * A second from request to request (0§9), however long the answer takes; never two at once, so a slow answer
 * is followed at once.
 */
export const nextPollDelay = (requestedAt: number, now: number): number =>
  Math.max(0, requestedAt + pollIntervalMs - now)

function usePolling(
  orderNo: string,
  isEnabled: boolean,
  setOrder: (update: (before: OrderView) => OrderView) => void,
  setFault: (update: (before: string) => string) => void,
): void {
  useEffect(() => {
    if (!isEnabled) return
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const poll = async (): Promise<void> => {
      const requestedAt = Date.now()
      try {
        const polled = await send(pollOrder, { orderNo }, { quiet: true, signal: abort.signal })
        setOrder(before => (before.orderNo === polled.orderNo ? polled : before))
        setFault(before => (before === networkErrorMessage ? '' : before))
      } catch {
        if (!abort.signal.aborted) {
          setFault(() => networkErrorMessage)
        }
      }
      schedule(nextPollDelay(requestedAt, Date.now()))
    }
    const schedule = (delayMs: number): void => {
      if (!abort.signal.aborted) {
        timer = setTimeout(() => void poll(), delayMs)
      }
    }
    schedule(pollIntervalMs)
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [orderNo, isEnabled, setOrder, setFault])
}

function usePaidNotice(order: OrderView, stale: readonly string[], onPaid: (order: OrderView) => void): void {
  const isNotified = useRef(false)
  useEffect(() => {
    if (order.state !== 'paid' || isNotified.current) return
    isNotified.current = true
    const method = order.payMethod ? `，${labelOf(payMethod, order.payMethod)}` : ''
    toast.success(
      `${isPlatformPaid(order) ? '已支付' : '已收'} ${displayYuanWithSymbol(order.amount)}${method}`,
    )
    void invalidate(stale)
    onPaid(order)
  }, [order, onPaid, stale])
}
