import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { openFaults } from '#modules/devices/server/public.ts'
import { overuseAlarm } from '../../domain/doorway-alarm.ts'

interface Overuse {
  readonly projectCode: string
  readonly doorwayId: Id
  readonly deviceId: Id
}

interface OverusedDevice {
  readonly deviceId: Id
  readonly gatewayId: Id
  readonly doorwayName: string
}

/** Doors that let somebody in by a code of which nothing was left: open until somebody has looked (ACS-5). */
export async function reportOveruse(tx: Tx, scope: Scope, overuses: readonly Overuse[]): Promise<void> {
  const devices = await tx.rows<OverusedDevice>(sql`
    select v.id as device_id, coalesce(v.gateway_id, 0) as gateway_id, d.doorway_name
    from unnest(
      ${overuses.map(({ deviceId }) => deviceId)}::bigint[],
      ${overuses.map(({ doorwayId }) => doorwayId)}::bigint[]
    ) as r(device_id, doorway_id)
    join device v on v.owner_id = ${scope.ownerId} and v.id = r.device_id
    join doorway d on d.owner_id = ${scope.ownerId} and d.id = r.doorway_id
  `)
  const { code, level, title } = overuseAlarm
  const projects = new Map(overuses.map(({ deviceId, projectCode }) => [deviceId, projectCode]))
  await openFaults(
    tx,
    scope.ownerId,
    new Date(scope.time),
    devices.map(({ deviceId, gatewayId, doorwayName }) => ({
      gatewayId,
      deviceId,
      kind: 'reported' as const,
      code,
      projectCode: projects.get(deviceId) ?? '',
      level,
      title: `${title}：${doorwayName}`,
    })),
  )
}
