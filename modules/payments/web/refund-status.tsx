import { labelOf } from '#kit/contract/field.ts'
import { ChoiceStatus, Status } from '#kit/web/status.tsx'
import { refundState } from '../contract/choices.ts'
import type { FeeRefund } from '../contract/refund.ts'

type StateFacts = Pick<FeeRefund, 'state' | 'isReturned'>

export const refundStateText = ({ state, isReturned }: StateFacts): string =>
  isReturned ? '已退回' : labelOf(refundState, state)

/** The state; of a refund whose approval came back, that its applicant has to act (APR-4). */
export const RefundStatus = ({ refund }: { readonly refund: StateFacts }) =>
  refund.isReturned ? (
    <Status tone="todo">{refundStateText(refund)}</Status>
  ) : (
    <ChoiceStatus choices={refundState} value={refund.state} />
  )

/** Why it came back, and what is to be done. */
export const RefundReturnNotice = ({
  refund,
}: {
  readonly refund: Pick<FeeRefund, 'isReturned' | 'returnReason'>
}) =>
  refund.isReturned ? (
    <p className="note" role="status">
      已退回：{(refund.returnReason ?? '').replace(/[。．；;]+$/, '')}
      。退款内容不能修改：内容有误的，请取消退款后重新申请；无误的，请重新提交
    </p>
  ) : null
