import type { Fields, ValueOf } from '#kit/contract/field.ts'
import { invalidInput, refuse } from '#kit/contract/wire.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { requirePermission, unrestrictedDomain, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { insert } from '#kit/server/table.ts'
import { dayOfInstant, dayOfMoment } from '#kit/domain/moment.ts'
import { approvalKind, instanceState } from '../contract/choices.ts'
import { processForm, processInstance, type ProcessInstance } from '../contract/instance.ts'
import type { ApprovalKind } from '../contract/kind.ts'
import type { Process, ProcessEdition } from '../contract/process.ts'
import { amountOfForm, encodeForm, filesOfForm, formFaults, type FormValues } from '../domain/form.ts'
import { approverFaultOf, departmentOf, type People } from '../domain/people.ts'
import { newRun, submit, type Flow, type Run } from '../domain/run.ts'
import { findProcessInUse, flowFor, formFieldsOf, holdProcess, requireEdition, step } from './flow.ts'
import {
  findApprovalKind,
  toApprovalContext,
  type ApprovalContext,
  type ApprovalEnd,
  type ApprovalRecord,
  type RequestContext,
} from './kinds.ts'
import { notifyStep, sendCopies } from './notices.ts'
import { loadPeople } from './people.ts'
import { formOf, lockInstance, saveRun, type DecisionFiles } from './store.ts'

const requestPrefix = 'SP'

/** Participants of a request are asked by their account: where the request lies limits none of them. */
export const everywhere = (scope: Scope): Scope => ({ ...scope, domain: unrestrictedDomain })

export interface ApprovalRequest<F extends Fields = Fields> {
  readonly bizId: Id
  /** The title in lists and messages: `张三 请假 2 天`. */
  readonly title: string
  readonly form: ValueOf<F>
  readonly projectCode?: string | undefined
  readonly chosen?: ProcessInstance['chosen']
}

export const recordOf = (instance: ProcessInstance): ApprovalRecord => ({
  id: instance.id,
  kind: instance.bizType,
  bizId: instance.bizId ?? 0,
  applicantId: instance.applicantId,
  projectCode: instance.projectCode,
  form: formOf(findApprovalKind(instance.bizType)?.kind.form ?? {}, instance),
})

/**
 * Whether somebody must be asked: a definition of the kind is in use, and at least one of its nodes holds for
 * this form. Where it is not so, the module does what it does without approvals.
 */
export async function requiresApproval<F extends Fields>(
  db: Db,
  scope: Scope,
  kind: ApprovalKind<F>,
  form: ValueOf<F>,
): Promise<boolean> {
  const process = await findProcessInUse(db, scope, kind.key)
  if (!process) return false
  const people = await loadPeople(db, scope.ownerId, dayOfInstant(Date.parse(scope.time)))
  const request = { bizType: kind.key, applicantId: scope.operatorId, form }
  return flowFor(process, people, request).nodes.length > 0
}

/** Whether a definition of the kind is in use at all. */
export const hasDefinition = async (
  db: Db,
  scope: Scope,
  kind: Pick<ApprovalKind, 'key'>,
): Promise<boolean> => (await findProcessInUse(db, scope, kind.key)) !== undefined

/** What the requester must choose, and has not chosen rightly. */
export function chosenFaults(flow: Flow, people: People, chosen: ProcessInstance['chosen'] = []) {
  return flow.nodes.flatMap(node => {
    if (node.rule !== 'requesterChoice') return []
    const ids = chosen.find(choice => choice.nodeKey === node.key)?.approverIds ?? []
    if (!ids.length) return [{ Field: 'Chosen', Message: `请选择「${node.name}」的审批人` }]
    const faults = new Set(ids.map(id => approverFaultOf(people, parseId(id))))
    if (faults.has('inactive'))
      return [{ Field: 'Chosen', Message: `「${node.name}」所选的审批人已停用，请重新选择` }]
    return faults.has('readOnly')
      ? [{ Field: 'Chosen', Message: `「${node.name}」所选的审批人为只读账号，不能审批，请重新选择` }]
      : []
  })
}

/** After a step: stored, those concerned notified, and its effect in the same transaction (APR-5). */
export async function applyStep(
  c: ApprovalContext,
  instance: ProcessInstance,
  edition: ProcessEdition,
  people: People,
  before: Run,
  after: Run,
  options: { readonly opinion?: string | undefined; readonly files?: DecisionFiles } = {},
): Promise<ProcessInstance> {
  const { tx, now } = c
  const scope = everywhere(c.scope)
  const change = { instance, before, after, edition, people, now, reason: options.opinion }
  const saved = await saveRun(tx, scope, { ...change, ...(options.files ? { files: options.files } : {}) })
  await notifyStep({ ...c, scope }, saved, before, after, options.opinion)
  const effects = findApprovalKind(saved.bizType)?.effects
  if (after.state === 'running') {
    if (after.isReturned && !before.isReturned) {
      await effects?.onReturned?.({ ...c, scope }, { ...recordOf(saved), opinion: options.opinion })
    }
    return saved
  }
  if (after.state === 'approved') {
    await effects?.onApproved({ ...c, scope }, recordOf(saved))
    await sendCopies({ ...c, scope }, saved, (edition.copyTo ?? []).map(parseId))
  } else {
    const how: ApprovalEnd = after.state
    await effects?.onEnded?.({ ...c, scope }, { ...recordOf(saved), opinion: options.opinion }, how)
  }
  return saved
}

