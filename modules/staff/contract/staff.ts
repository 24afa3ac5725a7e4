import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, file, flag, int, list, lines, ref, text, through } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import {
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
import { sheetColumns, sheetOf } from '#kit/contract/sheet.ts'
import { exports, imports } from '#kit/contract/transfer.ts'
import type { ValueOf } from '#kit/contract/field.ts'
import { menu } from '../module.ts'
import { staffGender, staffState } from './words.ts'

/** Somebody who works for the company, whether he may sign in or not. */
export const staff = entity(
  'staff',
  '员工',
  { table: 'staff', reach: 'company', title: 'name', order: ['name'] },
  {
    name: text('姓名', {
      required: true,
      max: 40,
      wire: ['StaffName', 'Name'],
      sought: true,
      synonyms: ['员工姓名', '名字'],
    }),
    staffNo: text('工号', { max: 20, rule: rules.lettersDigits, sought: true, wire: 'StaffNo' }),
    mobile: text('手机', {
      max: 11,
      rule: rules.mobile,
      sought: true,
      synonyms: ['手机号', '电话', '联系电话'],
    }),
    gender: choice('性别', staffGender, { initial: 'unknown' }),
    departmentId: ref('部门', 'department', {
      wire: ['Departmentid', 'DepartmentID'],
      synonyms: ['所属部门', '部门名称'],
    }),
    departmentName: through('部门', 'departmentId', 'name', { wire: ['Departmentname', 'DepartMentName'] }),
    position: text('岗位', { max: 40, synonyms: ['职位'] }),
    entryDate: day('入职日期'),
    leaveDate: day('离职日期', { notIn: ['table'] }),
    certNo: text('身份证', { max: 30, rule: rules.idCard, masked: 'idCard', notIn: ['table', 'filter'] }),
    head: file('头像', { wire: 'HeadUrl', notIn: ['table', 'filter', 'sheet'] }),
    fingers: lines(
      '指纹',
      {
        template: text('模板', { required: true, max: 4000, wire: 'template' }),
        deviceSn: text('设备', { max: 60, wire: 'deviceSn' }),
        fingerNo: int('手指', { required: true, min: 0, max: 9, wire: 'FingerNo' }),
      },
      { max: 10, wire: 'FingerJson', fixed: true, notIn: ['table', 'form', 'filter', 'sheet', 'detail'] },
    ),
    tags: { ...list('标签', { max: 20, fixed: true, notIn: ['form'] }), to: 'staffTag' },
    isTicketSeller: flag('售票员', { required: true, initial: false, notIn: ['table'] }),
    managerId: ref('登录账号', 'manager', { wire: 'ManagerID', notIn: ['table', 'filter'] }),
    remark: text('备注', { max: 200, notIn: ['table', 'filter'] }),
    state: choice('状态', staffState, { required: true, initial: 'active' }),
  },
)

export type Staff = Row<typeof staff>

export const staffFilters = [
  'name',
  'staffNo',
  'mobile',
  'gender',
  'state',
  'entryDate',
  'isTicketSeller',
] as const

const spell = { spell: { id: ['ID', 'StaffId', 'StaffID'] } } as const
const draft = draftOf(staff, ['fingers', 'tags'])

/** Lists that are taken whole: staff by 10,000, people of departments by 100,000 at a time (0§7). */
export const wholeSize = int('每页条数', { wire: 'PageSize', min: 1, max: 100_000 })

/**
 * The keyword is a part of a name, its pinyin or initials, a number or a phone. A department takes in those
 * under it.
 */
export const listStaff = call({
  at: 'GET NinternalStaff/Get',
  names: ['NinternalDepartment/GetDepartmentUser', 'NinternalStaff/GetDepartmentUser'],
  title: '查询员工',
  needs: everyone,
  input: search(staff, staffFilters, {
    departmentId: int('部门', { wire: ['Departmentid', 'DepartmentID'], min: 1 }),
    tag: text('标签', { max: 20, wire: 'Tag' }),
    ids: list('编号', { max: 2000, wire: 'Ids' }),
    size: wholeSize,
  }),
  output: pageOf(staff, spell),
})

export const ticketSellers = call({
  at: 'GET NinternalStaff/GetTicketSellStaff',
  title: '查询售票员',
  needs: everyone,
  input: shape({}),
  output: rowsOf({ ...staff.fields }, spell),
})

export const allStaff = call({
  at: 'GET oa/v1/NinternalStaf/GetAllInternalStaff',
  title: '全部在职员工',
  needs: everyone,
  input: shape({}),
  output: rowsOf({ ...staff.fields }, spell),
})

export const oneStaff = call({
  at: 'GET NinternalStaff/GetOne',
  names: ['oa/v1/NinternalStaf/GetOneStaff'],
  title: '查看员工',
  needs: everyone,
  input: byId,
  output: oneOf(staff, spell),
})

export const addStaff = call({
  at: 'POST NinternalStaff/post',
  title: '新增员工',
  needs: menu.staff.may.add,
  input: draft,
  output: oneOf(staff, spell),
  affects: ['staff', 'department'],
})

export const editStaff = call({
  at: 'PUT NinternalStaff/Put',
  title: '编辑员工',
  needs: menu.staff.may.edit,
  input: draft,
  output: oneOf(staff, spell),
  affects: ['staff', 'department'],
})

export const deleteStaff = call({
  at: 'DELETE NinternalStaff/Delete',
  title: '删除员工',
  needs: menu.staff.may.del,
  input: byIdsWhy,
  output: nothing,
  affects: ['staff', 'department'],
})

const ids = list('员工', { required: true, wire: ['Ids', 'ID', 'StaffId'], max: 2000 })

export const updateHead = call({
  at: 'POST NinternalStaff/UpdateHead',
  title: '更换员工头像',
  needs: menu.staff.may.edit,
  input: shape({
    id: int('编号', { required: true, min: 1, wire: ['ID', 'StaffId'] }),
    head: file('头像', { wire: 'HeadUrl' }),
  }),
  output: oneOf(staff, spell),
  affects: ['staff'],
})

export const moveStaff = call({
  at: 'POST NinternalStaff/UpdateDepartment',
  title: '调整员工部门',
  needs: menu.staff.may.edit,
  input: shape({
    ids,
    departmentId: ref('部门', 'department', { required: true, wire: ['Departmentid', 'DepartmentID'] }),
  }),
  output: nothing,
  affects: ['staff', 'department'],
})

/** They leave: no picker offers them any more, no department is led by them. Their records stay. */
export const leaveStaff = call({
  at: 'PUT NinternalStaff/PutLeave',
  title: '员工离职',
  needs: menu.staff.may.edit,
  affects: ['staff', 'department'],
  input: shape({
    ids,
    leaveDate: day('离职日期', { required: true }),
    reason: text('原因', { required: true, min: 2, max: 200, wire: 'Reason' }),
  }),
  output: nothing,
})

const tagged = shape({
  ids,
  tags: { ...list('标签', { required: true, max: 20, wire: ['Tags', 'TagName'] }), to: 'staffTag' },
})

export const addTags = call({
  at: 'POST NinternalStaff/AddTag',
  title: '给员工加标签',
  needs: menu.staff.may.edit,
  input: tagged,
  output: nothing,
  affects: ['staff'],
})

export const dropTags = call({
  at: 'DELETE NinternalStaff/DeleteTag',
  title: '去掉员工标签',
  needs: menu.staff.may.edit,
  input: tagged,
  output: nothing,
  affects: ['staff'],
})

const f = staff.fields

const line = {
  name: f.name,
  ...loosely({
    staffNo: f.staffNo,
    mobile: f.mobile,
    gender: f.gender,
    departmentId: f.departmentId,
    position: f.position,
    entryDate: f.entryDate,
    certNo: f.certNo,
    isTicketSeller: f.isTicketSeller,
    state: f.state,
    remark: f.remark,
  }),
}

export type StaffLine = ValueOf<typeof line>

const silent = Object.fromEntries(
  Object.entries(line).map(([k, x]) => [k, { ...x, initial: undefined, notIn: undefined }]),
) as unknown as typeof line

const order = [
  'name',
  'staffNo',
  'mobile',
  'gender',
  'departmentId',
  'position',
  'entryDate',
  'certNo',
  'isTicketSeller',
  'state',
  'remark',
] as const

export const staffSheet = sheetOf<StaffLine>(
  '员工',
  { fields: silent },
  { keys: order, unique: ['name', 'mobile', 'staffNo'] },
)

export const staffColumns = sheetColumns(
  f,
  order.map(k => (k === 'departmentId' ? 'departmentName' : k)),
)

export const importStaff = imports({
  at: 'POST NinternalStaff/PostImport',
  title: '导入员工',
  needs: menu.staff.may.import,
  affects: ['staff', 'department'],
})

export const exportStaff = exports({
  at: 'GET NinternalStaff/GetExport',
  title: '导出员工',
  needs: menu.staff.may.export,
  of: listStaff,
})
