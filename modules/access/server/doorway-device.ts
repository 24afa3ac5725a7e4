import { Refused, resultCode } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, type ReadContext, writes } from '#kit/server/handler.ts'
import { requireProject } from '#kit/server/scope.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { findAll, requireById, update } from '#kit/server/table.ts'
import { deviceState } from '#modules/devices/contract/choices.ts'
import { device } from '#modules/devices/contract/device.ts'
import {
  countDeviceItems,
  findDeviceStatuses,
  type DeviceStatus,
  type ItemCounts,
} from '#modules/devices/server/public.ts'
import {
  doorwayDevice,
  doorwayDevices,
  editDeviceParameters,
  getDeviceParameters,
  listFreeDevices,
  type DoorwayDevice,
} from '../contract/doorway-device.ts'
import { doorway } from '../contract/doorway.ts'
import { isAccessDevice, requireAccessDevice } from './access-device.ts'
import type { Sql } from './reach/query.ts'

/** Why what is missing is not there: nobody can reach the device, or what it says itself. */
function missingReason(status: DeviceStatus | undefined, counts: ItemCounts | undefined): string | undefined {
  const isMissing = counts !== undefined && counts.waiting + counts.failed + counts.removing > 0
  if (!isMissing) return undefined
  const isRemoving = counts.waiting + counts.failed === 0
  return status?.isOnline ? (counts.reason ?? (isRemoving ? '正在收回' : '正在下发')) : '设备离线'
}

export async function withStatus(
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

/** Devices whose model has this code of a type. */
const ofType = (devType: string | undefined, deviceId: Sql, ownerId: Id): Sql[] =>
  devType === undefined
    ? []
    : [
        sql`${deviceId} in (
          select x.id
          from device x
          join device_model m on m.owner_id = ${ownerId} and m.id = x.model_id
          where x.owner_id = ${ownerId} and lower(m.dev_type) = ${devType.toLowerCase()} and ${notDeleted('x')}
        )`,
      ]

export const doorwayDeviceServer = crudHandlers(doorwayDevices, {
  unique: { doorway_device_live: '该设备已绑定到门，请先解绑' },
  refusesChangeOf: ['doorwayId', 'deviceId'],
  beforeInsert: async ({ deviceId, doorwayId }, { tx, scope }) => {
    const { projectCode } = await requireById(tx, doorway, scope, doorwayId)
    await requireAccessDevice(tx, scope, deviceId, projectCode)
    return { projectCode }
  },
  filter: ({ devType }: { readonly devType?: string }, { scope }) =>
    ofType(devType, sql`t.device_id`, scope.ownerId),
  enrich: (rows, { db, scope }) => withStatus(rows, db, scope.ownerId),
})

/** By the number of the device itself, as a door has it now. */
async function findOfDevice(deviceId: Id, { db, scope }: ReadContext): Promise<DoorwayDevice> {
  const [found] = await findAll(db, doorwayDevice, scope, {}, { where: [sql`t.device_id = ${deviceId}`] })
  if (!found) throw new Refused(resultCode.notFound, '设备未绑定到门，请先在门禁管理中绑定')
  return found
}

export const doorwayDeviceHandlers = [
  reads(getDeviceParameters, async ({ deviceId }, c) => {
    const [found] = await withStatus([await findOfDevice(deviceId, c)], c.db, c.scope.ownerId)
    return defined(found)
  }),
  writes(editDeviceParameters, async ({ id, version, ...parameters }, { tx, scope }) => {
    const { openRoles, antennaNo, volume, threshold } = parameters
    const values = { openRoles, antennaNo, volume, threshold }
    const changed = await update(tx, doorwayDevice, scope, id, values, { version })
    return defined((await withStatus([changed], tx, scope.ownerId))[0])
  }),
  reads(listFreeDevices, async ({ projectCode, devType }, { db, scope }) => {
    const rows = await findAll(
      db,
      device,
      scope,
      projectCode === undefined ? {} : { projectCode: requireProject(scope.domain, projectCode) },
      {
        where: [
          sql`t.state not in ${codes(deviceState, 'disabled', 'scrapped')}`,
          ...ofType(devType, sql`t.id`, scope.ownerId),
          sql`not exists (
            select 1
            from doorway_device l
            where l.owner_id = ${scope.ownerId} and l.device_id = t.id and ${notDeleted('l')}
          )`,
        ],
      },
    )
    return rows.filter(isAccessDevice).map(({ id, devNo, name, modelName, isOnline, location }) => ({
      deviceId: id,
      deviceNo: devNo,
      deviceName: name,
      deviceModel: modelName,
      isOnline,
      location,
    }))
  }),
]
