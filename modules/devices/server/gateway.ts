import { createHmac, randomBytes } from 'node:crypto'
import { refuse } from '#kit/contract/wire.ts'
import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import type { CrudContext } from '#kit/server/crud-hooks.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { addEntry, removeEntries } from '#kit/server/directory.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { installationSecretOf } from '#kit/server/installation-secret.ts'
import { requireById, tenantFilter, update } from '#kit/server/table.ts'
import {
  createPairingCode,
  gateway,
  gateways,
  pickGateways,
  revokeGateway,
  type Gateway,
} from '../contract/gateway.ts'
import { device } from '../contract/device.ts'
import { pairingCodeMinutes, pairingCodeOf } from '../domain/pairing-code.ts'
import { notifyAgent } from './device-hub.ts'
import { closeAllFaults } from './fault.ts'
import { deleteGatewayKey } from './gateway-key.ts'
import { markDevicesOffline } from './offline.ts'
import { endTask } from './task-end.ts'
import { openTask } from './task-row.ts'
import { projectFaults } from './project-fault.ts'
import { requireWholeProject } from './whole-project.ts'

/** What the database keeps of a code: without the installation's secret it tells nothing. */
export const pairingHash = async (app: Pick<App, 'database'>, code: string): Promise<string> =>
  createHmac('sha256', await installationSecretOf(app.database, 'gateway-pairing'))
    .update(code)
    .digest('hex')

export async function deletePairing(tx: Tx, ownerId: Id, gatewayId: Id): Promise<void> {
  await tx.execute(sql`delete from gateway_pairing where owner_id = ${ownerId} and gateway_id = ${gatewayId}`)
  await removeEntries(tx, 'gateway_code', ownerId, [gatewayId])
}

async function withDeviceCounts(rows: readonly Gateway[], { db, scope }: CrudContext): Promise<Gateway[]> {
  const counts = await db.rows<{ gatewayId: Id; count: number }>(sql`
    select t.gateway_id, count(*)::integer as count
    from device t
    where t.owner_id = ${scope.ownerId}
      and t.gateway_id = any(${rows.map(row => row.id)}::bigint[])
      and ${tenantFilter(device, scope)}
    group by t.gateway_id
  `)
  const countOf = new Map(counts.map(row => [row.gatewayId, row.count]))
  return rows.map(row => ({ ...row, deviceCount: countOf.get(row.id) ?? 0 }))
}

/** Commands under way reach nobody any more. */
async function endOpenTasks({ tx, app, scope }: WriteContext, gatewayId: Id, reason: string): Promise<void> {
  const open = await tx.rows<{ id: Id }>(sql`
    select t.id
    from remote_task t
    where t.owner_id = ${scope.ownerId} and t.gateway_id = ${gatewayId} and ${openTask}
    order by t.id
  `)
  for (const { id } of open) {
    await endTask(tx, app, scope.ownerId, id, { state: 'failed', reason })
  }
}

/** The gateway's agent is a stranger from now on, on every server process. */
async function forgetAgent(c: WriteContext, gatewayId: Id, reason: string): Promise<void> {
  const { tx, scope } = c
  await deletePairing(tx, scope.ownerId, gatewayId)
  await deleteGatewayKey(tx, scope.ownerId, gatewayId)
  await tx.execute(sql`
    update gateway set run_connection_key = null where owner_id = ${scope.ownerId} and id = ${gatewayId}
  `)
  await markDevicesOffline(tx, scope.ownerId, [gatewayId])
  await endOpenTasks(c, gatewayId, reason)
  notifyAgent(tx, gatewayId, { kind: 'revoked' })
}

export const gatewayServer = crudHandlers(gateways, {
  codes: { gateNo: 'GW' },
  unique: { gateway_no_live: '公司内已有此网关号，请更换' },
  refusesChangeOf: ['projectCode', 'gateNo'],
  pickers: [pickGateways],
  check: (draft: Pick<Gateway, 'projectCode'>, c, before: Gateway | undefined) => {
    requireWholeProject(c.scope, before?.projectCode ?? draft.projectCode)
    return projectFaults(draft, c, before)
  },
  enrich: withDeviceCounts,
  beforeDelete: async (rows, { scope }) => {
    for (const { projectCode } of rows) {
      requireWholeProject(scope, projectCode)
    }
  },
  afterDelete: async (rows, c) => {
    const ids = rows.map(row => row.id)
    await closeAllFaults(c.tx, c.scope.ownerId, new Date(c.app.clock()), 'gateway_id', ids)
    for (const { id } of rows) {
      await forgetAgent(c, id, '网关已删除')
    }
  },
})

/** A code for the gateway, in place of the one before. */
export async function makePairingCode(
  { tx, scope, app }: Pick<WriteContext, 'tx' | 'scope' | 'app'>,
  id: Id,
): Promise<{ code: string; expireTime: Moment }> {
  const found = await requireById(tx, gateway, scope, id, { lock: true })
  requireWholeProject(scope, found.projectCode)
  await deletePairing(tx, scope.ownerId, id)
  const code = pairingCodeOf(randomBytes(8))
  const expires = app.clock() + pairingCodeMinutes * 60_000
  const hash = await pairingHash(app, code)
  // One in a trillion: somebody else's code is never taken over.
  if (!(await addEntry(tx, 'gateway_code', hash, { ownerId: scope.ownerId, refId: id }))) {
    return refuse('配对码生成失败，请重试')
  }
  await tx.execute(sql`
    insert into gateway_pairing (owner_id, gateway_id, code_hash, expire_time, operator_id)
    values (${scope.ownerId}, ${id}, ${hash}, ${new Date(expires)}, ${scope.operatorId})
  `)
  await update(tx, gateway, scope, found.id, {}, { reason: '生成配对码' })
  return { code, expireTime: fromInstant(expires) }
}

export const gatewayHandlers = [
  writes(createPairingCode, ({ id }, c) => makePairingCode(c, id)),
  writes(revokeGateway, async ({ id, reason }, c) => {
    const { tx, scope, now } = c
    const found = await requireById(tx, gateway, scope, id, { lock: true })
    requireWholeProject(scope, found.projectCode)
    if (found.state !== 'paired') return refuse('该网关尚未配对')
    await forgetAgent(c, id, '网关已吊销')
    await update(
      tx,
      gateway,
      scope,
      id,
      { state: 'revoked', isOnline: false, revokeTime: now, revokeReason: reason },
      { reason },
    )
  }),
]
