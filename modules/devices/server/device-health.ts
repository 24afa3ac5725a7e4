import { notFound } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import { addDaysToMoment, type Moment } from '#kit/domain/moment.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { reads, writes, type ReadContext } from '#kit/server/handler.ts'
import { requireProject, type Scope } from '#kit/server/scope.ts'
import { code, codes } from '#kit/server/sql.ts'
import { findPage, requireByIds, tenantFilter, updateAll, type TableQuery } from '#kit/server/table.ts'
import { deviceState, faultLevel, faultState, itemState, taskState } from '../contract/choices.ts'
import { closeDeviceFaults, deviceFault, deviceFaults, getDeviceHealth } from '../contract/device-health.ts'
import { device } from '../contract/device.ts'
import { deviceItem } from '../contract/device-item.ts'
import { gateway } from '../contract/gateway.ts'
import { remoteTask } from '../contract/remote-task.ts'
import { markRecovered, updateHealth } from './fault.ts'
import type { Entity } from '#kit/contract/entity.ts'

export const deviceFaultServer = crudHandlers(deviceFaults, {})

interface GatewayCounts {
  readonly gatewayCount: number
  readonly onlineGatewayCount: number
}
interface DeviceCounts {
  readonly deviceCount: number
  readonly onlineDeviceCount: number
  readonly averageScore: string | null
}
interface FaultCounts {
  readonly openFaultCount: number
  readonly criticalFaultCount: number
  readonly faultyDeviceCount: number
}
interface ItemCounts {
  readonly unsyncedItemCount: number
  readonly failedItemCount: number
}
interface TaskCounts {
  readonly taskCount: number
  readonly failedTaskCount: number
}

/** Each counts its own table once, in one round trip. */
async function countHealth({ db, scope, now }: ReadContext, projectCode: string | undefined) {
  const from = (e: Entity): RawBuilder<unknown> =>
    sql`from ${sql.table(e.table)} t where ${tenantFilter(e, scope, projectCode)}`
  const weekAgo = addDaysToMoment(now, -7)
  const [[gateways], [devices], [faults], [items], [tasks]] = await db.all<
    [GatewayCounts, DeviceCounts, FaultCounts, ItemCounts, TaskCounts]
  >(
    sql`
      select count(*)::integer as gateway_count,
        (count(*) filter (where t.is_online))::integer as online_gateway_count
      ${from(gateway)}
    `,
    sql`
      select count(*)::integer as device_count,
        (count(*) filter (where t.is_online))::integer as online_device_count,
        round(avg(t.health_score), 1)::text as average_score
      ${from(device)} and t.state not in ${codes(deviceState, 'disabled', 'scrapped')}
    `,
    sql`
      select count(*)::integer as open_fault_count,
        (count(*) filter (where t.level = ${code(faultLevel, 'critical')}))::integer as critical_fault_count,
        (count(distinct t.device_id) filter (where t.device_id <> 0))::integer as faulty_device_count
      ${from(deviceFault)} and t.state = ${code(faultState, 'open')}
    `,
    sql`
      select count(*)::integer as unsynced_item_count,
        (count(*) filter (where t.state = ${code(itemState, 'failed')}))::integer as failed_item_count
      ${from(deviceItem)} and t.state in ${codes(itemState, 'waiting', 'failed', 'removing')}
    `,
    sql`
      select count(*)::integer as task_count,
        (count(*) filter (where t.state in ${codes(taskState, 'failed', 'timedOut')}))::integer as failed_task_count
      ${from(remoteTask)} and t.send_time >= ${weekAgo}::timestamptz
    `,
  )
  return {
    ...defined(gateways),
    ...defined(devices),
    ...defined(faults),
    ...defined(items),
    ...defined(tasks),
  }
}

interface ClosedByHand {
  readonly ids: readonly string[]
  readonly reason: string
  /** The prefix of the codes of one module's faults. */
  readonly codePrefix?: string
}

/** A person says what was done about open faults. */
export async function closeByHand(
  tx: Tx,
  scope: Scope,
  now: Moment,
  { ids, reason, codePrefix = '' }: ClosedByHand,
): Promise<void> {
  const rows = await requireByIds(tx, deviceFault, scope, ids, { lock: true })
  if (!rows.every(({ faultCode = '' }) => faultCode.startsWith(codePrefix))) throw notFound()
  const open = rows.filter(row => row.state === 'open')
  await updateAll(tx, deviceFault, scope, open, { state: 'closed', closeTime: now, note: reason }, { reason })
  if (open.length) {
    await markRecovered(tx, scope.ownerId, open)
    await updateHealth(tx, scope.ownerId, open)
  }
}

/** A page of the faults whose codes begin so, for the module whose they are. */
export const findFaultPage = (db: Db, scope: Scope, query: TableQuery, codePrefix: string) =>
  findPage(db, deviceFault, scope, query, {
    filters: ['deviceId', 'level', 'state', 'openTime'],
    where: [sql`starts_with(t.fault_code, ${codePrefix})`],
  })

export const deviceHealthHandlers = [
  reads(getDeviceHealth, async ({ projectCode }, c) => {
    if (projectCode) {
      requireProject(c.scope.domain, projectCode)
    }
    const { averageScore, ...counts } = await countHealth(c, projectCode)
    return { ...counts, ...(averageScore === null ? {} : { averageScore }) }
  }),
  writes(closeDeviceFaults, ({ ids, reason }, { tx, scope, now }) =>
    closeByHand(tx, scope, now, { ids, reason }),
  ),
]
