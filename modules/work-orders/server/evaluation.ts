import type { Id } from '#kit/domain/id.ts'
import { addDaysToMoment } from '#kit/domain/moment.ts'
import { invalidField, refuse } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { findAll, insert, requireById, update } from '#kit/server/table.ts'
import { visitState } from '../contract/choices.ts'
import { evaluation, visit, type Evaluation } from '../contract/evaluation.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { evaluationRefusal, isLowScore, totalScore, type Scores } from '../domain/evaluation.ts'
import { nameOrder, tellAccounts, tellSubscribers } from './notices.ts'
import type { OrderContext } from './order-context.ts'
import { assertFiles } from './registration.ts'
import { applyStep } from './transition.ts'

export interface EvaluationInput extends Scores {
  readonly score?: number | undefined
  readonly content?: string | undefined
  readonly photos?: readonly string[] | undefined
}

/** The rating of an order as it was done last; one from before a reopening is another. */
export async function findEvaluation(
  db: Db,
  scope: OrderContext['scope'],
  orderId: Id,
): Promise<Evaluation | undefined> {
  const [found] = await findAll(
    db,
    evaluation,
    scope,
    {},
    {
      where: [sql`t.order_id = ${orderId} and t.reopen_time is null`],
      limit: 1,
    },
  )
  return found
}

/** A reopened order is rated again when it is done; the rating that it had stays, and counts (WO-10). */
export const supersedeEvaluation = ({ tx, scope, now }: OrderContext, orderId: Id): Promise<number> =>
  tx.execute(sql`
    update work_order_evaluation
    set reopen_time = ${now}::timestamptz, ${touch(scope)}
    where owner_id = ${scope.ownerId} and order_id = ${orderId} and reopen_time is null and ${notDeleted()}
  `)

/** A call back to the requester is due within a day; one that is open already stays (WO-10, WO-14). */
export async function openVisit(
  c: OrderContext,
  order: WorkOrder,
  reason: 'mandatory' | 'lowScore',
): Promise<void> {
  const { tx, scope, now } = c
  const open = await tx.one(sql`
    select 1 as found
    from work_order_visit
    where owner_id = ${scope.ownerId}
      and order_id = ${order.id}
      and state = ${code(visitState, 'waiting')}
      and ${notDeleted()}
  `)
  if (open) return
  await insert(tx, visit, scope, {
    projectCode: order.projectCode,
    orderId: order.id,
    buildCode: order.buildCode,
    reason,
    state: 'waiting',
    dueTime: addDaysToMoment(now, 1),
  })
}

async function writeEvaluation(
  c: OrderContext,
  order: WorkOrder,
  previous: Evaluation | undefined,
  input: EvaluationInput,
): Promise<Evaluation> {
  const { tx, scope, now, actor } = c
  const values = {
    score: input.score ?? totalScore(input),
    speedScore: input.speedScore,
    attitudeScore: input.attitudeScore,
    qualityScore: input.qualityScore,
    content: input.content,
    photos: input.photos,
    isDefault: false,
    evaluatorName: actor.name,
  }
  if (previous)
    return update(tx, evaluation, scope, previous.id, {
      ...values,
      ...(previous.isDefault ? { evaluateTime: now } : { changeTime: now }),
    })
  return insert(tx, evaluation, scope, {
    ...values,
    projectCode: order.projectCode,
    orderId: order.id,
    buildCode: order.buildCode,
    handlerId: order.handlerId,
    evaluateTime: now,
  })
}

/**
 * WO-10: by the requester or in their name, never by who handled it; changed once within 24 hours, by the
 * requester alone.
 */
export async function evaluate(
  c: OrderContext,
  order: WorkOrder,
  input: EvaluationInput,
): Promise<Evaluation> {
  const { actor, now } = c
  if (actor.kind === 'staff' && order.handlerId === actor.id) refuse('处理人不能评价自己处理的工单')
  const previous = await findEvaluation(c.tx, c.scope, order.id)
  const refusal = evaluationRefusal(actor.kind, previous, now)
  if (refusal) refuse(refusal)
  await assertFiles(c.app, c.scope.ownerId, 'Photos', input.photos, 'image')
  const score = input.score ?? totalScore(input)
  if (score < 1 || score > 5) throw invalidField('Score', '评分为 1 到 5 分')
  const after = await applyStep(c, order, {
    action: 'evaluate',
    to: 'completed',
    content: [`${score} 分`, input.content].filter(Boolean).join('：'),
    photos: input.photos,
    set: { score, isDefaultScore: false },
  })
  const saved = await writeEvaluation(c, order, previous, input)
  if (after.limits.needVisit) {
    await openVisit(c, after, 'mandatory')
  }
  if (isLowScore(score)) {
    await openVisit(c, after, 'lowScore')
    await tellSubscribers(
      c,
      after,
      'lowScore',
      { title: `${score} 分评价：${nameOrder(after)}`, text: input.content },
      { fallback: 'supervise' },
    )
  } else {
    await tellAccounts(c, after, 'ended', [order.handlerId], {
      title: `收到 ${score} 分评价：${nameOrder(after)}`,
      text: input.content,
    })
  }
  return requireById(c.tx, evaluation, c.scope, saved.id)
}
