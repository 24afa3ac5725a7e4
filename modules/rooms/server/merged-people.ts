import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { changeItem } from '../contract/labels.ts'

/**
 * Rooms of merged people name the one who stays before they are brought in line with their residencies:
 * the same person under another number is no other payer, and cuts no bill.
 */
export async function reassignRoomPeople(
  tx: Tx,
  ownerId: Id,
  roomIds: readonly Id[],
  mergedIds: readonly Id[],
  to: Id,
): Promise<void> {
  for (const column of ['main_owner_id', 'payer_id']) {
    await tx.execute(sql`
      update room
      set ${sql.id(column)} = ${to}
      where owner_id = ${ownerId}
        and id = any(${[...roomIds]})
        and ${sql.id(column)} = any(${[...mergedIds]}::bigint[])
    `)
  }
}

/** Payer changes that name one of the merged people name the one who stays. */
export async function reassignPayerChanges(
  tx: Tx,
  ownerId: Id,
  mergedIds: readonly Id[],
  to: Id,
): Promise<void> {
  for (const column of ['old_ref', 'new_ref']) {
    await tx.execute(sql`
      update room_change_log
      set ${sql.id(column)} = ${to}
      where owner_id = ${ownerId} and item = ${codeOf(changeItem, 'payer')} and ${sql.id(column)} = any(${[...mergedIds]}::bigint[])
    `)
  }
}
