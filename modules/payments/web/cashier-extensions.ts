import type { Id } from '#kit/domain/id.ts'
import type { ComponentType } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import { createExtensionPoint } from '#kit/web/extension-point.ts'
import type { getCashierView } from '../contract/cashier.ts'

/** Whose bills the cashier has open. */
export type CashierView = NonNullable<typeof getCashierView.output.T>
export type CashierBill = CashierView['groups'][number]['bills'][number]

export interface CashierExtensionProps {
  readonly project: string
  readonly view: CashierView
  readonly onClose: () => void
  /** Money was received or paid out: the records are printed, the view reloaded. */
  readonly onPaid: (recordIds: readonly Id[]) => void
}

/** What else a cashier takes from the payer; registered by the module that keeps that money. */
export interface CashierExtension {
  readonly key: string
  readonly label: string
  readonly shortcut: string
  readonly needs: Permission
  readonly isApplicable: (d: CashierView) => boolean
  readonly Component: ComponentType<CashierExtensionProps>
}

export const cashierExtensions = createExtensionPoint<CashierExtension>()
