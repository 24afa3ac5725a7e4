import { call, publicAccess } from '#kit/contract/call.ts'
import { choice, flag, int, lines, moment, money, pickFields, text } from '#kit/contract/field.ts'
import { reasonField, shape } from '#kit/contract/shape.ts'
import { checkType, visitState, visitorKind } from './choices.ts'
import { maxVisitors } from './fields.ts'
import { askedHostPays, invitation } from './invitation.ts'
import { questionFields } from './question.ts'
import { inviteVisitor } from './visitor.ts'

const basePath = 'visitor/v1/Host'
const token = text('凭证', { required: true, max: 200, wire: ['Token', 't'] })
/** Many residents are behind one address of a mobile network; wrong links have a limit of their own. */
const hostsPerMinute = 600

const invited = {
  id: invitation.fields.id,
  ...pickFields(invitation.fields, [
    'invitationNo',
    'visitorKind',
    'visitorName',
    'personCount',
    'beginTime',
    'endTime',
    'rejectReason',
  ]),
  state: choice('状态', visitState, { required: true }),
  stateText: text('进度', { required: true, wire: 'StateText' }),
  /** It waits for this host's own consent. */
  awaitsHost: flag('待我确认', { required: true, wire: 'AwaitsHost' }),
  canCancel: flag('可取消', { required: true, wire: 'CanCancel' }),
  /** Until when it may be extended; nothing where it may not. */
  latestEndTime: moment('最晚可延长至', { wire: 'LatestEndTime' }),
  visitors: lines(
    '访客',
    {
      visitorName: inviteVisitor.fields.visitorName,
      state: choice('状态', visitState, { required: true }),
      url: text('访客链接', { required: true, wire: 'Url' }),
    },
    { required: true, wire: 'Visitors' },
  ),
} as const

const page = shape({
  hostName: text('邀请人', { required: true, wire: 'HostName' }),
  placeName: text('地点', { required: true, wire: 'PlaceName' }),
  estateName: text('项目', { required: true, wire: 'EstateName' }),
  companyName: text('物业公司', { required: true, wire: 'CompanyName' }),
  servicePhone: text('服务电话', { wire: 'ServicePhone' }),
  /** The page with the own code and the doors of the same person; none for who is not registered. */
  passUrl: text('通行链接', { wire: 'PassUrl' }),
  /** Up to this the host may pay for the parking of a visitor; nothing where it is not offered. */
  hostParkingLimit: money('可承担停车费上限', { wire: 'HostParkingLimit' }),
  kinds: lines(
    '可邀请的访客',
    {
      visitorKind: choice('访客类别', visitorKind, { required: true, wire: 'VisitorKind' }),
      checkType: choice('核验方式', checkType, { required: true, wire: 'CheckType' }),
      advanceDays: int('提前天数', { required: true, wire: 'AdvanceDays' }),
      maxHours: int('最长小时', { required: true, wire: 'MaxHours' }),
      maxPersons: int('最多人数', { required: true, wire: 'MaxPersons' }),
      allowsCar: flag('允许车辆', { required: true, wire: 'AllowCar' }),
      questions: lines('问题', questionFields, { required: true, wire: 'Questions' }),
    },
    { required: true, wire: 'Kinds' },
  ),
  /** The latest first, twenty at most. */
  invitations: lines('我的邀访', invited, { required: true, wire: 'Invitations' }),
})

export type HostPage = NonNullable<typeof page.T>

/** Who invites, what the rules allow, and what was invited. */
export const openHost = call({
  route: `GET ${basePath}/Open`,
  title: '打开邀访页',
  needs: publicAccess,
  perMinute: hostsPerMinute,
  input: shape({ token }),
  output: page,
})

const action = {
  needs: publicAccess,
  perMinute: 30,
  affects: ['invitation', 'inviteVisitor'],
} as const

const idField = { ...invitation.fields.id, min: 1 }

export const inviteAsHost = call({
  route: `POST ${basePath}/Invite`,
  title: '住户邀请访客',
  ...action,
  input: shape({
    token,
    ...pickFields(invitation.fields, [
      'visitorKind',
      'personCount',
      'reason',
      'answers',
      'beginTime',
      'endTime',
    ]),
    hostPaysParking: askedHostPays,
    visitors: lines('访客', pickFields(inviteVisitor.fields, ['visitorName', 'mobile', 'plateNo']), {
      required: true,
      min: 1,
      max: maxVisitors,
      wire: 'Visitors',
    }),
  }),
  output: page,
})

export const decideAsHost = call({
  route: `POST ${basePath}/Decide`,
  title: '被访人确认',
  ...action,
  input: shape({
    token,
    id: idField,
    isPassed: flag('同意', { required: true, wire: ['IsPass', 'IsPassed'] }),
    reason: text('原因', { max: 200, wire: 'Reason', help: '拒绝时必填' }),
  }),
  output: page,
})

export const cancelAsHost = call({
  route: `POST ${basePath}/Cancel`,
  title: '住户取消邀访',
  ...action,
  input: shape({ token, id: idField, reason: reasonField }),
  output: page,
})

export const extendAsHost = call({
  route: `POST ${basePath}/Extend`,
  title: '住户延长来访',
  ...action,
  input: shape({
    token,
    id: idField,
    endTime: moment('延长至', { required: true, wire: ['EndTime', 'VisitEnd'] }),
  }),
  output: page,
})
