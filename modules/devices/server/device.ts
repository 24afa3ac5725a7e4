import type { FieldFault } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import type { CrudContext } from '#kit/server/crud-hooks.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { requireById, update } from '#kit/server/table.ts'
import { itemState } from '../contract/choices.ts'
import {
  device,
  devices,
  pickDevices,
  replaceDevice,
  resendDeviceItems,
  type Device,
} from '../contract/device.ts'
import { withLastBeats } from './device-beat.ts'
import { notifyAgent } from './device-hub.ts'
import { resendItems } from './item-set.ts'

/** No setting is given twice. */
function deviceFaults({ settings = [] }: Pick<Device, 'settings'>): FieldFault[] {
  const keys = settings.map(({ key }) => key)
  return new Set(keys).size === keys.length ? [] : [{ Field: 'Settings', Message: '驱动参数重复' }]
}

const unsynced = sql`state in ${codes(itemState, 'waiting', 'failed', 'removing')}`

async function withUnsyncedCounts(rows: readonly Device[], { db, scope }: CrudContext): Promise<Device[]> {
  const counts = await db.rows<{ deviceId: Id; count: number }>(sql`
    select device_id, count(*)::integer as count
    from device_item
    where owner_id = ${scope.ownerId} and device_id = any(${rows.map(row => row.id)}::bigint[]) and ${unsynced}
    group by device_id
  `)
  const countOf = new Map(counts.map(row => [row.deviceId, row.count]))
  return rows.map(row => ({ ...row, unsyncedCount: countOf.get(row.id) ?? 0 }))
}

/** The agents that drive it now or did before hear of it. */
const notifyGateways = async (
  rows: readonly Pick<Device, 'gatewayId'>[],
  { tx }: WriteContext,
): Promise<void> => {
  for (const gatewayId of new Set(rows.map(row => row.gatewayId))) {
    notifyAgent(tx, gatewayId, { kind: 'devices' })
  }
}

const driverFilter = (driver: string | undefined, { scope }: CrudContext): RawBuilder<unknown>[] =>
  driver === undefined
    ? []
    : [
        sql`exists (
          select 1
          from device_model m
          where m.owner_id = ${scope.ownerId} and m.id = t.model_id and m.driver = ${driver} and ${notDeleted('m')}
        )`,
      ]

export const deviceServer = crudHandlers(devices, {
  codes: { devNo: 'D' },
  unique: { device_no_live: '公司内已有此设备号，请更换' },
  fixed: ['projectCode', 'devNo'],
  pickers: [pickDevices],
  check: deviceFaults,
  filter: (q: { readonly driver?: string }, c) => driverFilter(q.driver, c),
  enrich: async (rows, c) => withLastBeats(await withUnsyncedCounts(rows, c), c.db, c.scope.ownerId),
  afterInsert: (row, c) => notifyGateways([row], c),
  afterUpdate: (row, c, before) => notifyGateways([row, before], c),
  afterDelete: async (rows, c) => {
    await c.tx.execute(sql`
      delete from device_item
      where owner_id = ${c.scope.ownerId} and device_id = any(${rows.map(row => row.id)}::bigint[])
    `)
    await notifyGateways(rows, c)
  },
})

export const deviceHandlers = [
  writes(replaceDevice, async ({ id, identity, address, reason }, c) => {
    const { tx, scope } = c
    const found = await requireById(tx, device, scope, id, { lock: true })
    await update(
      tx,
      device,
      scope,
      id,
      { identity, kernelVersion: undefined, ...(address === undefined ? {} : { address }) },
      { reason },
    )
    await resendItems(tx, scope, id)
    await notifyGateways([found], c)
  }),
  writes(resendDeviceItems, async ({ id, keys }, { tx, scope }) => {
    await requireById(tx, device, scope, id)
    await resendItems(tx, scope, id, keys)
  }),
]
