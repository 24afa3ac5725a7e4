import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { asFen, subtractFen } from '#kit/domain/money.ts'
import type { Id } from '#kit/domain/id.ts'
import type { MonthOrder } from '../contract/month-order.ts'
import { quoteRefund, refundMonthOrder } from '../contract/renewal.ts'
import './month-cards.css'

/** PRK-5: the days that are not used, and what goes back for them. */
function UnusedDays({ id, fee }: { readonly id: Id; readonly fee: number }) {
  const quote = useCall(quoteRefund, { id }, { quiet: true, staleMs: 0 })
  return (
    <Loaded query={quote} height={64} rows={2}>
      {({ refundFrom, newEnd, days, amount, isWhole, parts }) => (
        <p className="renewal-quote">
          <b className="figure">
            退 {displayYuanWithSymbol(fee < amount ? subtractFen(amount, asFen(fee)) : asFen(0))}
          </b>
          <span>
            未用 {days} 天：{refundFrom} 至 {newEnd}
          </span>
          {parts.length > 1 &&
            parts.map(part => (
              <span key={part.newEnd}>
                {part.refundFrom} 至 {part.newEnd}：{part.days} 天 {displayYuanWithSymbol(part.amount)}
              </span>
            ))}
          <small>{isWhole ? '尚未开始，退款后恢复原有效期' : '退款办结后有效期止于今天'}</small>
        </p>
      )}
    </Loaded>
  )
}

const RefundForm = actionDialog({
  call: refundMonthOrder,
  title: ({ plateNo }: MonthOrder) => `月卡退款「${plateNo}」`,
  submitLabel: '申请退款',
  danger: true,
  keys: ['fee', 'refundWay', { key: 'reason', wide: true }],
  target: ({ id }) => ({ id }),
  initial: () => ({ fee: asFen(0), refundWay: 'original' as const }),
  below: ({ fee }, { id }) => <UnusedDays id={id} fee={fee ?? 0} />,
  doneText: (_, { state }) =>
    state === 'refunded' ? '已退款，有效期已调整' : '已申请退款，办结后调整有效期',
})

interface RefundDialogProps {
  readonly of: readonly MonthOrder[]
  readonly onClose: () => void
}

export const RefundDialog = ({ of: [order], onClose }: RefundDialogProps) =>
  order && <RefundForm record={order} onClose={onClose} />
