import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { addDaysToMoment, addMinutes } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { searchTextOf } from '#kit/server/search-column.ts'
import { insertAll } from '#kit/server/table.ts'
import { charge, chargeLine } from '#modules/work-orders/contract/charge.ts'
import { evaluation, visit } from '#modules/work-orders/contract/evaluation.ts'
import { orderRecord } from '#modules/work-orders/contract/record.ts'
import type { WorkOrder } from '#modules/work-orders/contract/work-order.ts'
import { orderSearchText } from '#modules/work-orders/server/registration.ts'
import type { PlannedStep } from './work-order-history.ts'

/** An order as it is to be stored, with what refers to it. */
export interface SeededOrder {
  readonly values: Partial<WorkOrder>
  readonly steps: readonly PlannedStep[]
  readonly lines: readonly { kind: 'labour' | 'material'; name: string; price: number }[]
}

const ofOrder = (order: SeededOrder, orderId: Id) => ({
  projectCode: defined(order.values.projectCode),
  orderId,
  buildCode: order.values.buildCode,
})

/** The history of each order, what it is found by, and whom it concerns. */
export async function insertHistories(
  tx: Tx,
  scope: Scope,
  orders: readonly SeededOrder[],
  ids: readonly Id[],
): Promise<void> {
  const records = orders.flatMap((order, i) =>
    order.steps.map((step, k) => ({
      projectCode: defined(order.values.projectCode),
      orderId: defined(ids[i]),
      action: step.action,
      fromState: k ? defined(order.steps[k - 1]).to : undefined,
      toState: step.to,
      actionTime: step.at,
      actor: step.isRequester ? ('requester' as const) : ('staff' as const),
      operatorName: step.isRequester ? (order.values.reporterName ?? '业主') : (step.by?.name ?? scope.name),
      operatorId: step.isRequester ? undefined : (step.by?.id ?? scope.operatorId),
      content: step.content,
      personName: step.person?.name,
      personId: step.person?.id,
    })),
  )
  await insertAll(tx, orderRecord, scope, records)
  await tx.execute(sql`
    update work_order t
    set search_text = r.text
    from unnest(
      ${[...ids]}::bigint[], ${orders.map(order => searchTextOf(orderSearchText, order.values))}::text[]
    ) as r(id, text)
    where t.owner_id = ${scope.ownerId} and t.id = r.id
  `)
  const people = orders.flatMap((order, i) =>
    [...new Set([scope.operatorId, order.values.handlerId ?? scope.operatorId])].map(manager => ({
      project: defined(order.values.projectCode),
      order: defined(ids[i]),
      manager,
      isUnread: manager !== scope.operatorId && order.values.endTime === undefined,
    })),
  )
  await tx.execute(sql`
    insert into work_order_person (owner_id, project_code, order_id, manager_id, is_unread)
    select ${scope.ownerId}::bigint, *
    from unnest(
      ${people.map(p => p.project)}::text[], ${people.map(p => p.order)}::bigint[],
      ${people.map(p => p.manager)}::bigint[], ${people.map(p => p.isUnread)}::boolean[]
    )
    returning order_id
  `)
}

export async function insertCosts(
  tx: Tx,
  scope: Scope,
  orders: readonly SeededOrder[],
  ids: readonly Id[],
): Promise<void> {
  const priced = orders.flatMap((order, i) => (order.lines.length ? [{ order, id: defined(ids[i]) }] : []))
  const chargeIds = await insertAll(
    tx,
    charge,
    scope,
    priced.map(({ order, id }) => ({
      ...ofOrder(order, id),
      chargeKind: 'repair' as const,
      amount: order.values.isWarranty ? asFen(0) : (order.values.totalCost ?? asFen(0)),
      discountAmount: asFen(0),
      paidAmount: asFen(0),
      state: order.values.isWarranty ? ('free' as const) : ('unpaid' as const),
      chargeTime: order.values.finishTime,
    })),
  )
  await insertAll(
    tx,
    chargeLine,
    scope,
    priced.flatMap(({ order, id }, i) =>
      order.lines.map(line => ({
        ...ofOrder(order, id),
        chargeId: defined(chargeIds[i]),
        lineKind: line.kind,
        name: line.name,
        quantity: '1',
        price: asFen(line.price),
        amount: asFen(line.price),
        useTime: order.values.finishTime,
      })),
    ),
  )
}

export async function insertRatings(
  tx: Tx,
  scope: Scope,
  orders: readonly SeededOrder[],
  ids: readonly Id[],
): Promise<void> {
  const rated = orders.flatMap((order, i) =>
    order.values.score === undefined ? [] : [{ order, id: defined(ids[i]), score: order.values.score }],
  )
  await insertAll(
    tx,
    evaluation,
    scope,
    rated.map(({ order, id, score }) => ({
      ...ofOrder(order, id),
      handlerId: order.values.handlerId,
      score,
      speedScore: score,
      attitudeScore: Math.min(5, score + 1),
      qualityScore: score,
      content: score <= 2 ? '处理太慢，问题没有解决' : undefined,
      isDefault: order.values.isDefaultScore === true,
      evaluateTime: order.values.endTime,
      evaluatorName: order.values.isDefaultScore ? '系统' : (order.values.reporterName ?? '业主'),
    })),
  )
  await insertAll(
    tx,
    visit,
    scope,
    rated
      .filter(({ order, score }) => score <= 2 || order.values.category === 'complaint')
      .map(({ order, id, score }, i) => ({
        ...ofOrder(order, id),
        reason: score <= 2 ? ('lowScore' as const) : ('mandatory' as const),
        state: i % 3 ? ('done' as const) : ('waiting' as const),
        dueTime: addDaysToMoment(defined(order.values.endTime), 1),
        ...(i % 3
          ? {
              result: 'satisfied' as const,
              content: '已电话回访，业主表示满意',
              visitTime: addMinutes(defined(order.values.endTime), 300),
              visitorName: scope.name,
            }
          : {}),
      })),
  )
}
