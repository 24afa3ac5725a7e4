import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import {
  choice,
  flag,
  idOf,
  int,
  lines,
  moment,
  pickFields,
  ref,
  text,
  type ValueOf,
} from '#kit/contract/field.ts'
import {
  bulkResult,
  byId,
  byIdWithReason,
  extendShape,
  listOfRows,
  pageOf,
  recordIdsField,
  recordOf,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { personLinkFields } from '#modules/access/contract/person-link.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { hostType } from './choices.ts'
import { maxVisitors } from './fields.ts'
import { askedHostPays, invitation } from './invitation.ts'
import { inviteVisitor } from './visitor.ts'

const { permissions } = menu.invitation
const filters = [
  'state',
  'visitorKind',
  'hostType',
  'beginTime',
  'checkType',
  'stage',
  'isGroup',
  'createTime',
] as const

/** The specification's older and newer names for the same records. */
export const invitations = crud(invitation, {
  path: 'visitor/v1/Invitation',
  permissions,
  operations: ['list'],
  filters,
  list: { aliases: ['GET VisitorInvitation/Getpc'] },
})

export const exportInvitations = crudExport(invitations, { needs: permissions.export })

/** What waits for a decision. */
export const listRequests = call({
  route: 'GET visitor/v1/Request/Get',
  title: '查询待审批的邀访',
  needs: permissions.audit,
  input: search(invitation, ['visitorKind', 'hostType', 'beginTime', 'stage']),
  output: pageOf(invitation),
})

const visitorFields = {
  ...pickFields(inviteVisitor.fields, [
    'id',
    'visitorName',
    'mobile',
    'certType',
    'certNo',
    'face',
    'plateNo',
    'beginTime',
    'endTime',
    'maxTimes',
    'usedTimes',
    'exitTimes',
    'arriveTime',
    'leaveTime',
    'state',
  ]),
  /**
   * Both open gates and doors: for those who pass invitations on or check them at a gate; the code not before
   * the document and the face are there that the rule asks for.
   */
  inviteNo: { ...inviteVisitor.fields.inviteNo, required: false as const },
  url: text('访客链接', { wire: 'Url' }),
} as const

const detail = extendShape(recordOf(invitation), {
  visitors: lines('访客', visitorFields, { required: true, wire: 'Visitors' }),
  /** Until when it may be extended at most (VIS-6). */
  latestEndTime: moment('最晚可延长至', { required: true, wire: 'LatestEndTime' }),
})

export type InvitationDetail = NonNullable<typeof detail.T>

export const getInvitation = call({
  route: 'GET visitor/v1/Invitation/GetOne',
  title: '查看邀访',
  needs: permissions.view,
  input: byId,
  output: detail,
})

/** A visitor as a form asks for one. */
export const askedVisitorFields = {
  id: idOf('编号', { wire: 'ID', min: 1, hiddenIn: ['form'] }),
  ...pickFields(inviteVisitor.fields, ['visitorName', 'mobile', 'plateNo']),
  // Forms leave it to the visitor's own page and to the guard.
  certType: { ...inviteVisitor.fields.certType, hiddenIn: ['form'] },
  certNo: { ...inviteVisitor.fields.certNo, hiddenIn: ['form'] },
} as const

export const askedVisitors = lines('访客', askedVisitorFields, {
  required: true,
  min: 1,
  max: maxVisitors,
  wire: 'Visitors',
})

export type AskedVisitorRow = ValueOf<typeof askedVisitorFields>

const visitFields = {
  ...pickFields(invitation.fields, [
    'visitorKind',
    'personCount',
    'reason',
    'answers',
    'beginTime',
    'endTime',
  ]),
  hostPaysParking: askedHostPays,
} as const

export const inviteFields = {
  projectCode: estateField<true>(),
  ...visitFields,
  hostType: choice('邀请方', hostType, { required: true, initial: 'resident', wire: 'HostType' }),
  hostUserId: ref('被访住户', 'resident', { wire: ['HostUserID', 'HostID'] }),
  roomId: ref('房屋', 'room', { wire: 'RoomID', help: '住户只有一处房屋时可不选' }),
  workerId: ref('企业员工', 'companyWorker', { wire: 'WorkerID' }),
  ruleId: ref('邀请规则', 'inviteRule', { wire: 'RuleID', help: '不选则按访客类别取适用的规则' }),
  visitors: askedVisitors,
} as const

export const addInvitation = call({
  route: 'POST visitor/v1/Invitation/Post',
  title: '登记邀访',
  needs: permissions.add,
  affects: ['invitation', 'inviteVisitor'],
  input: shape(inviteFields),
  output: detail,
})

/** The host, the room and the rule stay; whatever needs consent needs it again. */
export const editInvitation = call({
  route: 'PUT VisitorInvitation/Putpc',
  title: '修改邀访',
  needs: permissions.edit,
  affects: ['invitation', 'inviteVisitor'],
  input: shape({
    id: idOf('邀访', { required: true, min: 1, wire: 'ID' }),
    version: int('版本', { min: 0 }),
    ...visitFields,
    visitors: askedVisitors,
  }),
  output: detail,
})

/** Whether a visit would be allowed, under which rule, and whose consent it would need (VIS-1). */
export const checkInvitation = call({
  route: 'POST InviteRules/PostValid',
  title: '校验邀访',
  needs: permissions.add,
  readOnly: true,
  input: shape(inviteFields),
  output: shape({
    isAllowed: flag('可邀请', { required: true, wire: 'IsAllowed' }),
    ruleName: text('适用规则', { wire: 'RuleName' }),
    checkType: { ...invitation.fields.checkType, required: false as const },
    faults: lines(
      '问题',
      {
        field: text('字段', { required: true, wire: 'Field' }),
        message: text('说明', { required: true, wire: 'Message' }),
      },
      { required: true, wire: 'Faults' },
    ),
  }),
})

/** Whether a rule may be deleted: nothing was invited under it. */
export const canDeleteRule = call({
  route: 'GET InviteRules/DeleteIsCan',
  title: '查询规则能否删除',
  needs: menu.rule.permissions.view,
  input: byId,
  output: shape({
    canDelete: flag('可删除', { required: true, wire: ['CanDelete', 'IsCan'] }),
    reason: text('原因'),
  }),
})

const decision = {
  needs: permissions.audit,
  affects: ['invitation', 'inviteVisitor'],
} as const

const onBehalfReason = text('说明', {
  max: 200,
  wire: ['Reason', 'Remark'],
  help: '代被访人确认时必填：何时、如何得到确认',
})

/** 10 → the next stage, or 20 (VIS-3). */
export const allowInvitation = call({
  route: 'POST VisitorInvitation/AllowApply',
  title: '通过邀访',
  ...decision,
  input: shape({ id: idOf('邀访', { required: true, min: 1, wire: 'ID' }), reason: onBehalfReason }),
  output: recordOf(invitation),
})

export const allowInvitations = call({
  route: 'POST VisitorInvitation/AllowApplyByList',
  title: '批量通过邀访',
  ...decision,
  input: shape({ ids: recordIdsField, reason: onBehalfReason }),
  output: bulkResult,
})

export const auditRequest = call({
  route: 'PUT visitor/v1/Request/PutAudit',
  title: '审批邀访',
  ...decision,
  input: shape({
    id: idOf('邀访', { required: true, min: 1, wire: 'ID' }),
    isPassed: flag('通过', { required: true, wire: ['IsPass', 'IsPassed'] }),
    reason: text('原因', { max: 200, wire: 'Reason', help: '驳回时必填' }),
  }),
  output: recordOf(invitation),
})

const change = { needs: permissions.edit, affects: ['invitation', 'inviteVisitor'] } as const

/** VIS-6: before anybody has arrived. */
export const cancelInvitation = call({
  route: 'PUT visitor/v1/Invitation/PutCancel',
  title: '取消邀访',
  ...change,
  input: byIdWithReason,
  output: recordOf(invitation),
})

export const extendInvitation = call({
  route: 'PUT visitor/v1/Invitation/PutExtend',
  title: '延长来访',
  ...change,
  input: shape({
    id: idOf('邀访', { required: true, min: 1, wire: 'ID' }),
    endTime: moment('延长至', { required: true, wire: ['EndTime', 'VisitEnd'] }),
  }),
  output: recordOf(invitation),
})

/** The links under which a resident or a worker of a company invites; each is one person's at one place. */
export const listHostLinks = call({
  route: 'GET visitor/v1/Host/GetLinks',
  title: '邀访链接',
  needs: permissions.link,
  input: shape({
    projectCode: estateField<true>(),
    userId: ref('住户', 'resident', { wire: ['UserID', 'UserId'] }),
    workerId: ref('企业员工', 'companyWorker', { wire: ['WorkerID', 'WorkerId'] }),
  }),
  output: listOfRows({
    hostName: text('邀请人', { required: true, wire: 'HostName' }),
    ...personLinkFields,
  }),
})
