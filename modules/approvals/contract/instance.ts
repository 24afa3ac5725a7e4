import { call, everyone } from '#kit/contract/call.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  choiceTable,
  flag,
  idOf,
  int,
  lines,
  list,
  lookup,
  moment,
  money,
  pickFields,
  ref,
  text,
} from '#kit/contract/field.ts'
import { byId, idRule, pageOf, search, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { approvalKind, instanceState, refuseTarget, taskState } from './choices.ts'
import { amendFieldFields, formFieldFields, formShape } from './form-field.ts'
import { plannedNodes } from './process.ts'

const written = { immutable: true, hiddenIn: ['form'] } as const
const inDetail = { hiddenIn: ['table', 'form', 'filter', 'sheet'] } as const
const internal = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const

export const maxFiles = 9
const filesOf = (label: string) =>
  list(label, { max: maxFiles, holdsFiles: true, wire: 'Attachments', ...inDetail })

/** One request under an edition of its definition (APR-3). */
export const processInstance = entity(
  'processInstance',
  '审批',
  { table: 'process_instance', tenancy: 'company', title: 'title', order: ['-id'] },
  {
    instanceNo: text('编号', { required: true, max: 30, searchable: true, wire: 'InstanceNo', ...written }),
    title: text('标题', { required: true, max: 100, searchable: true, ...written }),
    bizType: choice('业务', approvalKind, { required: true, wire: 'BizType', ...written }),
    bizId: idOf('业务编号', { wire: 'BizID', ...internal }),
    processId: ref('流程', 'process', {
      required: true,
      wire: 'ProcessID',
      hiddenIn: ['table', 'form', 'sheet', 'detail'],
    }),
    processName: lookup('流程', 'processId', 'processName', { wire: 'ProcessName' }),
    editionNo: int('流程版次', { required: true, wire: 'EditionNo', ...inDetail }),
    applicantId: ref('申请人', 'manager', {
      required: true,
      wire: 'ApplicantID',
      hiddenIn: ['table', 'form', 'sheet', 'detail'],
    }),
    applicantName: text('申请人', {
      required: true,
      max: 40,
      searchable: true,
      hiddenIn: ['form', 'filter'],
    }),
    departmentId: ref('部门', 'department', {
      wire: 'DepartmentID',
      hiddenIn: ['table', 'form', 'sheet', 'detail'],
    }),
    departmentName: lookup('部门', 'departmentId', 'name', { wire: 'DepartmentName' }),
    amount: money('金额', { ...written }),
    projectCode: text('项目', { max: 20, ...internal }),
    form: text('表单', { required: true, max: 20_000, wire: 'FormJson', help: formShape, ...internal }),
    chosen: lines(
      '自选审批人',
      {
        nodeKey: text('节点', { required: true, max: 20 }),
        approverIds: { ...list('审批人', { required: true, max: 20, rule: idRule }), target: 'manager' },
      },
      { max: 20, ...internal },
    ),
    round: int('提交次数', { required: true, ...inDetail }),
    visit: int('节点次序', { required: true, ...internal }),
    nodeKey: text('当前节点编号', { max: 20, ...internal }),
    currentNode: text('当前节点', { max: 40, hiddenIn: ['form', 'filter'] }),
    isReturned: flag('已退回申请人', { required: true, ...inDetail }),
    queue: list('待依次审批', { ...internal }),
    state: choice('状态', instanceState, { required: true, initial: 'running', ...written }),
    applyTime: moment('申请时间', { required: true, wire: 'ApplyTime', hiddenIn: ['form'] }),
    finishTime: moment('结束时间', { wire: 'FinishTime', hiddenIn: ['form'] }),
    /** For one that ended without a decision: the words of a withdrawal or a termination. */
    endReason: text('结束说明', { max: 200, wire: 'EndReason', ...inDetail }),
  },
)

export type ProcessInstance = Row<typeof processInstance>

/** One person's part in a node (C15). */
export const processTask = entity(
  'processTask',
  '审批任务',
  { table: 'process_task', tenancy: 'company', title: 'nodeName', order: ['id'] },
  {
    instanceId: ref('审批', 'processInstance', { required: true, wire: 'InstanceID' }),
    nodeKey: text('节点编号', { required: true, max: 20 }),
    nodeName: text('节点', { required: true, max: 40 }),
    visit: int('节点次序', { required: true }),
    round: int('提交次数', { required: true }),
    approverId: ref('审批人', 'manager', { wire: 'ApproverID' }),
    approverName: text('审批人', { max: 40, wire: 'ApproverName' }),
    principalId: ref('委托人', 'manager', { wire: 'PrincipalID' }),
    principalName: text('委托人', { max: 40, wire: 'PrincipalName' }),
    addedBy: ref('加签人', 'manager', { wire: 'AddedBy' }),
    state: choice('状态', taskState, { required: true }),
    opinion: text('意见', { max: 500 }),
    attachments: filesOf('附件'),
    signature: text('签名', { max: 200, holdsFiles: true, wire: 'SignUrl' }),
    startTime: moment('到达时间', { required: true, wire: 'StartTime' }),
    handleTime: moment('处理时间', { wire: 'HandleTime' }),
    dueTime: moment('应处理时间', { wire: 'DueTime' }),
    remindTime: moment('提醒时间', { wire: 'RemindTime' }),
  },
)

export type ProcessTask = Row<typeof processTask>

/** The form as it was each time that it was sent in; never changed (APR-7). */
export const processForm = entity(
  'processForm',
  '审批表单',
  { table: 'process_form', tenancy: 'company', title: 'round', order: ['round', 'id'] },
  {
    instanceId: ref('审批', 'processInstance', { required: true, wire: 'InstanceID' }),
    round: int('提交次数', { required: true }),
    form: text('表单', { required: true, max: 20_000, wire: 'FormJson' }),
    attachments: filesOf('附件'),
    senderName: text('提交人', { required: true, max: 40 }),
    sendTime: moment('提交时间', { required: true }),
  },
)

/** What somebody remarked beside a decision; never changed (APR-7). */
export const processComment = entity(
  'processComment',
  '审批评论',
  { table: 'process_comment', tenancy: 'company', title: 'content', order: ['id'] },
  {
    instanceId: ref('审批', 'processInstance', { required: true, wire: 'InstanceID' }),
    authorId: ref('评论人', 'manager', { required: true, wire: 'AuthorID' }),
    authorName: text('评论人', { required: true, max: 40 }),
    content: text('评论', { required: true, max: 500 }),
    attachments: filesOf('附件'),
    commentTime: moment('评论时间', { required: true }),
  },
)

const { permissions } = menu.instance

const instanceFilters = [
  'bizType',
  'state',
  'applicantId',
  'departmentId',
  'processId',
  'amount',
  'applyTime',
  'finishTime',
] as const

export const processInstances = crud(processInstance, {
  path: 'ProcessInstance',
  permissions,
  operations: ['list'],
  filters: instanceFilters,
})

export const exportInstances = crudExport(processInstances, { needs: permissions.export })

export const ownView = choiceTable('ProcessOwnView', '我的审批', {
  waiting: ['waiting', '待我审批'],
  returned: ['returned', '退回我的'],
  requested: ['requested', '我发起的'],
  decided: ['decided', '已处理'],
  copied: ['copied', '抄送我的'],
})

/** The caller's own: what waits for them, what they asked for, what they decided, what they were sent. */
export const listOwnInstances = call({
  route: 'GET ProcessInstance/GetMine',
  title: '我的审批',
  needs: everyone,
  input: search(processInstance, ['bizType', 'state', 'applyTime'], {
    view: choice('视图', ownView, { wire: 'View' }),
  }),
  output: pageOf(processInstance),
})

const formLines = lines(
  '表单',
  {
    label: text('名称', { required: true }),
    value: text('内容', { required: true, max: 5000 }),
    files: list('附件', { holdsFiles: true }),
  },
  { required: true },
)

/** What the caller may do with a request at present. */
export const instanceAction = choiceTable('ProcessAction', '审批操作', {
  approve: ['approve', '同意'],
  refuse: ['refuse', '驳回'],
  transfer: ['transfer', '转交'],
  addSigner: ['addSigner', '加签'],
  withdraw: ['withdraw', '撤回'],
  resubmit: ['resubmit', '重新提交'],
  giveUp: ['giveUp', '放弃申请'],
  terminate: ['terminate', '终止'],
  reassign: ['reassign', '改派'],
  comment: ['comment', '评论'],
})

const wholeInstance = shape(
  {
    ...processInstance.fields,
    formLines,
    formFields: lines('表单字段', formFieldFields, { required: true }),
    link: text('业务页面', { max: 500 }),
    /** For a request that came back, for its applicant: where its content is changed. */
    amendLink: text('修改页面', { max: 500 }),
    amendPhoneLink: text('手机修改页面', { max: 500 }),
    /** What the page of the approvals changes of it, and its content so far, written for these fields. */
    amendFields: lines('可修改的字段', amendFieldFields),
    amendForm: text('修改前的内容'),
    forms: lines(
      '表单历次内容',
      {
        round: int('提交次数', { required: true }),
        senderName: text('提交人', { required: true }),
        sendTime: moment('提交时间', { required: true }),
        formLines,
      },
      { required: true },
    ),
    /** Earlier requests for the same record. */
    earlier: lines(
      '此前的审批',
      pickFields(processInstance.fields, ['id', 'instanceNo', 'state', 'isReturned', 'applyTime']),
      { required: true },
    ),
    tasks: lines('审批任务', { ...processTask.fields }, { required: true }),
    comments: lines('评论', { ...processComment.fields }, { required: true }),
    copiedTo: list('抄送', { required: true }),
    nextNodes: plannedNodes,
    refuseTo: choice('驳回后', refuseTarget),
    actions: list('操作', { required: true }),
  },
  { entity: 'processInstance' },
)

/** A request with everything about it. */
export const getInstance = call({
  route: 'GET ProcessInstance/GetOne',
  title: '查看审批',
  needs: everyone,
  input: byId,
  output: wholeInstance,
})

export type InstanceDetail = NonNullable<typeof getInstance.output.T>

/** The last request of a record of a module. */
export const getInstanceOfRecord = call({
  route: 'GET ProcessInstance/GetByBiz',
  title: '查看业务的审批',
  needs: everyone,
  input: shape({
    bizType: choice('业务', approvalKind, { required: true, wire: 'BizType' }),
    bizId: idOf('业务编号', { required: true, min: 1, wire: 'BizID' }),
  }),
  output: wholeInstance,
})
