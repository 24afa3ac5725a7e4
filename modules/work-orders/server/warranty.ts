import type { Id } from '#kit/domain/id.ts'
import { addDaysToMoment, type Moment } from '#kit/domain/moment.ts'
import type { RowValues } from '#kit/contract/shape.ts'
import { sql } from '#kit/server/db.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { chargeLine } from '../contract/charge.ts'
import { orderState } from '../contract/choices.ts'
import type { OrderType } from '../contract/order-type.ts'
import type { workOrder, WorkOrder } from '../contract/work-order.ts'
import { findCharge, saveCost } from './order-cost.ts'
import type { OrderContext } from './order-context.ts'
import { loadTypes } from './order-types.ts'
import { samePlace, type OrderPlace } from './place.ts'

/** The order of the same type and place whose warranty covers one that was registered then, if any. */
export async function findWarranty(
  { tx, scope }: Pick<OrderContext, 'tx' | 'scope'>,
  place: Omit<OrderPlace, 'address' | 'buildCode'>,
  type: Pick<OrderType, 'id' | 'warrantyDays'>,
  registerTime: Moment,
): Promise<Id | undefined> {
  if (!type.warrantyDays) return undefined
  const found = await tx.one<{ id: Id }>(sql`
    select t.id
    from work_order t
    where t.owner_id = ${scope.ownerId}
      and t.project_code = ${place.projectCode}
      and t.type_id = ${type.id}
      and ${samePlace(place)}
      and t.state in ${codes(orderState, 'unrated', 'completed')}
      and t.finish_time between ${addDaysToMoment(registerTime, -type.warrantyDays)} and ${registerTime}
      and ${notDeleted('t')}
    order by t.id desc
    limit 1
  `)
  return found?.id
}

/** The cost as it is under the other decision, where one was saved already. */
async function costUnder(c: OrderContext, order: WorkOrder, isWarranty: boolean) {
  const { tx, scope } = c
  const charge = await findCharge(tx, scope, order.id)
  if (!charge) return {}
  const where = [sql`t.charge_id = ${charge.id}`]
  const lines = await findAll(tx, chargeLine, scope, { order: 'id' }, { where, limit: 500 })
  return saveCost(c, order, { lines, waiveCost: order.waiveCost, isWarranty })
}

/**
 * WO-8: what an order says of its warranty as one of another type. A cost that was paid, in part or whole,
 * is settled as it is.
 */
export async function decideWarrantyAgain(
  c: OrderContext,
  order: WorkOrder,
  type: OrderType,
): Promise<RowValues<typeof workOrder.fields>> {
  const charge = await findCharge(c.tx, c.scope, order.id)
  if (charge?.state === 'paid' || (charge && charge.paidAmount > 0)) return {}
  const coveredBy = await findWarranty(c, order, type, order.registerTime)
  const formerType = (await loadTypes(c.tx, c.scope)).get(order.typeId)
  const formerlyBy = formerType && (await findWarranty(c, order, formerType, order.registerTime))
  const stated = order.relatedOrderId === formerlyBy ? undefined : order.relatedOrderId
  const isWarranty = coveredBy !== undefined
  return {
    ...(isWarranty === order.isWarranty ? {} : await costUnder(c, order, isWarranty)),
    isWarranty,
    relatedOrderId: stated ?? coveredBy,
  }
}
