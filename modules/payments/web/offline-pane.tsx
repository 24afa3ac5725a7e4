import { Button, Select } from 'antd'
import { useState } from 'react'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import type { OrderView } from '../contract/order.ts'
import { offlineSelectOptions, type PayMethod } from './cashier-methods.tsx'
import type { OrderActions } from './use-order-actions.ts'

/** An order of bills that is paid at the counter: one method, the whole amount. */
export function OfflinePane({
  order,
  actions,
}: {
  readonly order: OrderView
  readonly actions: OrderActions
}) {
  const [method, setMethod] = useState<PayMethod>('cash')
  const isWaiting = order.state === 'waiting'
  return (
    <div className="pay-scan">
      <p>收到款后登记，支付单随即完成</p>
      <Select
        aria-label="支付方式"
        value={method}
        disabled={!isWaiting}
        options={offlineSelectOptions}
        onChange={setMethod}
      />
      <Button
        block
        type="primary"
        disabled={!isWaiting}
        loading={actions.running === 'offline'}
        onClick={() => actions.payOffline(method)}
      >
        收款 {displayYuanWithSymbol(order.amount)}
      </Button>
    </div>
  )
}
