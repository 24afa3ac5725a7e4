import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, idOf, int, lookup, moment, money, ref, text } from '#kit/contract/field.ts'
import { byId, reasonField, recordIdField, recordOf, shape } from '#kit/contract/shape.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { maxPersonsPerSign } from './activity.ts'
import { cancelSource, signPayState, signState } from './choices.ts'

const hiddenReference = { hiddenIn: ['table', 'sheet', 'detail'] } as const
const internalOnly = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const
const amount = { required: true, initial: 0, immutable: true, hiddenIn: ['form', 'filter'] } as const

/** One resident who comes to an activity, with whom they bring. */
export const activitySign = entity(
  'activitySign',
  '活动报名',
  { table: 'activity_sign', tenancy: 'project', title: 'userName', order: ['state', 'waitNo', 'id'] },
  {
    projectCode: estateField(),
    activityId: ref('活动', 'activity', {
      required: true,
      immutable: true,
      wire: ['ActivityID', 'ActivityId'],
      ...hiddenReference,
    }),
    activityTitle: lookup('活动', 'activityId', 'title', { wire: 'ActivityTitle', hiddenIn: ['table'] }),
    userId: ref('住户', 'resident', {
      required: true,
      immutable: true,
      wire: ['UserID', 'UserId'],
      ...hiddenReference,
    }),
    userName: lookup('姓名', 'userId', 'name', { wire: ['Username', 'UserName'], searchable: true }),
    mobile: lookup('手机号', 'userId', 'mobile', { masked: 'mobile' }),
    roomId: ref('房屋', 'room', { immutable: true, wire: ['RoomID', 'RoomId'], ...hiddenReference }),
    roomCode: lookup('房间编码', 'roomId', 'code', { wire: 'RoomCode', ...internalOnly }),
    roomPath: lookup('房间', 'roomId', 'path', { wire: 'RoomPath', searchable: true }),
    buildCode: buildingThrough('roomId', { sharedWithoutBuilding: true }),
    personCount: int('人数', {
      required: true,
      min: 1,
      max: maxPersonsPerSign,
      initial: 1,
      unit: '人',
      wire: 'PersonCount',
    }),
    state: choice('状态', signState, { required: true, initial: 'signed', hiddenIn: ['form'] }),
    /** As its bill says; none without a fee. */
    payState: choice('缴费状态', signPayState, { immutable: true, wire: 'PayState', hiddenIn: ['form'] }),
    /** Of who has a place: what the bill asks for. */
    feeAmount: money('应收', { wire: 'FeeAmount', ...amount }),
    paidAmount: money('已收', { wire: 'PaidAmount', ...amount }),
    /** Paid, and the sign-up was cancelled since. */
    refundDue: money('待退', { wire: 'RefundDueAmount', ...amount }),
    /** The payment, from which it is refunded. */
    recordId: idOf('收款记录', { wire: 'RecordID', ...internalOnly }),
    /** The order of those who wait; kept when they move up. */
    waitNo: int('候补序号', { immutable: true, wire: 'WaitNo', hiddenIn: ['form', 'filter'] }),
    signTime: moment('报名时间', { required: true, immutable: true, hiddenIn: ['form', 'filter'] }),
    checkInTime: moment('签到时间', { immutable: true, hiddenIn: ['form', 'filter'] }),
    cancelTime: moment('取消时间', { immutable: true, hiddenIn: ['form', 'filter', 'table'] }),
    cancelBy: choice('取消方', cancelSource, { immutable: true, hiddenIn: ['form', 'filter', 'table'] }),
    cancelReason: text('取消原因', { max: 200, immutable: true, hiddenIn: ['form', 'filter'] }),
    remark: text('备注', { max: 100, hiddenIn: ['filter'] }),
  },
)

export type ActivitySign = Row<typeof activitySign>

const { permissions } = menu.activity
const path = 'publicnotice/v1/ActivitySign'

export const activitySigns = crud(activitySign, {
  path,
  permissions,
  operations: ['list'],
  itemName: '报名',
  filters: ['activityId', 'state', 'payState', 'paidAmount', 'buildCode'],
  sums: ['feeAmount', 'paidAmount', 'refundDue'],
})

export const exportSigns = crudExport(activitySigns, { needs: permissions.export })

/** With what a sign-up costs. */
const affects = ['activity', 'activitySign', 'bill']

/** For a resident who asks by telephone or at the counter. */
export const addSign = call({
  route: `POST ${path}/Post`,
  title: '登记活动报名',
  needs: permissions.sign,
  input: shape({
    activityId: idOf('活动', { required: true, min: 1, wire: ['ActivityID', 'ActivityId'] }),
    userId: ref('住户', 'resident', { required: true, wire: ['UserID', 'UserId'] }),
    personCount: activitySign.fields.personCount,
    remark: activitySign.fields.remark,
  }),
  output: recordOf(activitySign),
  affects,
})

export const cancelSign = call({
  route: `PUT ${path}/PutCancel`,
  title: '取消活动报名',
  needs: permissions.sign,
  input: shape({ id: recordIdField, reason: reasonField }),
  output: recordOf(activitySign),
  affects,
})

export const checkIn = call({
  route: `PUT ${path}/PutCheckIn`,
  title: '活动签到',
  needs: permissions.checkIn,
  input: byId,
  output: recordOf(activitySign),
  affects,
})

export const undoCheckIn = call({
  route: `PUT ${path}/PutUndoCheckIn`,
  title: '撤销活动签到',
  needs: permissions.checkIn,
  input: byId,
  output: recordOf(activitySign),
  affects,
})

/** What a resident shows on their phone. */
export const checkInByCode = call({
  route: `POST ${path}/CheckInByCode`,
  title: '扫码签到',
  needs: permissions.checkIn,
  input: shape({
    activityId: idOf('活动', { required: true, min: 1, wire: ['ActivityID', 'ActivityId'] }),
    code: text('签到码', { required: true, max: 400, wire: 'Code' }),
  }),
  output: recordOf(activitySign),
  affects,
})
