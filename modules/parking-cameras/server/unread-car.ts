import { codeOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, type Moment } from '#kit/domain/moment.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { update } from '#kit/server/table.ts'
import { passageDirection } from '#modules/access/contract/choices.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import type { ParkLane } from '#modules/parking-lanes/contract/park-lane.ts'
import { passWay } from '#modules/parking-lanes/contract/passage.ts'
import { hasOpenedSince, keepStayPhoto } from '#modules/parking-lanes/server/public.ts'
import { readingState } from '../contract/choices.ts'
import { cameraReading } from '../contract/reading.ts'
import { lapseStatement, lockLane } from './reading-rows.ts'

/** A car stands at an entrance so long at most before its driver has scanned the code. */
const unreadMinutes = 5

type Lane = Pick<ParkLane, 'id' | 'direction'>

/** Whether a camera of the lane looks at cars that come in. */
export async function hasEntryCamera(db: Db, ownerId: Id, { id, direction }: Lane): Promise<boolean> {
  const found = await db.one(sql`
    select c.id
    from park_camera c
    where c.owner_id = ${ownerId}
      and c.lane_id = ${id}
      and c.state = ${code(enabledState, 'on')}
      and (
        ${codeOf(passageDirection, direction)} = ${code(passageDirection, 'entrance')}
        or c.way is distinct from ${code(passWay, 'out')}
      )
      and ${notDeleted('c')}
    limit 1
  `)
  return found !== undefined
}

export interface UnreadCar {
  readonly id: Id
  readonly picture?: string
}

interface LastRow extends UnreadCar {
  readonly state: number
  readonly readTime: Moment
}

/**
 * The car that stands at an entrance because its camera could not read it: the last that was there a moment
 * ago, that nobody has let in, with the barrier closed since. Readings of the lane wait until the caller is
 * done with it.
 */
export async function lockUnreadCar(
  tx: Tx,
  { ownerId }: Pick<Scope, 'ownerId'>,
  laneId: Id,
  now: Moment,
): Promise<UnreadCar | undefined> {
  await tx.execute(lockLane({ ownerId, laneId }))
  const last = await tx.one<LastRow>(sql`
    select r.id, r.picture, r.state, r.read_time
    from park_camera_reading r
    where r.owner_id = ${ownerId}
      and r.lane_id = ${laneId}
      and r.read_time >= ${addMinutes(now, -unreadMinutes)}::timestamptz
      and r.way = ${code(passWay, 'in')}
      and not r.is_offline
    order by r.read_time desc, r.id desc
    limit 1
  `)
  if (last?.state !== codeOf(readingState, 'toCheck')) return undefined
  return (await hasOpenedSince(tx, ownerId, laneId, last.readTime)) ? undefined : last
}

interface LetIn {
  readonly laneId: Id
  readonly passKey: string
  readonly plateNo: string
  readonly stayId: Id
  readonly reason: string
  readonly now: Moment
}

/** It has come in under a number: nobody else comes in for the same car. */
export async function takeUnreadCar(
  tx: Tx,
  scope: Scope,
  { id, picture }: UnreadCar,
  { laneId, passKey, plateNo, stayId, reason, now }: LetIn,
): Promise<void> {
  await update(tx, cameraReading, scope, id, {
    state: 'checked',
    checkedPlate: plateNo,
    operatorName: scope.name,
    passKey,
    stayId,
    reason,
  })
  await tx.all(
    lapseStatement(scope, laneId, now),
    ...(picture === undefined ? [] : [keepStayPhoto(scope, { stayId, way: 'in', photo: picture })]),
  )
}
