import { keyOf, type Moment } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { codes } from '#kit/server/sql.ts'
import { itemState } from '../contract/choices.ts'
import type { ItemState } from '../domain/device-item.ts'

export interface ReportedState {
  readonly key: string
  readonly version: number
  readonly state: ItemState
  readonly reason?: string
  readonly syncTime?: Moment
}

/** The state of each item of a device (ACS-3); of some keys, or all. */
export async function reportedState(
  db: Db,
  deviceId: Id,
  keys?: readonly string[],
): Promise<ReportedState[]> {
  const rows = await db.rows<Omit<ReportedState, 'state'> & { readonly code: number }>(sql`
    select item_key as key, item_version as version, state as code, reason, sync_time
    from device_item
    where owner_id = ${Number(db.ownerId)}
      and device_id = ${deviceId}
      ${keys ? sql`and item_key = any(${[...keys]}::text[])` : sql``}
    order by item_key
  `)
  return rows.map(({ code, ...row }) => ({ ...row, state: defined(keyOf(itemState, code)) }))
}

export interface MissingItems {
  readonly deviceId: Id
  readonly isOnline: boolean
  readonly waiting: number
  readonly failed: number
  readonly removing: number
  /** The most frequent reason of a failure. */
  readonly reason?: string
}

/** Devices that do not hold what they should, and why; of some devices, or of all. */
export const missingItems = (db: Db, deviceIds?: readonly Id[]): Promise<MissingItems[]> =>
  db.rows(sql`
    select t.device_id, d.is_online,
      (count(*) filter (where t.state in ${codes(itemState, 'waiting')}))::integer as waiting,
      (count(*) filter (where t.state in ${codes(itemState, 'failed')}))::integer as failed,
      (count(*) filter (where t.state in ${codes(itemState, 'removing')}))::integer as removing,
      mode() within group (order by t.reason) as reason
    from device_item t
    join device d on d.owner_id = ${Number(db.ownerId)} and d.id = t.device_id
    where t.owner_id = ${Number(db.ownerId)}
      and t.state in ${codes(itemState, 'waiting', 'failed', 'removing')}
      ${deviceIds ? sql`and t.device_id = any(${[...deviceIds]}::bigint[])` : sql``}
    group by t.device_id, d.is_online
    order by t.device_id
  `)
