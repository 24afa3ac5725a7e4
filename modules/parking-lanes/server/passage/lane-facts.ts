import type { Id } from '#kit/domain/id.ts'
import { addSeconds, type Moment } from '#kit/domain/moment.ts'
import type { Fen } from '#kit/domain/money.ts'
import { sql, type RawBuilder, type Statement, type Tx } from '#kit/server/db.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { carKind } from '#modules/parking/contract/car-labels.ts'
import { groupIdsOfPlates } from '#modules/parking/server/public.ts'
import { expectedCarStatement } from '#modules/visitors/server/public.ts'
import { stayState } from '../../contract/choices.ts'
import { samePassageSeconds } from '../../domain/event-time.ts'
import type { RecordedCars } from '../../domain/occupancy.ts'
import { groupLockStatement, parkLockStatement } from './locks.ts'

export interface LaneRow {
  readonly id: Id
  readonly projectCode: string
  readonly parkId: Id
  readonly laneName: string
  readonly direction: number
  readonly state: number
  readonly carKinds?: readonly string[]
  readonly totalPlace?: number
  readonly tempPlace?: number
  readonly fullPolicy?: number
  readonly parkState: number
}

export interface StayRow {
  readonly id: Id
  readonly projectCode: string
  readonly parkId: Id
  readonly plateNo: string
  readonly carKind: number
  readonly state: number
  readonly groupId?: Id
  readonly inTime?: Moment
  readonly inLaneId?: Id
  readonly outTime?: Moment
  readonly outLaneId?: Id
  readonly chargedFrom?: Moment
  readonly chargedTo?: Moment
  readonly paidTime?: Moment
  readonly paidFen: Fen
  readonly discountFen: Fen
}

export interface EventRow {
  readonly isOpen: boolean
  readonly reason: string
  readonly warning?: string
  readonly plateNo: string
  readonly carKind: number
  readonly stayId?: Id
  readonly dueFen: Fen
}

export interface GroupRow {
  readonly groupId: Id
  readonly inside: number
}

/** What a decision asks about: a plate at a lane at a time. */
export interface Asked {
  readonly ownerId: Id
  readonly laneId: Id
  readonly passKey: string
  readonly plateNo: string
  readonly at: Moment
}

const inside = codes(stayState, 'inside', 'paid')
const temporary = codes(carKind, 'temp', 'visitor', 'stored')

/** A stay `t` of a group is on the month right: by it from the entry, or since a place was free (PRK-6). */
export const isOnRight = sql`
  t.state in ${inside}
  and (t.car_kind not in ${temporary} or t.charged_to is not null)
  and ${notDeleted('t')}
`

const laneStatement = ({ ownerId, laneId }: Asked): Statement<LaneRow> => sql<LaneRow>`
  select g.id, g.project_code, g.park_id, g.lane_name, g.direction, g.state, g.car_kinds, p.total_place,
    p.temp_place, p.full_policy, p.state as park_state
  from park_lane g
  join park p on p.owner_id = ${ownerId} and p.id = g.park_id
  where g.owner_id = ${ownerId} and g.id = ${laneId} and ${notDeleted('g')}
`

const eventStatement = ({ ownerId, laneId, passKey }: Asked): Statement<EventRow> => sql<EventRow>`
  select is_open, reason, warning, plate_no, car_kind, stay_id, (due * 100)::bigint as due_fen
  from park_lane_event
  where owner_id = ${ownerId} and lane_id = ${laneId} and pass_key = ${passKey}
`

const parkOfLane = ({ ownerId, laneId }: Asked) => sql`
  (select g.park_id from park_lane g where g.owner_id = ${ownerId} and g.id = ${laneId})
`

/** Columns of a stay as a decision reads them: amounts in fen. */
export const stayColumns = sql`
  t.id, t.project_code, t.park_id, t.plate_no, t.car_kind, t.state, t.group_id, t.in_time, t.in_lane_id,
  t.out_time, t.out_lane_id, t.charged_from, t.charged_to, t.paid_time, (t.paid * 100)::bigint as paid_fen,
  (t.discount * 100)::bigint as discount_fen
`

/**
 * The stays of the plate that a passage may belong to: the one inside, those closed as abnormal around the
 * time, those that left in this moment.
 */
const staysStatement = (asked: Asked): Statement<StayRow> => sql<StayRow>`
  select ${stayColumns}
  from parking_stay t
  where t.owner_id = ${asked.ownerId}
    and t.park_id = ${parkOfLane(asked)}
    and t.plate_no = ${asked.plateNo}
    and ${notDeleted('t')}
    and (
      t.state in ${inside}
      or t.state = ${code(stayState, 'abnormal')}
      or t.out_time between ${addSeconds(asked.at, -samePassageSeconds)}::timestamptz
        and ${addSeconds(asked.at, samePassageSeconds)}::timestamptz
    )
  order by t.pass_time desc, t.id desc
  limit 20
`

const countStatement = (asked: Asked): Statement<RecordedCars> => sql<RecordedCars>`
  select count(*)::integer as inside,
    count(*) filter (where t.car_kind in ${temporary})::integer as temporary,
    coalesce((
      select sum(c.adjustment)
      from park_count_change c
      where c.owner_id = ${asked.ownerId} and c.park_id = ${parkOfLane(asked)}
    ), 0)::integer as adjustment
  from parking_stay t
  where t.owner_id = ${asked.ownerId}
    and t.park_id = ${parkOfLane(asked)}
    and t.state in ${inside}
    and ${notDeleted('t')}
`

const projectOfLane = ({ ownerId, laneId }: Asked) => sql`
  (select g.project_code from park_lane g where g.owner_id = ${ownerId} and g.id = ${laneId})
`

/** The other cars of the plate's group that are inside on the month right. */
export const groupStatement = (
  ownerId: Id,
  projectCode: RawBuilder<unknown>,
  plateNo: string,
): Statement<GroupRow> => sql<GroupRow>`
  select t.group_id, count(*)::integer as inside
  from parking_stay t
  where t.owner_id = ${ownerId}
    and t.group_id in (${groupIdsOfPlates(ownerId, projectCode, [plateNo])})
    and t.plate_no <> ${plateNo}
    and ${isOnRight}
  group by t.group_id
`

export interface LaneFacts {
  readonly lane: LaneRow | undefined
  readonly event: EventRow | undefined
  readonly stays: readonly StayRow[]
  readonly count: RecordedCars
  readonly groups: readonly GroupRow[]
  readonly isExpected: boolean
}

/** All that the database says of a passage, in one round trip, the locks first. */
export async function findLaneFacts(tx: Tx, asked: Asked): Promise<LaneFacts> {
  const { ownerId, plateNo, at } = asked
  const project = projectOfLane(asked)
  const [, , lanes, events, stays, counts, groups, expected] = await tx.all<
    [unknown, unknown, LaneRow, EventRow, StayRow, RecordedCars, GroupRow, { id: Id }]
  >(
    parkLockStatement(ownerId, parkOfLane(asked)),
    groupLockStatement(ownerId, project, [plateNo]),
    laneStatement(asked),
    eventStatement(asked),
    staysStatement(asked),
    countStatement(asked),
    groupStatement(ownerId, project, plateNo),
    expectedCarStatement(ownerId, project, plateNo, at),
  )
  return {
    lane: lanes[0],
    event: events[0],
    stays,
    count: counts[0] ?? { inside: 0, temporary: 0, adjustment: 0 },
    groups,
    isExpected: expected.length > 0,
  }
}
