import { notFound, type FieldFault } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { code } from '#kit/server/sql.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById } from '#kit/server/table.ts'
import { markRecords } from '#modules/access/server/public.ts'
import { resident } from '#modules/residents/contract/resident.ts'
import { holderFaults, isOver, validityFaults } from '#modules/residents/server/public.ts'
import { staff } from '#modules/staff/contract/staff.ts'
import { rightState } from '../contract/choices.ts'
import { elevator } from '../contract/elevator.ts'
import { elevatorRights, exportElevatorRights, type ElevatorRight } from '../contract/right.ts'

type Draft = Pick<
  ElevatorRight,
  'projectCode' | 'elevatorId' | 'userId' | 'staffId' | 'floors' | 'beginDate' | 'endDate'
>

async function rightFaults(
  draft: Draft,
  { tx, scope, today }: WriteContext,
  before: ElevatorRight | undefined,
): Promise<FieldFault[]> {
  const { projectCode, elevatorId, userId, staffId, floors } = draft
  const lift = await requireById(tx, elevator, scope, elevatorId)
  if (lift.projectCode !== projectCode) throw notFound()
  const isOne = (userId === undefined) !== (staffId === undefined)
  const unknown = floors.find(floor => !lift.floorList?.includes(floor))
  return [
    ...(isOne ? [] : [{ Field: 'UserID', Message: userId ? '住户和员工只能选一个' : '请选择住户或员工' }]),
    ...(unknown === undefined
      ? []
      : [{ Field: 'Floors', Message: `电梯「${lift.name}」不停靠 ${unknown} 层，请重新选择` }]),
    ...(before ? [] : await holderFaults(tx, { ownerId: scope.ownerId, projectCode, today }, { userId })),
    ...validityFaults(draft, today, before),
  ]
}

/** Everything that their holders have is computed again (ACS-3). */
export function markHolders(tx: Tx, { ownerId }: Scope, rights: readonly ElevatorRight[]): void {
  markRecords(
    tx,
    ownerId,
    resident.name,
    rights.flatMap(({ userId }) => (userId === undefined ? [] : [userId])),
  )
  markRecords(
    tx,
    ownerId,
    staff.name,
    rights.flatMap(({ staffId }) => (staffId === undefined ? [] : [staffId])),
  )
}

const isValid = sql`t.state = ${code(rightState, 'valid')}`

export const rightServer = crudHandlers(elevatorRights, {
  export: exportElevatorRights,
  // What is over is not valid, whatever it was set to.
  filter: ({ isCurrent, isExpired, state }, { today }) => [
    ...(isCurrent ? [sql`${isValid} and (t.end_date is null or t.end_date >= ${today}::date)`] : []),
    ...(isExpired ? [sql`${isValid} and t.end_date < ${today}::date`] : []),
    ...(state ? [sql`not (${isValid} and coalesce(t.end_date < ${today}::date, false))`] : []),
  ],
  enrich: async (rows, { today }) =>
    rows.map(row => ({ ...row, isExpired: row.state === 'valid' && isOver(row, today) })),
  refusesChangeOf: ['projectCode', 'userId', 'staffId', 'elevatorId'],
  check: rightFaults,
  afterInsert: async (row, { tx, scope }) => markHolders(tx, scope, [row]),
  afterUpdate: async (row, { tx, scope }) => markHolders(tx, scope, [row]),
  afterDelete: async (rows, { tx, scope }) => markHolders(tx, scope, rows),
})
