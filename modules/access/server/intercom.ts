import type { Id } from '#kit/domain/id.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { findByIds } from '#kit/server/table.ts'
import { findDeviceStatuses } from '#modules/devices/server/public.ts'
import { oneUnitFaults } from '#modules/estates/server/public.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { intercoms, type Intercom } from '../contract/intercom.ts'
import { requireAccessDevice } from './access-device.ts'

type Draft = Pick<Intercom, 'projectCode' | 'stationKind' | 'buildCode' | 'unitName' | 'roomId' | 'doorwayId'>

/** What a station must have by its kind: a home its room, a door of a unit its building and unit. */
async function intercomFaults(draft: Draft, c: WriteContext): Promise<FieldFault[]> {
  const { stationKind, buildCode, unitName, roomId } = draft
  if (stationKind === 'home') return roomId ? [] : [{ Field: 'RoomID', Message: '室内机请选择房间' }]
  if (stationKind !== 'unit') return []
  if (buildCode && unitName) return oneUnitFaults(draft, c)
  return [
    ...(buildCode ? [] : [{ Field: 'Buildcode', Message: '单元门口机请选择楼栋' }]),
    ...(unitName ? [] : [{ Field: 'Unitname', Message: '单元门口机请填写单元' }]),
  ]
}

interface Place {
  readonly buildCode?: string | undefined
  readonly unitName?: string | undefined
  readonly roomId?: Id | undefined
  readonly doorwayId?: Id | undefined
}

/** Where a station is, as far as its kind has such a place; a home is where its room is. */
async function placeOf(
  { stationKind, buildCode, unitName, roomId, doorwayId }: Draft,
  { tx, scope }: WriteContext,
): Promise<Place> {
  if (stationKind === 'centre')
    return { buildCode: undefined, unitName: undefined, roomId: undefined, doorwayId: undefined }
  if (stationKind === 'perimeter')
    return { buildCode: undefined, unitName: undefined, roomId: undefined, doorwayId }
  if (stationKind === 'unit') return { buildCode, unitName, roomId: undefined, doorwayId }
  const [home] = roomId ? await findByIds(tx, room, scope, [roomId]) : []
  return { buildCode: home?.buildCode, unitName: home?.unitName, roomId, doorwayId: undefined }
}

export const intercomServer = crudHandlers(intercoms, {
  unique: {
    intercom_device_live: '该设备已登记为可视对讲设备',
    intercom_call_no_live: '该项目已有此呼叫号，请更换',
  },
  refusesChangeOf: ['projectCode', 'deviceId'],
  check: intercomFaults,
  beforeInsert: async (draft, c) => {
    await requireAccessDevice(c.tx, c.scope, draft.deviceId)
    return placeOf(draft, c)
  },
  beforeUpdate: (draft, c) => placeOf(draft, c),
  enrich: async (rows, { db, scope }) => {
    const statuses = await findDeviceStatuses(
      db,
      scope.ownerId,
      rows.map(row => row.deviceId),
    )
    return rows.map(row => {
      const status = statuses.get(row.deviceId)
      return {
        ...row,
        deviceModel: status?.modelName,
        isOnline: status?.isOnline,
        lastBeat: status?.lastBeat,
      }
    })
  },
})
