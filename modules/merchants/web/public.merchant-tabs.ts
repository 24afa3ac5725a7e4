import type { ComponentType } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import { createExtensionPoint } from '#kit/web/extension-point.ts'
import type { Merchant } from '../contract/merchant.ts'

/** What other modules know of a merchant, each as a tab of it. */
interface MerchantTab {
  readonly key: string
  readonly label: string
  readonly needs: Permission
  readonly Body: ComponentType<{ readonly merchant: Merchant }>
}

export const merchantTabs = createExtensionPoint<MerchantTab>()
