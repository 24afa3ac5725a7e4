import { call } from '#kit/contract/call.ts'
import { choice, decimal, flag, idOf, int, moment, ref, text } from '#kit/contract/field.ts'
import { recordOf, shape } from '#kit/contract/shape.ts'
import { normalizeCode } from '#kit/contract/text.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { passDirection, validResult, visitorKind } from './choices.ts'
import { visitRecord } from './visit-record.ts'
import { inviteVisitor } from './visitor.ts'

const needs = menu.visit.permissions.check

/** What a picture holds or a visitor reads out; blanks between the digits do not count. */
const codeField = text('邀请码', {
  required: true,
  max: 40,
  wire: ['InviteNo', 'Code'],
  rule: {
    name: 'inviteNo',
    normalize: normalizeCode,
    test: value => (/^[\dA-Za-z]+$/.test(value) ? undefined : '邀请码由数字、字母组成，请核对后重新输入'),
  },
})

export const locationField = ref('门岗', 'visitorLocation', { wire: 'LocationID' })

const codeAtGatehouse = {
  projectCode: estateField<true>(),
  inviteNo: codeField,
  locationId: locationField,
  direction: choice('方向', passDirection, { required: true, initial: 'in', wire: 'Direction' }),
} as const

const { visitorName, mobile, certType, certNo, face, plateNo, hostName, roomPath } = inviteVisitor.fields

/** What a code is worth at this moment, and whose it is. */
const codeAnswer = {
  result: choice('结果', validResult, { required: true, wire: 'Result' }),
  reason: text('说明', { required: true, max: 200, wire: 'Reason' }),
  visitorId: idOf('访客', { wire: 'VisitorID' }),
  visitorName: { ...visitorName, required: false as const },
  mobile,
  certType,
  certNo,
  face,
  plateNo,
  hostName,
  roomPath,
  visitorKind: choice('访客类别', visitorKind, { wire: 'VisitorKind' }),
  reasonOfVisit: text('事由', { max: 100, wire: 'VisitReason' }),
  personCount: int('邀请人数', { wire: 'PersonCount' }),
  /** Of a group each code is one of them, unless the guard counts more. */
  codeCount: int('本码人数', { wire: 'CodeCount' }),
  beginTime: moment('起', { wire: 'BeginTime' }),
  endTime: moment('止', { wire: 'EndTime' }),
  maxTimes: int('可通行次数', { wire: 'MaxTimes' }),
  usedTimes: int('已进次数', { wire: 'UsedTimes' }),
  exitTimes: int('已出次数', { wire: 'ExitTimes' }),
  needsCert: flag('需证件', { wire: 'NeedCert' }),
  /** None is known yet: a photo taken at the gate will do. */
  needsFace: flag('需人脸', { wire: 'NeedFace' }),
  /** The entry in the book of a visitor who is inside. */
  recordId: idOf('到访登记', { wire: 'RecordID' }),
} as const

/** Looks at a code and uses nothing up; what is refused is recorded. */
export const checkCode = call({
  route: 'POST InviteValid/PostValidCheck',
  title: '核验邀请码',
  needs,
  affects: ['inviteValid'],
  input: shape(codeAtGatehouse),
  output: shape(codeAnswer),
})

/** VIS-2: uses one pass of a code; of two gates in the same instant one is let through. */
export const passCode = call({
  route: 'POST InviteValid/PostValid',
  title: '核验邀请码并放行',
  needs,
  affects: ['inviteValid', 'inviteVisitor', 'invitation', 'visitRecord'],
  input: shape(codeAtGatehouse),
  output: shape(codeAnswer),
})

/** How often a code may still pass. */
export const countPasses = call({
  route: 'POST InviteValid/PostValidCount',
  title: '查询邀请码的剩余次数',
  needs,
  readOnly: true,
  input: shape({ projectCode: estateField<true>(), inviteNo: codeField }),
  output: shape({
    maxTimes: int('可通行次数', { required: true, wire: 'MaxTimes' }),
    usedTimes: int('已进次数', { required: true, wire: 'UsedTimes' }),
    exitTimes: int('已出次数', { required: true, wire: 'ExitTimes' }),
    entrancesLeft: int('剩余进入次数', { required: true, wire: 'InLeft' }),
    exitsLeft: int('剩余离开次数', { required: true, wire: 'OutLeft' }),
  }),
})

/** What a gate asks for in this project, and how many are expected and inside today. */
export const getGatehouse = call({
  route: 'GET InviteValid/GetGate',
  title: '查看门岗概况',
  needs,
  input: shape({ projectCode: estateField<true>() }),
  output: shape(
    {
      asksPhoto: flag('核验时拍照', { required: true, wire: 'AsksPhoto' }),
      asksItems: flag('登记携带物品', { required: true, wire: 'AsksItems' }),
      asksTemperature: flag('测量体温', { required: true, wire: 'AsksTemperature' }),
      maxTemperature: decimal('体温上限', { required: true, scale: 1, wire: 'MaxTemperature' }),
      printsSlip: flag('打印访客单', { required: true, wire: 'PrintSlip' }),
      overtimeMinutes: int('超时提醒', { required: true, wire: 'OvertimeMinutes' }),
      expectedCount: int('今日待访', { required: true, wire: 'ExpectedCount' }),
      insideCount: int('在访', { required: true, wire: 'InsideCount' }),
      overdueCount: int('超时未离', { required: true, wire: 'OverdueCount' }),
    },
    { entity: visitRecord.name },
  ),
})

const { personCount, items, itemPhotos, checkPhoto, temperature, remark } = visitRecord.fields

/** VIS-5: the guard has seen the visitor. Uses one entrance of the code. */
export const checkIn = call({
  route: 'PUT InviteVisitor/PutCheck',
  title: '核验登记',
  needs,
  affects: ['visitRecord', 'inviteVisitor', 'invitation', 'inviteValid'],
  input: shape({
    visitorId: idOf('访客', { required: true, min: 1, wire: ['ID', 'VisitorID'] }),
    locationId: locationField,
    certType,
    certNo,
    plateNo,
    personCount,
    temperature,
    items,
    itemPhotos,
    checkPhoto,
    remark,
  }),
  output: recordOf(visitRecord),
})
