import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  choices,
  day,
  file,
  flag,
  idOf,
  keyRef,
  lines,
  list,
  text,
  lookup,
  type ValueOf,
  systemChoice,
} from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import {
  extendShape,
  byId,
  byIdsWithReason,
  draftOf,
  partialFields,
  noData,
  recordOf,
  pageOf,
  listOfRows,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { inParts } from '#kit/contract/list-parts.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import {
  certField,
  certType,
  gender,
  residencyStatus,
  mobileField,
  nameRule,
  phoneField,
  residentState,
  userSource,
  userType,
} from './labels.ts'
import { relation } from './relation.ts'

const hiddenInList = { hiddenIn: ['table', 'filter'] } as const

/** One home of a person, as lists show it beside the name. */
const homeFields = {
  linkId: idOf('关系编号', { required: true, wire: 'LinkID' }),
  projectCode: text('项目', { required: true, max: 20 }),
  roomId: idOf('房间编号', { required: true, wire: 'RoomID' }),
  roomCode: text('房屋编码', { wire: ['RoomCode', 'Roomcode'] }),
  roomPath: text('房间', { required: true, wire: 'RoomPath' }),
  relation: choice('关系', relation, { required: true }),
  status: choice('入住状态', residencyStatus, { required: true }),
  isMain: flag('主业主', { required: true }),
  isPayer: flag('缴费人', { required: true }),
  inDate: day('入住日期'),
}

export type Home = ValueOf<typeof homeFields>

/** Somebody who lives, owns or works in rooms of the company: one record however many rooms (BASE-13). */
export const resident = entity(
  'resident',
  '住户',
  { table: 'resident', tenancy: 'company', title: 'name', order: ['-id'] },
  {
    homeProject: keyRef('登记项目', 'estate', {
      required: true,
      dataDomain: 'project',
      wire: 'ProjectCode',
      hiddenIn: ['table', 'form', 'filter', 'sheet'],
    }),
    estateName: lookup('登记项目', 'homeProject', 'name', { wire: 'EstateName', hiddenIn: ['table'] }),
    name: text('姓名', {
      required: true,
      max: 40,
      rule: nameRule,
      wire: ['Username', 'UserName'],
      searchable: true,
      synonyms: ['住户姓名', '业主姓名', '客户名称', '名字'],
    }),
    mobile: mobileField('手机号', { synonyms: ['手机', '联系电话', '电话', '手机号码'] }),
    gender: choice('性别', gender, { initial: 'unknown' }),
    userType: choice('客户类型', userType, { required: true, initial: 'person', hiddenIn: ['table'] }),
    certType: choice('证件类型', certType, hiddenInList),
    certNo: certField({ hiddenIn: ['table', 'filter'], synonyms: ['身份证', '身份证号', '证件号码'] }),
    birthday: day('生日', hiddenInList),
    nation: text('民族', { max: 20, ...hiddenInList }),
    education: text('学历', { max: 20, ...hiddenInList }),
    workUnit: text('工作单位', { max: 60, ...hiddenInList }),
    phone2: phoneField('备用电话', { hiddenIn: ['table', 'filter'] }),
    email: text('邮箱', { max: 60, rule: rules.email, ...hiddenInList }),
    address: text('联系地址', { max: 120, ...hiddenInList }),
    photo: file('照片', {
      wire: 'PhotoUrl',
      hiddenIn: ['table', 'filter', 'sheet'],
      help: '图片，不超过 2048 KB',
    }),
    emergencyName: text('紧急联系人', { max: 20, rule: nameRule, ...hiddenInList }),
    emergencyPhone: phoneField('紧急电话', { hiddenIn: ['table', 'filter'] }),
    tags: list('标签', { max: 20 }),
    wechatBind: flag('微信绑定', { required: true, initial: false, immutable: true, hiddenIn: ['form'] }),
    appBind: flag('App绑定', {
      required: true,
      initial: false,
      immutable: true,
      hiddenIn: ['form', 'table'],
    }),
    source: systemChoice('来源', userSource, 'backOffice', { hiddenIn: ['table'] }),
    remark: text('备注', { max: 200, ...hiddenInList }),
    state: choice('状态', residentState, { required: true, initial: 'normal' }),
    homes: lines('房屋', homeFields, { derived: true, hiddenIn: ['form', 'filter', 'sheet'] }),
    isBlock: flag('黑名单', { derived: true, hiddenIn: ['form', 'filter', 'sheet', 'table'] }),
  },
)

export type Resident = Row<typeof resident>

const optionalProject = estateField<false>({ required: false })

/** Filters besides a person's own fields. Relation and status are of the same home. */
const extraFilters = {
  projectCode: optionalProject,
  name: text('姓名', { max: 40, wire: ['Username', 'UserName'] }),
  mobile: text('手机号', { max: 20 }),
  certNo: text('证件号', { max: 30, help: '完整的证件号' }),
  buildCode: text('楼栋编码', { max: 20, wire: 'Buildcode' }),
  roomId: idOf('房间', { wire: 'RoomID', min: 1 }),
  roomCode: text('房屋编码', { max: 20, wire: ['RoomCode', 'Roomcode'] }),
  relation: choices('关系', relation),
  status: choices('入住状态', residencyStatus, { wire: 'Status' }),
  movedIn: flag('已入住', { wire: 'MovedIn', help: '否：已登记，尚无入住日期' }),
  isMain: flag('主业主'),
  isBlock: flag('黑名单'),
  withoutHome: flag('无房屋', { wire: 'Homeless' }),
  /** These alone, anywhere in the data domain: for the names of people whom a form has chosen already. */
  userIds: list('住户编号', { max: 2000, wire: 'UserIDs' }),
  tag: text('标签', { max: 20, wire: 'Tag' }),
}

