import type { Tx } from '#kit/server/db.ts'
import { defineEvent } from '#kit/server/event.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { Bill } from '../contract/bill.ts'
import type { BillAction } from '../domain/actions.ts'

/** What was done to bills on the bills screen, and the bills as they were before. */
export interface BillsChanged {
  readonly action: BillAction
  readonly bills: readonly Bill[]
}

/**
 * In the transaction of an action on bills (waived, written off, …), for modules whose bills they are.
 * Payments have events of their own.
 */
export const [onBillsChanged, publishBillsChanged] =
  defineEvent<[tx: Tx, scope: Scope, change: BillsChanged]>()
