import { usePermission } from '#kit/web/session.ts'
import { getOwnPurchase, getPurchase } from '../contract/purchase.ts'
import { menu } from '../module.ts'

/** The call that shows this person a purchase: any of their projects, or their own alone. */
export const useDetailCall = (): typeof getPurchase =>
  usePermission()(menu.purchase.permissions.view) ? getPurchase : getOwnPurchase
