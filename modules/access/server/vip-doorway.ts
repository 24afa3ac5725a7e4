import { notFound, refuse, type FieldFault } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { reads, type ReadContext } from '#kit/server/handler.ts'
import { code } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { vipState } from '../contract/choices.ts'
import {
  getHolderVipDoorway,
  listHolderVipDoorways,
  vipDoorway,
  vipDoorways,
  type VipDoorway,
} from '../contract/vip-doorway.ts'

type Draft = Pick<VipDoorway, 'userId' | 'staffId' | 'beginDate' | 'endDate'>

function vipFaults({ userId, staffId, beginDate, endDate }: Draft): FieldFault[] {
  const isOne = (userId === undefined) !== (staffId === undefined)
  return [
    ...(isOne ? [] : [{ Field: 'UserID', Message: userId ? '住户和员工只能选一个' : '请选择住户或员工' }]),
    ...(beginDate && endDate && endDate < beginDate
      ? [{ Field: 'EndDate', Message: '失效日期不能早于生效日期' }]
      : []),
  ]
}

const withDoorwayCount = (row: VipDoorway): VipDoorway => ({ ...row, doorwayCount: row.doorwayIds.length })

export const vipDoorwayServer = crudHandlers(vipDoorways, {
  refusesChangeOf: ['projectCode', 'userId', 'staffId'],
  check: vipFaults,
  enrich: async rows => rows.map(withDoorwayCount),
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
  { db, scope }: ReadContext,
  where: readonly RawBuilder<unknown>[] = [],
): Promise<VipDoorway[]> =>
  (await findAll(db, vipDoorway, scope, {}, { where: [holderCondition(holder), ...where] })).map(
    withDoorwayCount,
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
