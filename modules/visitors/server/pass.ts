import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { codes, notDeleted, touch } from '#kit/server/sql.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import { visitState, type PassDirection } from '../contract/choices.ts'
import { inviteVisitor } from '../contract/visitor.ts'
import { openStates } from '../domain/pass.ts'
import { markCodes } from './code-marks.ts'

interface Used {
  readonly id: Id
  readonly projectCode: string
  readonly inviteNo: string
}

/**
 * VIS-2: uses a code once in one direction, in one conditional statement: at two gates in the same instant a
 * code for one passage opens once. False where nothing is left of it, or it is not its time.
 */
export async function consumePass(
  tx: Tx,
  scope: Scope,
  visitorId: Id,
  direction: PassDirection,
  now: Moment,
): Promise<boolean> {
  const use =
    direction === 'in'
      ? sql`used_times = used_times + 1, arrive_time = coalesce(arrive_time, ${now}::timestamptz)`
      : sql`exit_times = exit_times + 1`
  const isOpen =
    direction === 'in'
      ? sql`used_times < max_times
          and begin_time <= ${now}::timestamptz
          and end_time >= ${now}::timestamptz`
      : sql`exit_times < max_times and exit_times < used_times`
  const used = await tx.one<Used>(sql`
    update invite_visitor
    set ${use}, ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and id = ${visitorId}
      and ${notDeleted()}
      and state in ${codes(visitState, ...openStates)}
      and ${isOpen}
    returning id, project_code, invite_no
  `)
  if (!used) return false
  markCodes(tx, scope.ownerId, [used])
  publishRecordsWritten(tx, scope.ownerId, {
    entity: inviteVisitor.name,
    action: 'update',
    ids: [used.id],
    projectCode: used.projectCode,
  })
  return true
}
