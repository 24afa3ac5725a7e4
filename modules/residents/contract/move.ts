import { call } from '#kit/contract/call.ts'
import { choice, day, flag, idOf, lines, list, text, type ValueOf } from '#kit/contract/field.ts'
import { listOfRows, shape, reasonField } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { incomingPersonFields } from './resident.ts'
import { residency } from './residency.ts'
import { moveKind } from './labels.ts'
import { answers, moveStepFields } from './move-step.ts'

const ids = { max: 200, wire: ['Ids', 'ID'] } as const
const residencyIds = list('住户关系', { required: true, ...ids })

const transferFields = {
  roomId: idOf('房屋', { required: true, min: 1, wire: 'RoomID' }),
  /** The residency of the seller as the operator saw it: it may have been sold since. */
  linkId: idOf('原业主关系', { min: 1, wire: 'LinkID' }),
  /** From this day on the new owners own: BASE-17's T. */
  day: day('生效日期', { required: true, wire: 'Day' }),
  people: lines('新业主', incomingPersonFields, { required: true, max: 10, wire: 'Users' }),
  /** The old owners' family leaves with them; tenants stay. */
  familyLeaves: flag('原业主家属一起迁出', { required: true, initial: true, wire: 'FamilyLeaves' }),
  /** The new owners live there from that day on. */
  moveIn: flag('新业主入住', { initial: false, wire: 'MoveIn' }),
  answers,
}

export type TransferInput = ValueOf<typeof transferFields>

/** A new owner while the form is filled in: half a telephone is no fault yet. */
const previewOwnerFields = {
  userId: incomingPersonFields.userId,
  name: text('姓名', { max: 40, wire: ['Username', 'UserName'] }),
  mobile: text('手机号', { max: 20 }),
  certNo: text('证件号', { max: 30 }),
  isMain: incomingPersonFields.isMain,
  isPayer: incomingPersonFields.isPayer,
}

/**
 * What a check-out, check-in or transfer will do and what still stands in its way; changes nothing (BASE-11,
 * BASE-17).
 */
export const previewMove = call({
  route: 'POST Usertoroom/GetMovePlan',
  readOnly: true,
  title: '预览办理结果',
  needs: menu.resident.permissions.view,
  input: shape({
    kind: choice('办理', moveKind, { required: true, wire: 'Kind' }),
    ids: list('住户关系', ids),
    roomId: idOf('房屋', { min: 1, wire: 'RoomID' }),
    day: day('日期', { required: true, wire: 'Day' }),
    familyLeaves: flag('原业主家属一起迁出', { wire: 'FamilyLeaves' }),
    moveIn: transferFields.moveIn,
    people: lines('新业主', previewOwnerFields, { max: 10, wire: 'Users' }),
    answers,
  }),
  output: shape({
    title: text('标题', { required: true }),
    blocked: flag('不能办理', { required: true }),
    steps: lines('各项', moveStepFields, { required: true }),
  }),
})

/** What the steps of a move change, whichever modules have them. */
const movedEntities = [
  'residency',
  'resident',
  'room',
  'identityCard',
  'faceKey',
  'residentFingerprint',
  'bill',
  'asset',
  'assetRecord',
  'deposit',
  'parkPlace',
  'car',
]

export const checkOut = call({
  route: 'PUT Usertoroom/PutCheckout',
  title: '迁出',
  needs: menu.link.permissions.checkout,
  affects: movedEntities,
  input: shape({
    ids: residencyIds,
    outDate: day('迁出日期', { required: true }),
    reason: text('原因', { max: 200 }),
    answers,
  }),
  output: listOfRows({ ...residency.fields }),
})

/** BASE-12: the residency alone comes back; cards, faces and rights are issued again. */
export const checkInAgain = call({
  route: 'PUT Usertoroom/PutCheckInAgain',
  title: '再次入住',
  needs: menu.link.permissions.checkin,
  affects: ['residency', 'resident', 'room'],
  input: shape({
    ids: residencyIds,
    inDate: day('入住日期', { required: true }),
    reason: text('原因', { max: 200 }),
    answers,
  }),
  output: listOfRows({ ...residency.fields }),
})

export const transferRoom = call({
  route: 'PUT Usertoroom/PutTransfer',
  title: '过户',
  needs: menu.link.permissions.transfer,
  affects: movedEntities,
  input: shape({ ...transferFields, reason: reasonField }),
  output: listOfRows({ ...residency.fields }),
})
