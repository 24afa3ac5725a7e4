import { pickPresent } from '#kit/domain/records.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { code, codes } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { deviceState, gatewayState } from '../contract/choices.ts'
import { device, type Device } from '../contract/device.ts'
import {
  findDeviceNames,
  findPushTargets,
  listOnlineDevices,
  listOnlineGateways,
  smartTarget,
} from '../contract/device-lookup.ts'
import { gateway, type Gateway } from '../contract/gateway.ts'

const projectOf = ({ projectCode }: { readonly projectCode?: string | undefined }) =>
  projectCode ? { projectCode } : {}

const inUse = sql`t.state not in ${codes(deviceState, 'disabled', 'scrapped')}`

const deviceRowOf = (row: Device) => ({
  ...pickPresent(row, [
    'id',
    'devType',
    'hostNo',
    'identity',
    'name',
    'address',
    'isOnline',
    'lastBeat',
    'kernelVersion',
  ]),
  id: row.id,
  name: row.name,
  isOnline: row.isOnline,
  devNo: row.devNo ?? '',
  gateNo: row.gateNo ?? '',
})

const gatewayRowOf = (row: Gateway) => ({
  ...pickPresent(row, ['address']),
  id: row.id,
  name: row.name,
  gateNo: row.gateNo ?? '',
})

/** Devices of gateways with these numbers. */
const ofGateways = (ownerId: number, gateNos: readonly string[]) => sql`
  t.gateway_id in (
    select g.id
    from gateway g
    where g.owner_id = ${ownerId} and g.gate_no = any(${[...gateNos]}::text[]) and g.delete_tag = 0
  )
`

export const deviceLookupHandlers = [
  reads(findDeviceNames, async ({ gateNos, ...q }, { db, scope }) => {
    const rows = await findAll(db, device, scope, projectOf(q), {
      where: [ofGateways(scope.ownerId, gateNos)],
    })
    return rows.map(row => ({ devNo: row.devNo ?? '', name: row.name, gateNo: row.gateNo ?? '' }))
  }),
  reads(findPushTargets, async ({ target, ...q }, { db, scope }) => {
    const isKernel = target !== smartTarget
    const where = [sql`t.is_online`, inUse, ...(isKernel ? [sql`t.kernel_version is not null`] : [])]
    return (await findAll(db, device, scope, projectOf(q), { where })).map(deviceRowOf)
  }),
  reads(listOnlineGateways, async (q, { db, scope }) => {
    const where = [sql`t.is_online and t.state = ${code(gatewayState, 'paired')}`]
    return (await findAll(db, gateway, scope, projectOf(q), { where })).map(gatewayRowOf)
  }),
  reads(listOnlineDevices, async ({ gateNo, ...q }, { db, scope }) => {
    const where = [sql`t.is_online`, inUse, ofGateways(scope.ownerId, [gateNo])]
    return (await findAll(db, device, scope, projectOf(q), { where })).map(deviceRowOf)
  }),
]
