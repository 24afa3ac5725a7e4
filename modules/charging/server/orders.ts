import { notFound, refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll, findByIds, requireById } from '#kit/server/table.ts'
import { chargerHub } from '../contract/hub.ts'
import {
  chargerOrder,
  chargerOrders,
  exportChargerOrders,
  getChargerOrderOfBill,
  stopChargerOrder,
} from '../contract/order.ts'
import { notifyHub } from './ocpp/hub-notice.ts'
import { planStop } from './settlement.ts'
import { lockOrder, type StoredOrder } from './stored-order.ts'

export const orderServer = crudHandlers(chargerOrders, {
  filter: ({ mobile }) => (mobile === undefined ? [] : [sql`t.mobile = ${mobile}`]),
  export: exportChargerOrders,
})

/** The pile has reported so since the charge began. */
const isPortFree = async (tx: Tx, { portId }: StoredOrder): Promise<boolean> =>
  (await tx.one(sql`
    select 1 as found
    from charger_port
    where owner_id = ${tx.ownerId} and id = ${portId} and run_free_since is not null
  `)) !== undefined

/** The pile gets the stop once the transaction has committed. */
export async function askToStop(tx: Tx, scope: Scope, order: StoredOrder): Promise<void> {
  if (order.state !== 'charging') refuse('该订单不在充电中，无需停止')
  const [hub] = await findByIds(tx, chargerHub, scope, [order.hubId])
  if (!hub?.isOnline) refuse('充电桩离线，无法停止；恢复连接后按上报的电量结算')
  if (order.stopRefused !== undefined)
    refuse('充电桩拒绝停止，请到现场拔枪；订单由系统转为异常后可在「异常上报」结算')
  if (await isPortFree(tx, order))
    refuse('充电桩已无该次充电，无法停止；订单由系统转为异常后可在「异常上报」结算')
  await planStop(tx, order.id, 'user')
  notifyHub(tx, order.hubId, { kind: 'stop', orderId: order.id })
}

export const orderHandlers = [
  reads(getChargerOrderOfBill, async ({ id }, { db, scope }) => {
    const [order] = await findAll(db, chargerOrder, scope, {}, { where: [sql`t.bill_id = ${id}`], limit: 1 })
    if (!order) throw notFound()
    return order
  }),
  writes(stopChargerOrder, async ({ id, reason }, { tx, scope }) => {
    const order = await lockOrder(tx, scope, id)
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
    return requireById(tx, chargerOrder, scope, id)
  }),
]
