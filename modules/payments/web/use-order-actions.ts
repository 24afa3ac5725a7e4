import { useState } from 'react'
import { invalidate } from '#kit/web/query.ts'
import { newUuid, send } from '#kit/web/send.ts'
import {
  acceptOrder,
  closeOrder,
  payByAuthCode,
  pollOrder,
  queryOrder,
  type OrderView,
} from '../contract/order.ts'
import { payOrderOffline } from '../contract/payment.ts'
import { errorMessageOf } from './error-message.ts'
import { isOrderOpen, type PolledOrder } from './use-polled-order.ts'

type OrderAction = 'query' | 'cancel' | 'renew' | 'scan' | 'card' | 'accept' | 'offline'

export interface OrderActions {
  /** The action under way: one at a time. */
  readonly running: OrderAction | undefined
  readonly query: () => void
  /** Cancels the order; the dialog closes unless money has come. */
  readonly cancel: () => void
  /**
   * A new order in the place of this one, which is cancelled first if it still waits; absent where it must
   * be started elsewhere.
   */
  readonly renew?: () => void
  /** The whole amount at the counter; what is too much may be kept as prestore. */
  readonly payOffline: (methods: OfflineTenders, keepsExcess: boolean) => void
  readonly payWithCode: (authCode: string) => Promise<void>
  readonly sendToTerminal: (terminalNo: string) => void
  /** Takes what the channel has got, though it is another amount (PAY-6). */
  readonly accept: () => void
}

const query = (orderNo: string): Promise<OrderView> => send(queryOrder, { orderNo }, { quiet: true })

const closeByNumber = (orderNo: string): Promise<OrderView> =>
  send(closeOrder, { orderNo }, { quiet: true, uuid: newUuid() })

/** A new order in the place of one that is cancelled first if it still waits. */
async function renewOrder(order: OrderView, create: () => Promise<OrderView>): Promise<OrderView> {
  if (isOrderOpen(order)) {
    const closed = await closeByNumber(order.orderNo)
    if (closed.state === 'paid') return closed
  }
  return create()
}

type OfflineTenders = NonNullable<typeof payOrderOffline.input.T>['methods']

async function payOffline(
  { orderNo }: OrderView,
  methods: OfflineTenders,
  excessToPrestore: boolean,
): Promise<OrderView> {
  const input = { orderNo, methods, excessToPrestore }
  await send(payOrderOffline, input, { quiet: true, uuid: newUuid() })
  return send(pollOrder, { orderNo }, { quiet: true })
}

export function useOrderActions(
  polled: PolledOrder,
  createAgain: (() => Promise<OrderView>) | undefined,
  onClose: () => void,
): OrderActions {
  const { order, setOrder, setFault } = polled
  const { orderNo } = order
  const [running, setRunning] = useState<OrderAction>()
  const run = async (action: OrderAction, work: () => Promise<OrderView>): Promise<void> => {
    if (running) return
    setRunning(action)
    setFault('')
    try {
      setOrder(await work())
    } catch (error) {
      setFault(errorMessageOf(error, '操作失败，请重试'))
    } finally {
      setRunning(undefined)
    }
  }
  const close = (): Promise<OrderView> => closeByNumber(orderNo)
  return {
    running,
    query: () => void run('query', () => query(orderNo)),
    cancel: () =>
      void run('cancel', async () => {
        const closed = await close()
        if (closed.state !== 'paid') {
          await invalidate(['bill'])
          onClose()
        }
        return closed
      }),
    ...(createAgain ? { renew: () => void run('renew', () => renewOrder(order, createAgain)) } : {}),
    payOffline: (methods, keepsExcess) => void run('offline', () => payOffline(order, methods, keepsExcess)),
    payWithCode: authCode =>
      run('scan', () =>
        send(
          payByAuthCode,
          { orderNo, authCode: authCode.trim(), orderType: order.orderType, payType: 'scanner' },
          { quiet: true },
        ),
      ),
    sendToTerminal: terminalNo =>
      void run('card', () =>
        send(
          payByAuthCode,
          { orderNo, authCode: terminalNo, orderType: order.orderType, payType: 'pos' },
          { quiet: true, uuid: newUuid() },
        ),
      ),
    accept: () => void run('accept', () => send(acceptOrder, { orderNo }, { quiet: true, uuid: newUuid() })),
  }
}
