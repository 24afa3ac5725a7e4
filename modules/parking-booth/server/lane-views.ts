import { keyOf, type FileKey } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, type Moment } from '#kit/domain/moment.ts'
import type { Fen } from '#kit/domain/money.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { requireById } from '#kit/server/table.ts'
import { passageDirection } from '#modules/access/contract/choices.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { carKind } from '#modules/parking/contract/car-labels.ts'
import { park } from '#modules/parking/contract/park.ts'
import { laneCommandState, stayState } from '#modules/parking-lanes/contract/choices.ts'
import { passWay } from '#modules/parking-lanes/contract/passage.ts'
import { listLaneViews } from '../contract/lane-view.ts'
import { onlyBooth } from '../contract/shift.ts'

type LaneView = NonNullable<typeof listLaneViews.output.T>[number]

interface LaneRow {
  readonly laneId: Id
  readonly laneName: string
  readonly projectCode: string
  readonly direction: number
  readonly commandId?: Id
  readonly commandState?: number
  readonly commandTime?: Moment
  readonly commandResult?: string
}

interface EventRow {
  readonly laneId: Id
  readonly eventId: Id
  readonly eventTime: Moment
  readonly way: number
  readonly plateNo: string
  readonly carKind: number
  readonly isOpen: boolean
  readonly reason: string
  readonly warning?: string
  readonly due: Fen
  readonly hasLeft: boolean
  readonly stayId?: Id
  readonly inTime?: Moment
  readonly inPhoto?: FileKey
  readonly outPhoto?: FileKey
  readonly waits: boolean
}

const shownEvents = 6

/** A car that was not let through is there no longer than this, whatever it did. */
const waitingMinutes = 30

const lanesOf = ({ ownerId }: Scope, parkId: Id, boothName: string | undefined) => sql`
  l.owner_id = ${ownerId}
  and l.park_id = ${parkId}
  and l.state = ${code(enabledState, 'on')}
  and ${notDeleted('l')}
  ${boothName === undefined ? sql`` : sql`and coalesce(l.booth_name, ${onlyBooth}) = ${boothName}`}
`

/** A command that nobody reported on is over with its time. */
const stateOfCommand = (now: Moment) => sql`
  case
    when c.state in ${codes(laneCommandState, 'waiting', 'sent')} and c.expire_time <= ${now}::timestamptz
      then ${code(laneCommandState, 'expired')}
    else c.state
  end
`

const lanesStatement = (scope: Scope, parkId: Id, boothName: string | undefined, now: Moment) => sql<LaneRow>`
  select l.id as lane_id, l.lane_name, l.project_code, l.direction, c.id as command_id,
    ${stateOfCommand(now)} as command_state, c.create_time as command_time, c.result as command_result
  from park_lane l
  left join lateral (
    select k.id, k.state, k.expire_time, k.create_time, k.result
    from park_lane_command k
    where k.owner_id = ${scope.ownerId} and k.lane_id = l.id
    order by k.id desc
    limit 1
  ) c on true
  where ${lanesOf(scope, parkId, boothName)}
  order by l.direction, l.lane_name
`

const eventsStatement = (scope: Scope, parkId: Id, boothName: string | undefined, now: Moment) => {
  const { ownerId } = scope
  const opens = sql`exists (
    select from park_lane_command k
    where k.owner_id = ${ownerId}
      and k.lane_id = e.lane_id
      and k.create_time >= e.create_time
      and (k.state = ${code(laneCommandState, 'done')}
        or k.state in ${codes(laneCommandState, 'waiting', 'sent')} and k.expire_time > ${now}::timestamptz)
  )`
  const isEnded = sql`s.state not in ${codes(stayState, 'inside', 'paid')}`
  const hasUnseenExit = sql`exists (
    select from parking_stay u
    where u.owner_id = ${ownerId}
      and u.park_id = l.park_id
      and u.plate_no = e.plate_no
      and u.in_time is null
      and u.out_time >= e.event_time
  )`
  const hasLeft = sql`
    case
      when e.is_open or e.way <> ${code(passWay, 'out')} then false
      when s.id is null then ${hasUnseenExit}
      else ${isEnded}
    end
  `
  return sql<EventRow>`
    select e.lane_id, e.id as event_id, e.event_time, e.way, e.plate_no, e.car_kind, e.is_open, e.reason,
      e.warning, (e.due * 100)::bigint as due, ${hasLeft} as has_left,
      e.stay_id, s.in_time, s.in_photo, s.out_photo,
      not e.is_open
        and e.event_time >= ${addMinutes(now, -waitingMinutes)}::timestamptz
        and (s.id is null or s.state in ${codes(stayState, 'inside', 'paid')})
        and not ${opens} as waits
    from park_lane l
    cross join lateral (
      select n.*
      from park_lane_event n
      where n.owner_id = ${ownerId} and n.lane_id = l.id
      order by n.id desc
      limit ${shownEvents}
    ) e
    left join parking_stay s on s.owner_id = ${ownerId} and s.id = e.stay_id
    where ${lanesOf(scope, parkId, boothName)}
    order by e.id desc
  `
}

const eventOf = ({ laneId: _laneId, waits: _waits, way, carKind: kind, ...row }: EventRow) => ({
  ...row,
  way: defined(keyOf(passWay, way)),
  carKind: defined(keyOf(carKind, kind)),
})

async function readLanes(
  db: Db,
  scope: Scope,
  { parkId, boothName }: { readonly parkId: Id; readonly boothName?: string | undefined },
  now: Moment,
): Promise<LaneView[]> {
  const [lanes, events] = await db.all<[LaneRow, EventRow]>(
    lanesStatement(scope, parkId, boothName, now),
    eventsStatement(scope, parkId, boothName, now),
  )
  const byLane = Map.groupBy(events, event => event.laneId)
  return lanes.map(({ direction, commandState, ...lane }) => {
    const ofLane = byLane.get(lane.laneId) ?? []
    return {
      ...lane,
      direction: defined(keyOf(passageDirection, direction)),
      isWaiting: ofLane[0]?.waits ?? false,
      events: ofLane.map(eventOf),
      ...(commandState === undefined ? {} : { commandState: keyOf(laneCommandState, commandState) }),
    }
  })
}

export const laneViewHandlers = [
  reads(listLaneViews, async (input, { db, scope, now }) => {
    await requireById(db, park, scope, input.parkId)
    return readLanes(db, scope, input, now)
  }),
]
