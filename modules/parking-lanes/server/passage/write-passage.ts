import { codeOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { formatYuan, type Fen } from '#kit/domain/money.ts'
import { sql, type Statement } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, touch } from '#kit/server/sql.ts'
import { carKind as carKindChoice, type CarKind } from '#modules/parking/contract/car-labels.ts'
import type { RightGroup } from '#modules/parking/contract/month-right.ts'
import { exitKind, stayState, type ExitKind } from '../../contract/choices.ts'
import { passWay } from '../../contract/passage.ts'
import { stayMinutes } from '../../domain/stay-minutes.ts'
import { isOnRight, type LaneRow } from './lane-facts.ts'

/** A passage that is decided. */
export interface Passage {
  readonly lane: LaneRow
  readonly passKey: string
  readonly way: 'in' | 'out'
  readonly plateNo: string
  readonly carKind: CarKind
  readonly at: Moment
  readonly isDoubtful: boolean
}

const changed = (scope: Scope) => sql`
  ${touch(scope)}, operator_id = ${scope.operatorId}, operator_name = ${scope.name}
`

/** It was never seen leaving, and is at the entrance again (PRK-2). */
export const closeGhost = (scope: Scope, stayId: Id): Statement => sql`
  update parking_stay
  set state = ${code(stayState, 'abnormal')}, release_reason = '再次入场，上次没有出场记录', ${touch(scope)}
  where owner_id = ${scope.ownerId} and id = ${stayId} and state in ${codes(stayState, 'inside', 'paid')}
  returning id
`

interface NewStay {
  readonly groupId?: Id | undefined
  readonly isEntry: boolean
  readonly isClosed: boolean
  readonly reason?: string | undefined
}

/** A new stay: of an entry, or of an exit that nobody saw come in. */
export const insertStay = (
  scope: Scope,
  { lane, plateNo, carKind, at, isDoubtful }: Passage,
  { groupId, isEntry, isClosed, reason }: NewStay,
): Statement => {
  const [inTime, outTime] = isEntry ? [at, null] : [null, at]
  const [inLane, outLane] = isEntry ? [lane.id, null] : [null, lane.id]
  const state = isClosed ? 'abnormal' : 'inside'
  return sql`
    insert into parking_stay (
      owner_id, project_code, park_id, plate_no, car_kind, group_id, pass_time, in_time, in_lane_id, out_time,
      out_lane_id, state, is_time_doubtful, release_reason, operator_id, operator_name, create_by, update_by
    )
    values (
      ${scope.ownerId}, ${lane.projectCode}, ${lane.parkId}, ${plateNo}, ${codeOf(carKindChoice, carKind)},
      ${groupId ?? null}, ${at}::timestamptz, ${inTime}::timestamptz, ${inLane}, ${outTime}::timestamptz,
      ${outLane}, ${codeOf(stayState, state)}, ${isDoubtful}, ${reason ?? null}, ${scope.operatorId},
      ${scope.name}, ${scope.operatorId}, ${scope.operatorId}
    )
    returning id
  `
}

interface Completion {
  readonly stayId: Id
  readonly outTime: Moment
  readonly groupId: Id | undefined
  readonly shouldPay: Fen
  readonly isUnpaid: boolean
  readonly openText: string | undefined
}

/** The entry of a car that has left, reported late. */
export const completeStay = (
  scope: Scope,
  { lane, at, carKind }: Passage,
  { stayId, outTime, groupId, shouldPay, isUnpaid, openText }: Completion,
): Statement => sql`
  update parking_stay
  set in_time = ${at}::timestamptz, pass_time = ${at}::timestamptz, in_lane_id = ${lane.id},
    car_kind = ${codeOf(carKindChoice, carKind)}, group_id = ${groupId ?? null},
    stay_minutes = ${stayMinutes(at, outTime)}, should_pay = ${formatYuan(shouldPay)}::numeric,
    exit_kind = ${codeOf(exitKind, isUnpaid ? 'manual' : 'auto')}, release_reason = ${openText ?? null},
    state = ${code(stayState, 'out')}, ${touch(scope)}
  where owner_id = ${scope.ownerId} and id = ${stayId} and in_time is null
  returning id
`

