import { notFound, refuse, type FieldFault } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { reads, type ReadContext, type WriteContext } from '#kit/server/handler.ts'
import { code, flagFilter } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { holderFaults, isOver, validityFaults } from '#modules/residents/server/public.ts'
import { vipState } from '../contract/choices.ts'
import {
  getHolderVipDoorway,
  listHolderVipDoorways,
  vipDoorway,
  vipDoorways,
  type VipDoorway,
} from '../contract/vip-doorway.ts'

type Draft = Pick<VipDoorway, 'projectCode' | 'userId' | 'staffId' | 'beginDate' | 'endDate'>

async function vipFaults(
  draft: Draft,
  { tx, scope: { ownerId }, today }: WriteContext,
  before: VipDoorway | undefined,
): Promise<FieldFault[]> {
  const { projectCode, userId, staffId } = draft
  const isOne = (userId === undefined) !== (staffId === undefined)
  const Message = userId ? '住户和员工只能选一个' : '请选择住户或员工'
  const query = { ownerId, projectCode, today }
  return [
    ...(isOne ? [] : [{ Field: 'UserID', Message }]),
    ...(before ? [] : await holderFaults(tx, query, { userId })),
    ...validityFaults(draft, today, before),
  ]
}

const isValid = sql`t.state = ${code(vipState, 'valid')}`
const isPast = (today: Day): RawBuilder<unknown> => sql`t.end_date < ${today}::date`

const shown = (row: VipDoorway, today: Day): VipDoorway => ({
  ...row,
  doorwayCount: row.doorwayIds.length,
  isExpired: row.state === 'valid' && isOver(row, today),
})

export const vipDoorwayServer = crudHandlers(vipDoorways, {
  refusesChangeOf: ['projectCode', 'userId', 'staffId'],
  check: vipFaults,
  // What is over is not valid, whatever it was set to.
  filter: ({ isExpired, state }, { today }) => [
    ...flagFilter(isExpired, sql`${isValid} and ${isPast(today)}`),
    ...(state ? [sql`not (${isValid} and coalesce(${isPast(today)}, false))`] : []),
  ],
  enrich: async (rows, { today }) => rows.map(row => shown(row, today)),
})

interface Holder {
  readonly userId?: number | undefined
  readonly staffId?: number | undefined
}

function holderCondition({ userId, staffId }: Holder): RawBuilder<unknown> {
  if (userId !== undefined) return sql`t.user_id = ${userId}`
  return staffId === undefined ? refuse('请指定住户或员工') : sql`t.staff_id = ${staffId}`
}

const findOfHolder = async (
  holder: Holder,
  { db, scope, today }: ReadContext,
  where: readonly RawBuilder<unknown>[] = [],
): Promise<VipDoorway[]> =>
  (await findAll(db, vipDoorway, scope, {}, { where: [holderCondition(holder), ...where] })).map(row =>
    shown(row, today),
  )

export const vipDoorwayHandlers = [
  reads(getHolderVipDoorway, async (holder, c) => {
    const [row] = await findOfHolder(holder, c, [
      sql`t.state = ${code(vipState, 'valid')}`,
      sql`(t.begin_date is null or t.begin_date <= ${c.today})`,
      sql`(t.end_date is null or t.end_date >= ${c.today})`,
    ])
    if (!row) throw notFound()
    return row
  }),
  reads(listHolderVipDoorways, (holder, c) => findOfHolder(holder, c)),
]
