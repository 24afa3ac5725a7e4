import { invalidField, invalidInput, refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { storedFileFaults } from '#kit/server/file-access.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { requireById } from '#kit/server/table.ts'
import {
  addTaskSigner,
  approveRequest,
  reassignTask,
  refuseRequest,
  transferTask,
} from '../contract/instance-actions.ts'
import { processTask, type ProcessInstance } from '../contract/instance.ts'
import { approverFaultOf, type People } from '../domain/people.ts'
import {
  addSigner,
  approve,
  refuseRequest as refuseRun,
  transfer,
  type Flow,
  type Run,
} from '../domain/run.ts'
import { requireVisible } from './access.ts'
import { step } from './flow.ts'
import { applyStep, everywhere, openStep } from './requests.ts'
import { signatureOf } from './signature.ts'
import type { DecisionFiles } from './store.ts'

function assertPerson(people: People, to: Id): void {
  const fault = approverFaultOf(people, to)
  if (fault === 'inactive') throw invalidField('ToID', '所选人员不存在或已停用，请重新选择')
  if (fault === 'readOnly') throw invalidField('ToID', '所选人员为只读账号，不能审批，请重新选择')
}

interface Decided {
  readonly opinion?: string | undefined
  readonly files?: DecisionFiles
}

/** One step on a request, which the caller can see. */
async function decide(
  c: WriteContext,
  id: Id,
  work: (run: Run, flow: Flow, people: People) => Run,
  decided: Decided,
): Promise<ProcessInstance> {
  const visible = await requireVisible(c.tx, c.scope, id)
  const { instance, run, edition, people, flow } = await openStep(c, id, visible)
  const after = step(() => work(run, flow, people))
  return applyStep(c, instance, edition, people, run, after, decided)
}

/** One step of an approver on a request; who may only look takes none (PERM-1). */
const decideOwn: typeof decide = (c, id, work, decided) =>
  decide(
    c,
    id,
    (run, flow, people) => {
      if (approverFaultOf(people, c.scope.operatorId) === 'readOnly')
        refuse('你的账号为只读，不能审批；请联系管理员改派')
      return work(run, flow, people)
    },
    decided,
  )

/** A decision is signed as its author signs today, with nobody else's signature. */
const filesOf = async (
  c: WriteContext,
  { attachments, signature }: DecisionFiles,
): Promise<DecisionFiles> => {
  const faults = await storedFileFaults(c, 'Attachments', attachments)
  if (faults.length) throw invalidInput(faults)
  const own = await signatureOf(c.tx, c.scope)
  if (signature !== undefined && signature !== own)
    throw invalidField('SignUrl', '签名与本人现用签名不一致，请先在「我的签名」中保存')
  return { attachments, signature: own }
}

/** In whose place an administrator puts somebody else; the request is in the caller's domain. */
async function reassign(
  { taskId, to, reason }: { readonly taskId: Id; readonly to: Id; readonly reason: string },
  c: WriteContext,
): Promise<ProcessInstance> {
  const task = await requireById(c.tx, processTask, everywhere(c.scope), taskId)
  const { approverId } = task
  if (task.state !== 'waiting' || approverId === undefined) return refuse('该任务已处理，请刷新后查看')
  return decide(
    c,
    task.instanceId,
    (run, flow, people) => {
      assertPerson(people, to)
      return transfer(run, flow, { approverId, to, opinion: `${c.scope.name} 改派：${reason}` })
    },
    { opinion: reason },
  )
}

export const decisionHandlers = [
  writes(approveRequest, async ({ id, opinion, ...files }, c) =>
    decideOwn(c, id, (run, flow) => approve(run, flow, { approverId: c.scope.operatorId, opinion }), {
      opinion,
      files: await filesOf(c, files),
    }),
  ),
  writes(refuseRequest, async ({ id, opinion, refuseTo, ...files }, c) =>
    decideOwn(
      c,
      id,
      (run, flow) => {
        const node = flow.nodes.find(({ key }) => key === run.nodeKey)
        const target = refuseTo ?? node?.refuseTo ?? 'end'
        return refuseRun(run, flow, { approverId: c.scope.operatorId, opinion, target })
      },
      { opinion, files: await filesOf(c, files) },
    ),
  ),
  writes(transferTask, ({ id, to, opinion }, c) =>
    decideOwn(
      c,
      id,
      (run, flow, people) => {
        assertPerson(people, to)
        return transfer(run, flow, { approverId: c.scope.operatorId, to, opinion })
      },
      { opinion },
    ),
  ),
  writes(addTaskSigner, ({ id, to, opinion }, c) =>
    decideOwn(
      c,
      id,
      (run, flow, people) => {
        assertPerson(people, to)
        return addSigner(run, flow, { approverId: c.scope.operatorId, to, opinion })
      },
      { opinion },
    ),
  ),
  writes(reassignTask, reassign),
]
