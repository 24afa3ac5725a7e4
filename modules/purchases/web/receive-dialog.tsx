import { useMemo, useState } from 'react'
import { displayYuanWithSymbol } from '#kit/domain/money.ts'
import { today } from '#kit/web/date-format.ts'
import { imagesControl } from '#kit/web/controls/control-kinds.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { arrivedLineFields } from '../contract/lines.ts'
import type { PurchaseOrder } from '../contract/order.ts'
import { receiveOrder } from '../contract/receipt.ts'
import { isPositive, remainderOf } from '../domain/amounts.ts'
import { knownLinesControl } from './line-controls.tsx'
import { estimateOf } from './request-values.ts'
import './purchases.css'

type Arrived = NonNullable<typeof receiveOrder.input.T>

export type ReceivableOrder = Pick<PurchaseOrder, 'id' | 'orderNo' | 'supplierName' | 'lines'>

interface ReceiveDialogProps {
  readonly record: ReceivableOrder
  readonly onClose: () => void
}

/** What is still awaited, each line with all of it at the price of the order. */
const awaitedLines = ({ lines }: ReceivableOrder) =>
  lines.flatMap(({ lineNo, itemName, spec = '', unit, quantity, price, receivedQuantity }) => {
    const rest = remainderOf(quantity, receivedQuantity)
    return isPositive(rest)
      ? [
          {
            lineNo,
            name: `${itemName}${spec && ` ${spec}`}`,
            rest: `待收 ${rest} ${unit}，订单 ${price} 元`,
            start: { lineNo, quantity: rest, price },
          },
        ]
      : []
  })

/** 收货: one delivery of an order, whole or in part (STK-4). */
export function ReceiveDialog({ record, onClose }: ReceiveDialogProps) {
  const receiving = useSend(receiveOrder, { quiet: true })
  const [known] = useState(() => awaitedLines(record))
  const groups = useMemo(
    () => [
      {
        keys: [
          'receiveDate',
          'deliveryNo',
          { key: 'lines', wide: true, control: knownLinesControl(arrivedLineFields, known) },
          { key: 'remark', wide: true },
          { key: 'attachments', wide: true, control: imagesControl },
        ],
      },
    ],
    [known],
  )
  const [initial] = useState<Partial<Arrived>>(() => ({
    orderId: record.id,
    receiveDate: today(),
    lines: known.map(line => line.start),
  }))
  return (
    <EditDialog
      shape={receiveOrder.input}
      title={`收货：${record.orderNo} ${record.supplierName ?? ''}`}
      groups={groups}
      initial={initial}
      draftKey={undefined}
      submitLabel="收货"
      presentation="drawer"
      below={values => (
        <p className="purchase-total">
          <span>入库金额</span>
          <output>{displayYuanWithSymbol(estimateOf(values.lines))}</output>
        </p>
      )}
      save={values => receiving.mutateAsync({ ...values, orderId: record.id })}
      onClose={onClose}
      onDone={receipt => {
        toast.success(`已收货 ${receipt.receiptNo}`)
        onClose()
      }}
    />
  )
}
