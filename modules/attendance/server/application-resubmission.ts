import { invalidField, invalidInput, refuse, staleVersion } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { requireById, update } from '#kit/server/table.ts'
import { resubmitApproval, type ApprovalContext } from '#modules/approvals/server/public.ts'
import { attendanceApply, type AttendanceApply } from '../contract/apply.ts'
import type { resendOwnApplication } from '../contract/own-apply.ts'
import { lockApplication, withStoredRequest } from './application-approval.ts'
import { applyApprovedApplication, assertApplicationOpen } from './application-effects.ts'
import { applyFaults, type ApplyDraft } from './application-rules.ts'
import { derivedOf, factsOf } from './application-submit.ts'

type Amendment = Omit<NonNullable<typeof resendOwnApplication.input.T>, 'id' | 'version' | 'chosen'>

interface Amended {
  /** What its person has changed; without it the document goes in as it is. */
  readonly values?: Amendment
  /** The version that its person saw; another one refuses (G-8). */
  readonly version?: number | undefined
  readonly chosen?: ApplyDraft['chosen']
}

/** Stored are the fields of its sort alone: what a form sends beside them is emptied. */
function valuesOf({ applyType: type, ...values }: Amendment): Omit<Amendment, 'applyType'> {
  const isSwap = type === 'swap'
  return {
    leaveType: type === 'leave' ? values.leaveType : undefined,
    mendPoint: type === 'mend' ? values.mendPoint : undefined,
    beginTime: isSwap ? undefined : values.beginTime,
    endTime: isSwap || type === 'mend' ? undefined : values.endTime,
    workDay: isSwap ? values.workDay : undefined,
    restDay: isSwap ? values.restDay : undefined,
    reason: values.reason,
    attachments: values.attachments?.length ? values.attachments : undefined,
  }
}

function amend(row: AttendanceApply, values: Amendment | undefined): AttendanceApply {
  if (!values) return row
  if (values.applyType !== row.applyType)
    throw invalidField('ApplyType', '类型不能更改；要改类型的，请放弃后重新申请')
  return { ...row, ...valuesOf(values) }
}

/**
 * A document that came back goes in again as it is now, checked as at first (APR-4). Where nobody needs to be
 * asked any more it has taken effect on return.
 */
export async function sendApplicationAgain(
  c: ApprovalContext,
  id: Id,
  { values, version, chosen }: Amended,
): Promise<AttendanceApply> {
  const { tx, scope } = c
  const before = await lockApplication(c, id)
  if (version !== undefined && version !== before.version) throw staleVersion()
  if (before.state !== 'pending') refuse('该单据已处理，请刷新后查看')
  const row = amend(before, values)
  const faults = await applyFaults(row, c)
  if (faults.length) throw invalidInput(faults)
  await assertApplicationOpen(tx, scope, row, row.applyType === 'swap' ? 'WorkDay' : 'BeginTime')
  const facts = await factsOf(row, c)
  if (values) {
    await update(tx, attendanceApply, scope, id, { ...valuesOf(values), ...derivedOf(row, facts) })
  }
  const outcome = await withStoredRequest(tx, scope, { id, facts, chosen }, (kind, request) =>
    resubmitApproval(c, kind, request),
  )
  if (outcome === 'notRequired') {
    await update(tx, attendanceApply, scope, id, { state: 'passed' })
    await applyApprovedApplication(c, row)
  }
  return requireById(tx, attendanceApply, scope, id)
}
