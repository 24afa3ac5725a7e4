import { labelOf } from '#kit/contract/field.ts'
import { ChoiceStatus, Status } from '#kit/web/status.tsx'
import { purchaseState } from '../contract/choices.ts'
import type { Purchase } from '../contract/purchase.ts'

type StateFacts = Pick<Purchase, 'state' | 'isReturned'>

export const stateTextOf = ({ state, isReturned }: StateFacts): string =>
  isReturned ? '已退回' : labelOf(purchaseState, state)

/** The state; of a request that came back, that its applicant has to act (APR-4). */
export const PurchaseStatus = ({ row }: { readonly row: StateFacts }) =>
  row.isReturned ? (
    <Status tone="todo">{stateTextOf(row)}</Status>
  ) : (
    <ChoiceStatus choices={purchaseState} value={row.state} />
  )

/** Why it came back, and what is to be done. */
export const ReturnNotice = ({ row }: { readonly row: Pick<Purchase, 'isReturned' | 'returnReason'> }) =>
  row.isReturned ? (
    <p className="purchase-returned" role="status">
      已退回：{row.returnReason ?? ''}。修改后重新提交；不再需要的，请取消采购
    </p>
  ) : null
