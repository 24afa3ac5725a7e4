import { call } from '#kit/contract/call.ts'
import { crud, idsFilter, pickerOf } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choiceTable,
  day,
  decimal,
  file,
  flag,
  idOf,
  int,
  keyRef,
  lines,
  list,
  lookup,
  ref,
  text,
  type ValueOf,
  systemChoice,
} from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { byId, listOfRows, recordOf, shape, reasonField, recordIdField } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { answers, moveStepFields } from '#modules/residents/contract/move-step.ts'
import { phoneField } from '#modules/residents/contract/labels.ts'
import { menu } from '../module.ts'
import { creditCodeRule } from './credit-code.ts'

export const companyState = choiceTable('CompanyInState', '企业状态', {
  here: [10, '在驻', 'done'],
  movedOut: [20, '已迁出', 'off'],
  pending: [30, '待审核', 'todo'],
})

const hiddenInList = { hiddenIn: ['table', 'filter'] } as const

/** A firm that works in rooms of a project. */
export const company = entity(
  'company',
  '企业',
  { table: 'company', tenancy: 'project', title: 'name', order: ['-id'] },
  {
    projectCode: estateField(),
    companyNo: text('企业编号', {
      max: 20,
      rule: rules.lettersDigits,
      immutable: true,
      searchable: true,
      synonyms: ['公司编号'],
      help: '项目内唯一；不填则自动生成',
    }),
    name: text('企业名称', {
      required: true,
      max: 80,
      searchable: true,
      wire: 'CompanyName',
      synonyms: ['公司名称', '单位名称', '公司'],
    }),
    creditCode: text('统一社会信用代码', {
      max: 18,
      rule: creditCodeRule,
      hiddenIn: ['table'],
      synonyms: ['信用代码', '营业执照号'],
    }),
    legalPerson: text('法人', { max: 20, ...hiddenInList }),
    contactName: text('联系人', { max: 20, searchable: true }),
    contactPhone: phoneField('联系电话', { synonyms: ['电话', '手机'] }),
    industry: text('行业', { max: 40 }),
    staffCount: int('人数', { min: 0, max: 999_999 }),
    inDate: day('入驻日期'),
    outDate: day('迁出日期', { immutable: true, hiddenIn: ['form', 'table'] }),
    license: file('营业执照', {
      wire: 'LicenseUrl',
      hiddenIn: ['table', 'filter', 'sheet'],
      help: '图片，不超过 2048 KB',
    }),
    invoiceTitle: text('开票抬头', { max: 80, ...hiddenInList }),
    taxNo: text('税号', { max: 20, rule: rules.lettersDigits, ...hiddenInList }),
    bankName: text('开户行', { max: 60, ...hiddenInList }),
    bankAccount: text('账号', { max: 20, rule: rules.bankAccount, ...hiddenInList }),
    state: systemChoice('状态', companyState, 'here'),
    remark: text('备注', { max: 200, ...hiddenInList }),
    rooms: list('房间', { derived: true, hiddenIn: ['form', 'filter', 'sheet'], wire: 'RoomPaths' }),
    area: decimal('面积', { derived: true, unit: '㎡', hiddenIn: ['form', 'filter', 'sheet'] }),
    workers: int('员工', { derived: true, hiddenIn: ['form', 'filter', 'sheet'], wire: 'WorkerCount' }),
  },
)

export type Company = Row<typeof company>

const roomDraftFields = {
  roomId: idOf('房间', { required: true, min: 1, wire: 'RoomID' }),
  beginDate: day('起', { required: true }),
  endDate: day('止'),
  area: decimal('面积', { unit: '㎡', min: 0, max: 9_999_999 }),
  usage: text('用途', { max: 40 }),
}

export type CompanyRoomDraft = ValueOf<typeof roomDraftFields>

/** The keyword is a part of the name or its pinyin, of a contact, or a room. */
export const companies = crud(company, {
  path: 'Company',
  permissions: menu.company.permissions,
  filters: ['name', 'industry', 'state', 'inDate', 'createTime'],
  search: { roomId: idOf('房间', { wire: 'RoomID', min: 1 }), ids: idsFilter },
  without: ['outDate', 'state'],
  addFields: { places: lines('房间', roomDraftFields, { max: 200, wire: 'Rooms' }) },
  add: { affects: ['companyRoom', 'room'] },
})

/** For pickers: no contact, no bank account. */
export const pickCompanies = pickerOf(company, {
  route: 'GET Company/GetPick',
  title: '选择企业',
  fields: ['id', 'projectCode', 'companyNo', 'name', 'industry', 'state', 'rooms'],
  search: { roomId: idOf('房间', { wire: 'RoomID', min: 1 }), ids: idsFilter },
})

/** BASE-16: BASE-11 for every room, and all workers lose access. */
export const moveOutCompany = call({
  route: 'PUT Company/MoveOut',
  aliases: ['POST Company/MoveOut'],
  title: '企业迁出',
  needs: menu.company.permissions.moveOut,
  affects: ['company', 'companyRoom', 'companyWorker', 'room', 'residency'],
  input: shape({
    id: recordIdField,
    outDate: day('迁出日期', { required: true }),
    reason: reasonField,
    answers,
  }),
  output: recordOf(company),
})

