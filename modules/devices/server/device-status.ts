import { keyOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { code, codes } from '#kit/server/sql.ts'
import { contains } from '#kit/server/table.ts'
import { itemAction, itemState } from '../contract/choices.ts'
import type { ItemAction, ItemState } from '../domain/device-item.ts'
import { shownItemKey } from '../domain/secret-item.ts'
import { itemKeyCondition } from './item-key.ts'
import { withLastBeats } from './device-beat.ts'

/** What modules show of the devices behind their own records. */
export interface DeviceStatus {
  readonly id: Id
  readonly gatewayId: Id
  readonly name: string
  readonly devNo?: string
  readonly modelName?: string
  readonly isOnline: boolean
  readonly lastBeat?: Moment | undefined
}

export async function findDeviceStatuses(
  db: Db,
  ownerId: Id,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, DeviceStatus>> {
  const rows = ids.length
    ? await db.rows<DeviceStatus>(sql`
        select d.id, d.gateway_id, d.name, d.dev_no, m.name as model_name, d.is_online, d.last_beat
        from device d
        left join device_model m on m.owner_id = ${ownerId} and m.id = d.model_id
        where d.owner_id = ${ownerId} and d.id = any(${[...ids]}::bigint[])
      `)
    : []
  return new Map((await withLastBeats(rows, db, ownerId)).map(row => [row.id, row]))
}

/** ACS-3: how much a device is to hold, and what of it is not there or still there. */
export interface ItemCounts {
  readonly wanted: number
  readonly waiting: number
  readonly failed: number
  readonly removing: number
  /** The most frequent reason of a failure. */
  readonly reason?: string
}

const open = codes(itemState, 'waiting', 'failed', 'removing')
const put = code(itemAction, 'put')

/** Counts the items of devices; those without any are left out. */
export async function countDeviceItems(
  db: Db,
  ownerId: Id,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, ItemCounts>> {
  const rows = await db.rows<ItemCounts & { readonly deviceId: Id }>(sql`
    select t.device_id, (count(*) filter (where t.action = ${put}))::integer as wanted,
      (count(*) filter (where t.state = ${code(itemState, 'waiting')}))::integer as waiting,
      (count(*) filter (where t.state = ${code(itemState, 'failed')}))::integer as failed,
      (count(*) filter (where t.state = ${code(itemState, 'removing')}))::integer as removing,
      mode() within group (order by t.reason) filter (where t.state = ${code(itemState, 'failed')}) as reason
    from device_item t
    where t.owner_id = ${ownerId} and t.device_id = any(${[...ids]}::bigint[])
    group by t.device_id
  `)
  return new Map(rows.map(row => [row.deviceId, row]))
}

export interface ShownItem {
  readonly id: Id
  /** Masked where it is a secret. */
  readonly itemKey: string
  readonly action: ItemAction
  readonly state: ItemState
  readonly reason?: string
  readonly attempts: number
  readonly nextTime: Moment
  readonly syncTime?: Moment
  readonly data?: Readonly<Record<string, unknown>>
}

interface ItemQuery {
  readonly deviceId: Id
  readonly isUnsynced?: boolean | undefined
  readonly keyword?: string | undefined
  /** The keyword is a whole number or name: who may not see these does not guess them bit by bit. */
  readonly isWholeWord?: boolean | undefined
  readonly size: number
  readonly offset: number
}

type StoredItem = Omit<ShownItem, 'action' | 'state'> & { readonly action: number; readonly state: number }

const itemCondition = (
  ownerId: Id,
  { deviceId, isUnsynced, keyword, isWholeWord }: ItemQuery,
): RawBuilder<unknown> => sql`
  t.owner_id = ${ownerId}
  and t.device_id = ${deviceId}
  and t.state <> ${code(itemState, 'removed')}
  ${isUnsynced ? sql`and t.state in ${open}` : sql``}
  ${
    keyword
      ? isWholeWord
        ? sql`and ${keyword} in (split_part(t.item_key, ':', 2), t.run_data ->> 'name')`
        : sql`and (${itemKeyCondition(keyword)} or ${contains(sql`t.run_data ->> 'name'`, keyword)})`
      : sql``
  }
`

/** A page of what a device is to hold, what is missing first. */
export async function findDeviceItems(
  db: Db,
  ownerId: Id,
  query: ItemQuery,
): Promise<{ readonly total: number; readonly rows: readonly ShownItem[] }> {
  const rows = await db.rows<StoredItem>(sql`
    select t.id, t.item_key, t.action, t.state, t.reason, t.attempts, t.next_time, t.sync_time,
      t.run_data as data
    from device_item t
    where ${itemCondition(ownerId, query)}
    order by t.state in ${open} desc, t.item_key
    limit ${query.size} offset ${query.offset}
  `)
  const counted = await db.one<{ total: number }>(sql`
    select count(*)::integer as total from device_item t where ${itemCondition(ownerId, query)}
  `)
  return {
    total: defined(counted).total,
    rows: rows.map(row => ({
      ...row,
      itemKey: shownItemKey(row),
      action: defined(keyOf(itemAction, row.action)),
      state: defined(keyOf(itemState, row.state)),
    })),
  }
}
