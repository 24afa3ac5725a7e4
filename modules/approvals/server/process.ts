import { pickFields, type Fields } from '#kit/contract/field.ts'
import { refuse, type FieldFault } from '#kit/contract/wire.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { lineReferenceFaults } from '#kit/server/crud-references.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findAll, insert, requireById, update } from '#kit/server/table.ts'
import { instanceState, type ApprovalKindKey } from '../contract/choices.ts'
import {
  approvalProcess,
  listEditions,
  listKinds,
  nodeFields,
  processEdition,
  processes,
  setProcessState,
  tryProcess,
  type FlowNode,
  type Process,
} from '../contract/process.ts'
import { describeForm } from '../domain/form.ts'
import { choiceFaults, processFaults } from '../domain/process-faults.ts'
import { approverFaultOf, isActive, type People } from '../domain/people.ts'
import { formFieldsOf, isAboutMoney, planFor } from './flow.ts'
import { findApprovalKind, listApprovalKinds } from './kinds.ts'
import { loadPeople } from './people.ts'
import { readForm } from './store.ts'

type Draft = NonNullable<typeof processes.save.input.T>

async function countRunning(db: Db, scope: Scope, ids: readonly Id[]): Promise<ReadonlyMap<Id, number>> {
  const rows = await db.rows<{ id: Id; count: number }>(sql`
    select process_id as id, count(*)::int as count
    from process_instance
    where owner_id = ${scope.ownerId}
      and process_id = any(${[...ids]}::bigint[])
      and state = ${code(instanceState, 'running')}
      and ${notDeleted()}
    group by process_id
  `)
  return new Map(rows.map(row => [row.id, row.count]))
}

/** People who are named, and are not there any more. */
function peopleFaults(draft: Draft, people: People): FieldFault[] {
  const hasInactive = (ids: readonly string[] = []): boolean => ids.some(id => !isActive(people, parseId(id)))
  const approverFaults = (ids: readonly string[] = [], i: number): FieldFault[] => {
    const faults = new Set(ids.map(id => approverFaultOf(people, parseId(id))))
    const Field = `NodesJson[${i}].ManagerIDs`
    if (faults.has('inactive')) return [{ Field, Message: '含有已停用的人员，请重新选择' }]
    return faults.has('readOnly') ? [{ Field, Message: '含有只读账号，不能审批，请重新选择' }] : []
  }
  const nodes = draft.nodes.flatMap((node, i) =>
    node.rule === 'people' ? approverFaults(node.managerIds, i) : [],
  )
  return hasInactive(draft.copyTo)
    ? [...nodes, { Field: 'CopyJson', Message: '含有已停用的人员，请重新选择' }]
    : nodes
}

const fieldsByRule: Partial<Record<FlowNode['rule'], Fields>> = {
  role: pickFields(nodeFields, ['roleIds']),
  group: pickFields(nodeFields, ['departmentIds', 'tags']),
}

/** Roles, departments and tags that are not there; what a node names already stays until it is changed. */
async function nodeReferenceFaults(
  { nodes }: Draft,
  c: WriteContext,
  before: Process | undefined,
): Promise<FieldFault[]> {
  const faults: FieldFault[] = []
  for (const [i, node] of nodes.entries()) {
    const earlier = before?.nodes.find(({ key }) => key === node.key)
    const fields = fieldsByRule[node.rule] ?? {}
    faults.push(...(await lineReferenceFaults(`NodesJson[${i}]`, fields, node, c, { before: earlier })))
  }
  return faults
}

const choiceFaultsOf = (bizType: ApprovalKindKey, { nodes }: Pick<Process, 'nodes'>): FieldFault[] =>
  findApprovalKind(bizType)?.kind.offersNoChoice ? choiceFaults(nodes) : []

async function checkDraft(draft: Draft, c: WriteContext, before?: Process): Promise<FieldFault[]> {
  const { tx, scope, today } = c
  const bizType = before?.bizType ?? draft.bizType
  const isOffered = bizType === 'general' || listApprovalKinds().some(({ kind }) => kind.key === bizType)
  if (!isOffered) return [{ Field: 'BizType', Message: '该业务尚未启用审批，请选择其他业务' }]
  const fields = formFieldsOf(bizType, draft)
  const faults = processFaults({ ...draft, bizType }, fields, isAboutMoney(bizType, fields))
  return [
    ...faults,
    ...choiceFaultsOf(bizType, draft),
    ...peopleFaults(draft, await loadPeople(tx, scope.ownerId, today)),
    ...(await nodeReferenceFaults(draft, c, before)),
  ]
}

