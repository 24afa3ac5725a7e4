import { parseId } from '#kit/domain/id.ts'
import type { Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findRequestedByCaller, findReturns } from '#modules/approvals/server/public.ts'
import type { AttendanceApply } from '../contract/apply.ts'

/** Which of the documents came back to those who asked for them, why, and which the caller changes. */
export async function addReturns(
  db: Db,
  scope: Scope,
  rows: readonly AttendanceApply[],
): Promise<readonly AttendanceApply[]> {
  const waiting = rows.flatMap(({ state, instanceId }) =>
    state === 'pending' && instanceId ? [parseId(instanceId)] : [],
  )
  const returns = await findReturns(db, scope, waiting)
  const ofCaller = await findRequestedByCaller(db, scope, [...returns.keys()])
  return rows.map(row => {
    const instanceId = row.instanceId ? parseId(row.instanceId) : undefined
    const returnReason = instanceId === undefined ? undefined : returns.get(instanceId)
    if (instanceId === undefined || returnReason === undefined) return row
    return { ...row, isReturned: true, returnReason, isAmendable: ofCaller.has(instanceId) }
  })
}

/** Whether the caller asked for a document: the own one, or one that was registered for somebody else. */
export async function isRequestedByCaller(
  db: Db,
  scope: Scope,
  { instanceId }: Pick<AttendanceApply, 'instanceId'>,
): Promise<boolean> {
  const id = instanceId ? parseId(instanceId) : undefined
  return id !== undefined && (await findRequestedByCaller(db, scope, [id])).has(id)
}
