import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { keyOf } from '#kit/contract/field.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { passageDirection, weekDay } from '../../contract/choices.ts'
import { rightText } from '../../domain/right-text.ts'
import { isInWindows } from '#kit/domain/week-window.ts'
import { credentialFault } from './credential-holders.ts'
import { sourceOfCredential } from './credential-source.ts'
import { isInner } from './inner-doorway.ts'
import { holderFault } from './holder-fault.ts'
import type { OpenDecision } from './open-decision.ts'
import { findRights, type Right } from './rights.ts'

interface OpenRequest {
  /** Of the credential, as devices hold it. */
  readonly key: string
  readonly doorwayId: Id
  readonly at: Moment
  readonly direction?: 'exit' | 'entrance' | undefined
  /** From afar a free time opens nothing that its sender has no right to: nobody stands at the door. */
  readonly isRemote?: boolean
  /** As a device that holds the credential: it does not know who is inside. */
  readonly isDevice?: boolean
}

interface AskedDoorway {
  readonly projectCode: string
  readonly state: number
  readonly direction: number
  readonly isInner: boolean
}

const refused = (reason: string): OpenDecision => ({ isAllowed: false, reason })

interface FreeTime {
  readonly doorwayId: Id
  readonly weekDays: string[]
  readonly beginTime: string
  readonly endTime: string
}

/** ACS-7: those of some doors that are free for all at a moment. */
export async function findFreeDoorways(
  db: Db,
  ownerId: Id,
  doorwayIds: readonly Id[],
  at: Moment,
): Promise<ReadonlySet<Id>> {
  if (!doorwayIds.length) return new Set()
  const today = dayOfMoment(at)
  const times = await db.rows<FreeTime>(sql`
    select doorway_id, week_days, begin_time, end_time
    from doorway_public_time
    where owner_id = ${ownerId}
      and doorway_id = any(${[...doorwayIds]}::bigint[])
      and ${notDeleted()}
      and (effective_from is null or effective_from <= ${today}::date)
      and (effective_to is null or effective_to >= ${today}::date)
  `)
  const free = times.filter(({ weekDays, beginTime, endTime }) =>
    isInWindows(
      [{ weekDays: weekDays.flatMap(day => keyOf(weekDay, day) ?? []), begin: beginTime, end: endTime }],
      at,
    ),
  )
  return new Set(free.map(({ doorwayId }) => doorwayId))
}

export const isBegun = ({ fromDate }: Right, today: Day): boolean =>
  fromDate === undefined || fromDate <= today

/** Why it opens nothing here: what is wrong with the credential, else that it has no right. */
async function refusalOf(
  db: Db,
  ownerId: Id,
  projectCode: string,
  { key, at }: OpenRequest,
): Promise<string> {
  const today = dayOfMoment(at)
  const fault = await credentialFault(db, { ownerId, projectCode, today, key })
  if (fault !== undefined) return fault
  const elsewhere = await findRights(db, { ownerId, projectCode, today, keys: [key] }, { size: 1, offset: 0 })
  if (elsewhere.length) return '无此门的权限'
  return (await holderFault(db, { ownerId, projectCode, today, key })) ?? '未授予任何门的权限'
}

function faultDirection(
  { isInner: isWithin }: AskedDoorway,
  direction: OpenRequest['direction'],
  isDevice = false,
) {
  if (direction === 'exit') return isDevice ? 'heldExit' : 'exit'
  return isWithin ? 'within' : direction
}

/** ACS-2, at one moment: whether a credential opens a door, and because of what. */
export async function canOpen(db: Db, ownerId: Id, request: OpenRequest): Promise<OpenDecision> {
  const { doorwayId, at, key, isRemote = false } = request
  const today = dayOfMoment(at)
  const asked = await db.one<AskedDoorway>(sql`
    select d.project_code, d.state, d.direction, ${isInner(ownerId)} as is_inner
    from doorway d
    where d.owner_id = ${ownerId} and d.id = ${doorwayId} and ${notDeleted('d')}
  `)
  if (!asked || keyOf(enabledState, asked.state) !== 'on') return refused('门已停用')
  const way = keyOf(passageDirection, asked.direction)
  if (request.direction !== undefined && way !== 'both' && way !== request.direction)
    return refused('通行方向不符')
  const direction = request.direction ?? (way === 'both' ? undefined : way)
  const { projectCode } = asked
  const rights = await findRights(db, { ownerId, projectCode, today, doorwayIds: [doorwayId], keys: [key] })
  const now = rights.find(right => isBegun(right, today) && isInWindows(right.windows, at))
  if (now) {
    const fault = await sourceOfCredential(key)?.faultAt?.(
      db,
      { ownerId, projectCode, today, key },
      at,
      faultDirection(asked, direction, request.isDevice),
    )
    if (fault !== undefined) return refused(fault)
    return { isAllowed: true, reason: rightText(now), untilDate: now.untilDate, right: now }
  }
  const isForSender = !isRemote || rights.some(right => isBegun(right, today))
  if (isForSender && (await findFreeDoorways(db, ownerId, [doorwayId], at)).size)
    return { isAllowed: true, reason: '常开时段' }
  if (!rights.length) return refused(await refusalOf(db, ownerId, projectCode, request))
  return refused(rights.some(right => isBegun(right, today)) ? '不在可开门的时间段' : '权限尚未生效')
}
