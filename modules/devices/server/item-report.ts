import { codeOf, keyOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import type { ReportedItem } from '../contract/agent-protocol.ts'
import { itemAction, itemState } from '../contract/choices.ts'
import { doneStateOf, itemRetryMs, type ItemState } from '../domain/device-item.ts'
import { failuresForFault } from '../domain/health.ts'
import type { AgentConnection } from './device-hub.ts'
import { closeFaults, openFaults } from './fault.ts'
import { hasKey } from './gateway-key.ts'
import { publishItemsReported } from './items-reported.ts'
import { KeyRevoked } from './key-revoked.ts'

interface SentItem {
  readonly itemKey: string
  readonly itemVersion: number
  readonly action: number
  readonly attempts: number
}

interface Outcome {
  readonly key: string
  readonly version: number
  readonly state: ItemState
  readonly reason: string | null
  readonly attempts: number
  readonly nextTime: string
}

/** The device, where it is connected to this gateway and the gateway still has its key. */
async function findReportingDevice(
  tx: Tx,
  connection: AgentConnection,
  deviceId: Id,
): Promise<{ readonly name: string; readonly projectCode: string } | undefined> {
  const { ownerId, gatewayId } = connection
  const key = await tx.one(sql`select 1 as found where ${hasKey(connection)}`)
  if (!key) throw new KeyRevoked()
  return tx.one(sql`
    select name, project_code from device where owner_id = ${ownerId} and id = ${deviceId} and gateway_id = ${gatewayId}
  `)
}

const outcomeOf = (now: number, sent: SentItem, reported: ReportedItem): Outcome => {
  const isDone = reported.outcome === 'done'
  const attempts = isDone ? 0 : sent.attempts + 1
  return {
    key: sent.itemKey,
    version: sent.itemVersion,
    state: isDone ? doneStateOf(defined(keyOf(itemAction, sent.action))) : 'failed',
    reason: isDone ? null : (reported.reason ?? '设备执行失败').slice(0, 500),
    attempts,
    nextTime: new Date(now + itemRetryMs(attempts)).toISOString(),
  }
}

async function writeOutcomes(
  tx: Tx,
  ownerId: Id,
  deviceId: Id,
  now: Date,
  outcomes: readonly Outcome[],
): Promise<void> {
  const keys = outcomes.map(each => each.key)
  const versions = outcomes.map(each => each.version)
  const states = outcomes.map(each => codeOf(itemState, each.state))
  const reasons = outcomes.map(each => each.reason)
  const attempts = outcomes.map(each => each.attempts)
  await tx.execute(sql`
    update device_item t
    set state = r.state, reason = r.reason, attempts = r.attempts, next_time = r.next_time,
      reported_version = r.version, sync_time = ${now}, update_time = ${now}
    from unnest(
      ${sqlArray('text', keys)}, ${sqlArray('integer', versions)},
      ${sqlArray('smallint', states)},
      ${sqlArray('text', reasons)},
      ${sqlArray('integer', attempts)},
      ${outcomes.map(each => each.nextTime)}::timestamptz[]
    ) as r(item_key, version, state, reason, attempts, next_time)
    where t.owner_id = ${ownerId}
      and t.device_id = ${deviceId}
      and t.item_key = r.item_key
      and t.item_version = r.version
  `)
}

/** Items that fail again and again are a fault of the device, until all of them are there. */
async function updateSyncFault(
  tx: Tx,
  connection: AgentConnection,
  deviceId: Id,
  name: string,
  now: Date,
): Promise<void> {
  const { ownerId, gatewayId, projectCode } = connection
  const failing = defined(
    await tx.one<{ count: number; failed: number }>(sql`
      select count(*) filter (where attempts >= ${failuresForFault})::integer as count, count(*)::integer as failed
      from device_item
      where owner_id = ${ownerId} and device_id = ${deviceId} and state = ${code(itemState, 'failed')}
    `),
  )
  const key = { gatewayId, deviceId, kind: 'sync' } as const
  if (!failing.failed) {
    await closeFaults(tx, ownerId, now, [key])
  } else if (failing.count) {
    const title = `设备「${name}」有 ${failing.count} 项下发失败`
    await openFaults(tx, ownerId, now, [{ ...key, projectCode, level: 'minor', title }])
  }
}

/** What a device says of items that it was sent; what it says of older versions is past. */
export async function storeReported(
  app: App,
  connection: AgentConnection,
  deviceId: Id,
  items: readonly ReportedItem[],
): Promise<void> {
  const { ownerId } = connection
  const now = app.clock()
  const reportedByKey = new Map(items.map(item => [item.key, item]))
  await app.database.tx(ownerId, async tx => {
    const device = await findReportingDevice(tx, connection, deviceId)
    if (!device) return
    const sent = await tx.rows<SentItem>(sql`
      select item_key, item_version, action, attempts
      from device_item
      where owner_id = ${ownerId}
        and device_id = ${deviceId}
        and item_key = any(${[...reportedByKey.keys()]}::text[])
      order by item_key
      for update
    `)
    const outcomes = sent.flatMap(item => {
      const reported = reportedByKey.get(item.itemKey)
      return reported?.version === item.itemVersion ? [outcomeOf(now, item, reported)] : []
    })
    if (!outcomes.length) return
    await writeOutcomes(tx, ownerId, deviceId, new Date(now), outcomes)
    await updateSyncFault(tx, connection, deviceId, device.name, new Date(now))
    await publishItemsReported(tx, {
      ownerId,
      deviceId,
      projectCode: device.projectCode,
      keys: outcomes.map(each => each.key),
      time: new Date(now).toISOString(),
    })
    app.live.publishOnCommit(tx, ownerId, { topic: 'devices' }, 'devices', { deviceId })
  })
}
