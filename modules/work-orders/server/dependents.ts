import { labelOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import { codes } from '#kit/server/sql.ts'
import { findPage } from '#kit/server/table.ts'
import type { Device } from '#modules/devices/contract/device.ts'
import type { Estate } from '#modules/estates/contract/estate.ts'
import type { PublicArea } from '#modules/estates/contract/public-area.ts'
import { registerResidentPanelSection } from '#modules/residents/server/public.ts'
import { registerRoomPanelSection, sectionOfRecords } from '#modules/rooms/server/public.ts'
import type { PanelSectionLine } from '#modules/rooms/contract/room-board.ts'
import type { Room } from '#modules/rooms/contract/room.ts'
import { orderState } from '../contract/choices.ts'
import { workOrder, type WorkOrder } from '../contract/work-order.ts'
import { openStates } from '../domain/order-actions.ts'
import { menu } from '../module.ts'
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
