import { parseId, type Id } from '#kit/domain/id.ts'
import { codeOf, type ChoiceOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { hasBuilding } from '#kit/server/scope.ts'
import { loadActiveCallers } from '#modules/accounts/server/public.ts'
import { defineNotificationKind, notify, type NotificationKind } from '#modules/system/server/public.ts'
import { notifyEvent } from '../contract/choices.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { menu, paths } from '../module.ts'
import type { OrderContext } from './order-context.ts'
import { findTypeLine } from './order-types.ts'

const kindOf = (key: string, label: string, level?: NotificationKind['level']): NotificationKind =>
  defineNotificationKind({
    key: `work-orders.${key}`,
    label,
    group: 'notice',
    entity: 'workOrder',
    ...(level ? { level } : {}),
  })

export const orderNotices = {
  assigned: kindOf('assigned', '派给我的工单', 'important'),
  registered: kindOf('registered', '新工单'),
  denied: kindOf('denied', '工单被拒'),
  expedited: kindOf('expedited', '工单催办', 'important'),
  approval: kindOf('approval', '工单待批准'),
  decided: kindOf('decided', '工单批准结果'),
  finished: kindOf('finished', '工单处理完成'),
  rework: kindOf('rework', '工单验收退回', 'important'),
  overtime: kindOf('overtime', '工单超时预警', 'important'),
  lowScore: kindOf('low-score', '工单低分评价', 'important'),
  ended: kindOf('ended', '工单结束'),
  copied: kindOf('copied', '抄送给我的工单'),
} as const

export type OrderNotice = keyof typeof orderNotices

export const orderLink = (id: Id): string => `${paths.detail}?id=${id}`

/** Those who asked to be notified of such an event of such an order (NinternalWorkorderNotify). */
async function findSubscribers(
  { tx, scope }: Pick<OrderContext, 'tx' | 'scope'>,
  order: Pick<WorkOrder, 'projectCode' | 'typeId' | 'buildCode'>,
  event: ChoiceOf<typeof notifyEvent>,
): Promise<{ readonly isConfigured: boolean; readonly ids: Id[] }> {
  const rows = await tx.rows<{ managerId: Id; typeIds?: string[]; projectCodes?: string[] }>(sql`
    select manager_id, type_ids, project_codes
    from work_order_notify
    where owner_id = ${scope.ownerId}
      and ${notDeleted()}
      and is_on
      and ${String(codeOf(notifyEvent, event))} = any(events)
  `)
  if (!rows.length) return { isConfigured: false, ids: [] }
  const typeLine = new Set(await findTypeLine(tx, scope.ownerId, order.typeId))
  const wanted = rows.filter(
    ({ typeIds = [], projectCodes = [] }) =>
      (!typeIds.length || typeIds.some(id => typeLine.has(parseId(id)))) &&
      (!projectCodes.length || projectCodes.includes(order.projectCode)),
  )
  const callers = new Map((await loadActiveCallers(tx, scope.ownerId)).map(c => [c.operatorId, c]))
  const ids = wanted.flatMap(({ managerId }) => {
    const caller = callers.get(managerId)
    // As in lists, what is in no building is for those who have the whole project.
    return caller && hasBuilding(caller.domain, order.projectCode, order.buildCode ?? '') ? [managerId] : []
  })
  return { isConfigured: true, ids }
}

export interface OrderMessage {
  readonly title: string
  readonly text?: string | undefined
}

/** Tells some accounts of an order; nobody hears of their own actions. */
export const tellAccounts = (
  { tx, app, scope, actor }: OrderContext,
  order: WorkOrder,
  notice: OrderNotice,
  to: readonly (Id | undefined)[],
  message: OrderMessage,
): Promise<number> =>
  notify(tx, app, scope.ownerId, {
    kind: orderNotices[notice],
    to: to.filter((id): id is Id => id !== undefined && id > 0),
    exceptOperatorId: actor.kind === 'staff' ? actor.id : undefined,
    title: message.title,
    text: message.text,
    link: orderLink(order.id),
    bizId: order.id,
    project: order.projectCode,
  })

/** Tells the supervisors of the order's project. */
export const tellSupervisors = (
  { tx, app, scope, actor }: OrderContext,
  order: WorkOrder,
  notice: OrderNotice,
  message: OrderMessage,
): Promise<number> =>
  notify(tx, app, scope.ownerId, {
    kind: orderNotices[notice],
    to: { permission: menu.order.permissions.supervise, project: order.projectCode },
    exceptOperatorId: actor.kind === 'staff' ? actor.id : undefined,
    title: message.title,
    text: message.text,
    link: orderLink(order.id),
    bizId: order.id,
    project: order.projectCode,
  })

/**
 * Tells those who subscribed to the event beside `to`. Where nobody of the company ever subscribed to it,
 * those with `fallback` are notified: a new order must not lie unseen because nothing was set up.
 */
export async function tellSubscribers(
  c: OrderContext,
  order: WorkOrder,
  event: ChoiceOf<typeof notifyEvent>,
  message: OrderMessage,
  options: { readonly to?: readonly (Id | undefined)[]; readonly fallback?: 'dispatch' | 'supervise' } = {},
): Promise<void> {
  const { isConfigured, ids } = await findSubscribers(c, order, event)
  const { fallback } = options
  const named = [...(options.to ?? []), ...ids].filter((id): id is Id => id !== undefined && id > 0)
  if (isConfigured || !fallback) {
    await tellAccounts(c, order, event, named, message)
    return
  }
  const { tx, app, scope, actor } = c
  await notify(tx, app, scope.ownerId, {
    kind: orderNotices[event],
    to: { permission: menu.order.permissions[fallback], project: order.projectCode, others: named },
    exceptOperatorId: actor.kind === 'staff' ? actor.id : undefined,
    title: message.title,
    text: message.text,
    link: orderLink(order.id),
    bizId: order.id,
    project: order.projectCode,
  })
}

/** `水路维修 · 3-2-1502`, as messages name an order. */
export const nameOrder = (order: Pick<WorkOrder, 'typeName' | 'address' | 'orderNo'>): string =>
  `${order.typeName} · ${order.address ?? order.orderNo}`
