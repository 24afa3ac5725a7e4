import { useState } from 'react'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { send } from '#kit/web/send.ts'
import {
  describeResidentProblem,
  type ResidentAddress,
} from '#modules/resident-page/web/public.resident-frame.tsx'
import { cancelResidentOrder, type ResidentBills } from '../contract/bills.ts'
import { payPathOf } from './bill-pages.ts'

interface Props {
  readonly address: ResidentAddress
  readonly order: ResidentBills['openOrders'][number]
  readonly onChanged: () => void
}

/** A payment that was begun: its bills wait for it until it is paid, ended or its time is over. */
export function OpenOrder({ address, order, onChanged }: Props) {
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const cancel = async (): Promise<void> => {
    setFault(undefined)
    setBusy(true)
    try {
      await send(cancelResidentOrder, { ...address, orderNo: order.orderNo }, { quiet: true, project: 0 })
    } catch (error) {
      setFault(describeResidentProblem(error))
    }
    setBusy(false)
    onChanged()
  }
  if (order.isUndecided)
    return (
      <section aria-label="结果确认中">
        <p>
          有一笔支付正在确认结果：<b>{displayYuanWithSymbol(order.amount)}</b>
          ，请勿重复缴费；长时间没有结果的，请联系物业核实
        </p>
      </section>
    )
  return (
    <section aria-label="待支付">
      <p>
        有一笔支付未完成：<b>{displayYuanWithSymbol(order.amount)}</b>，请在 {order.expireTime.slice(11, 16)}{' '}
        前支付
      </p>
      {fault !== undefined && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      <div className="actions">
        <button type="button" className="big" disabled={isBusy} onClick={() => void cancel()}>
          取消支付
        </button>
        <a className="big" href={payPathOf(address, order)}>
          继续支付
        </a>
      </div>
    </section>
  )
}
