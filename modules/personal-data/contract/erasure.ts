import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, flag, idOf, int, lines, list, moment, text } from '#kit/contract/field.ts'
import {
  byId,
  listOfRows,
  pageOf,
  reasonField,
  recordIdField,
  recordOf,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { applicantKind, erasureTreatment, requestEnd, requestState } from './choices.ts'
import { personKeyFields, reportLineFields } from './person.ts'

const { permissions } = menu.erasure
const ended = { immutable: true, hiddenIn: ['form', 'filter', 'sheet'] } as const

/** What an erasure did in one table. */
export const treatedTableFields = {
  label: text('内容', { required: true }),
  rowCount: int('条数', { required: true }),
  treatment: choice('处理方式', erasureTreatment, { required: true }),
  keptReason: text('保留理由'),
  keptUntil: day('依法保留至'),
  /** Of rows that nobody has confirmed: what somebody looks for who goes through them. */
  numbers: list('编号'),
}

/** A request to erase what is kept of a person. When it is done, its own record of the person is masked. */
export const erasureRequest = entity(
  'erasureRequest',
  '删除请求',
  { table: 'erasure_request', tenancy: 'company', title: 'personName', order: ['state', 'dueDate', '-id'] },
  {
    personKind: text('类别', { required: true, max: 40, immutable: true, hiddenIn: ['table', 'filter'] }),
    personId: idOf('人员编号', {
      required: true,
      min: 0,
      wire: 'PersonID',
      immutable: true,
      hiddenIn: ['table', 'filter', 'form', 'detail', 'sheet'],
    }),
    personName: text('姓名', { required: true, max: 40, searchable: true, immutable: true }),
    personMobile: text('手机号', { max: 20, masked: 'mobile', immutable: true }),
    kindLabel: text('类别', { derived: true, hiddenIn: ['form', 'filter', 'sheet'] }),
    applicant: choice('申请人', applicantKind, { required: true, initial: 'self' }),
    applicantName: text('申请人姓名', { max: 40, hiddenIn: ['table', 'filter'] }),
    reason: text('事由', { required: true, min: 2, max: 200, hiddenIn: ['filter'] }),
    evidence: list('身份核验材料', { max: 9, holdsFiles: true, hiddenIn: ['table', 'filter', 'sheet'] }),
    dueDate: day('办理期限', { required: true, immutable: true, hiddenIn: ['form'] }),
    state: choice('状态', requestState, {
      required: true,
      initial: 'open',
      immutable: true,
      hiddenIn: ['form'],
    }),
    mentionsTime: moment('核对时间', { ...ended }),
    approveName: text('审批人', { max: 40, ...ended }),
    approveTime: moment('审批时间', { ...ended }),
    isOverdue: flag('逾期', { derived: true, hiddenIn: ['table', 'form', 'detail', 'filter', 'sheet'] }),
    /** To whom it is shown: who registered it does not approve it. In the answer of one request alone. */
    isRegistrar: flag('本人登记', {
      derived: true,
      hiddenIn: ['table', 'form', 'detail', 'filter', 'sheet'],
    }),
    endReason: text('办理说明', { max: 200, ...ended }),
    endTime: moment('办结时间', { ...ended }),
    endName: text('办理人', { max: 40, ...ended }),
    result: lines('处理结果', treatedTableFields, {
      ...ended,
      hiddenIn: ['table', 'form', 'filter', 'sheet'],
    }),
  },
)

export type ErasureRequest = Row<typeof erasureRequest>

export const listErasures = call({
  route: 'GET PersonalData/GetErasures',
  title: '查询删除请求',
  needs: permissions.view,
  input: search(erasureRequest, ['state', 'applicant', 'dueDate', 'createTime']),
  output: pageOf(erasureRequest),
})

export const getErasure = call({
  route: 'GET PersonalData/GetErasure',
  title: '查看删除请求',
  needs: permissions.view,
  input: byId,
  output: recordOf(erasureRequest),
})

export const registerErasure = call({
  route: 'POST PersonalData/PostErasure',
  logsNoInput: true,
  title: '登记删除请求',
  needs: permissions.add,
  affects: ['erasureRequest'],
  input: shape({
    ...personKeyFields,
    applicant: erasureRequest.fields.applicant,
    applicantName: erasureRequest.fields.applicantName,
    reason: erasureRequest.fields.reason,
    evidence: erasureRequest.fields.evidence,
  }),
  output: recordOf(erasureRequest),
})

const blockerFields = {
  label: text('未办事项', { required: true }),
  count: int('数量', { required: true }),
  numbers: list('编号', { required: true }),
  path: text('办理页面', { required: true }),
  advice: text('办理方法', { required: true }),
}

/** What an execution would do now, and what has to be settled before. */
export const previewErasure = call({
  route: 'GET PersonalData/GetErasurePreview',
  title: '预览删除',
  needs: permissions.view,
  input: byId,
  output: shape({
    blockers: lines('未办事项', blockerFields, { required: true }),
    tables: lines('处理方式', reportLineFields, { required: true }),
    sharedIdentifiers: list('与他人相同的标识'),
  }),
})

const heldFields = {
  label: text('内容', { required: true }),
  number: text('编号', { required: true }),
  content: text('摘要', { required: true }),
  reason: text('保留理由', { required: true }),
  keptName: text('依法保留的姓名'),
  keptUntil: day('依法保留至', { required: true }),
  isReleased: flag('已到期清除', { required: true }),
}

/** The vouchers that the law keeps of somebody who was erased. */
export const listHeld = call({
  route: 'GET PersonalData/GetHeldRecords',
  title: '查询依法保留的凭证',
  needs: permissions.view,
  input: byId,
  output: listOfRows(heldFields),
})

const mentionKeyFields = {
  tableName: text('表', { required: true, max: 60 }),
  rowKey: text('行', { required: true, max: 120 }),
}

/** Rows of others in which a name or a number of the person stands: a hint, until somebody has looked. */
export const listMentions = call({
  route: 'GET PersonalData/GetMentions',
  logsNoInput: true,
  title: '查询疑似记录',
  needs: permissions.view,
  input: byId,
  output: shape({
    mentions: lines(
      '疑似记录',
      {
        ...mentionKeyFields,
        label: text('内容', { required: true }),
        number: text('编号', { required: true }),
        content: text('摘要', { required: true }),
        isOwn: flag('整行处理', { required: true }),
        isConfirmed: flag('确认', { required: true }),
      },
      { required: true },
    ),
    hasMore: flag('未全部列出', { required: true }),
  }),
})

/** Which of these rows speak of the person: they are treated as well, no other is. */
export const saveMentions = call({
  route: 'PUT PersonalData/PutMentions',
  logsNoInput: true,
  title: '核对疑似记录',
  needs: permissions.edit,
  affects: ['erasureRequest'],
  input: shape({ id: recordIdField, mentions: lines('确认的记录', mentionKeyFields, { max: 2000 }) }),
  output: recordOf(erasureRequest),
})

/** By somebody else than who registered it; what was changed since the version that was read is refused. */
export const approveErasure = call({
  route: 'POST PersonalData/ApproveErasure',
  title: '审批删除请求',
  needs: permissions.approve,
  affects: ['erasureRequest'],
  input: shape({ id: recordIdField, version: int('版本', { wire: 'Version', min: 0 }) }),
  output: recordOf(erasureRequest),
})

/** Erases at once and for good. */
export const executeErasure = call({
  route: 'POST PersonalData/ExecuteErasure',
  logsNoInput: true,
  title: '执行删除',
  needs: permissions.execute,
  affects: ['erasureRequest', 'resident', 'companyWorker', 'staff', 'manager', 'workOrder'],
  input: shape({
    id: recordIdField,
    confirmed: flag('确认不可恢复', { required: true }),
    personName: text('姓名', {
      required: true,
      max: 40,
      wire: 'PersonName',
      help: '输入被删除人的姓名以确认',
    }),
  }),
  output: recordOf(erasureRequest),
})

/** What proves the identity: more of it, or less, while the request is open. */
export const editEvidence = call({
  route: 'PUT PersonalData/PutEvidence',
  title: '修改身份核验材料',
  needs: permissions.edit,
  affects: ['erasureRequest'],
  input: shape({ id: recordIdField, evidence: erasureRequest.fields.evidence }),
  output: recordOf(erasureRequest),
})

export const endErasure = call({
  route: 'POST PersonalData/EndErasure',
  title: '拒绝或撤回删除请求',
  needs: permissions.edit,
  affects: ['erasureRequest'],
  input: shape({
    id: recordIdField,
    state: choice('办理结果', requestEnd, { required: true, initial: 'withdrawn' }),
    reason: reasonField,
  }),
  output: recordOf(erasureRequest),
})
