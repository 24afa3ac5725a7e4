import { pickPresent } from '#kit/domain/records.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { requireProject, type Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { deviceState, gatewayState } from '../contract/choices.ts'
import { device, type Device } from '../contract/device.ts'
import {
  findDeviceNames,
  findPushTargets,
  kernelTargets,
  listOnlineDevices,
  listOnlineGateways,
  smartTarget,
} from '../contract/device-lookup.ts'
import { gateway, type Gateway } from '../contract/gateway.ts'
import { withLastBeats } from './device-beat.ts'

const projectOf = (
  { projectCode }: { readonly projectCode?: string | undefined },
  { domain }: Pick<Scope, 'domain'>,
) => (projectCode ? { projectCode: requireProject(domain, projectCode) } : {})

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
const ofGateways = (ownerId: Id, gateNos: readonly string[]) => sql`
  t.gateway_id in (
    select g.id
    from gateway g
    where g.owner_id = ${ownerId} and g.gate_no = any(${[...gateNos]}::text[]) and g.delete_tag = 0
  )
`

const hasKernel = sql`t.kernel_version is not null`

/** Which devices take a file of the named target. */
function takesTarget(ownerId: Id, target: string): readonly RawBuilder<unknown>[] {
  if (target === smartTarget) return []
  if (kernelTargets.includes(target)) return [hasKernel]
  const isOfType = sql`
    t.model_id in (
      select m.id from device_model m where m.owner_id = ${ownerId} and m.dev_type = ${target} and ${notDeleted('m')}
    )
  `
  return [hasKernel, isOfType]
}

async function findDevices(
  db: Db,
  scope: Scope,
  query: { readonly projectCode?: string | undefined },
  where: readonly RawBuilder<unknown>[],
) {
  const rows = await findAll(db, device, scope, projectOf(query, scope), { where: [...where] })
  return (await withLastBeats(rows, db, scope.ownerId)).map(deviceRowOf)
}

export const deviceLookupHandlers = [
  reads(findDeviceNames, async ({ gateNos, ...query }, { db, scope }) => {
    const rows = await findAll(db, device, scope, projectOf(query, scope), {
      where: [ofGateways(scope.ownerId, gateNos)],
    })
    return rows.map(row => ({ devNo: row.devNo ?? '', name: row.name, gateNo: row.gateNo ?? '' }))
  }),
  reads(findPushTargets, async ({ target, ...q }, { db, scope }) =>
    findDevices(db, scope, q, [sql`t.is_online`, inUse, ...takesTarget(scope.ownerId, target)]),
  ),
  reads(listOnlineGateways, async (q, { db, scope }) => {
    const where = [sql`t.is_online and t.state = ${code(gatewayState, 'paired')}`]
    return (await findAll(db, gateway, scope, projectOf(q, scope), { where })).map(gatewayRowOf)
  }),
  reads(listOnlineDevices, async ({ gateNo, ...q }, { db, scope }) => {
    return findDevices(db, scope, q, [sql`t.is_online`, inUse, ofGateways(scope.ownerId, [gateNo])])
  }),
]
