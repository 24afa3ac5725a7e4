import { parseId, type Id } from '#kit/domain/id.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findIdsInForms, selectIdsInForms } from '#modules/approvals/server/public.ts'
import { discountApprovalKind, writeOffKind } from '../contract/approval-kinds.ts'
import type { Bill } from '../contract/bill.ts'

/** A bill waits for one of them at a time. */
const billKinds = [writeOffKind, discountApprovalKind]

/** Those of the bills that wait in an approval: what is asked for them is decided before they change. */
export async function findWaitingBills(
  db: Db,
  scope: Pick<Scope, 'ownerId'>,
  rows: readonly Pick<Bill, 'id'>[],
): Promise<ReadonlySet<Id>> {
  if (!rows.length) return new Set()
  const ids = rows.map(({ id }) => String(id))
  return new Set([...(await findIdsInForms(db, scope, billKinds, ids))].map(parseId))
}

/** The same condition in SQL; correct for bills that were locked before the statement. */
export const waitingCondition = (ownerId: Id, billId: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${billId} in (select w.id::bigint from (${selectIdsInForms(ownerId, billKinds)}) w)`
