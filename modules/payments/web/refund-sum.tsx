import type { Fen } from '#kit/contract/field.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import type { PayRecord } from '../contract/record.ts'
import type { FeeRefund, requestRefund } from '../contract/refund.ts'

const RefundApprovers = lazyComponent(() => import('./refund-approvers.tsx').then(m => m.RefundApprovers))

const billAfterTexts: Readonly<Record<NonNullable<FeeRefund['billAfter']>, string>> = {
  owed: '，账单恢复欠费',
  abolished: '，账单全额退时同时作废',
  kept: '，账单仍算已缴（记为减免）',
}

/** How much goes back, what becomes of the bills, and who will be asked. */
export const RefundSum = ({
  record: { sourceName, payerName },
  amount,
  values: { billAfter, refundWay },
}: {
  readonly record: Pick<PayRecord, 'sourceName' | 'payerName'>
  readonly amount: Fen
  readonly values: Partial<NonNullable<typeof requestRefund.input.T>>
}) => (
  <>
    <p className="refund-sum">
      本次退款 <b className="figure">{displayYuanWithSymbol(amount)}</b>
      {billAfterTexts[billAfter ?? 'kept']}
    </p>
    <RefundApprovers form={{ subject: 'bills', sourceName, payerName, amount, refundWay, billAfter }} />
  </>
)
