import { codeOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addSeconds, type Moment } from '#kit/domain/moment.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { laneCommandState, openOrigin, type OpenOrigin } from '../contract/choices.ts'
import { publishLanes } from './live-lanes.ts'

/** A barrier does not open for a car that is gone: seconds after which a command is not executed any more. */
export const openWithinSeconds = 15

export interface OpenRequest {
  readonly laneId: Id
  readonly stayId?: Id | undefined
  readonly plateNo?: string | undefined
  readonly origin: OpenOrigin
  readonly reason: string
}

/** Asks a lane's barrier to open, with the transaction that is the reason for it. */
export async function requestLaneOpen(
  tx: Tx,
  scope: Scope,
  { laneId, stayId, plateNo, origin, reason }: OpenRequest,
): Promise<Id> {
  const expireTime = new Date(Date.parse(scope.time) + openWithinSeconds * 1000).toISOString()
  const command = await tx.one<{ id: Id }>(sql`
    insert into park_lane_command (
      owner_id, project_code, lane_id, stay_id, plate_no, origin, reason, state, expire_time, operator_id,
      operator_name
    )
    select ${scope.ownerId}, l.project_code, l.id, ${stayId ?? null}, ${plateNo ?? null},
      ${codeOf(openOrigin, origin)}, ${reason}, ${code(laneCommandState, 'waiting')},
      ${expireTime}::timestamptz, ${scope.operatorId}, ${scope.name}
    from park_lane l
    where l.owner_id = ${scope.ownerId} and l.id = ${laneId}
    returning id
  `)
  publishLanes(tx, scope.ownerId)
  return defined(command).id
}

export interface WaitingCommand {
  readonly id: Id
  readonly plateNo?: string
  readonly origin: number
  readonly reason: string
}

/** The commands of a lane that wait to be sent; each is taken once, those that came too late are not. */
export async function takeLaneCommands(tx: Tx, scope: Scope, laneId: Id): Promise<readonly WaitingCommand[]> {
  const taken = await tx.rows<WaitingCommand & { isExpired: boolean }>(sql`
    update park_lane_command
    set state = case
        when expire_time > ${scope.time}::timestamptz then ${code(laneCommandState, 'sent')}
        else ${code(laneCommandState, 'expired')}
      end, sent_time = ${scope.time}::timestamptz
    where owner_id = ${scope.ownerId} and lane_id = ${laneId} and state = ${code(laneCommandState, 'waiting')}
    returning id, plate_no, origin, reason, state = ${code(laneCommandState, 'expired')} as is_expired
  `)
  return taken.flatMap(({ isExpired, ...command }) => (isExpired ? [] : [command]))
}

/** Which of these lanes have a command that waits to be sent. */
export const findLanesWithCommands = async (
  db: Db,
  ownerId: Id,
  laneIds: readonly Id[],
): Promise<readonly Id[]> => {
  const found = await db.rows<{ laneId: Id }>(sql`
    select distinct lane_id
    from park_lane_command
    where owner_id = ${ownerId}
      and lane_id = any(${[...laneIds]}::bigint[])
      and state = ${code(laneCommandState, 'waiting')}
  `)
  return found.map(({ laneId }) => laneId)
}

/** Whether the barrier has gone up, or was asked to, after this moment. */
export async function hasOpenedSince(db: Db, ownerId: Id, laneId: Id, since: Moment): Promise<boolean> {
  const found = await db.one<{ hasOpened: boolean }>(sql`
    select exists (
        select
        from park_lane_event e
        where e.owner_id = ${ownerId}
          and e.lane_id = ${laneId}
          and e.is_open
          and e.event_time > ${since}::timestamptz
      ) or exists (
        select
        from park_lane_command c
        where c.owner_id = ${ownerId}
          and c.lane_id = ${laneId}
          and c.expire_time > ${addSeconds(since, openWithinSeconds)}::timestamptz
      ) as has_opened
  `)
  return defined(found).hasOpened
}

/** What the lane reports of a command; the first report counts. */
export function endLaneCommand(
  tx: Tx,
  scope: Scope,
  { id, laneId }: { readonly id: Id; readonly laneId: Id },
  outcome: { readonly isDone: boolean; readonly result: string },
): Promise<number> {
  publishLanes(tx, scope.ownerId)
  return tx.execute(sql`
    update park_lane_command
    set state = ${codeOf(laneCommandState, outcome.isDone ? 'done' : 'failed')}, result = ${outcome.result},
      end_time = ${scope.time}::timestamptz
    where owner_id = ${scope.ownerId}
      and id = ${id}
      and lane_id = ${laneId}
      and state = ${code(laneCommandState, 'sent')}
  `)
}
