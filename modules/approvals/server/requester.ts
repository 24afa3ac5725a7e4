import { invalidField, invalidInput, refuse } from '#kit/contract/wire.ts'
import { labelOf, type Fields } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { storedFileFaults } from '#kit/server/file-access.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, insert, requireById } from '#kit/server/table.ts'
import { approvalKind, processState } from '../contract/choices.ts'
import {
  commentRequest,
  listGeneralProcesses,
  previewRequest,
  readCopy,
  resubmitRequest,
  sendGeneralRequest,
  terminateRequest,
  withdrawRequest,
} from '../contract/instance-actions.ts'
import { processComment, processInstance, type ProcessInstance } from '../contract/instance.ts'
import { approvalProcess, type Process, type ProcessEdition } from '../contract/process.ts'
import { filesOfForm, type FormValues } from '../domain/form.ts'
import { endedText, terminate, withdraw, type Run } from '../domain/run.ts'
import { menu } from '../module.ts'
import { participates, requireVisible } from './access.ts'
import { amendableFields, amendedForm } from './amendment.ts'
import { isInDataDomain } from './detail.ts'
import { findProcessInUse, formFieldsOf, planFor, requireEdition, step } from './flow.ts'
import { findApprovalKind } from './kinds.ts'
import { notifyAbout } from './notices.ts'
import { loadPeople } from './people.ts'
import { applyStep, beginRequest, everywhere, openStep, recordOf } from './requests.ts'
import { assertApplicant, sendAgain } from './resubmission.ts'
import { formOf, readForm } from './store.ts'

/**
 * Files of a form are named beside it, where it is checked that the caller may open them; those that no field
 * of the form shows could be opened by nobody.
 */
async function assertFilesNamed(
  c: WriteContext,
  fields: Fields,
  form: FormValues,
  attachments: readonly string[] = [],
): Promise<void> {
  const shown = new Set(filesOfForm(fields, form))
  if (attachments.some(key => !shown.has(key)))
    throw invalidField('Attachments', '附件应写在表单的附件字段中，表单没有附件字段的不能带附件')
  if ([...shown].some(key => !attachments.includes(key)))
    throw invalidField('Attachments', '附件与表单不一致，请重新上传')
  const faults = await storedFileFaults(c, 'Attachments', attachments)
  if (faults.length) throw invalidInput(faults)
}

const requireGeneral = async (db: Db, scope: Scope, id: Id): Promise<Process> => {
  const process = await requireById(db, approvalProcess, scope, id)
  if (process.bizType !== 'general') return refuse('该流程不是通用审批，请在业务页面发起')
  return process.state === 'on' ? process : refuse('该流程已停用')
}

async function stepOfRequester(
  c: WriteContext,
  id: Id,
  work: (run: Run, instance: ProcessInstance) => Run,
  opinion: string | undefined,
): Promise<ProcessInstance> {
  const visible = await requireVisible(c.tx, c.scope, id)
  const { instance, run, edition, people } = await openStep(c, id, visible)
  const after = step(() => work(run, instance))
  return applyStep(c, instance, edition, people, run, after, { opinion })
}

type Resubmission = NonNullable<typeof resubmitRequest.input.T>

/** A record of a module goes in by its module, as it is now; a general request with the form that is sent. */
async function resubmit(
  { id, form, attachments, chosen }: Resubmission,
  c: WriteContext,
): Promise<ProcessInstance> {
  const visible = await requireVisible(c.tx, c.scope, id)
  assertApplicant(visible, c.scope.operatorId)
  if (visible.state !== 'running') return refuse(endedText)
  const isAmendable = visible.bizType === 'general' || Object.keys(amendableFields(visible)).length > 0
  if (form !== undefined && !isAmendable)
    return refuse(`${labelOf(approvalKind, visible.bizType)}的内容不能在此修改`)
  const sendRecord = findApprovalKind(visible.bizType)?.effects.resubmit
  if (sendRecord) {
    const record = recordOf(visible)
    await sendRecord(c, form === undefined ? record : { ...record, form: amendedForm(visible, form) }, chosen)
    return requireById(c.tx, processInstance, everywhere(c.scope), id)
  }
  const opened = await openStep(c, id, visible)
  const fields = formFieldsOf(visible.bizType, opened.edition)
  const values = form === undefined ? formOf(fields, opened.instance) : readForm(fields, form)
  if (form !== undefined) {
    await assertFilesNamed(c, fields, values, attachments)
  }
  return sendAgain(c, opened, { form: values, chosen })
}

