import type { Id } from '#kit/domain/id.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds } from '#kit/server/table.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { findMoveInFaults } from '#modules/rooms/server/public.ts'

/**
 * Refuses to move people into rooms that may not be delivered (C13). Who may deliver them nevertheless does
 * so first, with a reason; registering people without a day of moving in stays possible.
 */
export async function assertCanMoveIn(tx: Tx, scope: Scope, roomIds: readonly Id[]): Promise<void> {
  if (!roomIds.length) return
  const rooms = await findByIds(tx, room, scope, [...new Set(roomIds)])
  const faults = await findMoveInFaults(tx, scope, rooms)
  const messages = rooms.flatMap(r => {
    const fault = faults.get(r.id)
    return fault ? [{ Field: 'InDate', Message: `${r.path}：${fault}` }] : []
  })
  if (messages.length) throw invalidInput(messages)
}
