import { keyOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { openMethod, openStatus, passageDirection } from '../../contract/choices.ts'
import { mergeWindowMs, remoteWindowMs } from '../../domain/passage-merge.ts'
import { identityOf, isCountedEntrance, isRemote, keyOfRecord, type NewPassage } from './new-passage.ts'

/** A stored record that an incoming one may repeat. */
export interface Neighbour {
  readonly id: Id
  readonly createTime: Date
  readonly deviceId: Id
  readonly doorwayId: Id
  readonly recordKey: string
  readonly mergedKeys: readonly string[]
  readonly itemKey?: string
  readonly atMs: number
  readonly isTimeDoubtful: boolean
  readonly identity: string | undefined
  /** By a credential whose entrances are counted. */
  readonly opensInwards: boolean
}

interface Row {
  readonly id: Id
  readonly createdMs: number
  readonly deviceId: Id
  readonly doorwayId: Id
  readonly recordKey: string
  readonly mergedKeys?: readonly string[]
  readonly itemKey?: string
  readonly atMs: number
  readonly isTimeDoubtful: boolean
  readonly openMethod: number
  readonly openStatus: number
  readonly direction: number
}

const dayMs = 86_400_000
/** The time of a doubtful one differs each time it comes: it is sought by its number for so long. */
const doubtfulDays = 31

function neighbourOf({ mergedKeys, createdMs, ...row }: Row): Neighbour {
  const named = {
    doorwayId: row.doorwayId,
    itemKey: row.itemKey,
    openMethod: defined(keyOf(openMethod, row.openMethod)),
    openStatus: defined(keyOf(openStatus, row.openStatus)),
    direction: defined(keyOf(passageDirection, row.direction)),
  }
  return {
    ...row,
    createTime: new Date(createdMs),
    mergedKeys: mergedKeys ?? [],
    identity: identityOf(named),
    opensInwards: isCountedEntrance(named),
  }
}

/** No record comes in before it happens: months before are not read. */
const earliestCreation = (passages: readonly NewPassage[], nowMs: number): Date => {
  const times = passages.map(({ atMs, isTimeDoubtful }) =>
    isTimeDoubtful ? Math.min(atMs, nowMs - doubtfulDays * dayMs) : atMs,
  )
  return new Date(Math.min(nowMs, ...times) - dayMs)
}

const columns = sql`t.id, extract(epoch from t.create_time)::float8 * 1000 as created_ms, t.device_id,
  t.doorway_id, t.record_key, t.merged_keys, t.item_key,
  extract(epoch from t.record_time)::float8 * 1000 as at_ms, t.is_time_doubtful, t.open_method,
  t.open_status, t.direction`

/** Those with the numbers of the incoming ones, and those at the same doors at nearly the same time. */
export async function findNeighbours(
  tx: Tx,
  ownerId: Id,
  passages: readonly NewPassage[],
  nowMs: number,
): Promise<Neighbour[]> {
  const since = earliestCreation(passages, nowMs)
  const windowOf = (passage: NewPassage): number => (isRemote(passage) ? remoteWindowMs : mergeWindowMs)
  const instants = (shift: 1 | -1) =>
    passages.map(passage => new Date(passage.atMs + shift * windowOf(passage)))
  const rows = await tx.rows<Row>(sql`
    select ${columns}
    from unnest(
      ${sqlArray(
        'bigint',
        passages.map(each => each.deviceId),
      )}, ${sqlArray(
        'text',
        passages.map(each => each.recordKey),
      )}
    ) as r(device_id, record_key)
    join access_record t on t.device_id = r.device_id and t.record_key = r.record_key
    where t.owner_id = ${ownerId} and t.create_time >= ${since}
    union
    select ${columns}
    from unnest(
      ${sqlArray(
        'bigint',
        passages.map(each => each.doorwayId),
      )}, ${instants(-1)}::timestamptz[], ${instants(1)}::timestamptz[]
    ) as r(doorway_id, time_from, time_to)
    join access_record t on t.doorway_id = r.doorway_id
      and t.record_time >= r.time_from
      and t.record_time <= r.time_to
    where t.owner_id = ${ownerId} and t.create_time >= ${since}
  `)
  return rows.map(neighbourOf)
}

export const recordKeysOf = (neighbour: Neighbour): string[] => [
  keyOfRecord(neighbour),
  ...neighbour.mergedKeys,
]
