import type { Moment } from '#kit/domain/moment.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'

interface BeatingDevice {
  readonly gatewayId: Id
  readonly isOnline: boolean
  readonly lastBeat?: Moment | undefined
}

/**
 * A gateway's beat tells of all its devices: one that is online was heard with the last of them. Its own row
 * is written only when its state changes, not by every beat of twenty thousand devices.
 */
export async function withLastBeats<T extends BeatingDevice>(
  rows: readonly T[],
  db: Db,
  ownerId: Id,
): Promise<T[]> {
  const gatewayIds = [...new Set(rows.flatMap(row => (row.isOnline ? [row.gatewayId] : [])))]
  if (!gatewayIds.length) return [...rows]
  const beats = await db.rows<{ id: Id; lastBeat?: Moment }>(sql`
    select id, last_beat from gateway where owner_id = ${ownerId} and id = any(${gatewayIds}::bigint[])
  `)
  const beatOf = new Map(beats.map(row => [row.id, row.lastBeat]))
  return rows.map(row =>
    row.isOnline ? { ...row, lastBeat: beatOf.get(row.gatewayId) ?? row.lastBeat } : row,
  )
}