/** A person who only looks at the data of others leaves nothing in it. */
async function assertParticipant(db: Db, scope: Scope, id: Id): Promise<void> {
  const isManager =
    hasPermission(scope, menu.instance.permissions.manage) && (await isInDataDomain(db, scope, id))
  if (!isManager && !(await participates(db, scope, id))) refuse('只有参与这项审批的人可以评论')
}

async function addComment(
  { id, content, attachments }: NonNullable<typeof commentRequest.input.T>,
  c: WriteContext,
): Promise<void> {
  const { tx, scope, now } = c
  const instance = await requireVisible(tx, scope, id)
  await assertParticipant(tx, scope, id)
  const faults = await storedFileFaults(c, 'Attachments', attachments)
  if (faults.length) throw invalidInput(faults)
  await insert(tx, processComment, everywhere(scope), {
    instanceId: id,
    authorId: scope.operatorId,
    authorName: scope.name,
    content,
    attachments: attachments?.length ? attachments : undefined,
    commentTime: now,
  })
  const people = await tx.rows<{ id: Id }>(sql`
    select distinct approver_id as id
    from process_task
    where owner_id = ${scope.ownerId} and instance_id = ${id} and approver_id is not null
  `)
  const to = [...people.map(person => person.id), instance.applicantId]
  await notifyAbout(c, instance, 'decided', to, { title: `新评论：${instance.title}`, text: content })
}

type Preview = NonNullable<typeof previewRequest.input.T>

/** What a form is sent in under; one that came back keeps to the edition of its time (APR-3). */
async function definitionFor(
  db: Db,
  scope: Scope,
  { bizType, processId, instanceId }: Preview,
): Promise<Process | ProcessEdition | undefined> {
  if (instanceId) {
    const instance = await requireVisible(db, scope, instanceId)
    assertApplicant(instance, scope.operatorId)
    return requireEdition(db, everywhere(scope), instance)
  }
  if (bizType !== 'general') return findProcessInUse(db, scope, bizType)
  if (!processId) throw invalidField('ProcessID', '请选择流程')
  return requireGeneral(db, scope, processId)
}

const hasNodes = (nodes: readonly { readonly applies: boolean }[]): boolean =>
  nodes.some(node => node.applies)

export const requesterHandlers = [
  reads(listGeneralProcesses, async (_, { db, scope }) => {
    const found = await findAll(
      db,
      approvalProcess,
      scope,
      {},
      {
        where: [
          sql`t.biz_type = ${code(approvalKind, 'general')}`,
          sql`t.state = ${code(processState, 'on')}`,
        ],
      },
    )
    return found.map(({ id, processName, formFields = [] }) => ({ id, processName, formFields }))
  }),
  reads(previewRequest, async (input, { db, scope, today }) => {
    const { bizType, form } = input
    const process = await definitionFor(db, scope, input)
    if (!process) return { isRequired: false, nodes: [] }
    const people = await loadPeople(db, scope.ownerId, today)
    const request = {
      bizType,
      applicantId: scope.operatorId,
      form: readForm(formFieldsOf(bizType, process), form),
    }
    const nodes = planFor(process, people, request)
    return { isRequired: hasNodes(nodes), nodes }
  }),
  writes(sendGeneralRequest, async ({ processId, title, form, attachments, chosen }, c) => {
    const process = await requireGeneral(c.tx, c.scope, processId)
    const fields = formFieldsOf('general', process)
    const values = readForm(fields, form)
    await assertFilesNamed(c, fields, values, attachments)
    const name = title?.trim() ? title.trim() : `${c.scope.name} ${process.processName}`
    return beginRequest(c, process, { title: name, form: values, chosen })
  }),
  writes(resubmitRequest, resubmit),
  writes(withdrawRequest, ({ id, reason }, c) =>
    stepOfRequester(
      c,
      id,
      (run, instance) => {
        assertApplicant(instance, c.scope.operatorId)
        return withdraw(run)
      },
      reason,
    ),
  ),
  writes(terminateRequest, ({ id, reason }, c) =>
    stepOfRequester(
      c,
      id,
      (run, instance) => {
        if (!hasPermission(c.scope, menu.instance.permissions.manage)) {
          assertApplicant(instance, c.scope.operatorId)
          if (!run.isReturned) refuse('审批退回后才能放弃；尚无人处理的，请撤回')
        }
        return terminate(run)
      },
      reason,
    ),
  ),
  writes(commentRequest, addComment),
  writes(readCopy, async ({ id }, { tx, scope, now }) => {
    await requireVisible(tx, scope, id)
    await tx.execute(sql`
      update process_copy
      set read_time = coalesce(read_time, ${now}::timestamptz)
      where owner_id = ${scope.ownerId} and instance_id = ${id} and manager_id = ${scope.operatorId}
    `)
  }),
]
