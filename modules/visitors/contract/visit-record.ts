import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  decimal,
  file,
  int,
  lines,
  list,
  lookup,
  moment,
  ref,
  systemChoice,
  text,
} from '#kit/contract/field.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { certField, certType, mobileField, nameRule } from '#modules/residents/contract/labels.ts'
import { recordState, visitorKind } from './choices.ts'
import { buildingOfRoom, hiddenReference, outOfForm, plateField } from './fields.ts'

/** What a visitor brings in. */
export const itemFields = {
  itemName: text('物品', { required: true, max: 40, wire: 'ItemName' }),
  quantity: int('数量', { required: true, initial: 1, min: 1, max: 9999, wire: 'Quantity' }),
  remark: text('备注', { max: 100, wire: 'Remark' }),
} as const

/** An entry in the visitors' book: who came in when, and left (VIS-5). Without an invitation: walked in. */
export const visitRecord = entity(
  'visitRecord',
  '到访登记',
  { table: 'visit_record', tenancy: 'project', title: 'visitorName', order: ['-inTime', '-id'] },
  {
    projectCode: estateField(),
    estateName: lookup('项目', 'projectCode', 'name', { wire: 'EstateName' }),
    buildCode: buildingOfRoom,
    invitationId: ref('邀访', 'invitation', { wire: 'InviteID', immutable: true, ...hiddenReference }),
    invitationNo: lookup('邀访单号', 'invitationId', 'invitationNo', {
      wire: 'InvitationNo',
      hiddenIn: ['table'],
    }),
    visitorId: ref('访客', 'inviteVisitor', { wire: 'VisitorID', immutable: true, ...hiddenReference }),
    visitorKind: choice('访客类别', visitorKind, { required: true, initial: 'friend' }),
    visitorName: text('访客', {
      required: true,
      max: 40,
      rule: nameRule,
      searchable: true,
      hiddenIn: ['filter'],
    }),
    mobile: mobileField('手机', { hiddenIn: ['filter'] }),
    certType: choice('证件类型', certType, { hiddenIn: ['table', 'filter'] }),
    certNo: certField({ hiddenIn: ['filter'] }),
    plateNo: { ...plateField({ hiddenIn: ['filter'] }), searchable: true },
    personCount: int('人数', { required: true, initial: 1, min: 1, max: 500, hiddenIn: ['filter'] }),
    roomId: ref('拜访房屋', 'room', { wire: 'RoomID', ...hiddenReference }),
    roomCode: lookup('房屋编码', 'roomId', 'code', { wire: ['RoomCode', 'Roomcode'], hiddenIn: ['table'] }),
    roomPath: lookup('拜访房屋', 'roomId', 'path', { wire: 'RoomPath' }),
    hostName: text('被访人', { max: 40, searchable: true, hiddenIn: ['filter'] }),
    reason: text('事由', { max: 100, hiddenIn: ['table', 'filter'] }),
    items: lines('携带物品', itemFields, { max: 20, wire: 'Items', hiddenIn: ['table', 'filter', 'sheet'] }),
    itemPhotos: list('物品照片', {
      max: 9,
      holdsFiles: true,
      wire: 'ItemPhotos',
      hiddenIn: ['table', 'filter', 'sheet'],
    }),
    checkPhoto: file('核验照片', { wire: 'CheckPhoto', hiddenIn: ['table', 'filter', 'sheet'] }),
    temperature: decimal('体温', { min: 30, max: 45, scale: 1, unit: '℃', hiddenIn: ['filter'] }),
    /** Until when the visit was allowed; overstayers are counted from it. */
    endTime: moment('应离时间', { hiddenIn: ['form', 'filter'] }),
    inLocationId: ref('进入门岗', 'visitorLocation', { wire: 'LocationID', ...hiddenReference }),
    inLocationName: lookup('进入门岗', 'inLocationId', 'locationName', { wire: 'LocationName' }),
    inTime: moment('进入', { required: true, hiddenIn: ['form'] }),
    inGuardId: ref('登记人', 'manager', { required: true, wire: 'InGuardID', immutable: true, ...outOfForm }),
    inGuardName: text('登记人', { required: true, max: 40, immutable: true, hiddenIn: ['form', 'filter'] }),
    outLocationId: ref('离开门岗', 'visitorLocation', { wire: 'OutLocationID', ...hiddenReference }),
    outLocationName: lookup('离开门岗', 'outLocationId', 'locationName', {
      wire: 'OutLocationName',
      hiddenIn: ['table'],
    }),
    outTime: moment('离开', { hiddenIn: ['form'] }),
    outGuardName: text('离开登记人', { max: 40, hiddenIn: ['form', 'table', 'filter'] }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
    clearTime: moment('清除时间', outOfForm),
    state: systemChoice('状态', recordState, 'inside'),
  },
)

export type VisitRecord = Row<typeof visitRecord>
