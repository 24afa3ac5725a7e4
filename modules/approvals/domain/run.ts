import type { ChoiceOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import type { emptyPolicy, instanceState, refuseTarget, taskState } from '../contract/choices.ts'
import type { FlowNode } from '../contract/process.ts'
import { findApprovers, submitRefusal } from './approvers.ts'

/** One person's part in one visit of a node. */
export interface RunTask {
  readonly id?: Id | undefined
  readonly nodeKey: string
  readonly nodeName: string
  /** Which time a node was entered, counted over the whole request. */
  readonly visit: number
  readonly round: number
  /** Absent where nobody had to be asked. */
  readonly approverId?: Id | undefined
  /** For whom a delegate decides. */
  readonly principalId?: Id | undefined
  /** Who asked this person as well. */
  readonly addedBy?: Id | undefined
  readonly state: ChoiceOf<typeof taskState>
  readonly opinion?: string | undefined
}

/** The state of a request. */
export interface Run {
  readonly state: ChoiceOf<typeof instanceState>
  /** How often the form has been sent in. */
  readonly round: number
  readonly visit: number
  /** The node that decides; none while the form is back with the requester, and after the end. */
  readonly nodeKey?: string | undefined
  readonly isReturned: boolean
  /** Who is asked next, where a node asks in turn. */
  readonly queue: readonly Id[]
  readonly tasks: readonly RunTask[]
}

/** What the engine asks of the world: people as they are at this moment. */
export interface Flow {
  /** The nodes whose conditions are met, in their order. */
  readonly nodes: readonly FlowNode[]
  readonly emptyPolicy: ChoiceOf<typeof emptyPolicy>
  readonly skipsRepeated: boolean
  readonly isMoney: boolean
  readonly applicantId: Id
  /** The active accounts that a node names, in their order. */
  readonly approversOf: (node: FlowNode) => readonly Id[]
  readonly administrator: Id | undefined
  /** Who decides for this account at present. */
  readonly delegateOf: (account: Id) => Id | undefined
}

/** What the rules do not allow, in the user's words. */
export class FlowRefusal extends Error {}

const refuseStep = (message: string): never => {
  throw new FlowRefusal(message)
}

export const newRun: Run = { state: 'running', round: 0, visit: 0, isReturned: false, queue: [], tasks: [] }

export const isWaiting = (task: RunTask): boolean => task.state === 'waiting'
const hasAgreed = ({ state }: RunTask): boolean => state === 'approved' || state === 'passed'
const tasksOfVisit = ({ tasks, visit }: Run): RunTask[] => tasks.filter(task => task.visit === visit)
export const waitingTasks = (run: Run): RunTask[] => run.tasks.filter(isWaiting)

const setTask = (run: Run, task: RunTask, patch: Partial<RunTask>): Run => ({
  ...run,
  tasks: run.tasks.map(other => (other === task ? { ...other, ...patch } : other)),
})

const skipWaiting = (run: Run, wanted: (task: RunTask) => boolean = () => true): Run => ({
  ...run,
  tasks: run.tasks.map(task =>
    isWaiting(task) && wanted(task) ? { ...task, state: 'skipped' as const } : task,
  ),
})

/** People may have left since the request was sent in, and its edition is not changed any more (APR-3). */
const requireApprovers = (flow: Flow, node: FlowNode): readonly Id[] =>
  findApprovers(flow, node) ??
  refuseStep(`「${node.name}」没有可以审批的人，审批不能继续；请驳回，或由管理员终止后重新申请`)

/** Who agreed in the node before, in this round. */
function lastApprovers(run: Run): ReadonlySet<Id> {
  const before = run.tasks.filter(
    task => task.round === run.round && task.visit < run.visit && hasAgreed(task),
  )
  const last = Math.max(0, ...before.map(task => task.visit))
  return new Set(before.flatMap(task => (task.visit === last && task.approverId ? [task.approverId] : [])))
}

function delegated(flow: Flow, run: Run, approver: Id): { approverId: Id; principalId?: Id } {
  const delegate = flow.delegateOf(approver)
  const isUsable =
    delegate !== undefined &&
    delegate !== flow.applicantId &&
    !tasksOfVisit(run).some(task => task.approverId === delegate)
  return isUsable ? { approverId: delegate, principalId: approver } : { approverId: approver }
}

function addTask(run: Run, flow: Flow, node: FlowNode, approver: Id): Run {
  const isOwn = approver === flow.applicantId && !flow.isMoney
  const person = isOwn ? { approverId: approver } : delegated(flow, run, approver)
  const isRepeated = flow.skipsRepeated && lastApprovers(run).has(person.approverId)
  const { visit, round } = run
  const passed = isOwn ? '申请人本人' : '上一节点已同意'
  const task: RunTask = {
    nodeKey: node.key,
    nodeName: node.name,
    visit,
    round,
    ...person,
    ...(isOwn || isRepeated ? { state: 'passed', opinion: passed } : { state: 'waiting' }),
  }
  return { ...run, tasks: [...run.tasks, task] }
}

function enterNode(run: Run, flow: Flow, node: FlowNode): Run {
  const approvers = requireApprovers(flow, node)
  const { visit, round } = run
  const entered: Run = { ...run, nodeKey: node.key, visit: visit + 1, queue: [] }
  if (!approvers.length) {
    const nobody: RunTask = {
      nodeKey: node.key,
      nodeName: node.name,
      visit: visit + 1,
      round,
      state: 'passed',
      opinion: '没有审批人',
    }
    return { ...entered, tasks: [...run.tasks, nobody] }
  }
  if (node.mode === 'inTurn') return { ...entered, queue: approvers }
  return approvers.reduce((r, approver) => addTask(r, flow, node, approver), entered)
}

function isNodeDone(run: Run, node: FlowNode): boolean {
  const tasks = tasksOfVisit(run)
  if (node.mode === 'any')
    return tasks.some(task => !task.addedBy && hasAgreed(task)) && !tasks.some(t => t.addedBy && isWaiting(t))
  return !tasks.some(isWaiting) && !run.queue.length
}

/** Goes on as far as nobody needs to be asked. */
function advance(run: Run, flow: Flow): Run {
  const node = flow.nodes.find(({ key }) => key === run.nodeKey)
  if (!node) return nextNode(run, flow, 0)
  const [next, ...queue] = run.queue
  if (next !== undefined && !tasksOfVisit(run).some(isWaiting))
    return advance(addTask({ ...run, queue }, flow, node, next), flow)
  if (!isNodeDone(run, node)) {
    const hasOneAgreed = node.mode === 'any' && tasksOfVisit(run).some(t => !t.addedBy && hasAgreed(t))
    return hasOneAgreed ? skipWaiting(run, task => !task.addedBy) : run
  }
  return nextNode(skipWaiting(run), flow, flow.nodes.indexOf(node) + 1)
}

function nextNode(run: Run, flow: Flow, at: number): Run {
  const node = flow.nodes[at]
  return node
    ? advance(enterNode(run, flow, node), flow)
    : { ...run, state: 'approved', nodeKey: undefined, queue: [] }
}

/** What ended is not sent in any more. */
export const endedText = '审批已结束，不能重新提交；仍需要的，请重新申请'

/** The form is sent in, for the first time or after it came back. */
export function submit(run: Run, flow: Flow): Run {
  if (run.state !== 'running') return refuseStep(endedText)
  if (run.round > 0 && !run.isReturned) return refuseStep('审批已在进行，不能重复提交')
  const refusal = flow.nodes.map(node => submitRefusal(flow, node)).find(Boolean)
  if (refusal) return refuseStep(refusal)
  return advance({ ...run, round: run.round + 1, isReturned: false, nodeKey: undefined }, flow)
}

export interface Decision {
  readonly approverId: Id
  readonly opinion?: string | undefined
}

/** The task in which somebody decides at present. */
export const taskOf = (run: Run, approverId: Id): RunTask | undefined =>
  run.state === 'running' ? run.tasks.find(t => isWaiting(t) && t.approverId === approverId) : undefined

const requireTask = (run: Run, approverId: Id): RunTask =>
  taskOf(run, approverId) ?? refuseStep('这项审批不在你的待办中，可能已被处理，请刷新后查看')

export function approve(run: Run, flow: Flow, { approverId, opinion }: Decision): Run {
  const task = requireTask(run, approverId)
  return advance(setTask(run, task, { state: 'approved', opinion }), flow)
}

/** The node that decided before, in this round, by a person's word. */
function previousNode(run: Run, flow: Flow): FlowNode | undefined {
  const at = flow.nodes.findIndex(({ key }) => key === run.nodeKey)
  return flow.nodes
    .slice(0, Math.max(0, at))
    .findLast(({ key }) =>
      run.tasks.some(t => t.nodeKey === key && t.round === run.round && t.state === 'approved'),
    )
}

const returnToRequester = (run: Run): Run => ({ ...run, isReturned: true, nodeKey: undefined, queue: [] })

export function refuseRequest(
  run: Run,
  flow: Flow,
  { approverId, opinion, target }: Decision & { readonly target: ChoiceOf<typeof refuseTarget> },
): Run {
  const refused = skipWaiting(setTask(run, requireTask(run, approverId), { state: 'refused', opinion }))
  if (target === 'end') return { ...refused, state: 'refused', nodeKey: undefined, queue: [] }
  const before = target === 'previous' ? previousNode(run, flow) : undefined
  if (!before) return returnToRequester(refused)
  // Asked again, and not passed because they agreed the last time.
  return advance(enterNode(refused, { ...flow, skipsRepeated: false }, before), {
    ...flow,
    skipsRepeated: false,
  })
}

/** Somebody else decides in the place of the approver. */
export function transfer(
  run: Run,
  flow: Pick<Flow, 'isMoney' | 'applicantId'>,
  { approverId, opinion, to }: Decision & { readonly to: Id },
): Run {
  const task = requireTask(run, approverId)
  assertNewSigner(run, flow, to)
  const moved: RunTask = {
    ...task,
    id: undefined,
    approverId: to,
    principalId: undefined,
    opinion: undefined,
  }
  const left = setTask(run, task, { state: 'transferred', opinion })
  return { ...left, tasks: [...left.tasks, moved] }
}

/** Somebody else must agree as well, before the node is done, whatever its mode. */
export function addSigner(
  run: Run,
  flow: Pick<Flow, 'isMoney' | 'applicantId'>,
  { approverId, to }: Decision & { readonly to: Id },
): Run {
  const task = requireTask(run, approverId)
  assertNewSigner(run, flow, to)
  const { nodeKey, nodeName, visit, round } = task
  const added: RunTask = {
    nodeKey,
    nodeName,
    visit,
    round,
    approverId: to,
    addedBy: approverId,
    state: 'waiting',
  }
  return { ...run, tasks: [...run.tasks, added] }
}

function assertNewSigner(run: Run, flow: Pick<Flow, 'isMoney' | 'applicantId'>, to: Id): void {
  if (taskOf(run, to) || run.queue.includes(to)) throw new FlowRefusal('所选人员已在本节点审批，请另选')
  if (to === flow.applicantId) throw new FlowRefusal('不能由申请人审批自己的申请，请另选')
}

/** Whether a node has decided by a person's word: then nothing is withdrawn any more (APR-4). */
export const hasDecided = ({ tasks, visit, isReturned }: Run): boolean =>
  isReturned ||
  tasks.some(({ state, visit: at }) => state === 'refused' || (state === 'approved' && at < visit))

export function withdraw(run: Run): Run {
  if (run.state !== 'running') return refuseStep('审批已结束，不能撤回')
  if (run.isReturned) return refuseStep('审批已退回，不能撤回，可重新提交或放弃')
  if (hasDecided(run)) return refuseStep('已有节点处理，不能撤回；需要取消的，请联系审批人驳回')
  return { ...skipWaiting(run), state: 'withdrawn', nodeKey: undefined, queue: [] }
}

export function terminate(run: Run): Run {
  if (run.state !== 'running') return refuseStep('审批已结束')
  return { ...skipWaiting(run), state: 'terminated', nodeKey: undefined, isReturned: false, queue: [] }
}
