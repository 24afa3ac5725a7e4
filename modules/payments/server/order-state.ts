import type { Id } from '#kit/domain/id.ts'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import { touch } from '#kit/server/sql.ts'
import { orderState } from '../contract/choices.ts'
import type { PayOrder } from '../contract/order.ts'
import { orderStates, type OrderState } from '../domain/order.ts'

/** The installation itself at work in a company. */
export const orderSystemScope = (
  app: { readonly clock: () => number },
  ownerId: Id,
  projectCode = '',
): Scope => ({
  ...clockScope(app, ownerId),
  projectCode,
  requestId: '',
})

const stateCodeOf = (state: OrderState): number => Number(codeOf(orderState, state))

/** Columns of `pay_order` by their names. */
export type OrderColumns = Readonly<Record<string, unknown>>

export const assignColumns = (columns: OrderColumns) =>
  sql.join(Object.entries(columns).map(([column, value]) => sql`${sql.id(column)} = ${value}`))

/**
 * One step of an order, where its state still allows it (C5.1). Returns whether it was taken: somebody else
 * may have been first.
 */
export async function transitionOrder(
  tx: Tx,
  scope: Scope,
  order: Pick<PayOrder, 'id' | 'projectCode' | 'orderNo'>,
  newState: OrderState,
  columns: OrderColumns = {},
  reason?: string,
): Promise<boolean> {
  const before = await tx.one<{ state: number }>(
    sql`
      select state
      from pay_order
      where owner_id = ${scope.ownerId}
        and id = ${order.id}
        and state = any(${orderStates.previousStates(newState).map(stateCodeOf)}::int[])
      for update
    `,
  )
  if (!before) return false
  await tx.execute(
    sql`
      update pay_order
      set ${assignColumns({ ...columns, state: stateCodeOf(newState) })}, ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = ${order.id}
    `,
  )
  await audit(tx, scope, [
    {
      action: 'state',
      entity: 'payOrder',
      entityId: order.id,
      projectCode: order.projectCode,
      before: { state: keyOf(orderState, before.state) },
      after: { state: newState },
      reason,
    },
  ])
  return true
}

/** From every state from which money can come (PAY-5 too); a failed order is 支付中 again on the way. */
export async function markPaid(tx: Tx, scope: Scope, order: PayOrder, columns: OrderColumns): Promise<void> {
  if (order.state === 'failed') {
    await transitionOrder(tx, scope, order, 'paying')
  }
  if (!(await transitionOrder(tx, scope, order, 'paid', columns)))
    throw new Error(`order ${order.orderNo} cannot be paid from ${order.state}`)
}
