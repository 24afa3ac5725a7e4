import { isDeepStrictEqual } from 'node:util'
import { type Id, parseId } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { Fen } from '#kit/domain/money.ts'
import { defineEvent } from '#kit/server/event.ts'
import { codeOf, keyOf, labelOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { RowValues } from '#kit/contract/shape.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { insertStatement, update } from '#kit/server/table.ts'
import { orderAction, orderState } from '../contract/choices.ts'
import { orderRecord } from '../contract/record.ts'
import { workOrder, type WorkOrder } from '../contract/work-order.ts'
import { computeClocks, nextDeadline, type ClockRow, type OrderClocks } from '../domain/clocks.ts'
import {
  actionRefusal,
  canApply,
  isEnded,
  isWorkAccepted,
  type OrderAction,
  type OrderState,
} from '../domain/order-actions.ts'
import type { Actor, StepContext } from './order-context.ts'
import { loadCalendar } from './order-types.ts'
import { takeBackCrossings, type CrossingFlag } from './overtime.ts'

/** What one action does to an order. */
export interface OrderStep {
  readonly action: OrderAction
  /** Where it leads; where it is without. */
  readonly to?: OrderState
  /** When it happened; now without. */
  readonly at?: Moment | undefined
  readonly content?: string | undefined
  readonly photos?: readonly string[] | undefined
  readonly person?: { readonly id: Id; readonly name: string } | undefined
  readonly deadline?: Moment | undefined
  readonly cost?: { readonly before: Fen; readonly after: Fen } | undefined
  /** Other columns of the order that change with it. */
  readonly set?: RowValues<typeof workOrder.fields>
}

type OrderNews = [context: Pick<StepContext, 'tx' | 'scope' | 'now'>, order: WorkOrder]

/** In the transaction in which an order comes to an end. */
export const [onOrderEnded, publishOrderEnded] = defineEvent<OrderNews>()

/** In the transaction in which its work is done and accepted, or is taken up again after that. */
export const [onWorkAccepted, publishWorkAccepted] = defineEvent<OrderNews>()
export const [onWorkReopened, publishWorkReopened] = defineEvent<OrderNews>()

/** What other modules hear of a step, by the states between which it led. */
async function publishStep(c: StepContext, from: OrderState, after: WorkOrder): Promise<void> {
  const [wasAccepted, isAccepted] = [isWorkAccepted(from), isWorkAccepted(after.state)]
  if (isAccepted && !wasAccepted) {
    await publishWorkAccepted(c, after)
  }
  if (wasAccepted && !isAccepted && !isEnded(after.state)) {
    await publishWorkReopened(c, after)
  }
  if (isEnded(after.state) && !isEnded(from)) {
    await publishOrderEnded(c, after)
  }
}

/** The history as the clocks read it. Uses work_order_record_order. */
export async function loadHistory(db: Pick<Db, 'rows'>, ownerId: Id, orderId: Id): Promise<ClockRow[]> {
  const rows = await db.rows<{ action: number; to: number; at: Moment; deadline?: Moment }>(sql`
    select action, to_state as to, action_time as at, deadline
    from work_order_record
    where owner_id = ${ownerId}
      and order_id = ${orderId}
      and action <> ${codeOf(orderAction, 'overtime')}
    order by id
  `)
  return rows.map(row => ({
    action: keyOf(orderAction, row.action) ?? 'note',
    to: keyOf(orderState, row.to) ?? 'waiting',
    at: row.at,
    deadline: row.deadline,
  }))
}

type ClockColumns = RowValues<typeof workOrder.fields>

/** The columns that the clocks write; a crossing that was marked once stays (WO-3). */
export const clockColumns = (order: WorkOrder | undefined, clocks: OrderClocks): ClockColumns => ({
  responseDeadline: clocks.response.deadline,
  arriveDeadline: clocks.arrive.deadline,
  finishDeadline: clocks.finish.deadline,
  // What was promised first stays, whatever type the order is given later (WO-6).
  originalFinishDeadline: order?.originalFinishDeadline ?? clocks.originalFinishDeadline,
  evaluateDeadline: clocks.evaluateDeadline,
  nextDeadline: nextDeadline(clocks),
  respOvertime: order?.respOvertime === true || clocks.response.lateAt !== undefined,
  arriveOvertime: order?.arriveOvertime === true || clocks.arrive.lateAt !== undefined,
  finishOvertime: order?.finishOvertime === true || clocks.finish.lateAt !== undefined,
  responseEntered: clocks.response.enteredAt,
  arriveEntered: clocks.arrive.enteredAt,
  finishEntered: clocks.finish.enteredAt,
  suspendMinutes: clocks.suspendMinutes,
})

export const recordValues = (
  actor: Actor,
  order: Pick<WorkOrder, 'id' | 'projectCode' | 'state'>,
  step: OrderStep,
  now: Moment,
): RowValues<typeof orderRecord.fields> => ({
  projectCode: order.projectCode,
  orderId: order.id,
  action: step.action,
  fromState: step.action === 'register' ? undefined : order.state,
  toState: step.to ?? order.state,
  actionTime: step.at ?? now,
  actor: actor.kind,
  operatorId: actor.id || undefined,
  operatorName: actor.name.slice(0, 40),
  content: step.content?.slice(0, 500),
  photos: step.photos?.length ? step.photos : undefined,
  personId: step.person?.id,
  personName: step.person?.name,
  deadline: step.deadline,
  costBefore: step.cost?.before,
  costAfter: step.cost?.after,
})

type LapsedRequest = 'extension' | 'close'

/** Requests that nobody has decided and nobody can decide any more where the step leads. */
const lapsedRequests = (order: WorkOrder, { action, to = order.state }: OrderStep): LapsedRequest[] => [
  ...(order.extensionState === 'waiting' && !canApply('extend', to) ? (['extension'] as const) : []),
  ...(order.closeState === 'waiting' && action !== 'close' && !canApply('close', to)
    ? (['close'] as const)
    : []),
]

const lapsedNames = { extension: '延期申请', close: '关闭申请' } as const

const describeLapsed = (request: LapsedRequest, to: OrderState): string =>
  `${lapsedNames[request]}未批准即失效：工单已为「${labelOf(orderState, to)}」`

/** What is over once the order has left the states in which it can be decided. */
const withoutRequests = (
  order: WorkOrder,
  lapsed: readonly LapsedRequest[],
  to: OrderState,
): ClockColumns => ({
  ...(lapsed.includes('extension') ? { extensionState: 'none', extensionDeadline: undefined } : {}),
  ...(lapsed.includes('close') ? { closeState: 'none' } : {}),
  ...(order.state === 'suspended' && to !== 'suspended'
    ? { suspendReason: undefined, resumeTime: undefined }
    : {}),
})

/** The deadlines that the history, as it is now, has never crossed. */
const keptDeadlines = ({ response, arrive, finish }: OrderClocks): CrossingFlag[] => [
  ...(response.lateAt === undefined ? (['respOvertime'] as const) : []),
  ...(arrive.lateAt === undefined ? (['arriveOvertime'] as const) : []),
  ...(finish.lateAt === undefined ? (['finishOvertime'] as const) : []),
]

/**
 * The clocks once a step has been done. Where it moves none they stay as they were written: the calendar may
 * have changed since.
 */
async function clocksAfter(
  { tx, scope, now }: StepContext,
  order: WorkOrder,
  step: OrderStep,
  history: readonly ClockRow[],
): Promise<ClockColumns> {
  const at = step.at ?? now
  const limits = step.set?.limits ?? order.limits
  const calendar = await loadCalendar(tx, scope.ownerId, limits)
  const row: ClockRow = { action: step.action, to: step.to ?? order.state, at, deadline: step.deadline }
  const clocks = computeClocks([...history, row], limits, calendar, now)
  const isUnchanged = isDeepStrictEqual(clocks, computeClocks(history, limits, calendar, now))
  if (isUnchanged && step.set?.limits === undefined) return {}
  const undone = at < now ? await takeBackCrossings(tx, scope, order.id, keptDeadlines(clocks), at) : {}
  return clockColumns({ ...order, ...undone }, clocks)
}

/**
 * One action on a locked order (C12.1): its state, its clocks and its history row, in one conditional update
 * (G-8). Returns the order as it is then.
 */
export async function applyStep(c: StepContext, order: WorkOrder, step: OrderStep): Promise<WorkOrder> {
  const { tx, scope, now, actor } = c
  const refusal = actionRefusal(step.action, order.state)
  if (refusal) refuse(refusal)
  const to = step.to ?? order.state
  const at = step.at ?? now
  const lapsed = lapsedRequests(order, step)
  const history = await loadHistory(tx, scope.ownerId, order.id)
  const last = history.at(-1)?.at
  if (last !== undefined && at < last) refuse(`时间不能早于上一步（${last}）`)
  const after = await update(
    tx,
    workOrder,
    scope,
    order.id,
    {
      ...withoutRequests(order, lapsed, to),
      ...step.set,
      ...(await clocksAfter(c, order, step, history)),
      state: to,
      evaluateEntered: to === 'unrated' && order.state !== 'unrated' ? at : order.evaluateEntered,
      ...(isEnded(to) && !isEnded(order.state) ? { endTime: at } : {}),
    },
    { version: order.version, where: sql`t.state = ${codeOf(orderState, order.state)}` },
  )
  const rows = [
    recordValues(actor, order, step, now),
    ...lapsed.map(request =>
      recordValues(actor, after, { action: 'note', at, content: describeLapsed(request, to) }, now),
    ),
  ]
  await tx.rows(sql`${insertStatement(orderRecord, scope, rows)} returning id`)
  await markConcerned(c, after)
  await publishStep(c, order.state, after)
  return after
}

/**
 * Every account that an order concerns has it unread, but for the one that has just touched it; open screens
 * hear of it (WO-12).
 */
export async function markConcerned(c: StepContext, order: WorkOrder): Promise<void> {
  const { tx, scope, app, actor } = c
  const own = actor.kind === 'staff' ? actor.id : 0
  const ids = [
    ...new Set([
      ...(order.registrarId ? [order.registrarId] : []),
      ...(order.handlerId ? [order.handlerId] : []),
      ...(order.assistIds ?? []).map(parseId),
      ...(order.observerIds ?? []).map(parseId),
    ]),
  ].filter(id => id > 0)
  const concerned = await tx.rows<{ managerId: Id }>(sql`
    update work_order_person
    set is_unread = manager_id <> ${own}
    where owner_id = ${scope.ownerId} and order_id = ${order.id}
    returning manager_id
  `)
  const known = new Set(concerned.map(row => row.managerId))
  const added = ids.filter(id => !known.has(id))
  if (added.length) {
    await tx.execute(sql`
      insert into work_order_person (owner_id, project_code, order_id, manager_id, is_unread)
      select ${scope.ownerId}::bigint, ${order.projectCode}::text, ${order.id}::bigint, id, id <> ${own}
      from unnest(${added}::bigint[]) as r(id)
      on conflict do nothing
      returning manager_id
    `)
  }
  app?.live.publishOnCommit(tx, scope.ownerId, { topic: 'workOrders' }, 'workOrder', { id: order.id })
  app?.live.publishOnCommit(tx, scope.ownerId, [...known, ...added], 'workOrder', { id: order.id })
}
