import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { fromInstant, toInstant, type Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { publishRowsWritten } from '#kit/server/record-events.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { findByIds, insertAll } from '#kit/server/table.ts'
import {
  findPassedDoorways,
  onPassage,
  reportOveruse,
  type StoredPassage,
} from '#modules/access/server/public.ts'
import { recordState, visitState } from '../contract/choices.ts'
import { invitation } from '../contract/invitation.ts'
import { inviteValid } from '../contract/invite-valid.ts'
import { visitRecord } from '../contract/visit-record.ts'
import { inviteVisitor, type InviteVisitor } from '../contract/visitor.ts'
import { codeUses, type CodeOpening, type CodeUses } from '../domain/code-uses.ts'
import { resultText } from '../domain/result-text.ts'
import { nameOfReading, settleReadings } from './code-reading.ts'
import { markCodes } from './code-marks.ts'
import { codePrefix } from './credentials.ts'
import { refreshInvitations } from './invitation-state.ts'

interface FoundVisitor {
  readonly id: Id
  readonly projectCode: string
  readonly inviteNo: string
  readonly isInside: boolean
}

interface Using {
  readonly visitor: InviteVisitor
  readonly isInside: boolean
  readonly uses: CodeUses<DoorwayOpening>
}

interface DoorwayOpening extends CodeOpening {
  readonly doorwayId: Id
  readonly deviceId: Id
}

const keyOf = (projectCode: string, inviteNo: string): string => `${projectCode} ${inviteNo}`

/** The invitations first, in one order, as at a gatehouse: two never wait for each other. */
async function lockVisitors(
  tx: Tx,
  ownerId: Id,
  passages: readonly StoredPassage[],
): Promise<readonly FoundVisitor[]> {
  const asked = sql`unnest(
    ${passages.map(({ projectCode }) => projectCode)}::text[],
    ${passages.map(({ itemKey = '' }) => itemKey.slice(codePrefix.length))}::text[]
  ) as r(project_code, invite_no)`
  await tx.rows(sql`
    select i.id
    from visitor_invitation i
    where i.owner_id = ${ownerId}
      and i.id in (
        select v.invitation_id
        from ${asked}
        join invite_visitor v on v.project_code = r.project_code and v.invite_no = r.invite_no
        where v.owner_id = ${ownerId} and ${notDeleted('v')}
      )
    order by i.id
    for update
  `)
  return tx.rows(sql`
    select v.id, v.project_code, v.invite_no, exists (
        select 1
        from visit_record b
        where b.owner_id = ${ownerId}
          and b.visitor_id = v.id
          and b.state = ${code(recordState, 'inside')}
          and ${notDeleted('b')}
      ) as is_inside
    from (select distinct project_code, invite_no from ${asked}) r
    join invite_visitor v on v.project_code = r.project_code and v.invite_no = r.invite_no
    where v.owner_id = ${ownerId} and ${notDeleted('v')}
    order by v.id
    for update of v
  `)
}

const momentOf = (at: string | undefined): Moment | null =>
  at === undefined ? null : fromInstant(Date.parse(at))

/** 20 → 30 → 40, and how often the code was used; more than it allows is cut off: the door was open. */
async function countUses(tx: Tx, scope: Scope, using: readonly Using[]): Promise<void> {
  const stateOf = ({ uses }: Using) =>
    uses.leftAt !== undefined
      ? visitState.rows.left[0]
      : uses.enteredAt !== undefined
        ? visitState.rows.arrived[0]
        : null
  await tx.execute(sql`
    update invite_visitor t
    set used_times = least(t.used_times + r.entrances, t.max_times),
      exit_times = least(t.exit_times + r.exits, t.used_times + r.entrances, t.max_times),
      arrive_time = coalesce(t.arrive_time, r.entered_at),
      leave_time = coalesce(r.left_at, t.leave_time),
      state = coalesce(r.state, t.state),
      ${touch(scope)}
    from unnest(
      ${using.map(({ visitor }) => visitor.id)}::bigint[],
      ${using.map(({ uses }) => uses.entrances)}::int[],
      ${using.map(({ uses }) => uses.exits)}::int[],
      ${using.map(({ uses }) => momentOf(uses.enteredAt))}::timestamptz[],
      ${using.map(({ uses }) => momentOf(uses.leftAt))}::timestamptz[],
      ${sqlArray('smallint', using.map(stateOf))}
    ) as r(id, entrances, exits, entered_at, left_at, state)
    where t.owner_id = ${scope.ownerId} and t.id = r.id
  `)
}

export const guardName = '门禁设备'

async function closeRecords(tx: Tx, scope: Scope, using: readonly Using[]): Promise<void> {
  const left = using.filter(({ isInside, uses }) => isInside && uses.leftAt !== undefined)
  if (!left.length) return
  await tx.execute(sql`
    update visit_record t
    set state = ${code(recordState, 'left')}, out_time = r.left_at, out_guard_name = ${guardName}, ${touch(scope)}
    from unnest(
      ${left.map(({ visitor }) => visitor.id)}::bigint[],
      ${left.map(({ uses }) => momentOf(uses.leftAt))}::timestamptz[]
    ) as r(visitor_id, left_at)
    where t.owner_id = ${scope.ownerId}
      and t.visitor_id = r.visitor_id
      and t.state = ${code(recordState, 'inside')}
      and ${notDeleted('t')}
  `)
}

/** VIS-5: who comes in by a code alone is in the book as well, so that overstayers are found. */
async function openRecords(tx: Tx, scope: Scope, using: readonly Using[]): Promise<void> {
  const entered = using.filter(({ isInside, uses }) => !isInside && uses.enteredAt !== undefined)
  if (!entered.length) return
  const invitations = new Map(
    (
      await findByIds(
        tx,
        invitation,
        scope,
        entered.map(({ visitor }) => visitor.invitationId),
      )
    ).map(found => [found.id, found]),
  )
  await insertAll(
    tx,
    visitRecord,
    scope,
    entered.map(({ visitor, uses }) => {
      const invited = defined(invitations.get(visitor.invitationId))
      const hasLeft = uses.leftAt !== undefined
      return {
        projectCode: visitor.projectCode,
        invitationId: visitor.invitationId,
        visitorId: visitor.id,
        visitorKind: invited.visitorKind,
        visitorName: visitor.visitorName,
        mobile: visitor.mobile,
        certType: visitor.certType,
        certNo: visitor.certNo,
        plateNo: visitor.plateNo,
        roomId: visitor.roomId,
        hostName: invited.hostName,
        reason: invited.reason,
        personCount: 1,
        endTime: visitor.endTime,
        inTime: defined(momentOf(uses.enteredAt)),
        inGuardId: scope.operatorId,
        inGuardName: guardName,
        ...(hasLeft && { outTime: momentOf(uses.leftAt) ?? undefined, outGuardName: guardName }),
        state: hasLeft ? ('left' as const) : ('inside' as const),
      }
    }),
  )
}

/** VIS-2: what a device opened beyond what a code allows is on record, and an alarm of its door. */
async function recordOveruses(tx: Tx, scope: Scope, using: readonly Using[]): Promise<void> {
  const overuses = using.flatMap(({ visitor, uses }) =>
    uses.overuses.map(opening => ({ visitor, opening, projectCode: visitor.projectCode })),
  )
  if (!overuses.length) return
  await insertAll(
    tx,
    inviteValid,
    scope,
    overuses.map(({ visitor, opening, projectCode }) => ({
      projectCode,
      invitationId: visitor.invitationId,
      visitorId: visitor.id,
      doorwayId: opening.doorwayId,
      direction: 'in' as const,
      validTime: defined(momentOf(opening.at)),
      result: 'overused' as const,
      reason: `可进入 ${visitor.maxTimes} 次，${resultText.overused}`,
      guardId: scope.operatorId,
      guardName,
    })),
  )
  await reportOveruse(
    tx,
    scope,
    overuses.map(({ opening, projectCode }) => ({ ...opening, projectCode })),
  )
}

/** VIS-2: codes that devices of doors let through count as at a gatehouse. */
async function countPassages(tx: Tx, scope: Scope, passages: readonly StoredPassage[]): Promise<void> {
  const ofCodes = passages.filter(
    ({ openStatus, isDecided, itemKey }) =>
      (openStatus === 'opened' || isDecided === true) && itemKey?.startsWith(codePrefix),
  )
  if (!ofCodes.length) return
  const found = await lockVisitors(tx, scope.ownerId, ofCodes)
  if (!found.length) return
  const countedNames = await settleReadings(tx, scope, ofCodes)
  const opened = ofCodes.filter(({ openStatus }) => openStatus === 'opened')
  const visitors = new Map(
    (
      await findByIds(
        tx,
        inviteVisitor,
        scope,
        found.map(({ id }) => id),
      )
    ).map(visitor => [visitor.id, visitor]),
  )
  const doorways = await findPassedDoorways(tx, scope.ownerId, opened)
  const openings = Map.groupBy(
    opened.map(passage => ({
      isOneWay: true,
      isInner: false,
      ...passage,
      isCounted: countedNames.has(nameOfReading(passage)),
      ...doorways.get(passage.doorwayId),
    })),
    ({ projectCode, itemKey = '' }) => keyOf(projectCode, itemKey.slice(codePrefix.length)),
  )
  const using = found.map(({ id, projectCode, inviteNo, isInside }): Using => {
    const visitor = defined(visitors.get(id))
    const endsAt = new Date(toInstant(visitor.endTime)).toISOString()
    const entrancesLeft = visitor.maxTimes - visitor.usedTimes
    const ofCode = openings.get(keyOf(projectCode, inviteNo)) ?? []
    const uses = codeUses(ofCode, { isInside, endsAt, entrancesLeft })
    return { visitor, isInside, uses }
  })
  await countUses(tx, scope, using)
  await closeRecords(tx, scope, using)
  await openRecords(tx, scope, using)
  await recordOveruses(tx, scope, using)
  await refreshInvitations(tx, scope, [...new Set(using.map(({ visitor }) => visitor.invitationId))])
  const counted = using.map(({ visitor }) => visitor)
  markCodes(tx, scope.ownerId, counted)
  publishRowsWritten(tx, scope.ownerId, { entity: inviteVisitor.name, action: 'update' }, counted)
}

onPassage(countPassages)
