import { bulkResultOf, judgeRecords } from '#kit/server/bulk-result.ts'
import { type Id } from '#kit/domain/id.ts'
import { notFound, invalidInput } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { code, touch } from '#kit/server/sql.ts'
import { findByIds } from '#kit/server/table.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { findMoveInFaults } from '#modules/rooms/server/public.ts'
import { residencyStatus } from '../contract/labels.ts'
import { auditResidencies, residency, type Residency } from '../contract/residency.ts'
import { enteredDays, residencyStatusMachine } from '../domain/residency.ts'
import { findRoomsWithMainOwner, releaseMainAndPayer } from './residency-links.ts'
import { logResidencyChanges } from './residency-log.ts'
import { syncRoomOccupancy } from './room-occupancy.ts'

type AuditInput = NonNullable<typeof auditResidencies.input.T>

function assertValidAudit({ pass, inDate, reason }: AuditInput, today: Day): void {
  if (!pass && [...(reason ?? '')].length < 2)
    throw invalidInput([{ Field: 'Reason', Message: '驳回请填写原因（2 到 200 字）' }])
  if (inDate && inDate > today)
    throw invalidInput([{ Field: 'InDate', Message: '入住日期不能晚于今天，请到当天再办理' }])
}

/** Gives each room one main owner and one payer; who gets a role takes it from the present one (BASE-9). */
async function assignRoles(
  { tx, scope }: WriteContext,
  passed: readonly Residency[],
): Promise<readonly Residency[]> {
  const roomsWithMainOwner = await findRoomsWithMainOwner(
    tx,
    scope.ownerId,
    passed.map(r => r.roomId),
  )
  const roomsWithPayer = new Set<Id>()
  const assigned = passed.map((row): Residency => {
    const isMain = row.relation === 'owner' && !roomsWithMainOwner.has(row.roomId)
    const isPayer = row.isPayer && !roomsWithPayer.has(row.roomId)
    if (isMain) {
      roomsWithMainOwner.add(row.roomId)
    }
    if (isPayer) {
      roomsWithPayer.add(row.roomId)
    }
    return { ...row, isMain, isPayer }
  })
  await releaseMainAndPayer(tx, scope, assigned)
  return assigned
}

async function writePassed(
  context: WriteContext,
  passed: readonly Residency[],
  inDate: Day | undefined,
): Promise<void> {
  const { tx, scope } = context
  const roles = (await assignRoles(context, passed)).map(r => ({
    id: r.id,
    main: r.isMain,
    payer: r.isPayer,
  }))
  await tx.execute(sql`
    update user_room u
    set status = ${code(residencyStatus, 'living')}, is_main = r.main, is_payer = r.payer,
      in_date = coalesce(u.in_date, ${inDate ?? null}), audit_by = ${scope.operatorId},
      audit_time = ${scope.time}::timestamptz, ${touch(scope, 'u')}
    from jsonb_to_recordset(${JSON.stringify(roles)}::jsonb) as r(id bigint, main boolean, payer boolean)
    where u.owner_id = ${scope.ownerId} and u.id = r.id and u.status = ${code(residencyStatus, 'pending')}
  `)
}

async function writeRejected(
  { tx, scope }: WriteContext,
  rejected: readonly Residency[],
  reason: string | undefined,
): Promise<void> {
  await tx.execute(sql`
    update user_room
    set status = ${code(residencyStatus, 'refused')},
      reject_reason = ${reason ?? null}, audit_by = ${scope.operatorId},
      audit_time = ${scope.time}::timestamptz, ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and id = any(${rejected.map(r => r.id)})
      and status = ${code(residencyStatus, 'pending')}
  `)
}

/** Each separately: one that cannot pass does not hold up the others (G-11). */
const auditResidenciesHandler = writes(auditResidencies, async (input, context) => {
  const { ids, pass, inDate, reason } = input
  const { tx, scope, today } = context
  assertValidAudit(input, today)
  const asked = await findByIds(tx, residency, scope, ids)
  if (!asked.length) throw notFound()
  // Rooms are locked before their residencies, as in every move.
  const rooms = await findByIds(tx, room, scope, [...new Set(asked.map(r => r.roomId))], { lock: true })
  const found = await findByIds(tx, residency, scope, ids, { lock: true })
  const nextStatus = pass ? 'living' : 'refused'
  const moveInFaults = pass ? await findMoveInFaults(tx, scope, rooms) : new Map<Id, string>()
  const { allowed, refused } = judgeRecords(
    found,
    r =>
      residencyStatusMachine.checkTransition(r.status, nextStatus) ??
      (r.inDate || inDate ? moveInFaults.get(r.roomId) : undefined),
    r => r.userName ?? '',
  )
  await (pass ? writePassed(context, allowed, inDate) : writeRejected(context, allowed, reason))
  await logResidencyChanges(
    tx,
    scope,
    allowed.map(row => ({
      residency: row,
      userName: row.userName ?? '',
      action: pass ? 'passed' : 'refused',
      day: row.inDate ?? inDate ?? today,
      reason,
    })),
  )
  if (pass) {
    const roomIds = allowed.map(r => r.roomId)
    const days = enteredDays(allowed.map(r => ({ ...r, inDate: r.inDate ?? inDate })))
    await syncRoomOccupancy(tx, scope, roomIds, { today, ...days, dateField: 'InDate' })
  }
  return bulkResultOf(ids, found, refused)
})

export const residencyAuditHandlers = [auditResidenciesHandler]
