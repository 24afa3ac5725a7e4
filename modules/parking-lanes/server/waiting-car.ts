import { codeOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, type Moment } from '#kit/domain/moment.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { stayState } from '../contract/choices.ts'
import { passWay } from '../contract/passage.ts'

/** Minutes for which a car that was not let out is still looked for at its lane. */
export const waitingMinutes = 10

export interface WaitingLane {
  readonly laneId: Id
  readonly laneName: string
}

/** The exit at which the car was not let out a moment ago, while no other car has been there since. */
export const findWaitingLane = (
  tx: Tx,
  scope: Scope,
  stayId: Id,
  at: Moment,
): Promise<WaitingLane | undefined> =>
  tx.one<WaitingLane>(sql`
    select l.id as lane_id, l.lane_name
    from (
      select e.id, e.lane_id, e.plate_no, e.is_open, e.way, e.event_time
      from park_lane_event e
      where e.owner_id = ${scope.ownerId} and e.stay_id = ${stayId}
      order by e.id desc
      limit 1
    ) e
    join park_lane l on l.owner_id = ${scope.ownerId} and l.id = e.lane_id
    where not e.is_open
      and e.way = ${codeOf(passWay, 'out')}
      and e.event_time >= ${addMinutes(at, -waitingMinutes)}::timestamptz
      and l.state = ${code(enabledState, 'on')}
      and ${notDeleted('l')}
      and not exists (
        select from park_lane_event n
        where n.owner_id = ${scope.ownerId}
          and n.lane_id = e.lane_id
          and n.id > e.id
          and n.plate_no <> e.plate_no
      )
  `)

/** The car that stands at an exit: the last that was there, if it was not let out and is still inside. */
export async function findWaitingPlate(
  db: Db,
  ownerId: Id,
  laneId: Id,
  at: Moment,
): Promise<string | undefined> {
  const waiting = await db.one<{ plateNo: string }>(sql`
    select s.plate_no
    from (
      select e.stay_id, e.is_open, e.way, e.event_time
      from park_lane_event e
      where e.owner_id = ${ownerId} and e.lane_id = ${laneId}
      order by e.id desc
      limit 1
    ) e
    join parking_stay s on s.owner_id = ${ownerId} and s.id = e.stay_id
    where not e.is_open
      and e.way = ${codeOf(passWay, 'out')}
      and e.event_time >= ${addMinutes(at, -waitingMinutes)}::timestamptz
      and s.state in ${codes(stayState, 'inside', 'paid')}
      and ${notDeleted('s')}
  `)
  return waiting?.plateNo
}