export const residentFilters = [
  'gender',
  'userType',
  'certType',
  'birthday',
  'wechatBind',
  'appBind',
  'source',
  'state',
  'createTime',
] as const

/** The keyword is a part of a name, its pinyin or initials, a part of a phone, or a room (`3-2-1502`). */
export const residentSearch = search(resident, residentFilters, extraFilters)

export const listResidents = call({
  route: 'GET User/Get',
  title: '查询住户',
  needs: menu.resident.permissions.view,
  input: inParts(residentSearch),
  output: pageOf(resident),
})

export const getResident = call({
  route: 'GET User/GetOne',
  title: '查看住户',
  needs: menu.resident.permissions.view,
  input: byId,
  output: recordOf(resident),
})

/** A room that a new or known person is put into. By its id, or by its code in the project. */
export const residencyDraftFields = {
  roomId: idOf('房屋', { wire: 'RoomID', min: 1 }),
  roomCode: text('房屋编码', { max: 20, wire: ['RoomCode', 'Roomcode'] }),
  relation: choice('关系', relation, { required: true, initial: 'owner' }),
  isMain: flag('主业主'),
  isPayer: flag('缴费人'),
  /** The person lives there from this day on; without it the residency does not count as lived in. */
  inDate: day('入住日期', { help: '不填则只登记关系，不改变房态' }),
  leaseBegin: day('租期起'),
  leaseEnd: day('租期止'),
  /** Waits for an audit even where the operator may pass it. */
  pending: flag('提交审核', { wire: 'Pending' }),
  remark: text('备注', { max: 200 }),
}

export type ResidencyDraft = ValueOf<typeof residencyDraftFields>
const systemFields = ['wechatBind', 'appBind', 'source'] as const
const residentDraft = draftOf(resident, systemFields)

const residentDraftWithRooms = extendShape(residentDraft, {
  rooms: lines('房屋', residencyDraftFields, { max: 50, wire: 'Rooms' }),
  /** BASE-13: where the mobile or document is registered already, that person gets the rooms. */
  linkExisting: flag('关联到已有住户', { wire: 'LinkExisting' }),
})

export const addResident = call({
  route: 'POST User/Post',
  title: '新增住户',
  needs: menu.resident.permissions.add,
  input: residentDraftWithRooms,
  output: recordOf(resident),
  affects: ['resident', 'residency', 'room'],
})

export const editResident = call({
  route: 'PUT User/Put',
  title: '编辑住户',
  needs: menu.resident.permissions.edit,
  input: residentDraft,
  output: recordOf(resident),
  affects: ['resident', 'residency'],
})

export const deleteResidents = call({
  route: 'DELETE User/Delete',
  title: '删除住户',
  needs: menu.resident.permissions.del,
  input: byIdsWithReason,
  output: noData,
  affects: ['resident'],
})

const fields = resident.fields

/** One of several people who come together: a new person, or by `userId` a known one. */
export const incomingPersonFields = {
  userId: idOf('已有住户', { wire: 'UserID', min: 1 }),
  ...partialFields({
    name: fields.name,
    mobile: fields.mobile,
    gender: fields.gender,
    userType: fields.userType,
    certType: fields.certType,
    certNo: fields.certNo,
    birthday: fields.birthday,
    phone2: fields.phone2,
    workUnit: fields.workUnit,
    photo: fields.photo,
    tags: fields.tags,
    remark: fields.remark,
  }),
  relation: residencyDraftFields.relation,
  isMain: residencyDraftFields.isMain,
  isPayer: residencyDraftFields.isPayer,
}

export type IncomingPerson = ValueOf<typeof incomingPersonFields>

/** A family moves in: several people into one or several rooms, all or nothing. */
export const addFamily = call({
  route: 'POST User/PostUserWithRoomBatch',
  title: '批量入住',
  needs: menu.resident.permissions.add,
  affects: ['resident', 'residency', 'room'],
  input: shape({
    projectCode: estateField<true>(),
    roomIds: list('房屋', { required: true, max: 20, wire: ['RoomIDs', 'RoomIds'] }),
    people: lines('住户', incomingPersonFields, { required: true, max: 30, wire: 'Users' }),
    inDate: residencyDraftFields.inDate,
    leaseBegin: residencyDraftFields.leaseBegin,
    leaseEnd: residencyDraftFields.leaseEnd,
    pending: residencyDraftFields.pending,
    linkExisting: flag('关联到已有住户', { wire: 'LinkExisting' }),
  }),
  output: listOfRows({ ...resident.fields }),
})

/** Residents with this mobile or document, asked for while a form is filled in (BASE-13). */
export const findMatchingResidents = call({
  route: 'GET User/GetSame',
  title: '查找相同住户',
  needs: menu.resident.permissions.view,
  input: shape({
    id: idOf('编号', { wire: 'ID' }),
    mobile: text('手机号', { max: 20 }),
    certNo: text('证件号', { max: 30 }),
  }),
  output: listOfRows({ ...resident.fields }),
})
