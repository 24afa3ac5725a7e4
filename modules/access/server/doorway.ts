import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import type { CrudContext } from '#kit/server/crud-hooks.ts'
import { sql } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { findDeviceStatuses, type DeviceStatus } from '#modules/devices/server/public.ts'
import { oneUnitFaults } from '#modules/estates/server/public.ts'
import { doorways, pickDoorways, type Doorway } from '../contract/doorway.ts'

/** The one that was heard least lately: a door is as good as its worst device. */
const oldestBeat = (devices: readonly DeviceStatus[]): Moment | undefined =>
  devices
    .flatMap(({ lastBeat }) => (lastBeat === undefined ? [] : [lastBeat]))
    .toSorted()
    .at(0)

const joined = (texts: readonly (string | undefined)[]): string | undefined =>
  [...new Set(texts.filter(Boolean))].join('、') || undefined

const withDevices = (doorway: Doorway, devices: readonly DeviceStatus[]): Doorway => ({
  ...doorway,
  deviceCount: devices.length,
  ...(devices.length
    ? {
        deviceNo: joined(devices.map(each => each.devNo)),
        deviceModel: joined(devices.map(each => each.modelName)),
        isOnline: devices.every(each => each.isOnline),
        lastBeat: oldestBeat(devices),
      }
    : {}),
})

export async function withDoorwayDevices(
  rows: readonly Doorway[],
  { db, scope: { ownerId } }: CrudContext,
): Promise<Doorway[]> {
  const links = await db.rows<{ doorwayId: Id; deviceId: Id }>(sql`
    select doorway_id, device_id
    from doorway_device
    where owner_id = ${ownerId} and doorway_id = any(${rows.map(row => row.id)}::bigint[]) and ${notDeleted()}
    order by id
  `)
  const statuses = await findDeviceStatuses(
    db,
    ownerId,
    links.map(link => link.deviceId),
  )
  const linksOf = Map.groupBy(links, link => link.doorwayId)
  return rows.map(doorway =>
    withDevices(
      doorway,
      (linksOf.get(doorway.id) ?? []).flatMap(({ deviceId }) => statuses.get(deviceId) ?? []),
    ),
  )
}

export const doorwayServer = crudHandlers(doorways, {
  codes: { doorwayCode: 'MJ' },
  unique: {
    doorway_code_live: '该项目已有此编码的门，请更换',
    doorway_name_live: '该项目已有同名的门，请更换',
  },
  refusesChangeOf: ['projectCode'],
  check: oneUnitFaults,
  enrich: withDoorwayDevices,
  pickers: [pickDoorways],
})
