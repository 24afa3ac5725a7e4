import { notFound, refuse, type FieldFault } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { bulkResultOf } from '#kit/server/bulk-result.ts'
import type { CrudContext } from '#kit/server/crud-hooks.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import { code, flagFilter } from '#kit/server/sql.ts'
import { findAll, findByIds, remove } from '#kit/server/table.ts'
import { holderFaults, isOver, validityFaults } from '#modules/residents/server/public.ts'
import { vipState } from '../contract/choices.ts'
import { doorway } from '../contract/doorway.ts'
import {
  deleteHolderVipDoorways,
  getHolderVipDoorway,
  listHolderVipDoorways,
  vipDoorway,
  vipDoorways,
  type VipDoorway,
} from '../contract/vip-doorway.ts'

type Draft = Pick<
  VipDoorway,
  'projectCode' | 'userId' | 'staffId' | 'doorwayIds' | 'beginDate' | 'endDate' | 'state'
>

const isValid = sql`t.state = ${code(vipState, 'valid')}`

interface Holder {
  readonly userId?: number | undefined
  readonly staffId?: number | undefined
}

function holderCondition({ userId, staffId }: Holder): RawBuilder<unknown> {
  if (userId !== undefined) return sql`t.user_id = ${userId}`
  return staffId === undefined ? refuse('请指定住户或员工') : sql`t.staff_id = ${staffId}`
}

/** Doors that the person may open by another record on some of the same days: one writer after the other. */
async function findDoubled(
  { projectCode, userId, staffId, beginDate, endDate, doorwayIds, state }: Draft,
  { tx, scope, today }: WriteContext,
  before: VipDoorway | undefined,
): Promise<string[]> {
  if (state !== 'valid') return []
  await tx.execute(
    sql`select pg_advisory_xact_lock(
      hashtextextended(${`vip doorways ${scope.ownerId} ${userId ?? ''} ${staffId ?? ''}`}, 0)
    )`,
  )
  // Days that are over do not matter.
  const from = beginDate && beginDate > today ? beginDate : today
  const others = await findAll(
    tx,
    vipDoorway,
    scope,
    { projectCode },
    {
      where: [
        holderCondition({ userId, staffId }),
        isValid,
        sql`t.id <> ${before?.id ?? 0}`,
        sql`(t.end_date is null or t.end_date >= ${from}::date)`,
        ...(endDate ? [sql`(t.begin_date is null or t.begin_date <= ${endDate}::date)`] : []),
      ],
    },
  )
  const granted = new Set(others.flatMap(other => other.doorwayIds))
  const ids = doorwayIds.filter(id => granted.has(id))
  return (await findByIds(tx, doorway, scope, ids)).map(({ doorwayName }) => doorwayName)
}

async function vipFaults(
  draft: Draft,
  c: WriteContext,
  before: VipDoorway | undefined,
): Promise<FieldFault[]> {
  const { tx, scope, today } = c
  const { ownerId } = scope
  const { projectCode, userId, staffId } = draft
  const isOne = (userId === undefined) !== (staffId === undefined)
  const Message = userId ? '住户和员工只能选一个' : '请选择住户或员工'
  const query = { ownerId, projectCode, today }
  const doubled = isOne ? await findDoubled(draft, c, before) : []
  return [
    ...(isOne ? [] : [{ Field: 'UserID', Message }]),
    ...(before ? [] : await holderFaults(tx, query, { userId })),
    ...validityFaults(draft, today, before),
    ...(doubled.length
      ? [{ Field: 'DoorwayIDs', Message: `该人员同期已有这些门：${doubled.join('、')}，请修改原有记录` }]
      : []),
  ]
}

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

const findOfHolder = async (
  holder: Holder,
  { db, scope, today }: CrudContext,
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
  writes(deleteHolderVipDoorways, async ({ reason, ...holder }, { tx, scope, today }) => {
    if (holder.userId === undefined && holder.staffId === undefined)
      return refuse(
        '请以 UserID 指定住户，或以 StaffID 指定员工；按记录编号删除请用 PropertyUserVipDoor/Delete',
      )
    const found = await findOfHolder(holder, { db: tx, scope, today })
    if (!found.length) throw notFound()
    const ids = found.map(({ id }) => String(id))
    await remove(tx, vipDoorway, scope, ids, reason)
    return bulkResultOf(ids, found, [])
  }),
]
