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
  readonly refund: Pick<FeeRefund, 'isReturned' | 'returnReason' | 'subject'>
}) =>
  refund.isReturned ? (
    <p className="note" role="status">
      已退回：{(refund.returnReason ?? '').replace(/[。．；;]+$/, '')}。
      {refund.subject === 'bills'
        ? '退款方式与原因可以修改后重新提交；账单或金额有误的，请取消退款后重新申请'
        : '金额与原因可以修改后重新提交'}
    </p>
  ) : null