const flowKeys = ['nodes', 'copyTo', 'emptyPolicy', 'skipsRepeated', 'timeoutHours', 'formFields'] as const

const keepEdition = (process: Process, { tx, scope, now }: WriteContext): Promise<unknown> => {
  const { nodes, copyTo, emptyPolicy, skipsRepeated, timeoutHours, formFields, editionNo } = process
  return insert(tx, processEdition, scope, {
    processId: process.id,
    editionNo,
    nodes,
    copyTo,
    emptyPolicy,
    skipsRepeated,
    timeoutHours,
    formFields,
    editorName: scope.name,
    editTime: now,
  })
}

const flowText = (values: Partial<Process>): string =>
  JSON.stringify(Object.keys(pickFields(approvalProcess.fields, flowKeys)).map(key => flowValue(values, key)))

const flowValue = (values: Partial<Process>, key: string): unknown =>
  Object.entries(values).find(([k]) => k === key)?.[1] ?? null

/** Running requests keep their definition; requests that begin now hold it, so that none slips between. */
async function assertIdle(rows: readonly Process[], { tx, scope }: { tx: Tx; scope: Scope }): Promise<void> {
  const ids = rows.map(row => row.id)
  await tx.rows(sql`
    select id
    from process
    where owner_id = ${scope.ownerId} and id = any(${ids}::bigint[])
    order by id
    for update
  `)
  const running = await countRunning(tx, scope, ids)
  const busy = rows.find(row => running.has(row.id))
  if (busy)
    refuse(
      `「${busy.processName}」还有 ${running.get(busy.id)} 个审批中的申请，不能删除；可以停用，办结后再删除`,
    )
}

export const processServer = crudHandlers(processes, {
  unique: {
    process_name_live: '已有此名称的审批流程，请更换',
    process_kind_on: '该业务已有启用的审批流程，请先停用原流程',
  },
  references: { copyTo: { unchecked: 'checkDraft reads the active accounts' } },
  check: checkDraft,
  beforeInsert: () => ({ editionNo: 1 }),
  beforeUpdate: (draft, _, before) =>
    flowText(draft) === flowText(before) ? {} : { editionNo: before.editionNo + 1 },
  afterInsert: (row, c) => keepEdition(row, c),
  afterUpdate: async (row, c, before) => {
    if (row.editionNo > before.editionNo) {
      await keepEdition(row, c)
    }
  },
  beforeDelete: (rows, c) => assertIdle(rows, c),
  enrich: async (rows, { db, scope }) => {
    const running = await countRunning(
      db,
      scope,
      rows.map(row => row.id),
    )
    return rows.map(row => ({ ...row, runningCount: running.get(row.id) ?? 0 }))
  },
})

export const processHandlers = [
  reads(listEditions, ({ id }, { db, scope }) =>
    findAll(db, processEdition, scope, {}, { where: [sql`t.process_id = ${id}`] }),
  ),
  reads(listKinds, () =>
    Promise.resolve([
      ...listApprovalKinds().map(({ kind }) => ({
        bizType: kind.key,
        isMoney: kind.isMoney ?? false,
        offersNoChoice: kind.offersNoChoice ?? false,
        formFields: describeForm(kind.form),
      })),
      { bizType: 'general' as const, isMoney: false, offersNoChoice: false, formFields: [] },
    ]),
  ),
  reads(tryProcess, async ({ bizType, applicantId, form, ...source }, { db, scope, today }) => {
    const people = await loadPeople(db, scope.ownerId, today)
    const request = { bizType, applicantId, form: readForm(formFieldsOf(bizType, source), form ?? '{}') }
    return { nodes: planFor({ ...source, skipsRepeated: source.skipsRepeated }, people, request) }
  }),
  writes(setProcessState, async ({ id, state }, { tx, scope }) => {
    const process = await requireById(tx, approvalProcess, scope, id, { lock: true })
    const [fault] = state === 'on' ? choiceFaultsOf(process.bizType, process) : []
    if (fault) refuse(fault.Message)
    return update(tx, approvalProcess, scope, id, { state })
  }),
]
