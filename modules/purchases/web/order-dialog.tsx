import { useMemo, useState } from 'react'
import { displayYuanWithSymbol } from '#kit/domain/money.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { placedLineFields } from '../contract/lines.ts'
import { placeOrder } from '../contract/order.ts'
import type { Purchase } from '../contract/purchase.ts'
import { isPositive, remainderOf } from '../domain/amounts.ts'
import { knownLinesControl } from './line-controls.tsx'
import { estimateOf } from './request-values.ts'
import './purchases.css'

type Placed = NonNullable<typeof placeOrder.input.T>

interface OrderDialogProps {
  readonly record: Purchase
  readonly onClose: () => void
}

/** What is still to be ordered, each line with all of it at the estimated price. */
const openLines = ({ lines }: Purchase) =>
  lines.flatMap(({ lineNo, itemName, spec = '', unit, quantity, price, orderedQuantity }) => {
    const rest = remainderOf(quantity, orderedQuantity)
    return isPositive(rest)
      ? [
          {
            lineNo,
            name: `${itemName}${spec && ` ${spec}`}`,
            rest: `待下单 ${rest} ${unit}，预估 ${price} 元`,
            start: { lineNo, quantity: rest, price },
          },
        ]
      : []
  })

/** 下单: lines of a purchase from one supplier; what is left out is ordered from another. */
export function OrderDialog({ record, onClose }: OrderDialogProps) {
  const placing = useSend(placeOrder, { quiet: true })
  const [known] = useState(() => openLines(record))
  const groups = useMemo(
    () => [
      {
        keys: [
          'supplierId',
          'deliverDate',
          { key: 'deliverPlace', wide: true },
          { key: 'lines', wide: true, control: knownLinesControl(placedLineFields, known) },
          { key: 'remark', wide: true },
        ],
      },
    ],
    [known],
  )
  const [initial] = useState<Partial<Placed>>(() => ({
    purchaseId: record.id,
    ...(record.supplierId === undefined ? {} : { supplierId: record.supplierId }),
    deliverDate: record.needDate,
    lines: known.map(line => line.start),
  }))
  return (
    <EditDialog
      shape={placeOrder.input}
      title={`下采购订单：${record.purchaseNo} ${record.title}`}
      groups={groups}
      initial={initial}
      draftKey={undefined}
      submitLabel="下单"
      presentation="drawer"
      below={values => (
        <p className="purchase-total">
          <span>下单金额</span>
          <output>{displayYuanWithSymbol(estimateOf(values.lines))}</output>
        </p>
      )}
      save={values => placing.mutateAsync({ ...values, purchaseId: record.id })}
      onClose={onClose}
      onDone={order => {
        toast.success(`已下采购订单 ${order.orderNo}`)
        onClose()
      }}
    />
  )
}
