import type { Field, Fields } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { approvalKind, processState, type ApprovalKindKey } from '../contract/choices.ts'
import { approvalProcess, processEdition, type Process, type ProcessEdition } from '../contract/process.ts'
import type { ProcessInstance } from '../contract/instance.ts'
import { departmentKey, nodeApplies } from '../domain/conditions.ts'
import { fieldsOfForm, type FormValues } from '../domain/form.ts'
import {
  administratorOf,
  approversNamed,
  delegateOf,
  departmentLine,
  departmentOf,
  nameOfAccount,
  type People,
} from '../domain/people.ts'
import { planNode } from '../domain/plan.ts'
import { FlowRefusal, type Flow } from '../domain/run.ts'
import { findApprovalKind } from './kinds.ts'

type FlowSource = Pick<ProcessEdition, 'nodes' | 'emptyPolicy' | 'skipsRepeated' | 'formFields'>

interface RequestFacts {
  readonly bizType: ApprovalKindKey
  readonly applicantId: Id
  readonly form: FormValues
  readonly chosen?: ProcessInstance['chosen']
}

/** The fields of a request's form: those of its kind, or those that the definition drew. */
export const formFieldsOf = (
  bizType: ApprovalKindKey,
  { formFields = [] }: Pick<FlowSource, 'formFields'>,
): Fields => (bizType === 'general' ? fieldsOfForm(formFields) : (findApprovalKind(bizType)?.kind.form ?? {}))

/** APR-2: a kind says it of itself; a form that the company drew is about money where it has an amount. */
export const isAboutMoney = (bizType: ApprovalKindKey, fields: Fields): boolean =>
  bizType === 'general'
    ? Object.values<Field>(fields).some(field => field.kind === 'money')
    : (findApprovalKind(bizType)?.kind.isMoney ?? false)

const factsOf = (people: People, { form, applicantId }: RequestFacts): FormValues => ({
  ...form,
  [departmentKey]: departmentLine(people, departmentOf(people, applicantId)).map(String),
})

/** A definition as it works for one request at this moment. */
export function flowFor(source: FlowSource, people: People, request: RequestFacts): Flow {
  const fields = formFieldsOf(request.bizType, source)
  const facts = factsOf(people, request)
  const { applicantId, chosen } = request
  return {
    nodes: source.nodes.filter(node => nodeApplies(fields, facts, node)),
    emptyPolicy: source.emptyPolicy,
    skipsRepeated: source.skipsRepeated,
    isMoney: isAboutMoney(request.bizType, fields),
    applicantId,
    approversOf: node => approversNamed(people, node, { applicantId, chosen }),
    administrator: administratorOf(people),
    delegateOf: account => delegateOf(people, account),
  }
}

/** Every node of a definition with those whom it would ask, for people to look at. */
export function planFor(source: FlowSource, people: People, request: RequestFacts) {
  const flow = flowFor(source, people, request)
  return source.nodes.map(node => {
    const { key, name, rule, mode } = node
    const applies = flow.nodes.includes(node)
    const isChosen = rule === 'requesterChoice' && !request.chosen?.length
    const plan: ReturnType<typeof planNode> = applies && !isChosen ? planNode(flow, node) : { approvers: [] }
    const note = isChosen && applies ? '由申请人选择' : plan.note
    return {
      key,
      name,
      rule,
      mode,
      applies,
      approvers: plan.approvers.map(({ id, isPassed }) => ({
        id,
        isPassed,
        name: nameOfAccount(people, id) ?? '',
      })),
      ...(note === undefined ? {} : { note }),
      ...(plan.isRefused ? { isRefused: true } : {}),
    }
  })
}

/** A step of the engine; what its rules do not allow is refused in their words. */
export function step<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof FlowRefusal) return refuse(error.message)
    throw error
  }
}

/** The definition by which requests of a kind are approved at present. */
export const findProcessInUse = async (
  db: Db,
  scope: Scope,
  bizType: ApprovalKindKey,
): Promise<Process | undefined> =>
  (
    await findAll(
      db,
      approvalProcess,
      scope,
      {},
      {
        where: [sql`t.biz_type = ${code(approvalKind, bizType)}`, sql`t.state = ${code(processState, 'on')}`],
        limit: 1,
      },
    )
  )[0]

export async function requireEdition(
  db: Db,
  scope: Scope,
  { processId, editionNo }: Pick<ProcessInstance, 'processId' | 'editionNo'>,
): Promise<ProcessEdition> {
  const [edition] = await findAll(
    db,
    processEdition,
    scope,
    {},
    { where: [sql`t.process_id = ${processId}`, sql`t.edition_no = ${editionNo}`], limit: 1 },
  )
  return defined(edition)
}

/** Keeps a definition from being deleted while a request begins under it (APR-3). */
export const holdProcess = (db: Db, scope: Scope, id: Id): Promise<unknown> =>
  db.one(sql`
    select 1 as found
    from process
    where owner_id = ${scope.ownerId} and id = ${id} and ${notDeleted()}
    for share
  `)
