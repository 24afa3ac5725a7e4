import type { Tx } from '#kit/server/db.ts'
import { defineEvent } from '#kit/server/event.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { Bill } from '../contract/bill.ts'
import type { BillAction } from '../domain/actions.ts'

/**
 * What was done to bills on the bills screen, and the bills as they were before. Bills made out of them (the
 * halves of a split, the copy of a reissued one) are there when it is published.
 */
export interface BillsChanged {
  readonly action: BillAction | 'reissue'
  readonly bills: readonly Pick<Bill, 'id' | 'refType' | 'refId'>[]
}

/**
 * In the transaction of an action on bills (waived, written off, …), for modules whose bills they are.
 * Payments have events of their own.
 */
export const [onBillsChanged, publishBillsChanged] =
  defineEvent<[tx: Tx, scope: Scope, change: BillsChanged]>()