export async function keepForm(
  { tx, scope, now }: ApprovalContext,
  instance: Pick<ProcessInstance, 'id' | 'form'>,
  round: number,
  fields: Fields,
): Promise<void> {
  const files = filesOfForm(fields, formOf(fields, instance))
  await insert(tx, processForm, everywhere(scope), {
    instanceId: instance.id,
    round,
    form: instance.form,
    attachments: files.length ? files : undefined,
    senderName: scope.name,
    sendTime: now,
  })
}

export interface NewRequest extends Omit<ApprovalRequest, 'bizId' | 'form'> {
  readonly bizId?: Id | undefined
  readonly form: FormValues
}

/** Begins a request under the present edition of a definition. */
export async function beginRequest(
  c: ApprovalContext,
  process: Process,
  request: NewRequest,
): Promise<ProcessInstance> {
  const { tx, now, today } = c
  const scope = everywhere(c.scope)
  await holdProcess(tx, scope, process.id)
  const edition = await requireEdition(tx, scope, { processId: process.id, editionNo: process.editionNo })
  const fields = formFieldsOf(process.bizType, edition)
  const people = await loadPeople(tx, scope.ownerId, today)
  const flow = flowFor(edition, people, {
    bizType: process.bizType,
    applicantId: scope.operatorId,
    form: request.form,
    chosen: request.chosen,
  })
  const faults = [...formFaults(fields, request.form), ...chosenFaults(flow, people, request.chosen)]
  if (faults.length) throw invalidInput(faults)
  const after = step(() => submit(newRun, flow))
  const instance = await insert(tx, processInstance, scope, {
    instanceNo: await tx.numbers.next(scope.ownerId, requestPrefix, dayOfMoment(now)),
    title: [...request.title].slice(0, 100).join(''),
    bizType: process.bizType,
    bizId: request.bizId,
    processId: process.id,
    editionNo: edition.editionNo,
    applicantId: scope.operatorId,
    applicantName: scope.name,
    departmentId: departmentOf(people, scope.operatorId),
    projectCode: request.projectCode,
    form: encodeForm(fields, request.form),
    amount: amountOfForm(fields, request.form),
    chosen: request.chosen,
    round: 0,
    visit: 0,
    isReturned: false,
    state: 'running',
    applyTime: now,
  })
  await keepForm(c, instance, 1, fields)
  return applyStep(c, instance, edition, people, newRun, after)
}

/**
 * A record of a module waits for an approval; who asks is the scope's operator. Where nobody has to be asked
 * any more (everyone passes) it is approved at once, and the effect has run when this returns.
 */
export async function requestApproval<F extends Fields>(
  context: RequestContext,
  kind: ApprovalKind<F>,
  request: ApprovalRequest<NoInfer<F>>,
): Promise<{ readonly id: Id; readonly state: 'running' | 'approved' }> {
  const c = toApprovalContext(context)
  const needs = findApprovalKind(kind.key)?.effects.needs
  if (needs) {
    requirePermission(c.scope, needs)
  }
  const process = await findProcessInUse(c.tx, c.scope, kind.key)
  if (!process) return refuse('未启用审批流程，请联系管理员在「审批设置」中设置')
  const { id, state } = await beginRequest(c, process, request)
  return { id, state: state === 'approved' ? 'approved' : 'running' }
}

export async function findRunning(
  db: Db,
  { ownerId }: Scope,
  kind: Pick<ApprovalKind, 'key'>,
  bizId: Id,
): Promise<Id | undefined> {
  const open = await db.one<{ id: Id }>(sql`
    select id
    from process_instance
    where owner_id = ${ownerId}
      and biz_type = ${code(approvalKind, kind.key)}
      and biz_id = ${bizId}
      and state = ${code(instanceState, 'running')}
      and ${notDeleted()}
  `)
  return open?.id
}

/** Whether a record waits for an approval: then nothing else decides on it. */
export const waitsForApproval = async (
  db: Db,
  scope: Scope,
  kind: Pick<ApprovalKind, 'key'>,
  bizId: Id,
): Promise<boolean> => (await findRunning(db, scope, kind, bizId)) !== undefined

/** The records that wait for an approval. */
export async function findWaitingRecords(
  db: Db,
  { ownerId }: Scope,
  kind: Pick<ApprovalKind, 'key'>,
  bizIds: readonly Id[],
): Promise<ReadonlySet<Id>> {
  const rows = await db.rows<{ bizId: Id }>(sql`
    select biz_id
    from process_instance
    where owner_id = ${ownerId}
      and biz_type = ${code(approvalKind, kind.key)}
      and biz_id = any(${[...bizIds]}::bigint[])
      and state = ${code(instanceState, 'running')}
      and ${notDeleted()}
  `)
  return new Set(rows.map(row => row.bizId))
}

/** A locked request with all that the engine needs for a step of it. */
export async function openStep(c: ApprovalContext, id: Id, instanceBefore: ProcessInstance) {
  const scope = everywhere(c.scope)
  const effects = findApprovalKind(instanceBefore.bizType)?.effects
  await effects?.lock?.({ ...c, scope }, recordOf(instanceBefore))
  const { instance, run } = await lockInstance(c.tx, scope, id)
  const edition = await requireEdition(c.tx, scope, instance)
  const people = await loadPeople(c.tx, scope.ownerId, c.today)
  const flow = flowFor(edition, people, {
    bizType: instance.bizType,
    applicantId: instance.applicantId,
    form: formOf(formFieldsOf(instance.bizType, edition), instance),
    chosen: instance.chosen,
  })
  return { instance, run, edition, people, flow }
}
