import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  choiceTable,
  day,
  decimal,
  file,
  flag,
  int,
  keyRef,
  lines,
  list,
  ref,
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
  nothing,
  oneOf,
  pageOf,
  rowsOf,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { answers, step } from '#modules/residents/contract/move.ts'
import { phoneField } from '#modules/residents/contract/words.ts'
import { menu } from '../module.ts'
import { creditCode } from './words.ts'

export const companyState = choiceTable('CompanyInState', '企业状态', {
  here: [10, '在驻', 'done'],
  gone: [20, '已迁出', 'off'],
  pending: [30, '待审核', 'todo'],
})

const aside = { notIn: ['table', 'filter'] } as const

/** A firm that works in rooms of a project. */
export const company = entity(
  'company',
  '企业',
  { table: 'company', reach: 'project', title: 'name', order: ['-id'] },
  {
    projectCode: estateOf(),
    companyNo: text('公司编号', {
      max: 20,
      rule: rules.lettersDigits,
      fixed: true,
      sought: true,
      help: '项目内唯一；留空自动生成',
    }),
    name: text('公司名称', {
      required: true,
      max: 80,
      sought: true,
      wire: 'CompanyName',
      synonyms: ['企业名称', '单位名称', '公司'],
    }),
    creditCode: text('统一社会信用代码', {
      max: 18,
      rule: creditCode,
      notIn: ['table'],
      synonyms: ['信用代码', '营业执照号'],
    }),
    legalPerson: text('法人', { max: 20, ...aside }),
    contactName: text('联系人', { max: 20, sought: true }),
    contactPhone: phoneField('联系电话', { synonyms: ['电话', '手机'] }),
    industry: text('行业', { max: 40 }),
    staffCount: int('人数', { min: 0, max: 999_999 }),
    inDate: day('入驻日期'),
    outDate: day('迁出日期', { fixed: true, notIn: ['form', 'table'] }),
    license: file('营业执照', {
      wire: 'LicenseUrl',
      notIn: ['table', 'filter', 'sheet'],
      help: '图片，不超过 2048 KB',
    }),
    invoiceTitle: text('开票抬头', { max: 80, ...aside }),
    taxNo: text('税号', { max: 20, rule: rules.lettersDigits, ...aside }),
    bankName: text('开户行', { max: 60, ...aside }),
    bankAccount: text('账号', { max: 20, rule: rules.bankAccount, ...aside }),
    state: choice('状态', companyState, { required: true, initial: 'here', fixed: true, notIn: ['form'] }),
    remark: text('备注', { max: 200, ...aside }),
    rooms: list('房间', { derived: true, notIn: ['form', 'filter', 'sheet'], wire: 'RoomPaths' }),
    area: decimal('面积', { derived: true, unit: '㎡', notIn: ['form', 'filter', 'sheet'] }),
    workers: int('员工', { derived: true, notIn: ['form', 'filter', 'sheet'], wire: 'WorkerCount' }),
  },
)

export type Company = Row<typeof company>
export const companyFilters = ['name', 'industry', 'state', 'inDate', 'createTime'] as const

const roomDraft = {
  roomId: int('房间', { required: true, min: 1, wire: 'RoomID' }),
  beginDate: day('起', { required: true }),
  endDate: day('止'),
  area: decimal('面积', { min: 0, max: 9_999_999 }),
  usage: text('用途', { max: 40 }),
}

export type RoomDraft = ValueOf<typeof roomDraft>
const draft = draftOf(company, ['outDate', 'state'])

/** The keyword is a part of the name or its pinyin, of a contact, or a room. */
export const listCompanies = call({
  at: 'GET Company/Get',
  title: '查询企业',
  needs: everyone,
  input: search(company, companyFilters, {
    roomId: int('房间', { wire: 'RoomID', min: 1 }),
    ids: list('编号', { max: 2000, wire: 'Ids' }),
  }),
  output: pageOf(company),
})

export const oneCompany = call({
  at: 'GET Company/GetOne',
  title: '查看企业',
  needs: menu.company.may.view,
  input: byId,
  output: oneOf(company),
})

export const addCompany = call({
  at: 'POST Company/Post',
  title: '新增企业',
  needs: menu.company.may.add,
  input: also(draft, { places: lines('房间', roomDraft, { max: 200, wire: 'Rooms' }) }),
  output: oneOf(company),
  affects: ['company', 'companyRoom', 'room'],
})

export const editCompany = call({
  at: 'PUT Company/Put',
  title: '编辑企业',
  needs: menu.company.may.edit,
  input: draft,
  output: oneOf(company),
  affects: ['company'],
})

export const deleteCompanies = call({
  at: 'DELETE Company/Delete',
  title: '删除企业',
  needs: menu.company.may.del,
  input: byIdsWhy,
  output: nothing,
  affects: ['company'],
})

/** BASE-16: BASE-11 for every room, and all workers lose access. */
export const moveOut = call({
  at: 'PUT Company/MoveOut',
  names: ['POST Company/MoveOut'],
  title: '企业迁出',
  needs: menu.company.may.moveOut,
  affects: ['company', 'companyRoom', 'companyWorker', 'room', 'residency'],
  input: shape({
    id: int('编号', { required: true, min: 1, wire: 'ID' }),
    outDate: day('迁出日期', { required: true }),
    reason: text('原因', { required: true, min: 2, max: 200 }),
    answers,
  }),
  output: oneOf(company),
})

