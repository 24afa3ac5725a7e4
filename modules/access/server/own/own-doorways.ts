import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { isInWindows } from '#kit/domain/week-window.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { findDeviceStatuses } from '#modules/devices/server/public.ts'
import { rightText } from '../../domain/right-text.ts'
import { findFreeDoorways, isBegun } from '../reach/decision.ts'
import { holderFault } from '../reach/holder-fault.ts'
import { phoneKeyOf } from '../reach/own-credentials.ts'
import type { ReachQuery } from '../reach/query.ts'
import { findRights, type Right } from '../reach/rights.ts'
import type { OwnPerson } from './own-person.ts'

export interface OwnContext {
  readonly db: Db
  readonly ownerId: Id
  readonly now: Moment
}

export interface OwnDoorway {
  readonly id: Id
  readonly doorwayName: string
  readonly reason: string
  readonly isOnline: boolean
}

const queryOf = ({ ownerId, now }: OwnContext, { projectCode, ...person }: OwnPerson) => {
  const key = phoneKeyOf(person)
  return { ownerId, projectCode, today: dayOfMoment(now), key, keys: [key] } satisfies ReachQuery & {
    key: string
  }
}

/** Devices by their doors: a door without any is opened by nobody from afar. */
async function findDevices(
  db: Db,
  ownerId: Id,
  doorwayIds: readonly Id[],
): Promise<ReadonlyMap<Id, readonly Id[]>> {
  const links = await db.rows<{ doorwayId: Id; deviceId: Id }>(sql`
    select doorway_id, device_id
    from doorway_device
    where owner_id = ${ownerId} and doorway_id = any(${[...doorwayIds]}::bigint[]) and ${notDeleted()}
  `)
  return new Map(
    [...Map.groupBy(links, ({ doorwayId }) => doorwayId)].map(([id, some]) => [
      id,
      some.map(({ deviceId }) => deviceId),
    ]),
  )
}

/** Everything that the person may open today or later, in the project (ACS-2). */
export const findOwnRights = (person: OwnPerson, c: OwnContext): Promise<Right[]> =>
  findRights(c.db, queryOf(c, person))

/** Why the person opens nothing at all. */
export async function refusalOfPerson(person: OwnPerson, c: OwnContext): Promise<string> {
  const fault = await holderFault(c.db, queryOf(c, person))
  return `${fault ?? '暂无可开的门'}，请联系物业`
}

/** Those of some that open at this moment: in their own hours, or because the door is free (ACS-2). */
async function openOf(rights: readonly Right[], { db, ownerId, now }: OwnContext): Promise<Right[]> {
  const begun = rights.filter(right => isBegun(right, dayOfMoment(now)))
  const open = begun.filter(right => isInWindows(right.windows, now))
  const openIds = new Set(open.map(right => right.doorwayId))
  const others = Map.groupBy(
    begun.filter(right => !openIds.has(right.doorwayId)),
    right => right.doorwayId,
  )
  const free = await findFreeDoorways(db, ownerId, [...others.keys()], now)
  return [...open, ...[...free].flatMap(id => others.get(id)?.slice(0, 1) ?? [])]
}

/** What the telephone shows: each door that opens now once, and why nothing does. */
export async function findOwnDoorways(
  person: OwnPerson,
  c: OwnContext,
): Promise<{ readonly doorways: readonly OwnDoorway[]; readonly refusal?: string }> {
  const rights = await findOwnRights(person, c)
  if (!rights.length) return { doorways: [], refusal: await refusalOfPerson(person, c) }
  const open = await openOf(rights, c)
  const byDoorway = new Map(open.map(right => [right.doorwayId, right]))
  const devices = await findDevices(c.db, c.ownerId, [...byDoorway.keys()])
  const statuses = await findDeviceStatuses(c.db, c.ownerId, [...devices.values()].flat())
  const doorways = [...byDoorway.values()].flatMap(right => {
    const deviceIds = devices.get(right.doorwayId)
    if (!deviceIds) return []
    const isOnline = deviceIds.some(id => statuses.get(id)?.isOnline)
    return [{ id: right.doorwayId, doorwayName: right.doorwayName, reason: rightText(right), isOnline }]
  })
  if (doorways.length) return { doorways }
  return {
    doorways,
    refusal: open.length ? '可开的门尚未接入设备或已停用，请联系物业' : '当前时间段没有可开的门',
  }
}
