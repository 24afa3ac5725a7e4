import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { defineEvent } from '#kit/server/event.ts'
import type { Scope } from '#kit/server/scope.ts'
import { touch } from '#kit/server/sql.ts'
import type { Staff } from '../contract/staff.ts'
import { forgetFingerprints } from './fingerprint.ts'

/**
 * In the transaction in which people leave, or their records are deleted: what opens to them ends and does
 * not come back with them.
 */
export const [onStaffLeft, publishStaffLeft] =
  defineEvent<[tx: Tx, scope: Scope, staffIds: readonly Id[], reason: string]>()

/** Ends what people led, but for the department that they are in then. */
export const clearDepartmentLeader = (
  tx: Tx,
  scope: Scope,
  people: readonly Pick<Staff, 'id'>[],
  keptDepartmentId: Id = 0,
): Promise<number> =>
  tx.execute(sql`
    update department
    set leader_id = null, ${touch(scope)}
    where owner_id = ${scope.ownerId} and leader_id = any(${people.map(s => s.id)})
      and id <> ${keptDepartmentId}
  `)

/** Of people who leave: what they led and what opens to them. */
export async function endDuties(
  tx: Tx,
  scope: Scope,
  people: readonly Pick<Staff, 'id'>[],
  reason: string,
): Promise<void> {
  if (!people.length) return
  await clearDepartmentLeader(tx, scope, people)
  await forgetFingerprints(tx, scope, people, reason)
  const staffIds = people.map(({ id }) => id)
  await publishStaffLeft(tx, scope, staffIds, reason)
}
