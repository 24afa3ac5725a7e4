import type { Id } from '#kit/domain/id.ts'
import { labelOf, keyOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { requireById, update } from '#kit/server/table.ts'
import { visitResult, visitState } from '../contract/choices.ts'
import {
  evaluateOrder,
  evaluations,
  saveVisit,
  visit,
  visits,
  type Evaluation,
} from '../contract/evaluation.ts'
import { evaluate } from './evaluation.ts'
import { orderRowConditions, requireOrder } from './order-access.ts'
import { staffContext } from './order-context.ts'
import { applyStep } from './transition.ts'

/**
 * Adds the results of return visits: a reopened order has several ratings, each with the visits before the
 * next.
 */
async function addVisits(rows: readonly Evaluation[], db: Db, ownerId: Id): Promise<Evaluation[]> {
  const found = await db.rows<{ evaluationId: Id; result?: number; content?: string }>(sql`
    select e.id as evaluation_id, v.result, v.content
    from work_order_evaluation e
    join work_order_visit v on v.owner_id = ${ownerId}
      and v.order_id = e.order_id
      and v.state = ${code(visitState, 'done')}
      and ${notDeleted('v')}
    where e.owner_id = ${ownerId}
      and e.id = any(${rows.map(row => row.id)}::bigint[])
      and (e.reopen_time is null or v.visit_time <= e.reopen_time)
      and not exists (
        select
        from work_order_evaluation earlier
        where earlier.owner_id = ${ownerId}
          and earlier.order_id = e.order_id
          and earlier.id < e.id
          and earlier.reopen_time >= v.visit_time
          and ${notDeleted('earlier')}
      )
    order by v.id
  `)
  const byEvaluation = new Map(found.map(row => [row.evaluationId, row]))
  return rows.map(row => {
    const visited = byEvaluation.get(row.id)
    const result = visited?.result === undefined ? undefined : keyOf(visitResult, visited.result)
    if (!visited || !result) return row
    return { ...row, returnVisit: [labelOf(visitResult, result), visited.content].filter(Boolean).join('：') }
  })
}

export const evaluationServer = joinServers(
  crudHandlers(evaluations, {
    filter: (_, { db, scope }) => orderRowConditions(db, scope),
    enrich: (rows, { db, scope }) => addVisits(rows, db, scope.ownerId),
  }),
  crudHandlers(visits, { filter: (_, { db, scope }) => orderRowConditions(db, scope) }),
)

export const evaluationHandlers = [
  writes(evaluateOrder, async ({ orderId, ...input }, context) => {
    const c = staffContext(context)
    return evaluate(c, await requireOrder(c.tx, c.scope, orderId, { lock: true }), input)
  }),
  writes(saveVisit, async ({ id, result, content }, context) => {
    const c = staffContext(context)
    const task = await requireById(c.tx, visit, c.scope, id, { lock: true })
    if (task.state === 'done') refuse(`该回访已由${task.visitorName ?? '他人'}登记`)
    const order = await requireOrder(c.tx, c.scope, task.orderId, { lock: true })
    if (order.handlerId === c.actor.id) refuse('处理人不能回访自己处理的工单')
    // Somebody who could not be reached is called again.
    const isOver = result !== 'unreachable'
    await applyStep(c, order, {
      action: 'visit',
      content: `${labelOf(visitResult, result)}：${content}`,
    })
    return update(c.tx, visit, c.scope, id, {
      result,
      content,
      visitTime: c.now,
      visitorName: c.actor.name,
      state: isOver ? 'done' : 'waiting',
    })
  }),
]
