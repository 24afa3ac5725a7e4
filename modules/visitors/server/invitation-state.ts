import { keyOf, codeOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { publishRowsWritten } from '#kit/server/record-events.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted, touch } from '#kit/server/sql.ts'
import { visitState } from '../contract/choices.ts'
import { invitation } from '../contract/invitation.ts'
import { stateOfVisitors } from '../domain/states.ts'

interface VisitorsOfInvitation {
  readonly id: Id
  readonly projectCode: string
  readonly state: number
  readonly visitorStates: readonly number[]
  readonly arriveTime?: Moment
  readonly leaveTime?: Moment
}

const stateOf = (stored: number) => defined(keyOf(visitState, stored))

const findVisitorsOf = (tx: Tx, ownerId: Id, ids: readonly Id[]): Promise<VisitorsOfInvitation[]> =>
  tx.rows(sql`
    select i.id, i.project_code, i.state, v.visitor_states, v.arrive_time, v.leave_time
    from visitor_invitation i
    join (
      select invitation_id, array_agg(state::int) as visitor_states, min(arrive_time) as arrive_time,
        max(leave_time) as leave_time
      from invite_visitor
      where owner_id = ${ownerId} and invitation_id = any(${[...ids]}::bigint[]) and ${notDeleted()}
      group by invitation_id
    ) v on v.invitation_id = i.id
    where i.owner_id = ${ownerId} and i.id = any(${[...ids]}::bigint[])
  `)

/** An invitation is what its visitors are; the caller has locked it. */
export async function refreshInvitations(tx: Tx, scope: Scope, ids: readonly Id[]): Promise<void> {
  const { ownerId } = scope
  if (!ids.length) return
  const changed = (await findVisitorsOf(tx, ownerId, ids)).map(found => ({
    ...found,
    state: stateOfVisitors(found.visitorStates.map(stateOf), stateOf(found.state)),
  }))
  await tx.execute(sql`
    update visitor_invitation as t
    set state = r.state, arrive_time = r.arrive_time, leave_time = r.leave_time, ${touch(scope, 't')}
    from unnest(
      ${changed.map(({ id }) => id)}::bigint[],
      ${changed.map(({ state }) => codeOf(visitState, state))}::smallint[],
      ${changed.map(({ arriveTime }) => arriveTime ?? null)}::timestamptz[],
      ${changed.map(({ state, leaveTime }) => (state === 'left' ? (leaveTime ?? null) : null))}::timestamptz[]
    ) as r(id, state, arrive_time, leave_time)
    where t.owner_id = ${ownerId} and t.id = r.id
  `)
  publishRowsWritten(tx, ownerId, { entity: invitation.name, action: 'update' }, changed)
}
