import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  flag,
  int,
  lines,
  lookup,
  moment,
  money,
  ref,
  systemChoice,
  text,
} from '#kit/contract/field.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { mobileField, nameRule } from '#modules/residents/contract/labels.ts'
import { approvalStage, checkType, decisionKind, hostType, visitState, visitorKind } from './choices.ts'
import { buildingOfRoom, doorwayGroupList, hiddenReference, outOfForm, plateField } from './fields.ts'
import { answersField } from './question.ts'

/** One decision on an invitation, in the order in which they were made. */
export const decisionFields = {
  stage: choice('审批方', approvalStage, { required: true, wire: 'Stage' }),
  decision: choice('结果', decisionKind, { required: true, wire: 'Decision' }),
  decider: text('审批人', { required: true, max: 40, wire: 'Decider' }),
  decideTime: moment('审批时间', { required: true, wire: 'DecideTime' }),
  reason: text('说明', { max: 200, wire: 'Reason' }),
} as const

/** What a host asks for: a visit, of one or several people, and how far it has come. */
export const invitation = entity(
  'invitation',
  '邀访',
  { table: 'visitor_invitation', tenancy: 'project', title: 'invitationNo', order: ['-id'] },
  {
    projectCode: estateField(),
    estateName: lookup('项目', 'projectCode', 'name', { wire: 'EstateName' }),
    buildCode: buildingOfRoom,
    invitationNo: text('邀访单号', {
      required: true,
      max: 30,
      searchable: true,
      immutable: true,
      hiddenIn: ['form', 'filter'],
    }),
    visitorKind: choice('访客类别', visitorKind, { required: true, initial: 'friend' }),
    /** Of the first visitor. */
    visitorName: text('访客', {
      required: true,
      max: 40,
      rule: nameRule,
      searchable: true,
      hiddenIn: ['filter'],
    }),
    mobile: mobileField('手机', { hiddenIn: ['filter'] }),
    plateNo: plateField({ hiddenIn: ['filter'] }),
    personCount: int('人数', { required: true, initial: 1, min: 1, max: 500, hiddenIn: ['filter'] }),
    isGroup: flag('团体', { required: true, initial: false, hiddenIn: ['form'] }),
    hostType: choice('邀请方', hostType, { required: true, initial: 'staff', immutable: true }),
    hostUserId: ref('被访住户', 'resident', {
      wire: ['HostUserID', 'HostID'],
      immutable: true,
      ...hiddenReference,
    }),
    companyId: ref('企业', 'company', { wire: 'CompanyID', immutable: true, ...hiddenReference }),
    companyName: lookup('企业', 'companyId', 'name', { wire: 'CompanyName' }),
    workerId: ref('企业员工', 'companyWorker', {
      wire: 'WorkerID',
      immutable: true,
      ...hiddenReference,
    }),
    hostName: text('被访人', {
      required: true,
      max: 40,
      searchable: true,
      immutable: true,
      hiddenIn: ['form', 'filter'],
    }),
    roomId: ref('房屋', 'room', { wire: 'RoomID', immutable: true, ...hiddenReference }),
    roomCode: lookup('房屋编码', 'roomId', 'code', { wire: ['RoomCode', 'Roomcode'], hiddenIn: ['table'] }),
    roomPath: lookup('房间', 'roomId', 'path', { wire: 'RoomPath' }),
    reason: text('事由', { max: 100, hiddenIn: ['filter'] }),
    answers: answersField,
    beginTime: moment('来访开始', { required: true, wire: ['BeginTime', 'VisitBegin'] }),
    endTime: moment('来访结束', { required: true, wire: ['EndTime', 'VisitEnd'] }),
    /** The end as it was invited: an extension counts from it (VIS-6). */
    firstEndTime: moment('原来访结束', { required: true, ...outOfForm }),
    ruleId: ref('邀请规则', 'inviteRule', {
      required: true,
      wire: 'RuleID',
      immutable: true,
      ...hiddenReference,
    }),
    ruleName: lookup('邀请规则', 'ruleId', 'ruleName', { wire: 'RuleName', hiddenIn: ['table'] }),
    maxTimes: int('可通行次数', {
      required: true,
      initial: 1,
      min: 1,
      max: 999,
      hiddenIn: ['table', 'filter'],
    }),
    doorwayGroupIds: doorwayGroupList,
    checkType: choice('核验方式', checkType, {
      required: true,
      immutable: true,
      hiddenIn: ['form', 'table'],
    }),
    stage: choice('待谁审批', approvalStage, { hiddenIn: ['form', 'table'] }),
    decisions: lines('审批记录', decisionFields, { hiddenIn: ['table', 'form', 'filter', 'sheet'] }),
    rejectReason: text('驳回原因', { max: 200, hiddenIn: ['table', 'form', 'filter'] }),
    createName: text('登记人', {
      required: true,
      max: 40,
      immutable: true,
      hiddenIn: ['form', 'table', 'filter'],
    }),
    arriveTime: moment('到访时间', { hiddenIn: ['form'] }),
    leaveTime: moment('离开时间', { hiddenIn: ['form', 'table', 'filter'] }),
    /** Personal data were removed after the days that the project keeps them (VIS-7). */
    /** PRK-24: into a bill of the host's room, up to the limit of the day of the invitation. */
    hostPaysParking: flag('停车费由被访人承担', {
      required: true,
      initial: false,
      wire: 'HostPaysParking',
      hiddenIn: ['table', 'filter'],
    }),
    hostParkingLimit: money('承担上限', { wire: 'HostParkingLimit', hiddenIn: ['form', 'table', 'filter'] }),
    clearTime: moment('清除时间', outOfForm),
    state: systemChoice('状态', visitState, 'pending', { struckOut: ['refused', 'cancelled', 'expired'] }),
  },
)

/** As it is asked for: who does not know of it leaves it out. */
export const askedHostPays = { ...invitation.fields.hostPaysParking, required: false as const }

export type Invitation = Row<typeof invitation>
