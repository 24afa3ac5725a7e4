import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, requireById } from '#kit/server/table.ts'
import { chargerHub } from '../contract/hub.ts'
import {
  chargerOrder,
  chargerOrders,
  exportChargerOrders,
  stopChargerOrder,
  type ChargerOrder,
} from '../contract/order.ts'
import { notifyHub } from './ocpp/hub-notice.ts'
import { planStop } from './settlement.ts'

export const orderServer = crudHandlers(chargerOrders, {
  filter: ({ mobile }) => (mobile === undefined ? [] : [sql`t.mobile = ${mobile}`]),
  export: exportChargerOrders,
})

/** The pile gets the stop once the transaction has committed. */
export async function askToStop(tx: Tx, scope: Scope, order: ChargerOrder): Promise<void> {
  if (order.state !== 'charging') refuse('该订单不在充电中，无需停止')
  const [hub] = await findByIds(tx, chargerHub, scope, [order.hubId])
  if (!hub?.isOnline) refuse('充电桩离线，无法停止；恢复连接后按上报的电量结算')
  await planStop(tx, order.id, 'user')
  notifyHub(tx, order.hubId, { kind: 'stop', orderId: order.id })
}

export const orderHandlers = [
  writes(stopChargerOrder, async ({ id, reason }, { tx, scope }) => {
    const order = await requireById(tx, chargerOrder, scope, id, { lock: true })
    await askToStop(tx, scope, order)
    await audit(tx, scope, [
      {
        action: 'update',
        entity: chargerOrder.name,
        entityId: id,
        projectCode: order.projectCode,
        reason: `停止充电：${reason}`,
      },
    ])
    return order
  }),
]
