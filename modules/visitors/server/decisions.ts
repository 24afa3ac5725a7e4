import type { Id } from '#kit/domain/id.ts'
import { invalidField, notFound, refuse } from '#kit/contract/wire.ts'
import { judgeRecords, bulkResultOf } from '#kit/server/bulk-result.ts'
import { writes } from '#kit/server/handler.ts'
import { findByIds, requireById, update } from '#kit/server/table.ts'
import type { ApprovalStage } from '../contract/choices.ts'
import { invitation, type Invitation } from '../contract/invitation.ts'
import { allowInvitation, allowInvitations, auditRequest } from '../contract/invitations.ts'
import { inviteVisitor } from '../contract/visitor.ts'
import { nextStage } from '../domain/consent.ts'
import { actionRefusal } from '../domain/states.ts'
import { findBlock } from './black-list.ts'
import { markCodes } from './code-marks.ts'
import { visitorsOf } from './invite.ts'
import type { VisitContext } from './visit-context.ts'

interface Decision {
  readonly isPassed: boolean
  readonly reason?: string | undefined
}

const minReason = 2

const consentedBy = ({ hostType, decisions = [] }: Invitation): ReadonlySet<ApprovalStage> =>
  new Set<ApprovalStage>([
    ...(hostType === 'staff' ? (['host'] as const) : []),
    ...decisions.filter(({ decision }) => decision === 'passed').map(({ stage }) => stage),
  ])

/** Why it cannot be passed any more: its time is over, or somebody is turned away by now (VIS-4). */
async function passRefusal(row: Invitation, c: VisitContext): Promise<string | undefined> {
  if (row.endTime <= c.now) return '来访时间已过，不能通过；请驳回或由邀请人重新邀请'
  for (const visitor of await visitorsOf(c, row.id)) {
    const reason = await findBlock(c.tx, c.scope.ownerId, row.projectCode, visitor, c.today)
    if (reason !== undefined) return `访客「${visitor.visitorName}」在黑名单中（${reason}），请驳回`
  }
  return undefined
}

/** Why this decision cannot be made, in words. */
async function decisionRefusal(
  row: Invitation,
  { isPassed, reason = '' }: Decision,
  c: VisitContext,
): Promise<string | undefined> {
  const refusal = actionRefusal('decide', row.state)
  if (refusal !== undefined) return refusal
  return isPassed && reason.length < minReason && row.stage === 'host'
    ? '待被访人确认；代为确认的请填写何时、如何得到确认'
    : isPassed
      ? passRefusal(row, c)
      : undefined
}

/** One consent or refusal; the next stage begins, or the invitation is passed or refused. */
export async function decide(
  row: Invitation,
  { isPassed, reason }: Decision,
  c: VisitContext,
): Promise<Invitation> {
  const { tx, scope, now } = c
  const stage = row.stage ?? 'property'
  const decisions = [
    ...(row.decisions ?? []),
    {
      stage,
      decision: isPassed ? ('passed' as const) : ('refused' as const),
      decider: scope.name,
      decideTime: now,
      reason,
    },
  ]
  const next = isPassed ? nextStage(row.checkType, consentedBy({ ...row, decisions })) : undefined
  const state = !isPassed ? 'refused' : next === undefined ? 'passed' : 'pending'
  const changed = await update(tx, invitation, scope, row.id, {
    decisions,
    stage: next,
    state,
    ...(isPassed ? {} : { rejectReason: reason }),
  })
  if (state !== 'pending') {
    const visitors = (await visitorsOf(c, row.id)).filter(visitor => visitor.state === 'pending')
    for (const visitor of visitors) {
      await update(tx, inviteVisitor, scope, visitor.id, { state })
    }
    markCodes(tx, scope.ownerId, visitors)
  }
  return changed
}

async function decideOne(id: Id, decision: Decision, c: VisitContext): Promise<Invitation> {
  const row = await requireById(c.tx, invitation, c.scope, id, { lock: true })
  if (!decision.isPassed && (decision.reason ?? '').length < minReason)
    throw invalidField('Reason', '请填写驳回原因')
  const refusal = await decisionRefusal(row, decision, c)
  return refusal === undefined ? decide(row, decision, c) : refuse(refusal)
}

/** A host decides for themselves: nobody is asked how it is known. */
export async function decideForHost(id: Id, decision: Decision, c: VisitContext): Promise<Invitation> {
  const row = await requireById(c.tx, invitation, c.scope, id, { lock: true })
  if (row.stage !== 'host') refuse(actionRefusal('decide', row.state) ?? '已确认，等待物业审核')
  if (!decision.isPassed && (decision.reason ?? '').length < minReason)
    throw invalidField('Reason', '请填写拒绝原因')
  const refusal =
    actionRefusal('decide', row.state) ?? (decision.isPassed ? await passRefusal(row, c) : undefined)
  return refusal === undefined ? decide(row, decision, c) : refuse(refusal)
}

/** VIS-3: each by itself; what cannot be passed stays as it is, with the reason. */
async function allowAll(ids: readonly string[], reason: string | undefined, c: VisitContext) {
  const rows = await findByIds(c.tx, invitation, c.scope, ids, { lock: true })
  if (!rows.length) throw notFound()
  const decision = { isPassed: true, reason }
  const refusals = new Map<Id, string>()
  for (const row of rows) {
    const refusal = await decisionRefusal(row, decision, c)
    if (refusal === undefined) {
      await decide(row, decision, c)
    } else {
      refusals.set(row.id, refusal)
    }
  }
  const { refused } = judgeRecords(
    rows,
    row => refusals.get(row.id),
    row => `${row.invitationNo} ${row.visitorName}`,
  )
  return bulkResultOf(ids, rows, refused)
}

export const decisionHandlers = [
  writes(allowInvitation, ({ id, reason }, c) => decideOne(id, { isPassed: true, reason }, c)),
  writes(allowInvitations, ({ ids, reason }, c) => allowAll(ids, reason, c)),
  writes(auditRequest, ({ id, ...decision }, c) => decideOne(id, decision, c)),
]
