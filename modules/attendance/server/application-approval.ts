import { labelOf, type Fields, type ValueOf } from '#kit/contract/field.ts'
import { Refused, refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById, updateAll } from '#kit/server/table.ts'
import type { ApprovalKind } from '#modules/approvals/contract/kind.ts'
import {
  findApproval,
  registerApprovalKind,
  requestApproval,
  requiresApproval,
  type ApprovalContext,
  type ApprovalEnd,
  type ApprovalRecord,
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
import { applyApprovedApplication } from './application-effects.ts'
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

/** A stored document waits for its approval. Where nobody is left to ask, it has taken effect on return. */
export async function askForApproval(
  c: WriteContext,
  row: AttendanceApply,
  facts: ApplicationFacts,
  chosen: ApplyDraft['chosen'],
): Promise<void> {
  const staffName = await nameOf(c.tx, c.scope, row.staffId)
  const { id } = await withRequest(facts, staffName, (kind, form) =>
    requestApproval(c, kind, { bizId: row.id, title: titleOf(facts, staffName), form, chosen }),
  )
  await c.tx.execute(sql`
    update attendance_apply
    set instance_id = ${id}
    where owner_id = ${c.scope.ownerId} and id = ${row.id}
  `)
}

/** How a document stands with those who approve it. */
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
async function lockApplication({ tx, scope }: ApprovalContext, bizId: Id): Promise<AttendanceApply> {
  await keepMonthsOpen(tx, scope)
  const { staffId } = await requireById(tx, attendanceApply, scope, bizId)
  await lockPerson(tx, scope, staffId)
  return requireById(tx, attendanceApply, scope, bizId, { lock: true })
}

/** Who approves has no form to mend: what is wrong with the document is refused in words. */
async function inWords(effect: Promise<void>): Promise<void> {
  try {
    await effect
  } catch (error) {
    if (error instanceof Refused && Array.isArray(error.data)) refuse(error.message)
    throw error
  }
}

async function approve(c: ApprovalContext, bizId: Id): Promise<void> {
  const { tx, scope } = c
  const apply = await lockApplication(c, bizId)
  if (apply.state !== 'pending') refuse('该单据已处理，不能再通过')
  await updateAll(tx, attendanceApply, scope, [apply], { state: 'passed' }, { action: 'state' })
  await inWords(applyApprovedApplication(c, apply))
}

async function end(
  c: ApprovalContext,
  { bizId, applicantId }: ApprovalRecord,
  how: ApprovalEnd,
): Promise<void> {
  const apply = await lockApplication(c, bizId)
  if (apply.state !== 'pending') return
  const isByApplicant = c.scope.operatorId === applicantId
  const ended = isByApplicant ? 'withdrawn' : 'cancelled'
  const state = how === 'refused' ? 'refused' : ended
  await updateAll(c.tx, attendanceApply, c.scope, [apply], { state }, { action: 'state' })
}

for (const kind of Object.values(kindByType)) {
  registerApprovalKind<Fields>(kind, {
    lock: async (c, { bizId }) => {
      await lockApplication(c, bizId)
    },
    onApproved: (c, { bizId }) => approve(c, bizId),
    onEnded: (c, record, how) => end(c, record, how),
  })
}
