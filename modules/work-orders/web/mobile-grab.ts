import { useState } from 'react'
import type { Id } from '#kit/domain/id.ts'
import { send } from '#kit/web/send.ts'
import { grabOrder } from '../contract/order-actions.ts'
import type { MobileOrders } from './mobile-orders.ts'
import { describeRefusal } from '#kit/web/phone/describe-refusal.ts'

/** Takes an order of the pool at once or not at all: without a network nobody can know who was first. */
export function useGrab({ own, pool }: MobileOrders) {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const grab = async (id: Id): Promise<boolean> => {
    setBusy(true)
    setFault(undefined)
    try {
      await send(grabOrder, { id }, { quiet: true, project: 0 })
      await own.refetch()
      return true
    } catch (error) {
      setFault(describeRefusal(error, '网络已断开，不能抢单'))
      return false
    } finally {
      setBusy(false)
      void pool.refetch()
    }
  }
  return { grab, isBusy, fault }
}
