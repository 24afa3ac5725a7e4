import { invalidField, notFound, type FieldFault } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { code } from '#kit/server/sql.ts'
import type { Day } from '#kit/domain/day.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById } from '#kit/server/table.ts'
import { markRecords } from '#modules/access/server/public.ts'
import { resident } from '#modules/residents/contract/resident.ts'
import { staff } from '#modules/staff/contract/staff.ts'
import { rightState } from '../contract/choices.ts'
import { elevator } from '../contract/elevator.ts'
import { elevatorRights, exportElevatorRights, type ElevatorRight } from '../contract/right.ts'

type Draft = Pick<
  ElevatorRight,
  'projectCode' | 'elevatorId' | 'userId' | 'staffId' | 'floors' | 'beginDate' | 'endDate'
>

async function rightFaults(draft: Draft, { tx, scope }: WriteContext): Promise<FieldFault[]> {
  const { projectCode, elevatorId, userId, staffId, floors, beginDate, endDate } = draft
  const lift = await requireById(tx, elevator, scope, elevatorId)
  if (lift.projectCode !== projectCode) throw notFound()
  const isOne = (userId === undefined) !== (staffId === undefined)
  const unknown = floors.find(floor => !lift.floorList?.includes(floor))
  return [
    ...(isOne ? [] : [{ Field: 'UserID', Message: userId ? '住户和员工只能选一个' : '请选择住户或员工' }]),
    ...(unknown === undefined
      ? []
      : [{ Field: 'Floors', Message: `电梯「${lift.name}」不停靠 ${unknown} 层，请重新选择` }]),
    ...(beginDate && endDate && endDate < beginDate
      ? [{ Field: 'EndDate', Message: '失效日期不能早于生效日期' }]
      : []),
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

/** The last day counts. */
const isOver = ({ endDate }: Pick<Draft, 'endDate'>, today: Day): boolean =>
  endDate !== undefined && endDate < today

export const rightServer = crudHandlers(elevatorRights, {
  export: exportElevatorRights,
  filter: ({ isCurrent, isExpired }, { today }) => [
    ...(isCurrent ? [sql`${isValid} and (t.end_date is null or t.end_date >= ${today}::date)`] : []),
    ...(isExpired ? [sql`${isValid} and t.end_date < ${today}::date`] : []),
  ],
  enrich: async (rows, { today }) =>
    rows.map(row => ({ ...row, isExpired: row.state === 'valid' && isOver(row, today) })),
  beforeInsert: (draft, { today }) => {
    if (isOver(draft, today)) throw invalidField('EndDate', '失效日期已过，请填写今天或以后的日期')
    return {}
  },
  refusesChangeOf: ['projectCode', 'userId', 'staffId', 'elevatorId'],
  check: rightFaults,
  afterInsert: async (row, { tx, scope }) => markHolders(tx, scope, [row]),
  afterUpdate: async (row, { tx, scope }) => markHolders(tx, scope, [row]),
  afterDelete: async (rows, { tx, scope }) => markHolders(tx, scope, rows),
})
