import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { Room } from '../contract/room.ts'
import type { RoomState } from '../contract/labels.ts'
import { beforeDelivery, deliveredStates } from '../domain/room-state.ts'

/** Why rooms may not be delivered, by their ids. */
type DeliveryCheck = (
  db: Pick<Db, 'rows'>,
  scope: Scope,
  rooms: readonly Pick<Room, 'id' | 'projectCode' | 'code'>[],
) => Promise<ReadonlyMap<Id, string>>

const checks: DeliveryCheck[] = []

/** A module that knows of something wrong with rooms says so before they are delivered (C13). */
export const registerDeliveryCheck = (check: DeliveryCheck): void => {
  checks.push(check)
}

/** Whether going to the state delivers the room. */
export const isDelivery = (from: RoomState, to: RoomState): boolean =>
  beforeDelivery.includes(from) && deliveredStates.includes(to)

/** The first reason against delivering each of the rooms. */
export async function findDeliveryFaults(
  db: Pick<Db, 'rows'>,
  scope: Scope,
  rooms: readonly Pick<Room, 'id' | 'projectCode' | 'code'>[],
): Promise<ReadonlyMap<Id, string>> {
  const faults = new Map<Id, string>()
  if (!rooms.length) return faults
  for (const check of checks) {
    for (const [id, fault] of await check(db, scope, rooms)) {
      faults.set(id, faults.get(id) ?? fault)
    }
  }
  return faults
}

/** Whether a room before its delivery is given a day of delivery, which delivers it as the fees see it. */
export const setsDelivery = (
  room: Pick<Room, 'roomState' | 'deliverDate'>,
  deliverDate: Day | undefined,
): boolean =>
  deliverDate !== undefined && deliverDate !== room.deliverDate && beforeDelivery.includes(room.roomState)

/** Why nobody may move into rooms: those that are not delivered yet, and may not be. */
export const findMoveInFaults = (
  db: Pick<Db, 'rows'>,
  scope: Scope,
  rooms: readonly Pick<Room, 'id' | 'projectCode' | 'code' | 'roomState'>[],
): Promise<ReadonlyMap<Id, string>> =>
  findDeliveryFaults(
    db,
    scope,
    rooms.filter(room => beforeDelivery.includes(room.roomState)),
  )
