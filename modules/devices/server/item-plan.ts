import type { Id } from '#kit/domain/id.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { itemAction, itemState } from '../contract/choices.ts'
import { notifyAgent } from './device-hub.ts'

type Sql = RawBuilder<unknown>

/** What some devices of a project have to hold from now on, as a set. */
export interface ItemPlan {
  readonly projectCode: string
  readonly deviceIds: readonly Id[]
  /** Selects `device_id`, `item_key` and `run_data` of all that is wanted of what the plan is about. */
  readonly wanted: Sql
  /** Of the stored items `t` of these devices those that the plan is about: what is not wanted is removed. */
  readonly within: Sql
  /** It is about all that the devices hold, not about a few credentials. */
  readonly isWhole?: boolean
}

interface LockedDevice {
  readonly id: Id
  readonly gatewayId: Id
}

/** Changes of what a device holds come one after the other; always in the same order. */
const lockDevices = (tx: Tx, ownerId: Id, ids: readonly Id[]): Promise<LockedDevice[]> =>
  tx.rows(sql`
    select id, gateway_id
    from device
    where owner_id = ${ownerId} and id = any(${[...ids]}::bigint[]) and ${notDeleted()}
    order by id
    for update
  `)

/**
 * How many rows a selection yields is in no statistics: of a small estate the planner expects one, and
 * compares every wanted item with every stored one. Joined by hash, it is linear for any number.
 */
const allowLoops = (tx: Tx, isAllowed: boolean): Promise<unknown> =>
  tx.execute(sql`select set_config('enable_nestloop', ${isAllowed ? 'on' : 'off'}, true)`)

interface ChangedDevice {
  readonly deviceId: Id
  readonly count: number
}

/** In one statement, however many items there are. */
function storeDifference(
  tx: Tx,
  { ownerId, operatorId, time }: Scope,
  plan: ItemPlan,
  ids: readonly Id[],
): Promise<ChangedDevice[]> {
  const put = code(itemAction, 'put')
  const now = sql`${time}::timestamptz`
  return tx.rows<ChangedDevice>(sql`
    with wanted as materialized (${plan.wanted}),
    changed as materialized (
      select w.device_id, w.item_key, w.run_data, coalesce(t.item_version, 0) + 1 as item_version
      from wanted w
      left join device_item t on t.owner_id = ${ownerId}
        and t.device_id = w.device_id
        and t.item_key = w.item_key
      where w.device_id = any(${ids}::bigint[])
        and (t.id is null or t.action <> ${put} or t.run_data is distinct from w.run_data)
    ),
    stored as (
      insert into device_item (
        owner_id, device_id, project_code, item_key, item_version, action, state, run_data, attempts,
        next_time, create_by, update_by, create_time, update_time
      )
      select ${ownerId}::bigint, c.device_id, ${plan.projectCode}::text, c.item_key, c.item_version,
        ${put}::smallint, ${code(itemState, 'waiting')}::smallint, c.run_data, 0, ${now},
        ${operatorId}::bigint, ${operatorId}::bigint, ${now}, ${now}
      from changed c
      on conflict (owner_id, device_id, item_key) do update set
        project_code = excluded.project_code, item_version = excluded.item_version, action = excluded.action,
        state = excluded.state, run_data = excluded.run_data, attempts = excluded.attempts,
        next_time = excluded.next_time, reason = excluded.reason, update_by = excluded.update_by,
        update_time = excluded.update_time
      returning device_id
    ),
    removed as (
      update device_item t
      set item_version = t.item_version + 1, action = ${code(itemAction, 'remove')},
        state = ${code(itemState, 'removing')}, run_data = null, attempts = 0, reason = null,
        next_time = ${now}, update_by = ${operatorId}, update_time = ${now}
      where t.owner_id = ${ownerId}
        and t.device_id = any(${ids}::bigint[])
        and t.action = ${put}
        and ${plan.within}
        and not exists (
          select 1 from wanted w where w.device_id = t.device_id and w.item_key = t.item_key
        )
      returning t.device_id
    )
    select e.device_id, count(*)::integer as count
    from (select device_id from stored union all select device_id from removed) e
    group by e.device_id
  `)
}

/**
 * Writes the difference: what is new or has other data is put
 * under its next version, what is wanted no more is removed (ACS-3). What a device holds already is not sent
 * again. Returns how many items changed.
 */
export async function planDesiredItems(tx: Tx, scope: Scope, plan: ItemPlan): Promise<number> {
  const devices = await lockDevices(tx, scope.ownerId, plan.deviceIds)
  if (!devices.length) return 0
  if (plan.isWhole) {
    await allowLoops(tx, false)
  }
  const changed = await storeDifference(
    tx,
    scope,
    plan,
    devices.map(({ id }) => id),
  )
  if (plan.isWhole) {
    await allowLoops(tx, true)
  }
  const changedIds = new Set(changed.map(({ deviceId }) => deviceId))
  for (const { id, gatewayId } of devices) {
    if (changedIds.has(id)) {
      notifyAgent(tx, gatewayId, { kind: 'items', deviceId: id })
    }
  }
  return changed.reduce((total, { count }) => total + count, 0)
}
