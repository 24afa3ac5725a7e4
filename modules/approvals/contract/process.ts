import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  flag,
  idOf,
  int,
  lines,
  list,
  lookup,
  moment,
  ref,
  text,
  type Fields,
  type ValueOf,
} from '#kit/contract/field.ts'
import { byId, idRule, listOfRows, recordOf, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import {
  approvalKind,
  approverRule,
  conditionOperator,
  emptyPolicy,
  nodeMode,
  processState,
  refuseTarget,
} from './choices.ts'
import { formFieldFields, formShape } from './form-field.ts'

const people = (label: string, wire: string, target: string) => ({
  ...list(label, { max: 50, rule: idRule, wire }),
  target,
})

/** Holds of a form where each of them does (APR-1). */
const conditionFields = {
  field: text('字段', { required: true, max: 40 }),
  operator: choice('比较', conditionOperator, { required: true }),
  value: text('值', { required: true, max: 100 }),
}

export type FlowCondition = ValueOf<typeof conditionFields>

export const nodeFields = {
  key: text('编号', { required: true, max: 20 }),
  name: text('节点名称', { required: true, max: 40, wire: 'NodeName' }),
  rule: choice('审批人', approverRule, { required: true, wire: 'ApproverKind' }),
  managerIds: people('指定人员', 'ManagerIDs', 'manager'),
  roleIds: people('角色', 'RoleIDs', 'role'),
  levels: int('负责人层级', { min: 1, max: 8, help: '1 为申请人所在部门的负责人，2 为上级部门的负责人' }),
  departmentIds: people('部门', 'DepartmentIDs', 'department'),
  tags: { ...list('员工标签', { max: 20, wire: 'Tags' }), target: 'staffTag', targetBy: 'key' as const },
  mode: choice('审批方式', nodeMode, { required: true }),
  timeoutHours: int('超时（小时）', { min: 1, max: 720 }),
  refuseTo: choice('驳回后', refuseTarget, { required: true }),
  conditions: lines('条件', conditionFields, { max: 10 }),
}

export type FlowNode = ValueOf<typeof nodeFields>

const flowFields = {
  nodes: lines('审批节点', nodeFields, {
    required: true,
    min: 1,
    max: 20,
    wire: 'NodesJson',
    hiddenIn: ['table', 'filter', 'sheet', 'detail'],
  }),
  copyTo: {
    ...list('抄送', { max: 50, rule: idRule, wire: 'CopyJson', hiddenIn: ['table', 'filter', 'sheet'] }),
    target: 'manager',
  },
  emptyPolicy: choice('审批人为空时', emptyPolicy, { required: true, initial: 'administrator' }),
  skipsRepeated: flag('连续同一审批人自动通过', {
    required: true,
    initial: true,
    wire: 'SkipRepeated',
    hiddenIn: ['table', 'filter'],
  }),
  timeoutHours: int('超时（小时）', {
    min: 1,
    max: 720,
    wire: 'TimeoutHours',
    help: '到期提醒审批人，再过同样时间转交其上级；不填不限',
  }),
  formFields: lines('表单字段', formFieldFields, {
    max: 30,
    wire: 'FormFields',
    hiddenIn: ['table', 'filter', 'sheet', 'detail'],
  }),
} satisfies Fields

/** How requests of a kind are approved; its latest edition (APR-3). */
export const approvalProcess = entity(
  'process',
  '审批流程',
  { table: 'process', tenancy: 'company', title: 'processName', order: ['bizType', 'id'] },
  {
    bizType: choice('业务', approvalKind, { required: true, immutable: true, wire: 'BizType' }),
    processName: text('名称', { required: true, max: 60, searchable: true }),
    editionNo: int('版次', {
      required: true,
      immutable: true,
      wire: 'EditionNo',
      hiddenIn: ['form', 'filter'],
    }),
    ...flowFields,
    state: choice('状态', processState, { required: true, initial: 'on' }),
    runningCount: int('审批中', { derived: true, hiddenIn: ['form', 'filter', 'sheet'] }),
  },
)

export type Process = Row<typeof approvalProcess>

/** What a definition was when requests began under it; never changed (APR-3). */
export const processEdition = entity(
  'processEdition',
  '审批流程版次',
  { table: 'process_edition', tenancy: 'company', title: 'editionNo', order: ['-editionNo', 'id'] },
  {
    processId: ref('流程', 'process', { required: true, wire: 'ProcessID' }),
    processName: lookup('流程', 'processId', 'processName', { wire: 'ProcessName' }),
    editionNo: int('版次', { required: true, wire: 'EditionNo' }),
    ...flowFields,
    editorName: text('修改人', { max: 40, wire: 'EditorName' }),
    editTime: moment('修改时间', { wire: 'EditTime' }),
  },
)

export type ProcessEdition = Row<typeof processEdition>

const { permissions } = menu.process

export const processes = crud(approvalProcess, {
  path: 'oa/v1/Process',
  permissions,
  operations: ['list', 'get', 'save', 'delete'],
  filters: ['bizType', 'state'],
  without: ['editionNo'],
  affects: ['processEdition'],
  save: { aliases: ['POST oa/v1/Process/Update'] },
  delete: { route: 'POST oa/v1/Process/Delete' },
})

export const listEditions = call({
  route: 'GET Process/GetEditions',
  title: '查询流程版次',
  needs: permissions.view,
  input: byId,
  output: listOfRows({ ...processEdition.fields }, { entity: 'processEdition' }),
})

export const setProcessState = call({
  route: 'PUT Process/PutState',
  title: '启用或停用审批流程',
  needs: permissions.edit,
  affects: ['process'],
  input: shape({
    id: idOf('流程', { required: true, min: 1, wire: 'ID' }),
    state: choice('状态', processState, { required: true }),
  }),
  output: recordOf(approvalProcess),
})

/** The fields of a kind that conditions can ask, and its form as the browser draws it. */
export const listKinds = call({
  route: 'GET Process/GetKinds',
  title: '查询审批业务',
  needs: permissions.view,
  input: shape({}),
  output: listOfRows({
    bizType: choice('业务', approvalKind, { required: true }),
    isMoney: flag('涉及资金', { required: true }),
    offersNoChoice: flag('不能由申请人自选审批人', { required: true }),
    formFields: lines('表单字段', formFieldFields, { required: true }),
  }),
})

/** Who would be asked, in their order. */
export const plannedNodes = lines(
  '审批节点',
  {
    key: text('编号', { required: true }),
    name: text('节点名称', { required: true, wire: 'NodeName' }),
    rule: choice('审批人', approverRule, { required: true, wire: 'ApproverKind' }),
    mode: choice('审批方式', nodeMode, { required: true }),
    applies: flag('条件成立', { required: true }),
    approvers: lines(
      '审批人',
      {
        id: idOf('编号', { required: true, wire: 'ID' }),
        name: text('姓名', { required: true, wire: 'RealName' }),
        isPassed: flag('自动通过', { required: true }),
      },
      { required: true },
    ),
    note: text('说明'),
    isRefused: flag('不能提交'),
  },
  { required: true },
)

const { nodes, formFields, skipsRepeated } = flowFields
const formText = text('表单', { max: 20_000, wire: 'FormJson', help: formShape })

/** Tries a definition, saved or not, with a sample form. */
export const tryProcess = call({
  route: 'POST Process/PostTry',
  title: '试算审批流程',
  needs: permissions.view,
  readOnly: true,
  input: shape({
    bizType: choice('业务', approvalKind, { required: true }),
    nodes,
    formFields,
    skipsRepeated,
    emptyPolicy: choice('审批人为空时', emptyPolicy, { required: true }),
    applicantId: idOf('申请人', { required: true, min: 1, wire: 'ApplicantID' }),
    form: formText,
  }),
  output: shape({ nodes: plannedNodes }),
})
