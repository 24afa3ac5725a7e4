import type { Id } from '#kit/domain/id.ts'
import { invalidField, invalidInput, Refused, resultCode } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { hasBuilding, hasProject, outOfDomain, type Scope } from '#kit/server/scope.ts'
import { findByIds, findByKey } from '#kit/server/table.ts'
import { device } from '#modules/devices/contract/device.ts'
import { publicArea } from '#modules/estates/contract/public-area.ts'
import { room } from '#modules/rooms/contract/room.ts'

/** Where an order is to be done. */
export interface OrderPlace {
  readonly projectCode: string
  readonly roomCode?: string | undefined
  readonly areaId?: Id | undefined
  readonly deviceId?: Id | undefined
  readonly buildCode?: string | undefined
  readonly address?: string | undefined
}

interface PlaceInput {
  readonly projectCode: string
  readonly roomCode?: string | undefined
  readonly areaId?: Id | undefined
  readonly deviceId?: Id | undefined
  readonly address?: string | undefined
}

const missing = (noun: string): Refused =>
  new Refused(resultCode.notFound, `${noun}不存在或已被删除，请重新选择`)

/** `3-2-1502 厨房`: the name of the place, and what somebody wrote beside it. */
const joinAddress = (name: string, detail: string | undefined): string =>
  (detail && !detail.includes(name) ? `${name} ${detail}` : (detail ?? name)).slice(0, 120)

async function locate(db: Db, scope: Scope, input: PlaceInput): Promise<OrderPlace> {
  const { projectCode, address } = input
  if (input.roomCode !== undefined) {
    const found = await findByKey(db, room, scope, input.roomCode, projectCode)
    if (!found) throw missing('房屋')
    return {
      projectCode,
      roomCode: found.code,
      buildCode: found.buildCode,
      address: joinAddress(found.path, address),
    }
  }
  if (input.areaId) {
    const [found] = await findByIds(db, publicArea, scope, [input.areaId])
    if (found?.projectCode !== projectCode) throw missing('公共区域')
    return {
      projectCode,
      areaId: found.id,
      buildCode: found.buildCode,
      address: joinAddress(found.name, address),
    }
  }
  if (input.deviceId) {
    const [found] = await findByIds(db, device, scope, [input.deviceId])
    if (found?.projectCode !== projectCode) throw missing('设备')
    const name = found.location ? `${found.name}（${found.location}）` : found.name
    return {
      projectCode,
      deviceId: found.id,
      areaId: found.areaId,
      buildCode: found.buildCode,
      address: joinAddress(name, address),
    }
  }
  if (!address?.trim()) throw invalidField('Address', '请选择房屋、公共区域或设备，或填写位置')
  return { projectCode, address }
}

/** The place, in the data domain of the caller; a room, an area or a device that is gone is refused. */
export async function requirePlace(db: Db, scope: Scope, input: PlaceInput): Promise<OrderPlace> {
  if (!hasProject(scope.domain, input.projectCode)) throw outOfDomain()
  if ([input.roomCode, input.areaId, input.deviceId].filter(Boolean).length > 1)
    throw invalidInput([{ Field: 'RoomCode', Message: '房屋、公共区域、设备只能选择一项' }])
  const place = await locate(db, scope, input)
  const { buildCode, projectCode } = place
  if (buildCode !== undefined && !hasBuilding(scope.domain, projectCode, buildCode)) throw outOfDomain()
  return place
}

/** Orders `t` at the same place. */
export const samePlace = (place: Omit<OrderPlace, 'address' | 'buildCode'>) => {
  if (place.roomCode !== undefined) return sql`t.room_code = ${place.roomCode}`
  if (place.areaId !== undefined) return sql`t.area_id = ${place.areaId}`
  return place.deviceId === undefined ? sql`false` : sql`t.device_id = ${place.deviceId}`
}
