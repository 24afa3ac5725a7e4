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
import { closeAllFaults, closeFaults, moveFaults } from './fault.ts'
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

const isInUse = ({ state }: Pick<Device, 'state'>): boolean => state !== 'disabled' && state !== 'scrapped'

/**
 * It was heard by the gateway that it hung on: the new one has to hear it first. Nobody listens to a device
 * that is out of use.
 */
async function forgetReports(
  draft: Pick<Device, 'gatewayId' | 'state'>,
  { tx, scope }: WriteContext,
  before: Device,
): Promise<object> {
  if (draft.gatewayId === before.gatewayId && isInUse(draft)) return {}
  const [last] = await withLastBeats([before], tx, scope.ownerId)
  return { isOnline: false, lastBeat: last?.lastBeat }
}

/** Its faults go with it; that a device out of use does not answer is none. */
async function moveDeviceFaults(
  row: Device,
  { tx, app, scope }: WriteContext,
  before: Device,
): Promise<void> {
  const target = { gatewayId: row.gatewayId, deviceId: row.id }
  if (row.gatewayId !== before.gatewayId) {
    await moveFaults(tx, scope.ownerId, target)
  }
  if (!isInUse(row)) {
    await closeFaults(tx, scope.ownerId, new Date(app.clock()), [{ ...target, kind: 'offline' }])
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
  refusesChangeOf: ['projectCode', 'devNo'],
  pickers: [pickDevices],
  check: deviceFaults,
  filter: (q: { readonly driver?: string }, c) => driverFilter(q.driver, c),
  enrich: async (rows, c) => withLastBeats(await withUnsyncedCounts(rows, c), c.db, c.scope.ownerId),
  afterInsert: (row, c) => notifyGateways([row], c),
  beforeUpdate: forgetReports,
  afterUpdate: async (row, c, before) => {
    await moveDeviceFaults(row, c, before)
    await notifyGateways([row, before], c)
  },
  afterDelete: async (rows, c) => {
    const ids = rows.map(row => row.id)
    await closeAllFaults(c.tx, c.scope.ownerId, new Date(c.app.clock()), 'device_id', ids)
    await c.tx.execute(sql`
      delete from device_item
      where owner_id = ${c.scope.ownerId} and device_id = any(${ids}::bigint[])
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
