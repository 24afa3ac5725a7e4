import { usePermission } from '#kit/web/session.ts'
import { useCall } from '#kit/web/query.ts'
import { getInstanceOfRecord, type InstanceDetail } from '#modules/approvals/contract/instance.ts'
import { getOwnPurchase, getPurchase, type Purchase } from '../contract/purchase.ts'
import { menu } from '../module.ts'

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
