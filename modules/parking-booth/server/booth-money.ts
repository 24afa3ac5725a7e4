import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import { requirePermission, requireProject } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { requireById, tenantFilter } from '#kit/server/table.ts'
import { boothPermissions } from '#modules/parking-lanes/contract/booth-permissions.ts'
import { parkingCharge } from '#modules/parking-lanes/contract/charge.ts'
import { parkPayMethod } from '#modules/parking-lanes/contract/choices.ts'
import { parkLane } from '#modules/parking-lanes/contract/park-lane.ts'
import { parkingStay } from '#modules/parking-lanes/contract/stay.ts'
import { collectFee, releaseUnseenCar, reprice } from '#modules/parking-lanes/server/public.ts'
import { collectAtBooth, listUnhanded, releaseUnseen, repriceAtBooth } from '../contract/booth-money.ts'
import { shiftState } from '../contract/choices.ts'
import { assertOnDutyAt } from './duty.ts'

async function collect(input: NonNullable<typeof collectAtBooth.input.T>, c: WriteContext) {
  const { parkId } = await requireById(c.tx, parkingStay, c.scope, input.id)
  await assertOnDutyAt(c.tx, c.scope, parkId)
  return collectFee(input, c)
}

async function lowerPrice(input: NonNullable<typeof repriceAtBooth.input.T>, c: WriteContext) {
  const { parkId } = await requireById(c.tx, parkingStay, c.scope, input.id)
  await assertOnDutyAt(c.tx, c.scope, parkId)
  return reprice(input, c)
}

async function release(
  { laneId, plateNo, amount = 0, payMethod = 'cash', reason }: NonNullable<typeof releaseUnseen.input.T>,
  { tx, scope, now }: WriteContext,
) {
  const lane = await requireById(tx, parkLane, scope, laneId)
  if (amount > 0) {
    requirePermission(scope, boothPermissions.collect)
    await assertOnDutyAt(tx, scope, lane.parkId)
  }
  return releaseUnseenCar(tx, scope, { lane, plateNo, amount, payMethod, reason }, now)
}

interface UnhandedRow {
  readonly parkId: Id
  readonly parkName: string
  readonly cashier: Id
  readonly cashierName: string
  readonly count: number
  readonly cashAmount: Fen
  readonly onlineAmount: Fen
  readonly since: Moment
}

export const boothMoneyHandlers = [
  writes(collectAtBooth, collect),
  writes(repriceAtBooth, lowerPrice),
  writes(releaseUnseen, release),
  reads(listUnhanded, ({ projectCode }, { db, scope }) => {
    if (projectCode) {
      requireProject(scope.domain, projectCode)
    }
    const isCash = sql`t.pay_method = ${code(parkPayMethod, 'cash')}`
    return db.rows<UnhandedRow>(sql`
      select t.park_id, p.name as park_name, t.cashier, max(t.cashier_name) as cashier_name,
        count(*)::integer as count,
        (coalesce(sum(t.paid_amount) filter (where ${isCash}), 0) * 100)::bigint as cash_amount,
        (coalesce(sum(t.paid_amount) filter (where not ${isCash}), 0) * 100)::bigint as online_amount,
        min(t.pay_time) as since
      from parking_charge t
      join park p on p.owner_id = ${scope.ownerId} and p.id = t.park_id
      where ${tenantFilter(parkingCharge, scope, projectCode)}
        and t.cashier is not null
        and t.paid_amount > 0
        and not exists (
          select from park_shift_charge k
          where k.owner_id = ${scope.ownerId} and k.charge_id = t.id
        )
        and not exists (
          select from park_shift s
          where s.owner_id = ${scope.ownerId}
            and s.off_staff_id = t.cashier
            and s.park_id = t.park_id
            and s.state = ${code(shiftState, 'onDuty')}
            and ${notDeleted('s')}
        )
      group by t.park_id, p.name, t.cashier
      order by min(t.pay_time)
    `)
  }),
]
