import type { Id } from '#kit/domain/id.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { residencyStatus, type ResidencyStatus } from '../contract/labels.ts'

interface PayerRow {
  readonly userId: Id
  readonly roomId: Id
  readonly status: ResidencyStatus
  readonly isPayer: boolean
}

/**
 * Whether the bills of the room name the person, of `user_room l` and its `room r`: who is named, else the
 * main owner (BASE-9). What is asked for, or was, is the flag itself.
 */
export const paysForRoom = () =>
  sql`case when l.status = ${code(residencyStatus, 'living')}
    then coalesce(r.payer_id = l.user_id, false)
    else l.is_payer
  end`

/** The residencies with the payers that their rooms have. */
export async function withRoomPayers<R extends PayerRow>(
  db: Db | Tx,
  ownerId: Id,
  rows: readonly R[],
): Promise<R[]> {
  const roomIds = [...new Set(rows.filter(row => row.status === 'living').map(row => row.roomId))]
  if (!roomIds.length) return [...rows]
  const rooms = await db.rows<{ id: Id; payerId?: Id }>(
    sql`select id, payer_id from room where owner_id = ${ownerId} and id = any(${roomIds})`,
  )
  const payerByRoom = new Map(rooms.map(room => [room.id, room.payerId]))
  return rows.map(row =>
    row.status === 'living' ? { ...row, isPayer: payerByRoom.get(row.roomId) === row.userId } : row,
  )
}
