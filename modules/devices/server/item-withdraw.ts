import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { itemAction, itemState } from '../contract/choices.ts'
import { notifyAgent } from './device-hub.ts'

/**
 * Takes what these keys name from every device of a project, whatever a plan would say: nothing of it stays
 * here, and devices that are away hear of it once they are back. Returns how many items are to be removed.
 */
export async function withdrawItems(
  tx: Tx,
  { ownerId, operatorId, time }: Scope,
  projectCode: string,
  keys: readonly string[],
): Promise<number> {
  if (!keys.length) return 0
  const withdrawn = await tx.rows<{ deviceId: Id; gatewayId: Id }>(sql`
    update device_item t
    set item_version = t.item_version + 1, action = ${code(itemAction, 'remove')},
      state = ${code(itemState, 'removing')}, run_data = null, attempts = 0, reason = null,
      next_time = ${time}::timestamptz, update_by = ${operatorId}, update_time = ${time}::timestamptz
    from device d
    where t.owner_id = ${ownerId}
      and t.project_code = ${projectCode}
      and t.item_key = any(${[...keys]}::text[])
      and t.action = ${code(itemAction, 'put')}
      and d.owner_id = ${ownerId}
      and d.id = t.device_id
    returning t.device_id, d.gateway_id
  `)
  for (const [deviceId, gatewayId] of new Map(withdrawn.map(row => [row.deviceId, row.gatewayId]))) {
    notifyAgent(tx, gatewayId, { kind: 'items', deviceId })
  }
  return withdrawn.length
}