/**
 * What a moving out will do, room by room, and what still prevents it; changes nothing. An answer
 * counts for all rooms as `key`, for one as `key@12`.
 */
export const previewMoveOut = call({
  route: 'GET Company/GetMovePlan',
  title: '预览企业迁出',
  needs: menu.company.permissions.moveOut,
  input: shape({
    id: recordIdField,
    outDate: day('迁出日期', { required: true }),
    answers,
  }),
  output: shape({
    name: text('企业', { required: true, wire: 'CompanyName' }),
    blocked: flag('不能办理', { required: true }),
    workers: int('在职员工', { required: true, wire: 'WorkerCount' }),
    pending: int('待审核员工', { required: true }),
    /** What opens doors to its workers and to nobody any more. */
    ending: lines('员工的门禁', moveStepFields, { required: true }),
    rooms: lines(
      '房间',
      {
        roomId: idOf('房间', { required: true, wire: 'RoomID' }),
        roomPath: text('房间', { required: true, wire: 'RoomPath' }),
        steps: lines('各项', moveStepFields, { required: true }),
      },
      { required: true },
    ),
  }),
})

const qrOutput = shape({
  url: text('地址', { required: true, wire: 'Url' }),
  code: text('邀请码', { required: true, wire: 'Code' }),
})

/** The address behind the QR picture that workers scan to join; a new one ends the old. */
export const getCompanyQr = call({
  route: 'GET Company/GetQrUrl',
  title: '企业二维码',
  needs: menu.worker.permissions.view,
  input: byId,
  output: qrOutput,
})

export const renewCompanyQr = call({
  route: 'POST Company/RenewQr',
  title: '更换企业二维码',
  needs: menu.worker.permissions.edit,
  input: byId,
  output: qrOutput,
})

/** Which rooms a company has, from when to when; an open end is still running (BASE-16). */
export const companyRoom = entity(
  'companyRoom',
  '企业房间',
  { table: 'company_room', tenancy: 'project', title: 'roomPath', order: ['-id'] },
  {
    projectCode: estateField(),
    companyId: ref('企业', 'company', { required: true, immutable: true, wire: 'CompanyID' }),
    companyName: lookup('企业', 'companyId', 'name', { wire: 'CompanyName', searchable: true }),
    roomId: ref('房间', 'room', {
      required: true,
      immutable: true,
      wire: 'RoomID',
      hiddenIn: ['table', 'filter'],
    }),
    roomCode: lookup('房屋编码', 'roomId', 'code', { wire: ['RoomCode', 'Roomcode'], hiddenIn: ['table'] }),
    roomPath: lookup('房间', 'roomId', 'path', { wire: 'RoomPath', searchable: true }),
    buildCode: keyRef('楼栋', 'building', {
      required: true,
      immutable: true,
      dataDomain: 'building',
      wire: 'Buildcode',
      hiddenIn: ['table', 'form', 'filter'],
    }),
    beginDate: day('起', { required: true }),
    endDate: day('止'),
    area: decimal('面积', { unit: '㎡', min: 0, max: 9_999_999 }),
    usage: text('用途', { max: 40 }),
  },
)

export type CompanyRoom = Row<typeof companyRoom>

/**
 * A room that is deleted is given back: what began in the past ends today, what has not started is taken out.
 */
export const companyRooms = crud(companyRoom, {
  path: 'CompanyRoom',
  permissions: menu.company.permissions,
  operations: ['list', 'delete'],
  filters: ['companyId', 'beginDate', 'endDate'],
  search: { roomId: idOf('房间', { wire: 'RoomID', min: 1 }), onlyCurrent: flag('仅在用', { wire: 'Live' }) },
  sums: ['area'],
  delete: { title: '企业退房', needs: menu.company.permissions.edit, affects: ['company', 'room'] },
})

/** The rooms that another company occupies in that time (BASE-16). */
export const findRoomsInUse = call({
  route: 'GET CompanyRoom/RoomsIsUsed',
  title: '房间是否被占用',
  needs: menu.company.permissions.view,
  input: shape({
    companyId: idOf('企业', { wire: 'CompanyID' }),
    roomIds: list('房间', { required: true, max: 200, wire: ['RoomIDs', 'RoomIds'] }),
    beginDate: day('起'),
    endDate: day('止'),
  }),
  output: listOfRows({
    roomId: idOf('房间', { required: true, wire: 'RoomID' }),
    roomPath: text('房间', { required: true, wire: 'RoomPath' }),
    companyName: text('企业', { required: true, wire: 'CompanyName' }),
    beginDate: day('起', { required: true }),
    endDate: day('止'),
  }),
})

export const addCompanyRooms = call({
  route: 'POST CompanyRoom/Post',
  title: '企业添加房间',
  needs: menu.company.permissions.edit,
  input: shape({
    companyId: idOf('企业', { required: true, min: 1, wire: 'CompanyID' }),
    places: lines('房间', roomDraftFields, { required: true, max: 200, wire: 'Rooms' }),
  }),
  output: listOfRows({ ...companyRoom.fields }),
  affects: ['company', 'companyRoom', 'room'],
})
