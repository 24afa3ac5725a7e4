import type { Day } from '#kit/domain/day.ts'
import { parseDecimal } from '#kit/domain/decimal.ts'
import type { Id } from '#kit/domain/id.ts'
import { startOfDay } from '#kit/domain/moment.ts'
import { firstDay, monthOf } from '#kit/domain/month.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { ReadContext } from '#kit/server/handler.ts'
import { hasPermission, unrestrictedDomain, type Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { staffs } from '#modules/staff/contract/staff.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { ratedOrders } from './ratings.ts'
import { loadLoads, rankForOrder } from './receivers.ts'

interface HandlerRow {
  readonly staffId?: Id
  readonly position?: string
  readonly departmentName?: string
  readonly mobile?: string
  readonly rated: number
  readonly score?: string
}

/** The employee behind the account, and how this month's work of theirs was rated (STAT-10). */
const findEmployee = (
  db: Pick<Db, 'one'>,
  ownerId: Id,
  managerId: Id,
  today: Day,
): Promise<HandlerRow | undefined> => {
  const monthStart = startOfDay(firstDay(monthOf(today)))
  return db.one<HandlerRow>(sql`
    select s.id as staff_id, s.position, d.name as department_name, s.mobile, r.rated, r.score
    from manager m
    left join staff s on s.owner_id = ${ownerId} and s.manager_id = m.id and ${notDeleted('s')}
    left join department d on d.owner_id = ${ownerId} and d.id = s.department_id
    cross join (
      select count(distinct t.id)::int as rated, round(avg(e.score), 2)::text as score
      from ${ratedOrders(ownerId)}
      where t.owner_id = ${ownerId}
        and e.handler_id = ${managerId}
        and e.evaluate_time >= ${monthStart}
        and t.register_time >= ${monthStart}
        and ${notDeleted('t')}
    ) r
    where m.owner_id = ${ownerId} and m.id = ${managerId}
    order by s.id
    limit 1
  `)
}

/** Whether the phone of an employee may be shown in full, which is asked of the staff. */
const canSeeStaff = (scope: Scope): boolean =>
  typeof staffs.list.needs === 'object' && hasPermission(scope, staffs.list.needs)

/** Who handles an order, for who follows it: how to reach them, and what they have in hand. */
export async function describeHandler(
  { db, scope, now, today }: Pick<ReadContext, 'db' | 'scope' | 'now' | 'today'>,
  order: WorkOrder,
) {
  const { ownerId } = scope
  const { handlerId, handlerName } = order
  if (!handlerId) return undefined
  const employee = await findEmployee(db, ownerId, handlerId, today)
  const ranked = await rankForOrder(db, ownerId, order, order.typeId, now)
  const person = ranked.find(candidate => candidate.managerId === handlerId)
  // Also of somebody who may be given no order here any more: all that names them.
  const anywhere = { operatorId: handlerId, domain: unrestrictedDomain }
  const load = person?.load ?? (await loadLoads(db, ownerId, [anywhere], now)).get(handlerId)
  return {
    name: handlerName ?? '',
    staffId: canSeeStaff(scope) ? employee?.staffId : undefined,
    departmentName: employee?.departmentName,
    position: employee?.position,
    mobile: employee?.mobile,
    openCount: load?.openCount ?? 0,
    lateCount: load?.lateCount ?? 0,
    /** Nothing where the account handles no orders at this place any more. */
    isOnDuty: person?.isOnDuty,
    isPaused: load?.isPaused ?? false,
    monthScore: employee?.score === undefined ? undefined : parseDecimal(employee.score),
    monthRated: employee?.rated ?? 0,
  }
}
