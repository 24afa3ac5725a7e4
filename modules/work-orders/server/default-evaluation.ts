import type { Id } from '#kit/domain/id.ts'
import { addDaysToMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findByIds, insertAll } from '#kit/server/table.ts'
import { orderState } from '../contract/choices.ts'
import { evaluation, visit } from '../contract/evaluation.ts'
import { orderRecord } from '../contract/record.ts'
import { workOrder, type WorkOrder } from '../contract/work-order.ts'
import { publishOrderEnded } from './transition.ts'

const defaultScore = 5

const isDue = (now: Moment) =>
  sql`state = ${code(orderState, 'unrated')} and evaluate_deadline < ${now}::timestamptz and ${notDeleted()}`

/** The history, the rating of the system, and the return visits, of orders that were completed just now. */
async function insertOutcome(tx: Tx, scope: Scope, orders: readonly WorkOrder[], now: Moment): Promise<void> {
  await insertAll(
    tx,
    orderRecord,
    scope,
    orders.map(order => ({
      projectCode: order.projectCode,
      orderId: order.id,
      action: 'evaluate' as const,
      fromState: 'unrated' as const,
      toState: 'completed' as const,
      actionTime: order.endTime ?? now,
      actor: 'system' as const,
      operatorName: '系统',
      content: '系统默认评价',
    })),
  )
  await insertAll(
    tx,
    evaluation,
    scope,
    orders.map(order => ({
      projectCode: order.projectCode,
      orderId: order.id,
      buildCode: order.buildCode,
      handlerId: order.handlerId,
      score: defaultScore,
      speedScore: defaultScore,
      attitudeScore: defaultScore,
      qualityScore: defaultScore,
      isDefault: true,
      evaluateTime: order.endTime ?? now,
      evaluatorName: '系统',
    })),
  )
  await insertAll(
    tx,
    visit,
    scope,
    orders
      .filter(order => order.limits.needVisit)
      .map(order => ({
        projectCode: order.projectCode,
        orderId: order.id,
        buildCode: order.buildCode,
        reason: 'mandatory' as const,
        state: 'waiting' as const,
        dueTime: addDaysToMoment(now, 1),
      })),
  )
}

/**
 * What nobody rated in time is completed with the rating of the system, which counts in no average; a return
 * visit that its type asks for is due all the same (C12.1, WO-14). Set-based; may run any number of times.
 */
export async function completeUnrated(tx: Tx, app: App, ownerId: Id): Promise<number> {
  const now = fromInstant(app.clock())
  const scope = clockScope(app, ownerId)
  const due = await tx.rows<{ id: Id }>(sql`
    update work_order
    set state = ${code(orderState, 'completed')}, score = ${defaultScore}, is_default_score = true,
      end_time = evaluate_deadline, version = version + 1, update_time = ${scope.time}::timestamptz
    where owner_id = ${ownerId} and ${isDue(now)}
    returning id
  `)
  if (!due.length) return 0
  const orders = await findByIds(
    tx,
    workOrder,
    scope,
    due.map(row => row.id),
  )
  await insertOutcome(tx, scope, orders, now)
  for (const order of orders) {
    await publishOrderEnded({ tx, scope, now }, order)
  }
  app.live.publishOnCommit(tx, ownerId, { topic: 'workOrders' }, 'workOrder')
  return orders.length
}

export const sweepUnrated = (app: App): Promise<unknown> =>
  forEachDueCompany(
    app.database,
    sql<{ ownerId: Id }>`
      select distinct owner_id from work_order where ${isDue(fromInstant(app.clock()))}
    `,
    (tx, ownerId) => completeUnrated(tx, app, ownerId),
  )
