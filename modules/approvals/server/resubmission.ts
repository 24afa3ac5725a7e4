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
  const changed = await update(c.tx, processInstance, everywhere(c.scope), instance.id, {
    ...(amended.title === undefined ? {} : { title: [...amended.title].slice(0, 100).join('') }),
    form: encodeForm(fields, amended.form),
    amount: amountOfForm(fields, amended.form),
    chosen,
  })
  await keepForm(c, changed, after.round, fields)
  return applyStep(c, changed, edition, people, run, after)
}

async function openOwn(c: ApprovalContext, kind: Pick<ApprovalKind, 'key'>, bizId: Id): Promise<OpenedStep> {
  const id = await findRunning(c.tx, c.scope, kind, bizId)
  if (id === undefined) return refuse('审批已结束，请刷新后查看')
  const before = await requireById(c.tx, processInstance, everywhere(c.scope), id)
  assertApplicant(before, c.scope.operatorId)
  return openStep(c, id, before)
}

/**
 * The request of a record that came back goes in again as the record is now. Where its form does not need
 * anybody any more, the request ends without an effect and the module does what it does without approvals.
 */
export async function resubmitApproval<F extends Fields>(
  context: RequestContext,
  kind: ApprovalKind<F>,
  { bizId, ...amended }: ApprovalRequest<NoInfer<F>>,
): Promise<'running' | 'approved' | 'notRequired'> {
  const c = toApprovalContext(context)
  const opened = await openOwn(c, kind, bizId)
  const { instance, run } = opened
  if (!run.isReturned) return refuse('审批已在进行，不能重复提交')
  if (!amendedFlow(opened, amended).nodes.length) {
    await endWithoutEffect(c, { instance, run }, '修改后不需要按流程审批')
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
