import type { Id } from '#kit/domain/id.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { Bill } from '../contract/bill.ts'
import type { BillAction } from '../domain/actions.ts'

/** Of these orders those that ended, each with why nothing is owed for it any more. */
type OrderRefusals = (tx: Tx, scope: Scope, orderIds: readonly Id[]) => Promise<ReadonlyMap<Id, string>>

const providers = new Map<string, OrderRefusals>()

/**
 * Registers who knows whether the orders that bills name by `refType` stand: no bill of one that ended is
 * made effective again, nor replaced by a new one.
 */
export const provideOrderRefusals = (refType: string, provider: OrderRefusals): void => {
  providers.set(refType, provider)
}

/** Whether an action makes bills owed that were not. */
export const isReviving = (action: BillAction): boolean =>
  action === 'recover' || action === 'reverseWriteOff'

/** Why bills may not be owed again, by the bill; those that may are not in it. The bills are locked. */
export async function findOrderRefusals(
  tx: Tx,
  scope: Scope,
  bills: readonly Pick<Bill, 'id' | 'refType' | 'refId'>[],
): Promise<ReadonlyMap<Id, string>> {
  const refused = new Map<Id, string>()
  for (const [refType, ofType] of Map.groupBy(bills, bill => bill.refType)) {
    const provider = refType === undefined ? undefined : providers.get(refType)
    if (!provider) continue
    const reasons = await provider(tx, scope, [...new Set(ofType.flatMap(({ refId }) => refId ?? []))])
    for (const { id, refId } of ofType) {
      const reason = refId === undefined ? undefined : reasons.get(refId)
      if (reason !== undefined) {
        refused.set(id, reason)
      }
    }
  }
  return refused
}
