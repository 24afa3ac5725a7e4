import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { addMinutes, dayOfMoment, fromInstant, startOfDay, type Moment } from '#kit/domain/moment.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { insert, insertAll } from '#kit/server/table.ts'
import { instanceState } from '#modules/approvals/contract/choices.ts'
import type { FormField } from '#modules/approvals/contract/form-field.ts'
import { processForm, processInstance, processTask } from '#modules/approvals/contract/instance.ts'
import { approvalProcess, processEdition, type FlowNode } from '#modules/approvals/contract/process.ts'
import { amountOfForm, encodeForm, fieldsOfForm } from '#modules/approvals/domain/form.ts'
import type { RunTask } from '#modules/approvals/domain/run.ts'
import { demoLogins } from '#modules/accounts/domain/demo-account.ts'

interface Person {
  readonly id: Id
  readonly name: string
}

interface DemoProcess {
  readonly processName: string
  readonly formFields: readonly FormField[]
  readonly nodes: readonly FlowNode[]
  readonly copyTo?: readonly string[]
}

const sealFields: readonly FormField[] = [
  { key: 'document', label: '用印文件', fieldKind: 'text', isRequired: true },
  {
    key: 'seal',
    label: '印章',
    fieldKind: 'choice',
    isRequired: true,
    options: ['公章', '合同章', '财务章'],
  },
  { key: 'copies', label: '份数', fieldKind: 'number', isRequired: true },
  { key: 'purpose', label: '用途', fieldKind: 'paragraph', isRequired: false },
]

const expenseFields: readonly FormField[] = [
  { key: 'item', label: '费用事项', fieldKind: 'text', isRequired: true },
  { key: 'amount', label: '金额', fieldKind: 'money', isRequired: true },
  { key: 'day', label: '发生日期', fieldKind: 'day', isRequired: true },
]

const nodeOf = (key: string, name: string, { id }: Person, more: Partial<FlowNode> = {}): FlowNode => ({
  key,
  name,
  rule: 'people',
  managerIds: [String(id)],
  mode: 'any',
  refuseTo: 'requester',
  ...more,
})

const processesOf = (supervisor: Person, owner: Person, cashier: Person): readonly DemoProcess[] => [
  {
    processName: '用印申请',
    formFields: sealFields,
    nodes: [
      nodeOf('n1', '部门主管', supervisor, { timeoutHours: 24 }),
      nodeOf('n2', '总经理', owner, { conditions: [{ field: 'seal', operator: 'equal', value: '公章' }] }),
    ],
  },
  {
    processName: '费用报销',
    formFields: expenseFields,
    nodes: [
      nodeOf('n1', '部门主管', supervisor),
      nodeOf('n2', '总经理', owner, {
        conditions: [{ field: 'amount', operator: 'atLeast', value: '1000.00' }],
      }),
    ],
    copyTo: [String(cashier.id)],
  },
]

async function addProcess(tx: Tx, scope: Scope, process: DemoProcess, now: Moment): Promise<Id> {
  const flow = {
    nodes: process.nodes,
    formFields: process.formFields,
    copyTo: process.copyTo,
    emptyPolicy: 'administrator',
    skipsRepeated: true,
  } as const
  const { processName } = process
  const added = await insert(tx, approvalProcess, scope, {
    ...flow,
    processName,
    bizType: 'general',
    editionNo: 1,
    state: 'on',
  })
  const edition = { processId: added.id, editionNo: 1, editorName: scope.name, editTime: now }
  await insert(tx, processEdition, scope, { ...flow, ...edition })
  return added.id
}

/** A decision: the node, by whom, how, after how many minutes, with which words. */
type Step = readonly [
  node: number,
  person: Person,
  state: RunTask['state'],
  minutes: number,
  opinion?: string,
]

interface DemoRequest {
  readonly process: number
  readonly applicant: Person
  readonly daysAgo: number
  readonly form: Readonly<Record<string, string | number>>
  readonly state: 'running' | 'approved' | 'refused' | 'withdrawn' | 'terminated'
  readonly isReturned?: boolean
  readonly steps: readonly Step[]
}

interface Cast {
  readonly supervisor: Person
  readonly owner: Person
  readonly clerk: Person
  readonly engineer: Person
}

const seal = (document: string, kind: string) => ({ document, seal: kind, copies: '2' })
const cost = (item: string, amount: number, day: Day) => ({ item, amount, day })

/** What goes on, and what was approved. */
const currentRequests = (
  { supervisor, owner, clerk, engineer }: Cast,
  today: Day,
): readonly DemoRequest[] => [
  {
    process: 0,
    applicant: clerk,
    daysAgo: 1,
    form: seal('电梯维保合同', '公章'),
    state: 'running',
    steps: [
      [0, supervisor, 'approved', 50, '条款已核对'],
      [1, owner, 'waiting', 50],
    ],
  },
  {
    process: 1,
    applicant: engineer,
    daysAgo: 2,
    form: cost('更换水泵轴承', 48_000, addDays(today, -3)),
    state: 'running',
    steps: [[0, supervisor, 'waiting', 0]],
  },
  {
    process: 1,
    applicant: clerk,
    daysAgo: 6,
    form: cost('社区活动物料', 126_000, addDays(today, -9)),
    state: 'approved',
    steps: [
      [0, supervisor, 'approved', 35, '同意'],
      [1, owner, 'approved', 190, '按预算执行'],
    ],
  },
]