export interface Leaving {
  readonly stayId: Id
  readonly inTime: Moment
  readonly outTime: Moment
  readonly outLaneId: Id
  readonly shouldPay: Fen
  /** What coupons settle in this moment. */
  readonly discount?: Fen | undefined
  readonly exitKind: ExitKind
  readonly reason?: string | undefined
}

/** Ends a stay; one that another exit has ended is left as it is. */
export const closeStay = (scope: Scope, leaving: Leaving): Statement<{ id: Id }> => sql<{ id: Id }>`
  update parking_stay
  set out_time = ${leaving.outTime}::timestamptz, out_lane_id = ${leaving.outLaneId},
    stay_minutes = ${stayMinutes(leaving.inTime, leaving.outTime)},
    should_pay = ${formatYuan(leaving.shouldPay)}::numeric,
    discount = discount + ${formatYuan(leaving.discount ?? 0)}::numeric, state = ${code(stayState, 'out')},
    exit_kind = ${codeOf(exitKind, leaving.exitKind)},
    release_reason = coalesce(${leaving.reason ?? null}, release_reason), ${changed(scope)}
  where owner_id = ${scope.ownerId}
    and id = ${leaving.stayId}
    and (state in ${codes(stayState, 'inside', 'paid')}
      or state = ${code(stayState, 'abnormal')} and out_time is null)
  returning id
`

/**
 * A place of the group is free: the car that waited longest is on the month right from now on (PRK-6). There
 * is none to give while the group still has as many inside as places.
 */
export const switchWaiting = (
  scope: Scope,
  { id, placeCount, plateNos }: RightGroup,
  at: Moment,
): Statement => sql`
  update parking_stay
  set charged_to = ${at}::timestamptz, ${touch(scope)}
  where owner_id = ${scope.ownerId}
    and id = (
      select w.id
      from parking_stay w
      where w.owner_id = ${scope.ownerId}
        and w.group_id = ${id}
        and w.plate_no = any(${[...plateNos]}::text[])
        and w.state in ${codes(stayState, 'inside', 'paid')}
        and w.car_kind in ${codes(carKindChoice, 'temp', 'visitor', 'stored')}
        and w.charged_to is null
        and ${placeCount} > (
          select count(*)
          from parking_stay t
          where t.owner_id = ${scope.ownerId} and t.group_id = ${id} and ${isOnRight}
        )
      order by w.in_time, w.id
      limit 1
    )
  returning id
`

interface Outcome {
  readonly isOpen: boolean
  readonly reason: string
  readonly warning: string | undefined
  readonly due: Fen
  /** Of a stay that is there; that of a new one is found by its plate. */
  readonly stayId: Id | undefined
  readonly hasNewStay: boolean
}

/** What was answered, so that the same message is answered the same (and written once). */
export const insertEvent = (
  scope: Scope,
  passage: Passage,
  { isOpen, reason, warning, due, stayId, hasNewStay }: Outcome,
): Statement<{ stayId?: Id }> => {
  const { lane, passKey, way, plateNo, carKind, at } = passage
  const newStay = sql`(
    select max(t.id)
    from parking_stay t
    where t.owner_id = ${scope.ownerId} and t.park_id = ${lane.parkId} and t.plate_no = ${plateNo}
  )`
  return sql<{ stayId?: Id }>`
    insert into park_lane_event (
      owner_id, project_code, lane_id, pass_key, way, plate_no, car_kind, event_time, is_open, reason, warning,
      due, stay_id
    )
    values (
      ${scope.ownerId}, ${lane.projectCode}, ${lane.id}, ${passKey}, ${codeOf(passWay, way)}, ${plateNo},
      ${codeOf(carKindChoice, carKind)}, ${at}::timestamptz, ${isOpen}, ${reason}, ${warning ?? null},
      ${formatYuan(due)}::numeric, ${hasNewStay ? newStay : sql`${stayId ?? null}::bigint`}
    )
    returning stay_id
  `
}
