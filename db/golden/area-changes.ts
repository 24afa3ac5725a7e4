import { addMonths, firstOfMonth } from '#kit/domain/day.ts'
import type { Id } from '#kit/contract/field.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insertAll } from '#kit/server/table.ts'
import { roomChange } from '#modules/rooms/contract/room-change.ts'
import { seedDay } from './seed-day.ts'

/** A remeasured area that takes effect in the new year, and one that did before. */
export async function seedAreaChanges(
  tx: Tx,
  scope: Scope,
  projectCode: string,
  operatorName: string,
): Promise<void> {
  const remeasuredRooms = await tx.rows<{ id: Id; code: string; chargeArea: string }>(
    sql`
      select id, code, trim_scale(charge_area)::text as charge_area
      from room
      where owner_id = ${scope.ownerId} and project_code = ${projectCode} and path in ('3-2-1502', '3-1-801')
      order by path
    `,
  )
  await insertAll(
    tx,
    roomChange,
    scope,
    remeasuredRooms.map((r, i) => ({
      projectCode,
      roomId: r.id,
      roomCode: r.code,
      item: 'chargeArea',
      oldValue: i ? '140.1' : r.chargeArea,
      newValue: i ? r.chargeArea : '114.5',
      effectiveDate: i ? '2024-07-01' : firstOfMonth(addMonths(seedDay(scope), 2)),
      reason: '实测面积更正',
      applied: i === 1,
      operatorName,
    })),
  )
}