/**
 * What a moving out will do, room by room, and what still stands in its way; changes nothing. An answer
 * counts for all rooms as `key`, for one as `key@12`.
 */
export const planMoveOut = call({
  at: 'GET Company/GetMovePlan',
  title: '预览企业迁出',
  needs: menu.company.may.moveOut,
  input: shape({
    id: int('编号', { required: true, min: 1, wire: 'ID' }),
    outDate: day('迁出日期', { required: true }),
    answers,
  }),
  output: shape({
    name: text('企业', { required: true, wire: 'CompanyName' }),
    blocked: flag('不能办理', { required: true }),
    workers: int('在职员工', { required: true, wire: 'WorkerCount' }),
    pending: int('待审核员工', { required: true }),
    rooms: lines(
      '房间',
      {
        roomId: int('房间', { required: true, wire: 'RoomID' }),
        roomPath: text('房间', { required: true, wire: 'RoomPath' }),
        steps: lines('各项', step, { required: true }),
      },
      { required: true },
    ),
  }),
})

/** The address behind the QR picture that workers scan to join; a new one ends the old. */
export const qrUrl = call({
  at: 'GET Company/GetQrUrl',
  title: '企业二维码',
  needs: menu.worker.may.view,
  input: byId,
  output: shape({
    url: text('地址', { required: true, wire: 'Url' }),
    code: text('邀请码', { required: true, wire: 'Code' }),
  }),
})

export const renewQr = call({
  at: 'POST Company/RenewQr',
  title: '更换企业二维码',
  needs: menu.worker.may.edit,
  input: byId,
  output: shape({
    url: text('地址', { required: true, wire: 'Url' }),
    code: text('邀请码', { required: true, wire: 'Code' }),
  }),
})

/** Which rooms a company has, from when to when; an open end is still running (BASE-16). */
export const companyRoom = entity(
  'companyRoom',
  '企业房间',
  { table: 'company_room', reach: 'project', title: 'roomPath', order: ['-id'] },
  {
    projectCode: estateOf(),
    companyId: ref('企业', 'company', { required: true, fixed: true, wire: 'CompanyID' }),
    companyName: through('企业', 'companyId', 'name', { wire: 'CompanyName' }),
    roomId: ref('房间', 'room', { required: true, fixed: true, wire: 'RoomID', notIn: ['table', 'filter'] }),
    roomCode: through('房屋编码', 'roomId', 'code', { wire: ['RoomCode', 'Roomcode'], notIn: ['table'] }),
    roomPath: through('房间', 'roomId', 'path', { wire: 'RoomPath' }),
    buildCode: keyRef('楼栋', 'building', {
      required: true,
      fixed: true,
      within: 'building',
      wire: 'Buildcode',
      notIn: ['table', 'form', 'filter'],
    }),
    beginDate: day('起', { required: true }),
    endDate: day('止'),
    area: decimal('面积', { unit: '㎡', min: 0, max: 9_999_999 }),
    usage: text('用途', { max: 40 }),
  },
)

export type CompanyRoom = Row<typeof companyRoom>

export const listCompanyRooms = call({
  at: 'GET CompanyRoom/Get',
  title: '查询企业房间',
  needs: menu.company.may.view,
  input: search(companyRoom, ['companyId', 'beginDate', 'endDate'], {
    roomId: int('房间', { wire: 'RoomID', min: 1 }),
    live: flag('仅在用', { wire: 'Live' }),
  }),
  output: pageOf(companyRoom, { sums: ['area'] }),
})

/** Which of the rooms another company holds in that time (BASE-16). */
export const roomsInUse = call({
  at: 'GET CompanyRoom/RoomsIsUsed',
  title: '房间是否被占用',
  needs: menu.company.may.view,
  input: shape({
    companyId: int('企业', { wire: 'CompanyID' }),
    roomIds: list('房间', { required: true, max: 200, wire: ['RoomIDs', 'RoomIds'] }),
    beginDate: day('起'),
    endDate: day('止'),
  }),
  output: rowsOf({
    roomId: int('房间', { required: true, wire: 'RoomID' }),
    roomPath: text('房间', { required: true, wire: 'RoomPath' }),
    companyName: text('企业', { required: true, wire: 'CompanyName' }),
    beginDate: day('起', { required: true }),
    endDate: day('止'),
  }),
})

export const addCompanyRooms = call({
  at: 'POST CompanyRoom/Post',
  title: '企业添加房间',
  needs: menu.company.may.edit,
  input: shape({
    companyId: int('企业', { required: true, min: 1, wire: 'CompanyID' }),
    places: lines('房间', roomDraft, { required: true, max: 200, wire: 'Rooms' }),
  }),
  output: rowsOf({ ...companyRoom.fields }),
  affects: ['company', 'companyRoom', 'room'],
})

/** A room that the company gives back; what lies in the past ends today, what has not begun is taken out. */
export const deleteCompanyRooms = call({
  at: 'DELETE CompanyRoom/Delete',
  title: '企业退房',
  needs: menu.company.may.edit,
  input: byIdsWhy,
  output: nothing,
  affects: ['company', 'companyRoom', 'room'],
})
