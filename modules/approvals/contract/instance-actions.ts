import { call, everyone } from '#kit/contract/call.ts'
import { choice, flag, idOf, list, lines, text } from '#kit/contract/field.ts'
import { byId, listOfRows, noData, recordOf, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { approvalKind, refuseTarget } from './choices.ts'
import { formFieldFields, formShape } from './form-field.ts'
import { processComment, processInstance, processTask } from './instance.ts'
import { plannedNodes } from './process.ts'

const formText = text('表单', { required: true, max: 20_000, wire: 'FormJson', help: formShape })
const { chosen } = processInstance.fields
const { manage } = menu.instance.permissions
const formFiles = list('附件', { max: 50, holdsFiles: true, wire: 'Attachments' })
const instanceId = idOf('审批', { required: true, min: 1, wire: 'ID' })
const affects = ['processInstance', 'processTask', 'process']

/** General requests that anybody may begin, with their forms. */
export const listGeneralProcesses = call({
  route: 'GET ProcessInstance/GetGeneral',
  title: '可发起的通用审批',
  needs: everyone,
  input: shape({}),
  output: listOfRows(
    {
      id: idOf('流程', { required: true, wire: 'ID' }),
      processName: text('名称', { required: true, wire: 'ProcessName' }),
      formFields: lines('表单字段', formFieldFields, { required: true }),
    },
    { entity: 'process' },
  ),
})

/** Who would be asked for a request with this form; for the form before it is sent in. */
export const previewRequest = call({
  route: 'POST ProcessInstance/PostPreview',
  title: '预览审批人',
  needs: everyone,
  readOnly: true,
  input: shape({
    bizType: choice('业务', approvalKind, { required: true }),
    processId: idOf('流程', { min: 1, wire: 'ProcessID' }),
    instanceId: idOf('退回的审批', { min: 1, wire: 'InstanceID', help: '重新提交时，按其原版次预览' }),
    form: formText,
  }),
  output: shape({
    /** Whether anybody has to be asked. */
    isRequired: flag('需要审批', { required: true }),
    nodes: plannedNodes,
  }),
})

export const sendGeneralRequest = call({
  route: 'POST ProcessInstance/Post',
  title: '发起通用审批',
  needs: everyone,
  affects,
  input: shape({
    processId: idOf('流程', { required: true, min: 1, wire: 'ProcessID' }),
    title: text('标题', { max: 100 }),
    form: formText,
    attachments: formFiles,
    chosen,
  }),
  output: recordOf(processInstance),
})

/**
 * After it came back: a general request with a new form, a kind with fields to amend with these, any other as
 * its record is now (APR-4).
 */
export const resubmitRequest = call({
  route: 'POST ProcessInstance/PostResubmit',
  title: '重新提交审批',
  needs: everyone,
  affects,
  input: shape({
    id: instanceId,
    form: text('表单', { max: 20_000, wire: 'FormJson', help: formShape }),
    attachments: formFiles,
    chosen,
  }),
  output: recordOf(processInstance),
})

const reason = (label: string) => text(label, { required: true, min: 2, max: 200, wire: 'Reason' })

export const withdrawRequest = call({
  route: 'POST ProcessInstance/PostWithdraw',
  title: '撤回审批',
  needs: everyone,
  affects,
  input: shape({ id: instanceId, reason: text('原因', { max: 200, wire: 'Reason' }) }),
  output: recordOf(processInstance),
})

/** By the requester, after it came back; by an administrator at any time. */
export const terminateRequest = call({
  route: 'POST ProcessInstance/PostTerminate',
  title: '终止审批',
  needs: everyone,
  affects,
  input: shape({ id: instanceId, reason: reason('原因') }),
  output: recordOf(processInstance),
})

export const commentRequest = call({
  route: 'POST ProcessInstance/PostComment',
  title: '评论审批',
  needs: everyone,
  affects: ['processInstance'],
  input: shape({
    id: instanceId,
    content: processComment.fields.content,
    attachments: processComment.fields.attachments,
  }),
  output: noData,
})

const decision = {
  id: instanceId,
  attachments: processTask.fields.attachments,
  signature: processTask.fields.signature,
}
const to = (label: string) => ({
  ...idOf(label, { required: true, min: 1, wire: 'ToID' }),
  kind: 'ref' as const,
  target: 'manager',
  targetBy: 'id' as const,
})

export const approveRequest = call({
  route: 'POST ProcessTask/PostApprove',
  title: '同意审批',
  needs: everyone,
  affects,
  input: shape({ ...decision, opinion: processTask.fields.opinion }),
  output: recordOf(processInstance),
})

export const refuseRequest = call({
  route: 'POST ProcessTask/PostRefuse',
  title: '驳回审批',
  needs: everyone,
  affects,
  input: shape({
    ...decision,
    opinion: text('驳回原因', { required: true, min: 2, max: 500, wire: 'Opinion' }),
    refuseTo: choice('驳回后', refuseTarget, { wire: 'RefuseTo' }),
  }),
  output: recordOf(processInstance),
})

export const transferTask = call({
  route: 'POST ProcessTask/PostTransfer',
  title: '转交审批',
  needs: everyone,
  affects,
  input: shape({ id: instanceId, to: to('转交给'), opinion: text('说明', { max: 500, wire: 'Opinion' }) }),
  output: recordOf(processInstance),
})

export const addTaskSigner = call({
  route: 'POST ProcessTask/PostAddSigner',
  title: '加签',
  needs: everyone,
  affects,
  input: shape({ id: instanceId, to: to('加签给'), opinion: text('说明', { max: 500, wire: 'Opinion' }) }),
  output: recordOf(processInstance),
})

/** By an administrator, where an approver does not decide or has left. */
export const reassignTask = call({
  route: 'POST ProcessTask/PostReassign',
  title: '改派审批',
  needs: manage,
  affects,
  input: shape({
    taskId: idOf('审批任务', { required: true, min: 1, wire: 'TaskID' }),
    to: to('改派给'),
    reason: reason('原因'),
  }),
  output: recordOf(processInstance),
})

/** The receiver of a copy has seen it. */
export const readCopy = call({
  route: 'POST ProcessInstance/PostRead',
  title: '标记抄送已读',
  needs: everyone,
  affects: ['processInstance'],
  input: byId,
  output: noData,
})
