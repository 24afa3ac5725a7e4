import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, file, int, lookup, moment, ref, systemChoice, text } from '#kit/contract/field.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { certField, certType, mobileField, nameRule } from '#modules/residents/contract/labels.ts'
import { visitState, visitorKind } from './choices.ts'
import { buildingOfRoom, doorwayGroupList, hiddenReference, outOfForm, plateField } from './fields.ts'

/** One person of an invitation, with a code of their own and how often it was used (VIS-2). */
export const inviteVisitor = entity(
  'inviteVisitor',
  '邀请访客',
  { table: 'invite_visitor', tenancy: 'project', title: 'visitorName', order: ['-id'] },
  {
    projectCode: estateField(),
    buildCode: buildingOfRoom,
    invitationId: ref('邀访', 'invitation', {
      required: true,
      wire: ['InvitationID', 'InviteID'],
      immutable: true,
      ...hiddenReference,
    }),
    /** Digits that a guard can type and that the picture holds. */
    inviteNo: text('邀请码', {
      required: true,
      max: 20,
      immutable: true,
      hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'],
    }),
    visitorName: text('访客', {
      required: true,
      max: 40,
      rule: nameRule,
      searchable: true,
      hiddenIn: ['filter'],
    }),
    mobile: mobileField('手机', { hiddenIn: ['filter'] }),
    certType: choice('证件类型', certType, { hiddenIn: ['table', 'filter'] }),
    certNo: certField({ hiddenIn: ['table', 'filter'] }),
    face: file('人脸', { wire: 'FaceUrl', hiddenIn: ['table', 'filter', 'sheet'] }),
    plateNo: plateField({ hiddenIn: ['filter'] }),
    hostName: lookup('被访人', 'invitationId', 'hostName', { wire: 'HostName' }),
    visitorKind: choice('访客类别', visitorKind, {
      lookup: ['invitationId', 'visitorKind'],
      derived: true,
      ...outOfForm,
    }),
    roomId: ref('房屋', 'room', { wire: 'RoomID', immutable: true, ...hiddenReference }),
    roomPath: lookup('房间', 'roomId', 'path', { wire: 'RoomPath' }),
    beginTime: moment('起', { required: true, hiddenIn: ['form'] }),
    endTime: moment('止', { required: true, hiddenIn: ['form'] }),
    doorwayGroupIds: doorwayGroupList,
    maxTimes: int('可通行次数', { required: true, min: 1, max: 999, hiddenIn: ['table', 'form', 'filter'] }),
    /** Entrances. */
    usedTimes: int('已进次数', { required: true, initial: 0, hiddenIn: ['table', 'form', 'filter'] }),
    exitTimes: int('已出次数', { required: true, initial: 0, hiddenIn: ['table', 'form', 'filter'] }),
    arriveTime: moment('到访', { hiddenIn: ['form'] }),
    leaveTime: moment('离开', { hiddenIn: ['form'] }),
    items: text('携带物品', { max: 200, wire: 'Items', hiddenIn: ['table', 'form', 'filter'] }),
    checkPhoto: file('核验照片', { wire: 'CheckPhoto', ...outOfForm }),
    clearTime: moment('清除时间', outOfForm),
    state: systemChoice('状态', visitState, 'pending', { struckOut: ['refused', 'cancelled', 'expired'] }),
  },
)

export type InviteVisitor = Row<typeof inviteVisitor>
