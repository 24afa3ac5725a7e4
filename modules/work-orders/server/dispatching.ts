import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { labelOf } from '#kit/contract/field.ts'
import { Refused, refuse, resultCode } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { hasPermission } from '#kit/server/scope.ts'
import { dispatchMode } from '../contract/choices.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { chooseReceiver } from '../domain/dispatch.ts'
import { menu } from '../module.ts'
import { loadFunctions } from './function-settings.ts'
import { nameOrder, tellAccounts } from './notices.ts'
import type { OrderContext } from './order-context.ts'
import { loadTypes } from './order-types.ts'
import { rankForOrder, type RankedLoad } from './receivers.ts'
import { applyStep } from './transition.ts'

/** Choices by turn in one project come one after the other: two at once would both take the same person. */
export const lockTurns = (tx: Tx, ownerId: Id, projectCode: string): Promise<unknown> =>
  tx.rows(sql`
    select pg_advisory_xact_lock(hashtextextended('work-order-turn/' || ${projectCode}::text, ${ownerId}))
  `)

/** It was their turn. The caller holds the lock of the turns. */
async function recordTurn({ tx, scope, now }: OrderContext, managerId: Id): Promise<void> {
  const last = await tx.one<{ turn: number }>(sql`
    select coalesce(max(last_turn), 0)::int as turn from work_order_duty where owner_id = ${scope.ownerId}
  `)
  await tx.execute(sql`
    insert into work_order_duty (owner_id, manager_id, is_paused, last_turn, last_dispatch_time)
    values (${scope.ownerId}, ${managerId}, false, ${defined(last).turn + 1}, ${now}::timestamptz)
    on conflict (owner_id, manager_id) do update
    set last_turn = excluded.last_turn, last_dispatch_time = excluded.last_dispatch_time
  `)
}

interface Receiver {
  readonly id: Id
  readonly name: string
}

export interface DispatchDetails {
  readonly assistIds?: readonly string[] | undefined
  readonly observerIds?: readonly string[] | undefined
  readonly remark?: string | undefined
}

/** After so many refusals only a supervisor decides who gets it (C12.1). */
export async function assertCanDispatch(c: OrderContext, order: WorkOrder): Promise<void> {
  if (c.actor.kind !== 'staff' || hasPermission(c.scope, menu.order.permissions.supervise)) return
  const { denyLimit } = await loadFunctions(c.tx, c.scope.ownerId)
  if (order.denyCount >= denyLimit.value)
    throw new Refused(
      resultCode.forbidden,
      `工单已被拒 ${order.denyCount} 次，须由主管派单；请联系有「${menu.order.permissions.supervise.label}」权限的人`,
    )
}

/** The order lies with somebody now, who has to accept it. */
export async function giveTo(
  c: OrderContext,
  order: WorkOrder,
  receiver: Receiver,
  details: DispatchDetails = {},
): Promise<WorkOrder> {
  const { actor } = c
  if (order.state === 'dispatched' && order.handlerId === receiver.id)
    refuse(`工单已派给${receiver.name}，等待接单`)
  const after = await applyStep(c, order, {
    action: 'dispatch',
    to: 'dispatched',
    content: details.remark,
    person: receiver,
    set: {
      handlerId: receiver.id,
      handlerName: receiver.name,
      dispatcherId: actor.id || undefined,
      dispatcherName: actor.name,
      dispatchTime: c.now,
      acceptTime: undefined,
      arriveTime: undefined,
      ...(details.assistIds ? { assistIds: details.assistIds } : {}),
      ...(details.observerIds ? { observerIds: details.observerIds } : {}),
    },
  })
  await recordTurn(c, receiver.id)
  await tellAccounts(c, after, 'assigned', [receiver.id], {
    title: `新派工单：${nameOrder(after)}`,
    text: after.content,
  })
  if (order.handlerId && order.handlerId !== receiver.id) {
    await tellAccounts(c, after, 'decided', [order.handlerId], {
      title: `工单已改派给${receiver.name}：${nameOrder(after)}`,
    })
  }
  return after
}

const rank = (c: OrderContext, order: WorkOrder): Promise<RankedLoad[]> =>
  rankForOrder(c.tx, c.scope.ownerId, order, order.typeId, c.now)

/** Why somebody may not be given the order now; undefined where they may (WO-13). */
export async function findAssignRefusal(
  c: OrderContext,
  order: WorkOrder,
  managerId: Id,
): Promise<string | undefined> {
  const person = (await rank(c, order)).find(p => p.managerId === managerId)
  return person ? person.refusal : '已停用、没有接单权限，或数据范围不含该位置'
}

/** To a person whom somebody names: anybody who may handle orders at the place and takes orders now. */
export async function dispatchTo(
  c: OrderContext,
  order: WorkOrder,
  managerId: Id,
  details: DispatchDetails = {},
): Promise<WorkOrder> {
  await lockTurns(c.tx, c.scope.ownerId, order.projectCode)
  const person = (await rank(c, order)).find(p => p.managerId === managerId)
  if (!person) return refuse('所选人员不能处理该位置的工单：没有接单权限、已停用，或数据范围不含该位置')
  if (person.refusal) refuse(`不能派给${person.name}：${person.refusal}`)
  return giveTo(c, order, { id: person.managerId, name: person.name }, details)
}

/** By the mode of its type. Without anybody it stays where it is: undefined. */
export async function dispatchByMode(
  c: OrderContext,
  order: WorkOrder,
  details: DispatchDetails = {},
): Promise<WorkOrder | undefined> {
  const mode = (await loadTypes(c.tx, c.scope)).get(order.typeId)?.dispatchMode ?? 'manual'
  if (mode === 'manual' || mode === 'grab') return undefined
  await lockTurns(c.tx, c.scope.ownerId, order.projectCode)
  const person = chooseReceiver(mode, await rank(c, order))
  if (!person) return undefined
  const remark = details.remark ?? `按派单方式「${labelOf(dispatchMode, mode)}」，在办 ${person.openCount} 单`
  return giveTo(c, order, { id: person.managerId, name: person.name }, { ...details, remark })
}

/** Once it waits for a person: by the mode, where the company lets that happen at once. */
export async function dispatchAutomatically(c: OrderContext, order: WorkOrder): Promise<WorkOrder> {
  if (order.state !== 'waiting') return order
  const { autoDispatch, denyLimit } = await loadFunctions(c.tx, c.scope.ownerId)
  if (!autoDispatch.isOn || order.denyCount >= denyLimit.value) return order
  const own: OrderContext = { ...c, actor: { kind: 'system', id: 0, name: '系统' } }
  return (await dispatchByMode(own, order)) ?? order
}
