import type { BulkResult } from '#kit/contract/bulk-result.ts'
import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { audit } from '#kit/server/audit.ts'
import { bulkResultOf, judgeRecords } from '#kit/server/bulk-result.ts'
import { sql } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { publishRowsWritten } from '#kit/server/record-events.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { findByIds, insertAll, updateAll } from '#kit/server/table.ts'
import { notFound } from '#kit/contract/wire.ts'
import { visitState } from '../contract/choices.ts'
import { inviteValid } from '../contract/invite-valid.ts'
import { visitRecord, type VisitRecord } from '../contract/visit-record.ts'
import { inviteVisitor } from '../contract/visitor.ts'
import { markCodes } from './code-marks.ts'
import { refreshInvitations } from './invitation-state.ts'

const present = <T>(values: readonly (T | undefined)[]): T[] => values.flatMap(value => value ?? [])

/** 30 → 40. An entrance may be left once, so the count of exits stays within that of entrances. */
async function releaseVisitors(
  visitorIds: readonly Id[],
  { tx, scope, now }: WriteContext,
): Promise<readonly { readonly id: Id; readonly projectCode: string }[]> {
  const released = await tx.rows<{ id: Id; projectCode: string; inviteNo: string }>(sql`
    update invite_visitor
    set state = ${code(visitState, 'left')}, leave_time = ${now}::timestamptz,
      exit_times = least(exit_times + 1, used_times), ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and id = any(${[...visitorIds]}::bigint[])
      and state = ${code(visitState, 'arrived')}
      and ${notDeleted()}
    returning id, project_code, invite_no
  `)
  markCodes(tx, scope.ownerId, released)
  await audit(
    tx,
    scope,
    released.map(({ id, projectCode }) => ({
      action: 'state' as const,
      entity: inviteVisitor.name,
      entityId: id,
      projectCode,
      before: { state: 'arrived' },
      after: { state: 'left', leaveTime: now },
    })),
  )
  publishRowsWritten(tx, scope.ownerId, { entity: inviteVisitor.name, action: 'update' }, released)
  return released
}

/** Locks invitations in one order, so that two gates never wait for each other. */
const lockInvitations = ({ tx, scope }: WriteContext, ids: readonly Id[]): Promise<unknown> =>
  tx.rows(sql`
    select id
    from visitor_invitation
    where owner_id = ${scope.ownerId} and id = any(${[...ids]}::bigint[])
    order by id
    for update
  `)

/** Records that are inside and locked: they leave now. */
async function closeRecords(
  records: readonly VisitRecord[],
  locationId: Id | undefined,
  c: WriteContext,
): Promise<void> {
  const { tx, scope, now } = c
  const left = { outTime: now, outLocationId: locationId, outGuardName: scope.name, state: 'left' as const }
  await updateAll(tx, visitRecord, scope, records, left, { action: 'state' })
  const visitorIds = present(records.map(record => record.visitorId))
  if (!visitorIds.length) return
  await releaseVisitors(visitorIds, c)
  await insertAll(
    tx,
    inviteValid,
    scope,
    records
      .filter(record => record.visitorId !== undefined)
      .map(({ projectCode, invitationId, visitorId }) => ({
        projectCode,
        invitationId,
        visitorId,
        locationId,
        direction: 'out' as const,
        validTime: now,
        result: 'passed' as const,
        guardId: scope.operatorId,
        guardName: scope.name,
      })),
  )
  await refreshInvitations(tx, scope, [...new Set(present(records.map(record => record.invitationId)))])
}

/** VIS-5: 30 → 40, answered record by record. */
export async function leaveRecords(
  ids: readonly (Id | string)[],
  locationId: Id | undefined,
  c: WriteContext,
): Promise<BulkResult> {
  const { tx, scope } = c
  const asked = ids.map(String)
  const before = await findByIds(tx, visitRecord, scope, asked)
  if (!before.length) throw notFound()
  await lockInvitations(c, [...new Set(present(before.map(record => record.invitationId)))])
  const found = await findByIds(tx, visitRecord, scope, asked, { lock: true })
  const { allowed, refused } = judgeRecords(
    found,
    ({ state, outTime }) =>
      state === 'inside' ? undefined : `已于 ${defined(outTime).slice(0, 16)} 离开，无需再登记`,
    record => record.visitorName,
  )
  if (allowed.length) {
    await closeRecords(allowed, locationId, c)
  }
  return bulkResultOf(asked, found, refused)
}
