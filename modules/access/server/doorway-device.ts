import type { Id } from '#kit/domain/id.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { requireProject } from '#kit/server/scope.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { deviceState } from '#modules/devices/contract/choices.ts'
import { device } from '#modules/devices/contract/device.ts'
import {
  countDeviceItems,
  findDeviceStatuses,
  type DeviceStatus,
  type ItemCounts,
} from '#modules/devices/server/public.ts'
import { doorwayDevices, listFreeDevices, type DoorwayDevice } from '../contract/doorway-device.ts'

/** Why what is missing is not there: nobody can reach the device, or what it says itself. */
function missingReason(status: DeviceStatus | undefined, counts: ItemCounts | undefined): string | undefined {
  const isMissing = counts !== undefined && counts.waiting + counts.failed + counts.removing > 0
  if (!isMissing) return undefined
  return status?.isOnline ? (counts.reason ?? '正在下发') : '设备离线'
}

async function withStatus(
  rows: readonly DoorwayDevice[],
  db: Db,
  ownerId: Id,
): Promise<readonly DoorwayDevice[]> {
  const ids = rows.map(row => row.deviceId)
  const statuses = await findDeviceStatuses(db, ownerId, ids)
  const counts = await countDeviceItems(db, ownerId, ids)
  return rows.map(row => {
    const status = statuses.get(row.deviceId)
    const counted = counts.get(row.deviceId)
    return {
      ...row,
      deviceModel: status?.modelName,
      isOnline: status?.isOnline,
      lastBeat: status?.lastBeat,
      wantedCount: counted?.wanted ?? 0,
      waitingCount: counted?.waiting ?? 0,
      failedCount: counted?.failed ?? 0,
      removingCount: counted?.removing ?? 0,
      missingReason: missingReason(status, counted),
    }
  })
}

export const doorwayDeviceServer = crudHandlers(doorwayDevices, {
  unique: { doorway_device_live: '该设备已绑定到门，请先解绑' },
  refusesChangeOf: ['doorwayId', 'deviceId'],
  enrich: (rows, { db, scope }) => withStatus(rows, db, scope.ownerId),
})

export const doorwayDeviceHandlers = [
  reads(listFreeDevices, async ({ projectCode }, { db, scope }) => {
    const rows = await findAll(
      db,
      device,
      scope,
      projectCode === undefined ? {} : { projectCode: requireProject(scope.domain, projectCode) },
      {
        where: [
          sql`t.state not in ${codes(deviceState, 'disabled', 'scrapped')}`,
          sql`not exists (
            select 1
            from doorway_device l
            where l.owner_id = ${scope.ownerId} and l.device_id = t.id and ${notDeleted('l')}
          )`,
        ],
      },
    )
    return rows.map(({ id, devNo, name, modelName, isOnline, location }) => ({
      deviceId: id,
      deviceNo: devNo,
      deviceName: name,
      deviceModel: modelName,
      isOnline,
      location,
    }))
  }),
]
