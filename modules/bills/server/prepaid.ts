import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { audit } from '#kit/server/audit.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted, touch, code } from '#kit/server/sql.ts'
import type { Bill } from '../contract/bill.ts'
import { releaseLinks } from './bill-links.ts'
import { activeStates } from './bill-states.ts'
import { invoiceState } from '../contract/choices.ts'
import { lockRelations } from './bill-lock.ts'

type OrderContext = Pick<WriteContext, 'tx' | 'scope' | 'now' | 'today'>

/** Who opens the pay orders of prepaid bills. Bills know no orders: the module that keeps them registers. */
export interface PrepaidOrders {
  /** Before any row is locked: an order of nothing is settled at once, on the day. */
  readonly lockToday: (context: OrderContext, projectCode: string) => Promise<unknown>
  /** Returns the number of the order, which holds the bills. */
  readonly open: (
    context: OrderContext,
    input: { readonly projectCode: string; readonly billIds: readonly Id[] },
  ) => Promise<string>
}

let registeredOrders: PrepaidOrders | undefined

export const providePrepaidOrders = (orders: PrepaidOrders): void => {
  registeredOrders = orders
}

export const requirePrepaidOrders = (): PrepaidOrders => registeredOrders ?? refuse('未启用收款，不能预缴')

/**
 * Deletes prepaid bills of an order that was closed without payment, and restores how far their relations
 * are billed (TMP-2). Bills with a payment or held by another order stay. Returns how many were deleted;
 * may run any number of times.
 */
export async function removePrepaidBills(
  tx: Tx,
  scope: Scope,
  ids: readonly Id[],
  order?: Id,
): Promise<number> {
  const ofBills = sql`t.owner_id = ${scope.ownerId} and t.id = any(${[...ids]}::bigint[])`
  await lockRelations(tx, scope.ownerId, ofBills)
  await tx.rows(sql`select 1 from bill t where ${ofBills} order by t.id for update of t`)
  const removed = await tx.rows<
    Pick<Bill, 'id' | 'billNo' | 'relationId' | 'refType' | 'refId' | 'projectCode'>
  >(sql`
    update bill
    set delete_tag = 1, lock_order_id = null, lock_until = null, ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and id = any(${[...ids]}::bigint[])
      and is_pre
      and ${notDeleted()}
      and state in ${activeStates}
      and paid_principal = 0
      and late_fee_paid = 0
      and (lock_order_id is null or lock_order_id = ${order ?? null})
      and invoice_state = ${code(invoiceState, 'none')}
    returning id, bill_no, relation_id, ref_type, ref_id, project_code
  `)
  await releaseLinks(tx, scope, removed)
  await audit(
    tx,
    scope,
    removed.map(bill => ({
      action: 'delete',
      entity: 'bill',
      entityId: bill.id,
      projectCode: bill.projectCode,
      before: { billNo: bill.billNo },
      reason: '预缴的支付单未支付已关闭',
    })),
  )
  return removed.length
}
