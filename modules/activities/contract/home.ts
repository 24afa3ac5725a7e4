import { call, publicAccess } from '#kit/contract/call.ts'
import { choice, flag, idOf, int, lines, moment, money, text } from '#kit/contract/field.ts'
import { shape } from '#kit/contract/shape.ts'
import {
  homeKeyField,
  residentReadsPerMinute,
  residentTokenField,
} from '#modules/resident-page/contract/home.ts'
import { activity, maxPersonsPerSign } from './activity.ts'
import { signPayState, signState } from './choices.ts'

const basePath = 'publicnotice/v1/HomeActivity'
/** Sign-up begins for a whole estate at once, of which many share an address; each person has a limit. */
const writesPerMinute = 600
export const triesPerPerson = 20

const asked = { token: residentTokenField, home: homeKeyField } as const

const place = {
  estateName: text('项目', { required: true, wire: 'EstateName' }),
  servicePhone: text('服务电话', { wire: 'ServicePhone' }),
} as const

const card = {
  id: idOf('编号', { required: true, wire: 'ID' }),
  title: activity.fields.title,
  coverUrl: text('封面', { wire: 'CoverUrl' }),
  address: activity.fields.address,
  beginTime: activity.fields.beginTime,
  endTime: activity.fields.endTime,
  fee: activity.fields.fee,
  isPinned: flag('置顶', { required: true, wire: 'IsTop' }),
  /** What a resident may do now, in words: 报名中, 名额已满, … */
  stageText: text('进度', { required: true, wire: 'StageText' }),
  ownState: choice('本人报名', signState, { wire: 'OwnState' }),
} as const

export const listHomeActivities = call({
  route: `GET ${basePath}/Get`,
  title: '住户的活动',
  needs: publicAccess,
  perMinute: residentReadsPerMinute,
  input: shape(asked),
  output: shape({
    ...place,
    activities: lines('活动', card, { required: true, wire: 'Activities' }),
  }),
})

const page = shape({
  ...place,
  ...card,
  content: text('内容', { required: true, wire: 'Content' }),
  signBegin: activity.fields.signBegin,
  signEnd: activity.fields.signEnd,
  quota: activity.fields.quota,
  signCount: activity.fields.signCount,
  waitCount: activity.fields.waitCount,
  maxPersons: activity.fields.maxPersons,
  /** Why nobody can sign up now. */
  refusal: text('不能报名的原因', { wire: 'Refusal' }),
  willWait: flag('报名后候补', { required: true, wire: 'WillWait' }),
  personCount: int('报名人数', { wire: 'PersonCount' }),
  remark: text('备注', { wire: 'Remark' }),
  payState: choice('缴费状态', signPayState, { wire: 'PayState' }),
  /** What is to be paid, or was; of who cancelled, what goes back. */
  feeAmount: money('应收', { wire: 'FeeAmount' }),
  /** What its bills still ask for, with late fee: as much as 我的账单 shows. */
  owedAmount: money('未缴', { wire: 'OwedAmount' }),
  refundDue: money('待退', { wire: 'RefundDueAmount' }),
  /** Of who waits: how many persons are before; none once nobody moves up any more. */
  waitingBefore: int('前面候补', { wire: 'WaitingBefore' }),
  canCancel: flag('可取消', { required: true, wire: 'CanCancel' }),
  cancelReason: text('取消原因', { wire: 'CancelReason' }),
  /** What is shown at the place. */
  checkInCode: text('签到码', { wire: 'CheckInCode' }),
  checkInTime: moment('签到时间', { wire: 'CheckInTime' }),
})

export type HomeActivity = NonNullable<typeof page.T>

const activityIdField = idOf('活动', { required: true, min: 1, wire: ['ID', 'id'] })

export const openHomeActivity = call({
  route: `GET ${basePath}/GetOne`,
  title: '住户查看活动',
  needs: publicAccess,
  perMinute: residentReadsPerMinute,
  input: shape({ ...asked, id: activityIdField }),
  output: page,
})

const affects = ['activity', 'activitySign', 'bill']

export const signUp = call({
  route: `POST ${basePath}/SignUp`,
  title: '住户报名',
  needs: publicAccess,
  perMinute: writesPerMinute,
  input: shape({
    ...asked,
    id: activityIdField,
    personCount: int('人数', {
      required: true,
      min: 1,
      max: maxPersonsPerSign,
      initial: 1,
      wire: 'PersonCount',
    }),
    remark: text('备注', { max: 100, wire: 'Remark' }),
  }),
  output: page,
  affects,
})

export const cancelOwnSign = call({
  route: `POST ${basePath}/Cancel`,
  title: '住户取消报名',
  needs: publicAccess,
  perMinute: writesPerMinute,
  input: shape({ ...asked, id: activityIdField }),
  output: page,
  affects,
})

const placeCodeField = text('签到码', { required: true, max: 200, wire: ['Code', 'c'] })

/** What the code at the place says before anybody has signed in. */
export const openPlace = call({
  route: `GET ${basePath}/Place`,
  title: '打开活动签到',
  needs: publicAccess,
  perMinute: residentReadsPerMinute,
  input: shape({ code: placeCodeField }),
  output: shape({
    id: activityIdField,
    title: activity.fields.title,
    estateName: place.estateName,
    signInUrl: text('登录地址', { required: true, wire: 'SignInUrl' }),
  }),
})

export const checkInAtPlace = call({
  route: `POST ${basePath}/CheckIn`,
  title: '住户扫码签到',
  needs: publicAccess,
  perMinute: writesPerMinute,
  input: shape({ ...asked, code: placeCodeField }),
  output: page,
  affects,
})
