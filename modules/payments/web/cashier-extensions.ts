import type { ComponentType } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import { createExtensionPoint } from '#kit/web/extension-point.ts'
import type { getCashierView } from '../contract/cashier.ts'

/** Whose bills lie on the till. */
export type CashierView = NonNullable<typeof getCashierView.output.T>

export interface CashierExtensionProps {
  readonly project: string
  readonly view: CashierView
  readonly onClose: () => void
  /** Money came or went: these records are printed, the till is read again. */ readonly onPaid: (
    recordIds: readonly number[],
  ) => void
}

/** What else a till takes from the one who stands before it; lent by the module that keeps that money. */
export interface CashierExtension {
  readonly key: string
  readonly label: string
  readonly shortcut: string
  readonly needs: Permission
  readonly isApplicable: (d: CashierView) => boolean
  readonly Component: ComponentType<CashierExtensionProps>
}

export const cashierExtensions = createExtensionPoint<CashierExtension>()
