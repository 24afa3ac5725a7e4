import type { Id } from '#kit/domain/id.ts'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { quoteOrderRefund, refundMerchantOrder } from '../contract/order-return.ts'
import { type MerchantOrder } from '../contract/order.ts'
import './merchant-coupons.css'

/** What of an order is not presented, and what goes back for it. */
function Refundable({ id }: { readonly id: Id }) {
  const quote = useCall(quoteOrderRefund, { id }, { quiet: true, staleMs: 0 })
  return (
    <Loaded query={quote} height={64} rows={2}>
      {({ qty, amount, details }) => (
        <div className="coupon-quote">
          <b className="figure">
            退 {qty} 张，{displayYuanWithSymbol(amount)}
          </b>
          {details.map(({ couponName, qty: back, expiredQty }) => (
            <span key={couponName}>
              {couponName} {back} 张{expiredQty > 0 ? `，过期不退 ${expiredQty} 张` : ''}
            </span>
          ))}
          <small>已发放的不退；退款按实付与数量的比例计算</small>
        </div>
      )}
    </Loaded>
  )
}

const RefundForm = actionDialog({
  call: refundMerchantOrder,
  title: ({ orderNo }: MerchantOrder) => `退券「${orderNo}」`,
  submitLabel: '申请退券',
  danger: true,
  keys: ['refundWay', { key: 'reason', wide: true }],
  target: ({ id }) => ({ id }),
  initial: () => ({ refundWay: 'original' as const }),
  below: (_, { id }) => <Refundable id={id} />,
  doneText: ({ refundedQty: before }, { refundId, refundedQty }) =>
    refundId === undefined ? `已退 ${refundedQty - before} 张` : '已申请退券，退款办结后完成',
})

interface RefundDialogProps {
  readonly of: readonly MerchantOrder[]
  readonly onClose: () => void
}

export const RefundDialog = ({ of: [order], onClose }: RefundDialogProps) =>
  order && <RefundForm record={order} onClose={onClose} />
