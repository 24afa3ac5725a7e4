import type { ChoiceOf, Field, Fields } from '#kit/contract/field.ts'
import { notFound } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, type ReadContext } from '#kit/server/handler.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { findAll } from '#kit/server/table.ts'
import type { ApprovalKindKey } from '../contract/choices.ts'
import {
  getInstance,
  getInstanceOfRecord,
  processComment,
  processForm,
  type instanceAction,
  type ProcessInstance,
} from '../contract/instance.ts'
import { describeForm, formLines, type FormLine } from '../domain/form.ts'
import { hasDecided, isWaiting, taskOf, type Run } from '../domain/run.ts'
import { approverFaultOf } from '../domain/people.ts'
import type { ProcessEdition } from '../contract/process.ts'
import { menu, paths } from '../module.ts'
import { findEarlier, isInCallersProjects, isOfRecord, participates, requireVisible } from './access.ts'
import { describeAmendment } from './amendment.ts'
import { formFieldsOf, planFor, requireEdition } from './flow.ts'
import { findApprovalKind, type AmendLinks } from './kinds.ts'
import { loadPeople } from './people.ts'
import { everywhere, recordOf } from './requests.ts'
import { formOf, runOf, tasksOf } from './store.ts'

type Action = ChoiceOf<typeof instanceAction>

/** What the caller may do at present; the calls accept the same. */
export function actionsOf(
  run: Run,
  instance: ProcessInstance,
  scope: Scope,
  {
    isInDomain,
    isParticipant,
    isReadOnly,
  }: { readonly isInDomain: boolean; readonly isParticipant: boolean; readonly isReadOnly: boolean },
): Action[] {
  const isRunning = run.state === 'running'
  const isApplicant = instance.applicantId === scope.operatorId
  const isManager = isInDomain && hasPermission(scope, menu.instance.permissions.manage)
  const decides: readonly Action[] = ['approve', 'refuse', 'transfer', 'addSigner']
  return [
    ...(taskOf(run, scope.operatorId) && !isReadOnly ? decides : []),
    ...(isRunning && isApplicant && !hasDecided(run) ? ['withdraw' as const] : []),
    ...(isRunning && isApplicant && run.isReturned ? (['resubmit', 'giveUp'] as const) : []),
    ...(isRunning && isManager && run.tasks.some(isWaiting) ? ['reassign' as const] : []),
    ...(isRunning && isManager ? ['terminate' as const] : []),
    ...(isParticipant || isManager ? ['comment' as const] : []),
  ]
}

async function idOfRecord(db: Db, scope: Scope, bizType: ApprovalKindKey, bizId: Id): Promise<Id> {
  const last = await db.one<{ id: Id }>(sql`
    select t.id
    from process_instance t
    where t.owner_id = ${scope.ownerId} and ${isOfRecord(bizType, bizId)}
    order by t.id desc
    limit 1
  `)
  if (!last) throw notFound()
  return last.id
}

/** Departments are named as they are called today. */
async function departmentNames(
  db: Db,
  scope: Scope,
): Promise<(field: Field, value: unknown) => string | undefined> {
  const rows = await db.rows<{ id: Id; name: string }>(sql`
    select id, name
    from department
    where owner_id = ${scope.ownerId}
  `)
  const names = new Map(rows.map(row => [String(row.id), row.name]))
  return (field, value) => (field.target === 'department' ? names.get(String(value)) : undefined)
}

async function linesOfForms(db: Db, scope: Scope, fields: Fields, instance: ProcessInstance) {
  const nameOf = await departmentNames(db, scope)
  const linesOf = (of: Pick<ProcessInstance, 'form'>): FormLine[] =>
    formLines(fields, formOf(fields, of), nameOf)
  const sent = await findAll(db, processForm, scope, {}, { where: [sql`t.instance_id = ${instance.id}`] })
  return {
    formLines: linesOf(instance),
    forms: sent.map(form => {
      const { round, senderName, sendTime } = form
      return { round, senderName, sendTime, formLines: linesOf(form) }
    }),
  }
}

async function copiedTo(db: Db, scope: Scope, instanceId: Id): Promise<string[]> {
  const rows = await db.rows<{ name: string }>(sql`
    select m.real_name as name
    from process_copy p
    join manager m on m.owner_id = ${scope.ownerId} and m.id = p.manager_id
    where p.owner_id = ${scope.ownerId} and p.instance_id = ${instanceId}
    order by m.id
  `)
  return rows.map(row => row.name)
}

export async function isInDataDomain(db: Db, scope: Scope, id: Id): Promise<boolean> {
  const found = await db.one(sql`
    select 1 as found
    from process_instance t
    where t.owner_id = ${scope.ownerId} and t.id = ${id} and ${isInCallersProjects(scope)}
  `)
  return found !== undefined
}

function ownAmendLinks(id: Id): AmendLinks {
  const form = `${paths.request}?again=${id}`
  return { wide: form, phone: form }
}

/** A general request is changed in the form that it was written in, others in the fields that they name. */
const amendmentOf = (instance: ProcessInstance, { formFields = [] }: Pick<ProcessEdition, 'formFields'>) =>
  instance.bizType === 'general' ? { fields: formFields, form: instance.form } : describeAmendment(instance)

async function detailOf(id: Id, { db, scope, today }: ReadContext) {
  const all = everywhere(scope)
  const instance = await requireVisible(db, scope, id)
  const edition = await requireEdition(db, all, instance)
  const fields = formFieldsOf(instance.bizType, edition)
  const tasks = await tasksOf(db, all, id)
  const run = runOf(instance, tasks)
  const people = await loadPeople(db, scope.ownerId, today)
  const { bizType, applicantId, chosen } = instance
  const plan = planFor(edition, people, { bizType, applicantId, chosen, form: formOf(fields, instance) })
  const at = plan.findIndex(node => node.key === instance.nodeKey)
  const next = run.state === 'running' ? plan.slice(at + 1).filter(node => node.applies) : []
  const record = recordOf(instance)
  const { link, amendLinks } = findApprovalKind(bizType)?.effects ?? {}
  const actions = actionsOf(run, instance, scope, {
    isInDomain: await isInDataDomain(db, scope, id),
    isParticipant: await participates(db, scope, id),
    isReadOnly: approverFaultOf(people, scope.operatorId) === 'readOnly',
  })
  const isAmendable = actions.includes('resubmit')
  const amendment = isAmendable ? amendmentOf(instance, edition) : undefined
  const amends = isAmendable ? (amendment ? ownAmendLinks(id) : amendLinks?.(record)) : undefined
  return {
    ...instance,
    ...(await linesOfForms(db, all, fields, instance)),
    formFields: bizType === 'general' ? (edition.formFields ?? []) : describeForm(fields),
    amendFields: amendment?.fields,
    amendForm: amendment?.form,
    link: instance.bizId ? link?.(record) : undefined,
    amendLink: amends?.wide,
    amendPhoneLink: amends?.phone,
    tasks,
    comments: await findAll(db, processComment, all, {}, { where: [sql`t.instance_id = ${id}`] }),
    earlier: await findEarlier(db, scope, instance),
    copiedTo: await copiedTo(db, scope, id),
    nextNodes: next,
    refuseTo: edition.nodes.find(node => node.key === instance.nodeKey)?.refuseTo,
    actions,
  }
}

export const detailHandlers = [
  reads(getInstance, ({ id }, c) => detailOf(id, c)),
  reads(getInstanceOfRecord, async ({ bizType, bizId }, c) =>
    detailOf(await idOfRecord(c.db, c.scope, bizType, bizId), c),
  ),
]
