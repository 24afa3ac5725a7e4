import { usePermission } from '#kit/web/session.ts'
import { useCall } from '#kit/web/query.ts'
import { getInstanceOfRecord, type InstanceDetail } from '#modules/approvals/contract/instance.ts'
import { getOwnPurchase, getPurchase, type Purchase } from '../contract/purchase.ts'
import { menu } from '../module.ts'
import { labelOf } from '#kit/contract/field.ts'
import { ChoiceStatus, Status } from '#kit/web/status.tsx'
import { purchaseState } from '../contract/choices.ts'

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
      已退回：{(row.returnReason ?? '').replace(/[。．；;]+$/, '')}。修改后重新提交；不再需要的，请取消采购
    </p>
  ) : null

/** The call that shows this person a purchase: any of their projects, or their own alone. */
export const useDetailCall = (): typeof getPurchase =>
  usePermission()(menu.purchase.permissions.view) ? getPurchase : getOwnPurchase

/** The approval that a request goes by at present. */
export const usePurchaseApproval = (
  row: Pick<Purchase, 'id' | 'state' | 'way'> | undefined,
): InstanceDetail | undefined =>
  useCall(
    getInstanceOfRecord,
    { bizType: 'purchase', bizId: row?.id ?? 0 },
    { quiet: true, staleMs: 0, enabled: row?.state === 'approving' && row.way === 'process' },
  ).data ?? undefined
