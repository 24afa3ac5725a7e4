import type { Fields } from '#kit/contract/field.ts'
import { invalidInput, refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { requireById, update } from '#kit/server/table.ts'
import { processInstance, type ProcessInstance } from '../contract/instance.ts'
import type { ApprovalKind } from '../contract/kind.ts'
import { amountOfForm, encodeForm, formFaults, type FormValues } from '../domain/form.ts'
import { submit, withdraw } from '../domain/run.ts'
import { endWithoutEffect } from './endings.ts'
import { flowFor, formFieldsOf, step } from './flow.ts'
import { toApprovalContext, type ApprovalContext, type RequestContext } from './kinds.ts'
import {
  applyStep,
  chosenFaults,
  everywhere,
  findRunning,
  keepForm,
  openStep,
  type ApprovalRequest,
} from './requests.ts'

type OpenedStep = Awaited<ReturnType<typeof openStep>>

interface Amended {
  /** The record that it is known by from now on, where the one of before is not in it any more. */
  readonly bizId?: Id | undefined
  readonly title?: string | undefined
  readonly form: FormValues
  readonly chosen?: ProcessInstance['chosen']
}

export const assertApplicant = ({ applicantId }: ProcessInstance, operatorId: Id): void => {
  if (applicantId !== operatorId) refuse('只有申请人可以这样操作')
}

const chosenOf = ({ instance }: OpenedStep, { chosen }: Amended): ProcessInstance['chosen'] =>
  chosen?.length ? chosen : instance.chosen

const amendedFlow = (opened: OpenedStep, amended: Amended) =>
  flowFor(opened.edition, opened.people, {
    bizType: opened.instance.bizType,
    applicantId: opened.instance.applicantId,
    form: amended.form,
    chosen: chosenOf(opened, amended),
  })

/** A request goes in again with its form of this moment; the earlier ones stay (APR-4, APR-7). */
export async function sendAgain(
  c: ApprovalContext,
  opened: OpenedStep,
  amended: Amended,
): Promise<ProcessInstance> {
  const { instance, run, edition, people } = opened
  const fields = formFieldsOf(instance.bizType, edition)
  const flow = amendedFlow(opened, amended)
  const chosen = chosenOf(opened, amended)
  const faults = [...formFaults(fields, amended.form), ...chosenFaults(flow, people, chosen)]
  if (faults.length) throw invalidInput(faults)
  const after = step(() => submit(run, flow))
  const changed = await saveAmended(c, opened, amended, after.round)
  return applyStep(c, changed, edition, people, run, after)
}

async function saveAmended(
  c: ApprovalContext,
  opened: OpenedStep,
  amended: Amended,
  round: number,
): Promise<ProcessInstance> {
  const { instance, edition } = opened
  const fields = formFieldsOf(instance.bizType, edition)
  const changed = await update(c.tx, processInstance, everywhere(c.scope), instance.id, {
    ...(amended.bizId === undefined ? {} : { bizId: amended.bizId }),
    ...(amended.title === undefined ? {} : { title: [...amended.title].slice(0, 100).join('') }),
    form: encodeForm(fields, amended.form),
    amount: amountOfForm(fields, amended.form),
    chosen: chosenOf(opened, amended),
  })
  await keepForm(c, changed, round, fields)
  return changed
}

async function openOwn(c: ApprovalContext, kind: Pick<ApprovalKind, 'key'>, bizId: Id): Promise<OpenedStep> {
  const id = await findRunning(c.tx, c.scope, kind, bizId)
  if (id === undefined) return refuse('审批已结束，请刷新后查看')
  const before = await requireById(c.tx, processInstance, everywhere(c.scope), id)
  assertApplicant(before, c.scope.operatorId)
  return openStep(c, id, before)
}

interface Resubmission<F extends Fields> extends ApprovalRequest<F> {
  /** All that a request of several records is about by now: it is known by one of them (`bizId`). */
  readonly recordIds?: readonly Id[]
}

/** What is shown of a request whose amended content nobody had to approve. */
const notRequiredText = '修改后不需要审批，已直接办理'

/**
 * The request of a record that came back goes in again as the record is now. Where its form does not need
 * anybody any more, the request ends without an effect and the module does what it does without approvals.
 */
export async function resubmitApproval<F extends Fields>(
  context: RequestContext,
  kind: ApprovalKind<F>,
  { bizId, recordIds = [bizId], ...request }: Resubmission<NoInfer<F>>,
): Promise<'running' | 'approved' | 'notRequired'> {
  const c = toApprovalContext(context)
  const opened = await openOwn(c, kind, bizId)
  const { run } = opened
  if (!run.isReturned) return refuse('审批已在进行，不能重复提交')
  const amended = { ...request, bizId: recordIds.includes(bizId) ? bizId : recordIds[0] }
  if (!amendedFlow(opened, amended).nodes.length) {
    const round = run.round + 1
    const changed = await saveAmended(c, opened, amended, round)
    await endWithoutEffect(c, { instance: changed, run: { ...run, round } }, notRequiredText)
    return 'notRequired'
  }
  const { state } = await sendAgain(c, opened, amended)
  return state === 'approved' ? 'approved' : 'running'
}

/** The applicant takes the request of a record back; the module learns of it by `onEnded` (APR-4). */
export async function withdrawApproval(
  context: RequestContext,
  kind: Pick<ApprovalKind, 'key'>,
  bizId: Id,
): Promise<void> {
  const c = toApprovalContext(context)
  const { instance, run, edition, people } = await openOwn(c, kind, bizId)
  await applyStep(
    c,
    instance,
    edition,
    people,
    run,
    step(() => withdraw(run)),
  )
}