/** What came back or ended otherwise. */
const otherRequests = ({ supervisor, owner, clerk, engineer }: Cast, today: Day): readonly DemoRequest[] => [
  {
    process: 0,
    applicant: clerk,
    daysAgo: 9,
    form: seal('收据专用章启用说明', '财务章'),
    state: 'refused',
    steps: [[0, supervisor, 'refused', 80, '请先在财务处登记']],
  },
  {
    process: 1,
    applicant: engineer,
    daysAgo: 3,
    form: cost('购买工具', 32_600, addDays(today, -4)),
    state: 'running',
    isReturned: true,
    steps: [[0, supervisor, 'refused', 120, '请补充发票照片']],
  },
  {
    process: 0,
    applicant: engineer,
    daysAgo: 12,
    form: seal('外墙检测委托书', '合同章'),
    state: 'withdrawn',
    steps: [[0, supervisor, 'skipped', 0]],
  },
  {
    process: 1,
    applicant: clerk,
    daysAgo: 15,
    form: cost('培训费', 260_000, addDays(today, -18)),
    state: 'terminated',
    steps: [
      [0, supervisor, 'approved', 60],
      [1, owner, 'skipped', 60],
    ],
  },
]

async function addRequest(
  tx: Tx,
  scope: Scope,
  request: DemoRequest,
  { id: processId, process, now }: { readonly id: Id; readonly process: DemoProcess; readonly now: Moment },
): Promise<void> {
  const { applicant, form, state, steps, isReturned = false } = request
  const time = addMinutes(startOfDay(dayOfMoment(now)), 600 - request.daysAgo * 1440)
  const last = defined(steps.at(-1))
  const fields = fieldsOfForm(process.formFields)
  const formText = encodeForm(fields, form)
  const node = defined(process.nodes[last[0]])
  const isOpen = state === 'running' && !isReturned
  const instance = await insert(tx, processInstance, scope, {
    instanceNo: await tx.numbers.next(scope.ownerId, 'SP', dayOfMoment(time)),
    title: `${applicant.name} ${process.processName}`,
    bizType: 'general',
    processId,
    editionNo: 1,
    applicantId: applicant.id,
    applicantName: applicant.name,
    form: formText,
    amount: amountOfForm(fields, form),
    round: 1,
    visit: steps.length,
    nodeKey: isOpen ? node.key : undefined,
    currentNode: state === 'running' ? (isReturned ? '申请人修改' : node.name) : undefined,
    isReturned,
    state,
    applyTime: time,
    finishTime: state === 'running' ? undefined : addMinutes(time, last[3] + 5),
  })
  const sent = { instanceId: instance.id, round: 1, senderName: applicant.name, sendTime: time }
  await insert(tx, processForm, scope, { ...sent, form: formText })
  await insertAll(
    tx,
    processTask,
    scope,
    steps.map(([at, person, taskState, minutes, opinion], i) => ({
      instanceId: instance.id,
      nodeKey: defined(process.nodes[at]).key,
      nodeName: defined(process.nodes[at]).name,
      visit: i + 1,
      round: 1,
      approverId: person.id,
      approverName: person.name,
      state: taskState,
      opinion,
      startTime: addMinutes(time, taskState === 'waiting' ? minutes : 0),
      handleTime: taskState === 'waiting' ? undefined : addMinutes(time, minutes),
    })),
  )
}

/** Two definitions of general forms, and requests in all states. */
export async function seedApprovals(database: Database, scope: Scope): Promise<void> {
  const rows = await database.reader(scope.ownerId).rows<Person & { readonly login: string }>(sql`
    select id, real_name as name, login_code as login
    from manager
    where owner_id = ${scope.ownerId} and delete_tag = 0
  `)
  const personOf = (role: string): Person => defined(rows.find(row => row.login === demoLogins.ofRole(role)))
  const owner = { id: scope.operatorId, name: scope.name }
  const cast = {
    supervisor: personOf('manager'),
    clerk: personOf('service'),
    engineer: personOf('engineer'),
    owner,
  }
  const processes = processesOf(cast.supervisor, owner, personOf('cashier'))
  const now = fromInstant(Date.now())
  const today = dayOfMoment(now)
  await database.tx(scope.ownerId, async tx => {
    const ids: Id[] = []
    for (const process of processes) {
      ids.push(await addProcess(tx, scope, process, now))
    }
    for (const request of [...currentRequests(cast, today), ...otherRequests(cast, today)]) {
      const { id, name } = request.applicant
      const [processId, process] = [defined(ids[request.process]), defined(processes[request.process])]
      await addRequest(tx, { ...scope, operatorId: id, name }, request, { id: processId, process, now })
    }
    await tx.execute(sql`
      insert into process_copy (owner_id, instance_id, manager_id, copy_time)
      select owner_id, id, ${personOf('cashier').id}, finish_time
      from process_instance
      where owner_id = ${scope.ownerId}
        and process_id = ${defined(ids[1])}
        and finish_time is not null
        and state = ${code(instanceState, 'approved')}
      returning instance_id
    `)
  })
}
