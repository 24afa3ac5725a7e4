import type { ChoiceOf, Fen, ValueOf } from '#kit/contract/field.ts'
import { ApproverPreview } from '#modules/approvals/web/public.ts'
import { refundKind } from '../contract/approval-kinds.ts'
import type { refundSubject } from '../contract/choices.ts'
import { refundWayOf } from '../domain/refund.ts'

interface RefundApproversProps {
  /** What is known of the refund so far: conditions of the definition ask it. */
  readonly form: Partial<ValueOf<typeof refundKind.form>>
}

/** Under the form of a refund: who will be asked, where the company's definition asks somebody (REF-3). */
export const RefundApprovers = ({ form }: RefundApproversProps) =>
  form.amount === undefined ? null : (
    <ApproverPreview bizType={refundKind.key} fields={refundKind.form} form={form} noneText="" />
  )

interface BalanceRefundApproversProps {
  readonly subject: Exclude<ChoiceOf<typeof refundSubject>, 'bills'>
  readonly sourceName: string
  readonly payerName?: string | undefined
  readonly amount: Fen | undefined
  readonly method: string | undefined
}

/** The same of money that is in an account or a deposit. */
export const BalanceRefundApprovers = ({ method, ...form }: BalanceRefundApproversProps) => (
  <RefundApprovers form={{ ...form, refundWay: refundWayOf(method) }} />
)
