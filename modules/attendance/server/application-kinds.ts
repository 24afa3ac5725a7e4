import type { Fields } from '#kit/contract/field.ts'
import { Refused, refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { updateAll } from '#kit/server/table.ts'
import {
  registerApprovalKind,
  type ApprovalContext,
  type ApprovalEnd,
  type ApprovalRecord,
} from '#modules/approvals/server/public.ts'
import { kindByType } from '../contract/approval-kinds.ts'
import { attendanceApply } from '../contract/apply.ts'
import { paths } from '../module.ts'
import { lockApplication } from './application-approval.ts'
import { applyApprovedApplication } from './application-effects.ts'
import { sendApplicationAgain } from './application-resubmission.ts'

/** An approver has no form to correct: what is wrong with the document is refused with a message. */
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
    resubmit: async (c, { bizId }, chosen) => {
      await sendApplicationAgain(c, bizId, { chosen })
    },
    amendLinks: ({ bizId }) => ({
      wide: `${paths.ownApplications}?amend=${bizId}`,
      phone: `${paths.phone}?view=requests&amend=${bizId}`,
    }),
  })
}
