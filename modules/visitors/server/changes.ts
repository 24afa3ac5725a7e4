import type { Moment } from '#kit/domain/moment.ts'
import { invalidField, refuse } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, requireById, update, updateAll } from '#kit/server/table.ts'
import { recordState } from '../contract/choices.ts'
import { invitation, type Invitation } from '../contract/invitation.ts'
import { inviteRule } from '../contract/rule.ts'
import { visitRecord } from '../contract/visit-record.ts'
import { inviteVisitor, type InviteVisitor } from '../contract/visitor.ts'
import { latestEnd } from '../domain/invitation-faults.ts'
import {
  actionRefusal,
  canCancelVisitor,
  canExtendVisitor,
  canReturn,
  stateOfVisitors,
} from '../domain/states.ts'
import { assertNotBlocked } from './black-list.ts'
import { markCodes } from './code-marks.ts'
import { visitorsOf } from './invite.ts'
import type { VisitContext } from './visit-context.ts'

const refusalOf = (action: 'cancel' | 'extend', row: Invitation): string =>
  actionRefusal(action, row.state) ?? '没有还能来访的访客'

/** Who is inside keeps the way out, and does not come in again. */
async function endEntrances(
  visitors: readonly InviteVisitor[],
  { tx, scope }: Pick<VisitContext, 'tx' | 'scope'>,
): Promise<void> {
  for (const { id, usedTimes } of visitors) {
    await update(tx, inviteVisitor, scope, id, { maxTimes: Math.max(usedTimes, 1) })
  }
}

type EndContext = Pick<VisitContext, 'tx' | 'scope' | 'now'>

/** VIS-6: of those who may still come nobody does; the codes let nobody in from now on. */
async function endVisitsOf(
  all: readonly InviteVisitor[],
  row: Invitation,
  reason: string,
  c: EndContext,
): Promise<Invitation> {
  const { tx, scope, now } = c
  const visitors = all.filter(visitor => canCancelVisitor(visitor, now))
  const returning = all.filter(canReturn)
  for (const { id } of visitors) {
    await update(tx, inviteVisitor, scope, id, { state: 'cancelled' })
  }
  await endEntrances(returning, c)
  markCodes(tx, scope.ownerId, [...visitors, ...returning])
  const others = all.filter(visitor => !visitors.includes(visitor)).map(({ state }) => state)
  return update(tx, invitation, scope, row.id, {
    state: stateOfVisitors(others, 'cancelled'),
    stage: undefined,
    rejectReason: reason,
  })
}

export const endVisits = async (row: Invitation, reason: string, c: EndContext): Promise<Invitation> =>
  endVisitsOf(await visitorsOf(c, row.id), row, reason, c)

/** VIS-6: before the arrival, or before the next one. */
export async function cancel(row: Invitation, reason: string, c: EndContext): Promise<Invitation> {
  const all = await visitorsOf(c, row.id)
  if (!all.some(visitor => canCancelVisitor(visitor, c.now))) refuse(refusalOf('cancel', row))
  return endVisitsOf(all, row, reason, c)
}

/** Until when it may be extended: the end as invited and once more the longest visit (VIS-6). */
async function latestEndOf(row: Invitation, { tx, scope }: VisitContext): Promise<Moment> {
  const rule = await requireById(tx, inviteRule, scope, row.ruleId)
  return latestEnd(row.firstEndTime, rule)
}

/** VIS-5: who is inside is not overdue before the new end. */
async function extendRecords(
  visitors: readonly InviteVisitor[],
  endTime: Moment,
  { tx, scope }: VisitContext,
): Promise<void> {
  const where = [
    sql`t.visitor_id = any(${visitors.map(({ id }) => id)}::bigint[])`,
    sql`t.state = ${code(recordState, 'inside')}`,
  ]
  const inside = await findAll(tx, visitRecord, scope, {}, { where, limit: visitors.length })
  await updateAll(tx, visitRecord, scope, inside, { endTime })
}

export async function extend(row: Invitation, endTime: Moment, c: VisitContext): Promise<Invitation> {
  const { tx, scope, now, today } = c
  const visitors = (await visitorsOf(c, row.id)).filter(canExtendVisitor)
  if (!visitors.length) refuse(refusalOf('extend', row))
  if (endTime <= row.endTime)
    throw invalidField('EndTime', `应晚于现在的来访结束 ${row.endTime.slice(0, 16)}`)
  if (endTime <= now) throw invalidField('EndTime', '应晚于当前时间')
  const latest = await latestEndOf(row, c)
  if (endTime > latest) throw invalidField('EndTime', `最晚可延长至 ${latest.slice(0, 16)}`)
  await assertNotBlocked(tx, scope.ownerId, row.projectCode, visitors, today)
  for (const { id } of visitors) {
    await update(tx, inviteVisitor, scope, id, { endTime })
  }
  await extendRecords(visitors, endTime, c)
  markCodes(tx, scope.ownerId, visitors)
  return update(tx, invitation, scope, row.id, { endTime })
}
