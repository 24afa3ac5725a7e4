import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  choices,
  day,
  file,
  flag,
  int,
  keyRef,
  lines,
  list,
  text,
  through,
  type ValueOf,
} from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import {
  also,
  byId,
  byIdsWhy,
  draftOf,
  loosely,
  nothing,
  oneOf,
  pageOf,
  rowsOf,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import {
  certField,
  certType,
  gender,
  linkStatus,
  mobileField,
  nameRule,
  phoneField,
  relation,
  residentState,
  userSource,
  userType,
} from './words.ts'

const aside = { notIn: ['table', 'filter'] } as const

/** One home of a person, as lists show it beside the name. */
const home = {
  linkId: int('关系编号', { required: true, wire: 'LinkID' }),
  projectCode: text('项目', { required: true, max: 20 }),
  roomId: int('房间编号', { required: true, wire: 'RoomID' }),
  roomCode: text('房屋编码', { wire: ['RoomCode', 'Roomcode'] }),
  roomPath: text('房间', { required: true, wire: 'RoomPath' }),
  relation: choice('关系', relation, { required: true }),
  status: choice('入住状态', linkStatus, { required: true }),
  isMain: flag('主业主', { required: true }),
  isPayer: flag('缴费人', { required: true }),
}

export type Home = ValueOf<typeof home>

/** Somebody who lives, owns or works in rooms of the company: one record however many rooms (BASE-13). */
export const resident = entity(
  'resident',
  '住户',
  { table: 'resident', reach: 'company', title: 'name', order: ['-id'] },
  {
    homeProject: keyRef('登记项目', 'estate', {
      required: true,
      within: 'project',
      wire: 'ProjectCode',
      notIn: ['table', 'form', 'filter', 'sheet'],
    }),
    estateName: through('登记项目', 'homeProject', 'name', { wire: 'EstateName', notIn: ['table'] }),
    name: text('姓名', {
      required: true,
      max: 40,
      rule: nameRule,
      wire: ['Username', 'UserName'],
      sought: true,
      synonyms: ['住户姓名', '业主姓名', '客户名称', '名字'],
    }),
    mobile: mobileField('手机号', { synonyms: ['手机', '联系电话', '电话', '手机号码'] }),
    gender: choice('性别', gender, { initial: 'unknown' }),
    userType: choice('客户类型', userType, { required: true, initial: 'person', notIn: ['table'] }),
    certType: choice('证件类型', certType, aside),
    certNo: certField({ notIn: ['table', 'filter'], synonyms: ['身份证', '身份证号', '证件号码'] }),
    birthday: day('生日', aside),
    nation: text('民族', { max: 20, ...aside }),
    education: text('学历', { max: 20, ...aside }),
    workUnit: text('工作单位', { max: 60, ...aside }),
    phone2: phoneField('备用电话', { notIn: ['table', 'filter'] }),
    email: text('邮箱', { max: 60, rule: rules.email, ...aside }),
    address: text('联系地址', { max: 120, ...aside }),
    photo: file('照片', {
      wire: 'PhotoUrl',
      notIn: ['table', 'filter', 'sheet'],
      help: '图片，不超过 2048 KB',
    }),
    emergencyName: text('紧急联系人', { max: 20, rule: nameRule, ...aside }),
    emergencyPhone: phoneField('紧急电话', { notIn: ['table', 'filter'] }),
    tags: list('标签', { max: 20 }),
    wechatBind: flag('微信绑定', { required: true, initial: false, fixed: true, notIn: ['form'] }),
    appBind: flag('App绑定', { required: true, initial: false, fixed: true, notIn: ['form', 'table'] }),
    source: choice('来源', userSource, {
      required: true,
      initial: 'desk',
      fixed: true,
      notIn: ['form', 'table'],
    }),
    remark: text('备注', { max: 200, ...aside }),
    state: choice('状态', residentState, { required: true, initial: 'normal' }),
    homes: lines('房屋', home, { derived: true, notIn: ['form', 'filter', 'sheet'] }),
    isBlock: flag('黑名单', { derived: true, notIn: ['form', 'filter', 'sheet', 'table'] }),
  },
)

export type Resident = Row<typeof resident>

const project = estateOf<false>({ required: false })

/** What narrows the list besides a person's own facts. Relation and status speak of the same home. */
const narrow = {
  projectCode: project,
  name: text('姓名', { max: 40, wire: ['Username', 'UserName'] }),
  mobile: text('手机号', { max: 20 }),
  buildCode: text('楼栋编码', { max: 20, wire: 'Buildcode' }),
  roomId: int('房间', { wire: 'RoomID', min: 1 }),
  roomCode: text('房屋编码', { max: 20, wire: ['RoomCode', 'Roomcode'] }),
  relation: choices('关系', relation),
  status: choices('入住状态', linkStatus, { wire: 'Status' }),
  isMain: flag('主业主'),
  isBlock: flag('黑名单'),
  homeless: flag('无房屋', { wire: 'Homeless' }),
  /** These and no others, wherever in the data domain they live: names of what a form has chosen already. */
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
export const residentSearch = search(resident, residentFilters, narrow)

export const listResidents = call({
  at: 'GET User/Get',
  title: '查询住户',
  needs: everyone,
  input: residentSearch,
  output: pageOf(resident),
})

export const oneResident = call({
  at: 'GET User/GetOne',
  title: '查看住户',
  needs: menu.resident.may.view,
  input: byId,
  output: oneOf(resident),
})

/** A room that a new or known person is put into. By its id, or by its code in the project. */
export const linkFields = {
  roomId: int('房屋', { wire: 'RoomID', min: 1 }),
  roomCode: text('房屋编码', { max: 20, wire: ['RoomCode', 'Roomcode'] }),
  relation: choice('关系', relation, { required: true, initial: 'owner' }),
  isMain: flag('主业主'),
  isPayer: flag('缴费人'),
  /** Said: lives there from this day on. Not said: is known to the room, and does not live there. */
  inDate: day('入住日期', { help: '不填只登记关系，不改变房态' }),
  leaseBegin: day('租期起'),
  leaseEnd: day('租期止'),
  /** Waits for an audit even where the caller might pass it himself. */
  pending: flag('提交审核', { wire: 'Pending' }),
  remark: text('备注', { max: 200 }),
}

export type LinkDraft = ValueOf<typeof linkFields>
const own = ['wechatBind', 'appBind', 'source'] as const
const draft = draftOf(resident, own)

const withRooms = also(draft, {
  rooms: lines('房屋', linkFields, { max: 50, wire: 'Rooms' }),
  /** BASE-13: the same mobile or document is there already: put the rooms to that person. */
  linkExisting: flag('关联到已有住户', { wire: 'LinkExisting' }),
})

export const addResident = call({
  at: 'POST User/Post',
  title: '新增住户',
  needs: menu.resident.may.add,
  input: withRooms,
  output: oneOf(resident),
  affects: ['resident', 'residency', 'room'],
})

export const editResident = call({
  at: 'PUT User/Put',
  title: '编辑住户',
  needs: menu.resident.may.edit,
  input: draft,
  output: oneOf(resident),
  affects: ['resident', 'residency'],
})

export const deleteResidents = call({
  at: 'DELETE User/Delete',
  title: '删除住户',
  needs: menu.resident.may.del,
  input: byIdsWhy,
  output: nothing,
  affects: ['resident'],
})

const f = resident.fields

/** One of several people who come together: a new person, or by `userId` a known one. */
export const comer = {
  userId: int('已有住户', { wire: 'UserID', min: 1 }),
  ...loosely({
    name: f.name,
    mobile: f.mobile,
    gender: f.gender,
    userType: f.userType,
    certType: f.certType,
    certNo: f.certNo,
    birthday: f.birthday,
    phone2: f.phone2,
    workUnit: f.workUnit,
    photo: f.photo,
    tags: f.tags,
    remark: f.remark,
  }),
  relation: linkFields.relation,
  isMain: linkFields.isMain,
  isPayer: linkFields.isPayer,
}

export type Comer = ValueOf<typeof comer>

/** A family moves in: several people into one or several rooms, all or nothing. */
export const addFamily = call({
  at: 'POST User/PostUserWithRoomBatch',
  title: '批量入住',
  needs: menu.resident.may.add,
  affects: ['resident', 'residency', 'room'],
  input: shape({
    projectCode: estateOf<true>(),
    roomIds: list('房屋', { required: true, max: 20, wire: ['RoomIDs', 'RoomIds'] }),
    people: lines('住户', comer, { required: true, max: 30, wire: 'Users' }),
    inDate: linkFields.inDate,
    leaseBegin: linkFields.leaseBegin,
    leaseEnd: linkFields.leaseEnd,
    pending: linkFields.pending,
    linkExisting: flag('关联到已有住户', { wire: 'LinkExisting' }),
  }),
  output: rowsOf({ ...resident.fields }),
})

/** Who is already there under this mobile or document; asked while a form is filled (BASE-13). */
export const sameResidents = call({
  at: 'GET User/GetSame',
  title: '查找相同住户',
  needs: menu.resident.may.view,
  input: shape({
    id: int('编号', { wire: 'ID' }),
    mobile: text('手机号', { max: 20 }),
    certNo: text('证件号', { max: 30 }),
  }),
  output: rowsOf({ ...resident.fields }),
})
