import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { labelOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import { unrestrictedDomain } from '#kit/server/scope.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { findAll, findPage, insertAll } from '#kit/server/table.ts'
import { registerOpenWork } from '#modules/accounts/server/public.ts'
import type { Device } from '#modules/devices/contract/device.ts'
import type { Estate } from '#modules/estates/contract/estate.ts'
import type { PublicArea } from '#modules/estates/contract/public-area.ts'
import { registerResidentPanelSection } from '#modules/residents/server/public.ts'
import { registerRoomPanelSection, sectionOfRecords } from '#modules/rooms/server/public.ts'
import type { PanelSectionLine } from '#modules/rooms/contract/room-board.ts'
import type { Room } from '#modules/rooms/contract/room.ts'
import { orderRecord } from '../contract/record.ts'
import { orderState } from '../contract/choices.ts'
import { workOrder, type WorkOrder } from '../contract/work-order.ts'
import { openStates } from '../domain/order-actions.ts'
import { menu } from '../module.ts'
import { publishOrdersChanged } from './live-orders.ts'
import { orderLink } from './notices.ts'
import { sightConditions } from './order-access.ts'

const isOpen = sql`state in ${codes(orderState, ...openStates)}`

// BASE-5: a place that somebody is working at stays.
registerDependentRows('estate', {
  label: '工单',
  table: 'work_order',
  where: (e: Estate) => sql`project_code = ${e.projectCode}`,
})
registerDependentRows('room', {
  label: '未完结工单',
  table: 'work_order',
  where: (r: Room) => sql`project_code = ${r.projectCode} and room_code = ${r.code} and ${isOpen}`,
})
registerDependentRows('publicArea', {
  label: '未完结工单',
  table: 'work_order',
  where: (a: PublicArea) => sql`area_id = ${a.id} and ${isOpen}`,
})
registerDependentRows('device', {
  label: '未完结工单',
  table: 'work_order',
  where: (d: Device) => sql`device_id = ${d.id} and ${isOpen}`,
})

const lineOf = (order: WorkOrder): PanelSectionLine => {
  const tone = orderState.rows[order.state][2]
  return {
    label: order.typeName,
    value: `${order.title ?? order.content} · ${labelOf(orderState, order.state)}`,
    note: [order.orderNo, order.registerTime.slice(0, 16), order.handlerName].filter(Boolean).join(' · '),
    to: orderLink(order.id),
    ...(tone ? { tone } : {}),
  }
}

registerRoomPanelSection({
  key: 'workOrders',
  order: 350,
  needs: menu.order.permissions.view,
  load: async ({ db, scope, room }) => {
    const found = await findPage(
      db,
      workOrder,
      scope,
      { size: 5, projectCode: room.projectCode },
      { where: [sql`t.room_code = ${room.code}`, ...(await sightConditions(db, scope))] },
    )
    return sectionOfRecords('工单', found.rows, lineOf, found.total)
  },
})

registerResidentPanelSection({
  key: 'workOrders',
  order: 500,
  needs: menu.order.permissions.view,
  load: async ({ db, scope, person }) => {
    const found = await findPage(
      db,
      workOrder,
      scope,
      { size: 5 },
      {
        where: [sql`t.reporter_id = ${person.id}`, ...(await sightConditions(db, scope))],
      },
    )
    return sectionOfRecords('工单', found.rows, lineOf, found.total)
  },
})

/** Orders that are with their handler, or may still come back: sent back at the check, or unpaid. */
const inHand = sql`t.state in ${codes(orderState, 'dispatched', 'processing', 'suspended', 'checking', 'unpaid')}`

// PERM-8: who leaves hands over all orders in hand, also those that who records it does not see.
registerOpenWork({
  what: '工单',
  count: async (tx, scope, operator) =>
    defined(
      await tx.one<{ n: number }>(sql`
        select count(*)::int as n
        from work_order t
        where t.owner_id = ${scope.ownerId} and t.handler_id = ${operator} and ${inHand} and ${notDeleted('t')}
      `),
    ).n,
  handOver: async (tx, scope, from, to) => {
    const person = defined(
      await tx.one<{ name: string }>(sql`
        select real_name as name from manager where owner_id = ${scope.ownerId} and id = ${to}
      `),
    )
    const handed = await findAll(
      tx,
      workOrder,
      { ...scope, domain: unrestrictedDomain },
      {},
      {
        where: [sql`t.handler_id = ${from}`, inHand],
        limit: 100_000,
      },
    )
    await tx.execute(sql`
      update work_order t
      set handler_id = ${to}, handler_name = ${person.name}, version = t.version + 1,
        update_time = ${scope.time}::timestamptz, update_by = ${scope.operatorId}
      where t.owner_id = ${scope.ownerId} and t.handler_id = ${from} and ${inHand} and ${notDeleted('t')}
    `)
    await recordHandOver(tx, scope, handed, { id: to, name: person.name })
    publishOrdersChanged(tx, scope.ownerId)
  },
})

type HandOver = Parameters<Parameters<typeof registerOpenWork>[0]['handOver']>

/** The history says so, and the new person has them unread. */
async function recordHandOver(
  tx: HandOver[0],
  scope: HandOver[1],
  orders: readonly WorkOrder[],
  to: { readonly id: Id; readonly name: string },
): Promise<void> {
  await insertAll(
    tx,
    orderRecord,
    scope,
    orders.map(order => ({
      projectCode: order.projectCode,
      orderId: order.id,
      action: 'note' as const,
      fromState: order.state,
      toState: order.state,
      actionTime: fromInstant(Date.parse(scope.time)),
      actor: 'staff' as const,
      operatorId: scope.operatorId || undefined,
      operatorName: scope.name,
      content: `原处理人离任，工单移交给${to.name}`,
      personId: to.id,
      personName: to.name,
    })),
  )
  await tx.execute(sql`
    insert into work_order_person (owner_id, project_code, order_id, manager_id, is_unread)
    select ${scope.ownerId}::bigint, r.project, r.id, ${to.id}::bigint, true
    from unnest(
      ${orders.map(order => order.projectCode)}::text[], ${orders.map(order => order.id)}::bigint[]
    ) as r(project, id)
    on conflict (owner_id, order_id, manager_id) do update set is_unread = excluded.is_unread
    returning order_id
  `)
}
