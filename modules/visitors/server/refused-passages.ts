import { keyOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { insertAll } from '#kit/server/table.ts'
import { onPassage, type StoredPassage } from '#modules/access/server/public.ts'
import { visitState, type PassDirection } from '../contract/choices.ts'
import { inviteValid } from '../contract/invite-valid.ts'
import { exitDoorwayResult, passResult, type PassingVisitor } from '../domain/pass.ts'
import { codePrefix } from './credentials.ts'
import { guardName } from './device-passages.ts'

interface RefusedVisitor extends Omit<PassingVisitor, 'state'> {
  readonly id: Id
  readonly invitationId: Id
  readonly projectCode: string
  readonly inviteNo: string
  readonly state: number
}

const findVisitors = (tx: Tx, ownerId: Id, passages: readonly StoredPassage[]): Promise<RefusedVisitor[]> =>
  tx.rows(sql`
    select v.id, v.invitation_id, v.project_code, v.invite_no, v.state, v.begin_time, v.end_time,
      v.max_times, v.used_times, v.exit_times
    from (
      select distinct *
      from unnest(
        ${passages.map(({ projectCode }) => projectCode)}::text[],
        ${passages.map(({ itemKey = '' }) => itemKey.slice(codePrefix.length))}::text[]
      ) as u(project_code, invite_no)
    ) r
    join invite_visitor v on v.project_code = r.project_code and v.invite_no = r.invite_no
    where v.owner_id = ${ownerId} and ${notDeleted('v')}
  `)

/** What a code was worth at a door; in order where the door was the fault: no right to it, no line. */
function resultOf(visitor: RefusedVisitor, { at }: StoredPassage, direction: PassDirection) {
  const now = fromInstant(Date.parse(at))
  const passing = { ...visitor, state: keyOf(visitState, visitor.state) ?? 'expired' }
  return direction === 'out' ? exitDoorwayResult(passing, now) : passResult(passing, 'in', now)
}

/** VIS-8: a code that a door refused is a validation that was not passed, as at a gatehouse. */
async function recordRefusals(tx: Tx, scope: Scope, passages: readonly StoredPassage[]): Promise<void> {
  const refused = passages.filter(
    ({ openStatus, itemKey }) => openStatus === 'refused' && itemKey?.startsWith(codePrefix),
  )
  if (!refused.length) return
  const visitors = await findVisitors(tx, scope.ownerId, refused)
  const rows = refused.flatMap(passage => {
    const visitor = visitors.find(
      ({ projectCode, inviteNo }) =>
        projectCode === passage.projectCode && passage.itemKey === `${codePrefix}${inviteNo}`,
    )
    const direction: PassDirection = passage.direction === 'exit' ? 'out' : 'in'
    const result = visitor && resultOf(visitor, passage, direction)
    if (!visitor || !result || result === 'passed') return []
    const { projectCode, doorwayId, reason, at } = passage
    const { id: visitorId, invitationId } = visitor
    const validTime = fromInstant(Date.parse(at))
    const guardId = scope.operatorId
    return [
      {
        projectCode,
        invitationId,
        visitorId,
        doorwayId,
        direction,
        validTime,
        result,
        reason,
        guardId,
        guardName,
      },
    ]
  })
  if (rows.length) {
    await insertAll(tx, inviteValid, scope, rows)
  }
}

onPassage(recordRefusals)
