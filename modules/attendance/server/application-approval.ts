import { labelOf, type Fields, type ValueOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById } from '#kit/server/table.ts'
import type { ApprovalKind } from '#modules/approvals/contract/kind.ts'
import {
  findApproval,
  requestApproval,
  requiresApproval,
  type ApprovalContext,
  type ApprovalRequest,
} from '#modules/approvals/server/public.ts'
import {
  kindByType,
  leaveKind,
  mendCardKind,
  outKind,
  overtimeKind,
  shiftChangeKind,
  tripKind,
} from '../contract/approval-kinds.ts'
import { attendanceApply, type AttendanceApply } from '../contract/apply.ts'
import { applyType, leaveType } from '../contract/choices.ts'
import { lockPerson, type ApplyDraft } from './application-rules.ts'
import { keepMonthsOpen } from './closed-months.ts'

export type ApplicationFacts = Omit<ApplyDraft, 'chosen'> & {
  readonly hours?: string | undefined
  readonly days?: string | undefined
}

/** A document as a request of its kind; `ask` gets both with their types. */
function withRequest<T>(
  facts: ApplicationFacts,
  staffName: string,
  ask: <F extends Fields>(kind: ApprovalKind<F>, form: ValueOf<F>) => T,
): T {
  const { leaveType: kind = 'personal', beginTime, endTime, mendPoint, workDay, restDay } = facts
  const { hours, days, reason, attachments } = facts
  const about = { staffName, reason, attachments }
  const lasting = { ...about, beginTime, endTime, hours, days }
  switch (facts.applyType) {
    case 'leave':
      return ask(leaveKind, { ...lasting, leaveType: kind })
    case 'mend':
      return ask(mendCardKind, { ...about, punchTime: beginTime ?? '1970-01-01 00:00:00', mendPoint })
    case 'overtime':
      return ask(overtimeKind, { ...about, beginTime, endTime, hours })
    case 'out':
      return ask(outKind, lasting)
    case 'trip':
      return ask(tripKind, lasting)
    case 'swap':
      return ask(shiftChangeKind, { ...about, workDay, restDay })
  }
}

async function nameOf(db: Db, { ownerId }: Pick<Scope, 'ownerId'>, staffId: Id): Promise<string> {
  const found = await db.one<{ name: string }>(sql`
    select name
    from staff
    where owner_id = ${ownerId} and id = ${staffId}
  `)
  return found?.name ?? ''
}

/** The request of a document before it is sent in: for the form that shows its approvers. */
export const requestOf = async (db: Db, scope: Scope, facts: ApplicationFacts) =>
  withRequest(facts, await nameOf(db, scope, facts.staffId), (kind, form) => ({
    bizType: kind.key,
    form: JSON.stringify(form),
  }))

/** Whether somebody must agree to a document before it takes effect. */
export const needsApproval = async (
  { tx, scope }: Pick<WriteContext, 'tx' | 'scope'>,
  facts: ApplicationFacts,
): Promise<boolean> =>
  withRequest(facts, await nameOf(tx, scope, facts.staffId), (kind, form) =>
    requiresApproval(tx, scope, kind, form),
  )

function titleOf(facts: ApplicationFacts, staffName: string): string {
  const { applyType: type, leaveType: kind, hours, beginTime, workDay, restDay } = facts
  const sort = type === 'leave' && kind ? labelOf(leaveType, kind) : labelOf(applyType, type)
  if (type === 'swap') return `${staffName} ${sort} ${workDay ?? restDay ?? ''}`
  if (type === 'mend') return `${staffName} ${sort} ${beginTime?.slice(0, 16) ?? ''}`
  return `${staffName} ${sort} ${hours ?? ''} 小时`
}

/** The request of a stored document; `ask` gets it with its kind. */
export async function withStoredRequest<T>(
  db: Db,
  scope: Scope,
  { id, facts, chosen }: StoredRequest,
  ask: <F extends Fields>(kind: ApprovalKind<F>, request: ApprovalRequest<F>) => Promise<T>,
): Promise<T> {
  const staffName = await nameOf(db, scope, facts.staffId)
  return withRequest(facts, staffName, (kind, form) =>
    ask(kind, { bizId: id, title: titleOf(facts, staffName), form, chosen }),
  )
}

interface StoredRequest {
  readonly id: Id
  readonly facts: ApplicationFacts
  readonly chosen: ApplyDraft['chosen']
}

/** A stored document waits for its approval. Where nobody is left to ask, it has taken effect on return. */
export async function askForApproval(
  c: WriteContext,
  row: AttendanceApply,
  facts: ApplicationFacts,
  chosen: ApplyDraft['chosen'],
): Promise<void> {
  const { id } = await withStoredRequest(c.tx, c.scope, { id: row.id, facts, chosen }, (kind, request) =>
    requestApproval(c, kind, request),
  )
  await c.tx.execute(sql`
    update attendance_apply
    set instance_id = ${id}
    where owner_id = ${c.scope.ownerId} and id = ${row.id}
  `)
}

/** The approval state of a document. */
export async function approvalOf(db: Db, scope: Scope, { id, applyType: type }: AttendanceApply) {
  const found = await findApproval(db, scope, kindByType[type], id)
  if (!found) return {}
  const { instance, tasks } = found
  return {
    approvalState: instance.state,
    approvalNo: instance.instanceNo,
    approvalNode: instance.currentNode,
    approvals: tasks.map(({ nodeName, approverName, state, opinion, handleTime }) => ({
      nodeName,
      approverName,
      state,
      opinion,
      handleTime,
    })),
  }
}

/** Locked in the order of those who register: the months, the person, the document. */
export async function lockApplication({ tx, scope }: ApprovalContext, bizId: Id): Promise<AttendanceApply> {
  await keepMonthsOpen(tx, scope)
  const { staffId } = await requireById(tx, attendanceApply, scope, bizId)
  await lockPerson(tx, scope, staffId)
  return requireById(tx, attendanceApply, scope, bizId, { lock: true })
}
