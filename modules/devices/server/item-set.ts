import { codeOf, keyOf } from '#kit/contract/field.ts'
import { notFound } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { itemAction, itemState } from '../contract/choices.ts'
import { nextVersion, openStateOf, type KnownItem, type WantedItem } from '../domain/device-item.ts'
import { notifyAgent } from './device-hub.ts'
import { shownKeysCondition } from './item-key.ts'

interface LockedDevice {
  readonly gatewayId: Id
  readonly projectCode: string
}

/** Changes of what a device holds come one after the other. */
async function lockDevice(tx: Tx, ownerId: Id, deviceId: Id): Promise<LockedDevice> {
  const row = await tx.one<LockedDevice>(sql`
    select gateway_id, project_code
    from device
    where owner_id = ${ownerId} and id = ${deviceId} and ${notDeleted()}
    for update
  `)
  if (!row) throw notFound()
  return row
}

async function findKnown(
  tx: Tx,
  ownerId: Id,
  deviceId: Id,
  keys: readonly string[],
): Promise<ReadonlyMap<string, KnownItem>> {
  const rows = await tx.rows<{
    itemKey: string
    itemVersion: number
    action: number
    state: number
    runData: unknown
  }>(sql`
    select item_key, item_version, action, state, run_data
    from device_item
    where owner_id = ${ownerId} and device_id = ${deviceId} and item_key = any(${[...keys]}::text[])
  `)
  return new Map(
    rows.map(row => [
      row.itemKey,
      {
        version: row.itemVersion,
        action: defined(keyOf(itemAction, row.action)),
        state: defined(keyOf(itemState, row.state)),
        data: row.runData,
      },
    ]),
  )
}

/** The last of several wishes for one key counts. */
const lastOfEach = (items: readonly WantedItem[]): WantedItem[] => [
  ...new Map(items.map(item => [item.key, item])).values(),
]

async function writeItems(
  tx: Tx,
  scope: Scope,
  deviceId: Id,
  projectCode: string,
  changed: readonly (WantedItem & { readonly version: number })[],
): Promise<void> {
  const { ownerId, operatorId, time } = scope
  const keys = changed.map(item => item.key)
  const versions = changed.map(item => item.version)
  const actions = changed.map(item => codeOf(itemAction, item.action))
  const states = changed.map(item => codeOf(itemState, openStateOf(item.action)))
  const data = changed.map(item => (item.action === 'put' ? JSON.stringify(item.data ?? {}) : null))
  await tx.execute(sql`
    insert into device_item (
      owner_id, device_id, project_code, create_by, update_by, create_time, update_time, next_time, attempts,
      item_key, item_version, action, state, run_data
    )
    select ${ownerId}::bigint, ${deviceId}::bigint, ${projectCode}::text, ${operatorId}::bigint,
      ${operatorId}::bigint, ${time}::timestamptz, ${time}::timestamptz, ${time}::timestamptz, 0, r.*
    from unnest(
      ${sqlArray('text', keys)},
      ${sqlArray('integer', versions)},
      ${sqlArray('smallint', actions)},
      ${sqlArray('smallint', states)},
      ${data}::jsonb[]
    ) as r(item_key, item_version, action, state, run_data)
    on conflict (owner_id, device_id, item_key) do update set
      item_version = excluded.item_version, action = excluded.action, state = excluded.state,
      run_data = excluded.run_data, attempts = excluded.attempts, next_time = excluded.next_time,
      update_time = excluded.update_time, update_by = excluded.update_by, reason = excluded.reason
    returning id
  `)
}

/**
 * Sets what a device has to hold from now on: `put` with its data, `remove` (ACS-3). What it holds already is
 * not sent again. In the transaction of the cause; returns how many items are to be sent.
 */
export async function setDesiredState(
  tx: Tx,
  scope: Scope,
  deviceId: Id,
  items: readonly WantedItem[],
): Promise<number> {
  if (!items.length) return 0
  const wanted = lastOfEach(items)
  const { gatewayId, projectCode } = await lockDevice(tx, scope.ownerId, deviceId)
  const known = await findKnown(
    tx,
    scope.ownerId,
    deviceId,
    wanted.map(item => item.key),
  )
  const changed = wanted.flatMap(item => {
    const version = nextVersion(known.get(item.key), item)
    return version === undefined ? [] : [{ ...item, version }]
  })
  if (!changed.length) return 0
  await writeItems(tx, scope, deviceId, projectCode, changed)
  notifyAgent(tx, gatewayId, { kind: 'items', deviceId })
  return changed.length
}

/**
 * Sends what a device should hold again, all of it or some keys: under new versions, so that a device that
 * says it has them is not believed. Returns how many.
 */
export async function resendItems(
  tx: Tx,
  scope: Scope,
  deviceId: Id,
  keys?: readonly string[],
): Promise<number> {
  const { gatewayId } = await lockDevice(tx, scope.ownerId, deviceId)
  const isDeleted = codeOf(itemState, 'removed')
  const sent = await tx.execute(sql`
    update device_item
    set item_version = item_version + 1, attempts = 0, reason = null, next_time = ${scope.time}::timestamptz,
      update_time = ${scope.time}::timestamptz,
      state = case action
        when ${codeOf(itemAction, 'put')} then ${codeOf(itemState, 'waiting')}::smallint
        else ${codeOf(itemState, 'removing')}::smallint
        end
    where owner_id = ${scope.ownerId}
      and device_id = ${deviceId}
      and state <> ${isDeleted}
      ${keys?.length ? sql`and ${shownKeysCondition(keys)}` : sql``}
  `)
  if (sent) {
    notifyAgent(tx, gatewayId, { kind: 'items', deviceId })
  }
  return sent
}
