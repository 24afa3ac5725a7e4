import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Decimal } from '#kit/domain/decimal.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { Money } from '#kit/web/numbers.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { ApprovalProgress } from '#modules/approvals/web/public.ts'
import { orderState, receiptKind } from '../contract/choices.ts'
import type { Purchase, PurchaseDetail } from '../contract/purchase.ts'
import { canDo, isAwaited } from '../domain/states.ts'
import { menu, paths } from '../module.ts'
import { ReturnNotice, useDetailCall } from './one-purchase.tsx'
import type { ReceivableOrder } from './receive-dialog.tsx'
import './purchases.css'

const ReceiveDialog = lazyComponent(() => import('./receive-dialog.tsx').then(m => m.ReceiveDialog))

export const purchaseGroups: readonly DetailGroup<Purchase>[] = [
  {
    title: '采购申请',
    keys: [
      'purchaseNo',
      'estateName',
      'applicantName',
      'departmentName',
      'needDate',
      'supplierName',
      'isUrgent',
      'urgentReason',
      { key: 'purpose', wide: true },
      {
        key: 'attachments',
        label: '附件',
        wide: true,
        render: row =>
          row.attachments?.length ? <StoredImages fileKeys={row.attachments} size={48} /> : undefined,
      },
    ],
  },
  {
    title: '进度',
    keys: [
      'totalAmount',
      'orderedAmount',
      'receivedAmount',
      'submitTime',
      'way',
      'approverName',
      'approveTime',
      { key: 'endReason', label: '原因' },
    ],
  },
]

interface ItemLine {
  readonly lineNo: number
  readonly itemName: string
  readonly spec?: string
  readonly unit: string
  readonly quantity: Decimal
  readonly price: Decimal
  readonly amount: Fen
}

interface LineTableProps<L extends ItemLine> {
  readonly label: string
  readonly lines: readonly L[]
  readonly priceLabel: string
  /** Columns between the quantity and the price. */
  readonly progress?: readonly { readonly title: string; readonly value: (line: L) => Decimal }[]
  readonly note?: { readonly title: string; readonly value: (line: L) => string | undefined }
}

/** Lines with what they come to. */
export function LineTable<L extends ItemLine>({
  label,
  lines,
  priceLabel,
  progress = [],
  note,
}: LineTableProps<L>) {
  return (
    <table className="purchase-lines" aria-label={label}>
      <thead>
        <tr>
          <th>品名</th>
          <th>规格</th>
          <th>单位</th>
          <th className="right">数量</th>
          {progress.map(({ title }) => (
            <th key={title} className="right">
              {title}
            </th>
          ))}
          <th className="right">{priceLabel}</th>
          <th className="right">金额</th>
          {note && <th>{note.title}</th>}
        </tr>
      </thead>
      <tbody>
        {lines.map(line => (
          <tr key={line.lineNo}>
            <td>{line.itemName}</td>
            <td>{line.spec}</td>
            <td>{line.unit}</td>
            <td className="right">{line.quantity}</td>
            {progress.map(({ title, value }) => (
              <td key={title} className="right">
                {value(line)}
              </td>
            ))}
            <td className="right">{line.price}</td>
            <td className="right">
              <Money fen={line.amount} />
            </td>
            {note && <td>{note.value(line)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface OrdersProps {
  readonly purchase: Purchase
  readonly orders: PurchaseDetail['orders']
}

/** The orders of a purchase, each with what arrives of it received here by somebody who may. */
function Orders({ purchase, orders }: OrdersProps) {
  const [receiving, setReceiving] = useState<ReceivableOrder>()
  const hasPermission = usePermission()
  const canReceive =
    hasPermission(menu.receipt.permissions.add) &&
    canDo('receive', purchase.state, { isUrgent: purchase.isUrgent, allowsAhead: true })
  const canSeeOrders = hasPermission(menu.order.permissions.view)
  return (
    <section aria-label="采购订单">
      <h3>采购订单</h3>
      {orders.map(order => (
        <article key={order.id}>
          <header>
            {canSeeOrders ? (
              <Link to={`${paths.orders}?keyword=${order.orderNo}`}>{order.orderNo}</Link>
            ) : (
              <b>{order.orderNo}</b>
            )}
            <ChoiceStatus choices={orderState} value={order.state} />
            <span>{order.supplierName}</span>
            <small>
              {order.orderDate} 下单 · {order.deliverDate} 到货 · {order.buyerName}
              {order.isAhead && ' · 先于审批'}
            </small>
            {canReceive && isAwaited(order.state) && (
              <Button size="small" aria-label={`收货 ${order.orderNo}`} onClick={() => setReceiving(order)}>
                收货
              </Button>
            )}
          </header>
          {order.endReason && <p>关闭原因：{order.endReason}</p>}
          <LineTable
            label={`订单 ${order.orderNo}`}
            lines={order.lines}
            priceLabel="单价"
            progress={[{ title: '已入库', value: line => line.receivedQuantity }]}
            note={{ title: '价格原因', value: line => line.priceReason }}
          />
        </article>
      ))}
      {receiving && <ReceiveDialog record={receiving} onClose={() => setReceiving(undefined)} />}
    </section>
  )
}

const Receipts = ({ receipts }: Pick<PurchaseDetail, 'receipts'>) => (
  <section aria-label="收货记录">
    <h3>收货记录</h3>
    {receipts.map(receipt => (
      <article key={receipt.id} className={receipt.isReversed ? 'struck' : undefined}>
        <header>
          <b>{receipt.receiptNo}</b>
          <ChoiceStatus choices={receiptKind} value={receipt.kind} />
          {receipt.isReversed && <span>已冲销</span>}
          <span>{receipt.supplierName}</span>
          <small>
            {receipt.receiveDate} · {receipt.receiverName}
            {receipt.deliveryNo && ` · 送货单 ${receipt.deliveryNo}`}
            {receipt.reversedNo && ` · 冲销 ${receipt.reversedNo}`}
          </small>
        </header>
        {receipt.remark && <p>{receipt.remark}</p>}
        <LineTable
          label={`收货 ${receipt.receiptNo}`}
          lines={receipt.lines}
          priceLabel="实际单价"
          note={{ title: '价格原因', value: line => line.priceReason }}
        />
        {receipt.attachments && receipt.attachments.length > 0 && (
          <StoredImages fileKeys={receipt.attachments} size={40} />
        )}
      </article>
    ))}
  </section>
)

/** What was asked for and how far it has come: lines, orders, receipts, the approval. */
export function PurchaseContent({ purchase }: { readonly purchase: Purchase }) {
  const detail = useCall(useDetailCall(), { id: purchase.id }, { quiet: true })
  return (
    <div className="purchase-content">
      <ReturnNotice row={purchase} />
      <section aria-label="采购明细">
        <h3>采购明细</h3>
        <LineTable
          label="采购明细"
          lines={purchase.lines}
          priceLabel="预估单价"
          progress={[
            { title: '已下单', value: line => line.orderedQuantity },
            { title: '已入库', value: line => line.receivedQuantity },
          ]}
          note={{ title: '备注', value: line => line.remark }}
        />
      </section>
      <Loaded query={detail} height={120} rows={3}>
        {({ orders, receipts }) => (
          <>
            {orders.length > 0 && <Orders purchase={purchase} orders={orders} />}
            {receipts.length > 0 && <Receipts receipts={receipts} />}
          </>
        )}
      </Loaded>
      {purchase.way === 'process' && <ApprovalProgress bizType="purchase" bizId={purchase.id} />}
    </div>
  )
}
