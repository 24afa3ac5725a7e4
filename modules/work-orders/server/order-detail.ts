import { labelOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { reads, type ReadContext } from '#kit/server/handler.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { charge, chargeLine } from '../contract/charge.ts'
import { orderAction } from '../contract/choices.ts'
import { evaluation, visit } from '../contract/evaluation.ts'
import { getOrder, getOrderLink } from '../contract/order.ts'
import { orderRecord } from '../contract/record.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { computeClocks } from '../domain/clocks.ts'
import { describeService } from '../domain/service-calendar.ts'
import { findAllowedActions } from './allowed-actions.ts'
import { findChargeMoney, presentMoney } from './charge-bills.ts'
import { findAccountNames, namesOf } from './accounts.ts'
import { linkOfOrder } from './resident-token.ts'
import { requireOrder } from './order-access.ts'
import { loadCalendar } from './order-types.ts'
import { describeHandler } from './order-handler.ts'
import { findWaitingOrder } from './pay-order.ts'
import { presentOrders } from './order-list.ts'
import { loadHistory } from './transition.ts'

/** The room behind the address and the person behind the name, for who follows the order. */
async function describePlaceAndHandler(order: WorkOrder, context: ReadContext) {
  const { db, scope } = context
  const { roomCode, projectCode } = order
  const room =
    roomCode === undefined
      ? undefined
      : await db.one<{ id: Id }>(sql`
          select id
          from room
          where owner_id = ${scope.ownerId}
            and project_code = ${projectCode}
            and code = ${roomCode}
            and ${notDeleted()}
        `)
  const handler = await describeHandler(context, order)
  return { ...(room ? { roomId: room.id } : {}), ...(handler ? { handler } : {}) }
}

async function loadDetail(id: WorkOrder['id'], context: ReadContext) {
  const { db, scope, now, today } = context
  const order = await requireOrder(db, scope, id)
  const ofOrder = { where: [sql`t.order_id = ${id}`], limit: 500 }
  const [presented = order] = await presentOrders([order], { db, scope, now })
  const records = await findAll(db, orderRecord, scope, {}, ofOrder)
  const charges = await findAll(db, charge, scope, { order: '-id' }, ofOrder)
  // A cost that was refunded keeps its lines; those of the order are of its last one.
  const current = charges.find(c => c.chargeKind === 'repair')
  const chargeLines = current
    ? await findAll(
        db,
        chargeLine,
        scope,
        { order: 'id' },
        { ...ofOrder, where: [sql`t.charge_id = ${current.id}`] },
      )
    : []
  const ratings = await findAll(db, evaluation, scope, {}, ofOrder)
  const rating = ratings.find(each => each.reopenTime === undefined)
  const visits = await findAll(db, visit, scope, {}, ofOrder)
  const money = current && (await findChargeMoney(db, scope, current, today))
  const payOrder = current && (await findWaitingOrder(db, scope, current, now))
  const actions = await findAllowedActions({ db, scope, now }, order, {
    rating,
    visits,
    paidAmount: money?.paid ?? 0,
    refundable: money?.refundable ?? 0,
    isRefunding: (money?.refunds.length ?? 0) > 0,
  })
  const names = await findAccountNames(db, scope.ownerId, [
    ...(order.assistIds ?? []),
    ...(order.observerIds ?? []),
  ])
  const calendar = await loadCalendar(db, scope.ownerId, order.limits)
  const clocks = computeClocks(await loadHistory(db, scope.ownerId, id), order.limits, calendar, now)
  const { secondsLeft } = clocks.finish
  return {
    ...presented,
    actions: actions.map(action => ({ action, label: labelOf(orderAction, action) })),
    records,
    charges,
    chargeLines,
    ...(payOrder ? { payOrder } : {}),
    ...(money ? { money: presentMoney(money) } : {}),
    ...(rating ? { evaluation: rating } : {}),
    earlierEvaluations: ratings.filter(each => each !== rating),
    visits,
    ...(await describePlaceAndHandler(order, context)),
    assistNames: namesOf(names, order.assistIds),
    observerNames: namesOf(names, order.observerIds),
    ...(secondsLeft === undefined || order.finishTime !== undefined
      ? {}
      : { finishMinutesLeft: Math.floor(secondsLeft / 60) }),
    serviceText: describeService(order.limits),
    photoCount: order.limits.photoCount,
    needAccept: order.limits.needAccept,
  }
}

export const orderDetailHandlers = [
  reads(getOrder, ({ id }, c) => loadDetail(id, c)),
  reads(getOrderLink, async ({ id }, { db, scope, app }) => {
    const order = await requireOrder(db, scope, id)
    return linkOfOrder(app, scope.ownerId, order.id)
  }),
]
