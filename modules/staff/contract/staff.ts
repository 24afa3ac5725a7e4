import { call, everyone, type Call } from '#kit/contract/call.ts'
import { crud, idsFilter, pickerOf } from '#kit/contract/crud.ts'
import { crudExport, crudImport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  day,
  file,
  flag,
  idOf,
  int,
  list,
  lines,
  ref,
  text,
  lookup,
  pickFields,
  type Fields,
} from '#kit/contract/field.ts'
import { allowMasked, rules } from '#kit/contract/rules.ts'
import { bulkResult, listOfRows, recordOf, shape, reasonField } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { finger, staffGender, staffState } from './labels.ts'

/** Somebody who works for the company, with or without an account. */
export const staff = entity(
  'staff',
  '员工',
  { table: 'staff', tenancy: 'company', title: 'name', order: ['name'] },
  {
    name: text('姓名', {
      required: true,
      max: 40,
      wire: ['StaffName', 'Name'],
      searchable: true,
      synonyms: ['员工姓名', '名字'],
    }),
    staffNo: text('工号', { max: 20, rule: rules.lettersDigits, searchable: true, wire: 'StaffNo' }),
    mobile: text('手机', {
      max: 20,
      rule: allowMasked(rules.mobile),
      masked: 'mobile',
      searchable: true,
      synonyms: ['手机号', '电话', '联系电话'],
    }),
    gender: choice('性别', staffGender, { initial: 'unknown' }),
    departmentId: ref('部门', 'department', {
      wire: ['Departmentid', 'DepartmentID'],
      synonyms: ['所属部门', '部门名称'],
    }),
    departmentName: lookup('部门', 'departmentId', 'name', { wire: ['Departmentname', 'DepartMentName'] }),
    position: text('岗位', { max: 40, synonyms: ['职位'] }),
    entryDate: day('入职日期'),
    leaveDate: day('离职日期', { hiddenIn: ['table'] }),
    certNo: text('身份证', {
      max: 30,
      rule: allowMasked(rules.idCard),
      masked: 'idCard',
      hiddenIn: ['table', 'filter'],
    }),
    head: file('头像', { wire: 'HeadUrl', hiddenIn: ['table', 'filter', 'sheet'] }),
    /** Which fingers are enrolled; their templates leave the server by no call. */
    fingers: {
      ...lines('指纹', {
        fingerNo: choice('手指', finger, { required: true, wire: 'FingerNo' }),
        deviceSn: text('采集设备', { max: 60, wire: 'deviceSn' }),
      }),
      wire: 'FingerJson',
      derived: true,
      hiddenIn: ['table', 'form', 'filter', 'sheet'],
    },
    tags: { ...list('标签', { max: 20, immutable: true, hiddenIn: ['form', 'sheet'] }), target: 'staffTag' },
    isTicketSeller: flag('售票员', { required: true, initial: false, hiddenIn: ['table'] }),
    managerId: ref('登录账号', 'manager', { wire: 'ManagerID', hiddenIn: ['table', 'filter', 'sheet'] }),
    state: choice('状态', staffState, { required: true, initial: 'active' }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
  },
)

export type Staff = Row<typeof staff>

const wireSpelling = { wireNames: { id: ['ID', 'StaffId', 'StaffID'] } } as const

/** Lists that are taken whole: staff by 10,000, people of departments by 100,000 at a time (0§7). */
export const largePageSize = int('每页条数', { wire: 'PageSize', min: 1, max: 100_000 })

const searchFields = {
  departmentId: idOf('部门', { wire: ['Departmentid', 'DepartmentID'], min: 1 }),
  tag: text('标签', { max: 20, wire: 'Tag' }),
  /** Without those who have left. */
  employed: flag('在职', { wire: 'Employed' }),
  ids: idsFilter,
}

/**
 * The keyword is a part of a name, its pinyin or initials, a number or a phone. A department takes in those
 * under it.
 */
export const staffs = crud(staff, {
  path: 'NinternalStaff',
  permissions: menu.staff.permissions,
  filters: ['name', 'staffNo', 'mobile', 'gender', 'state', 'entryDate', 'isTicketSeller'],
  search: {
    ...searchFields,
    size: largePageSize,
  },
  without: ['tags'],
  ...wireSpelling,
  affects: ['department'],
  list: { aliases: ['NinternalDepartment/GetDepartmentUser', 'NinternalStaff/GetDepartmentUser'] },
  get: { aliases: ['oa/v1/NinternalStaf/GetOneStaff'] },
  add: { route: 'POST NinternalStaff/post' },
})

/** What pickers see of a colleague: no phone, no document, no fingerprint. */
const pickedKeys = [
  'id',
  'name',
  'staffNo',
  'departmentId',
  'departmentName',
  'position',
  'head',
  'managerId',
  'isTicketSeller',
  'state',
] as const

export const pickStaff = pickerOf(staff, {
  route: 'GET NinternalStaff/GetPick',
  title: '选择员工',
  fields: pickedKeys,
  search: searchFields,
  ...wireSpelling,
})

/** A list of colleagues, whole. */
const colleagues = (route: `GET ${string}`, title: string) =>
  call({
    route,
    title,
    needs: everyone,
    input: shape({}),
    output: listOfRows(pickFields(staff.fields, pickedKeys), { entity: 'staff', ...wireSpelling }),
  })

export const listTicketSellers = colleagues('GET NinternalStaff/GetTicketSellStaff', '查询售票员')
export const listAllStaff = colleagues('GET oa/v1/NinternalStaf/GetAllInternalStaff', '全部在职员工')

const staffIdsField = list('员工', { required: true, wire: ['Ids', 'ID', 'StaffId'], max: 2000 })

export const updateStaffAvatar = call({
  route: 'POST NinternalStaff/UpdateHead',
  title: '更换员工头像',
  needs: menu.staff.permissions.edit,
  input: shape({
    id: idOf('编号', { required: true, min: 1, wire: ['ID', 'StaffId'] }),
    head: file('头像', { wire: 'HeadUrl' }),
  }),
  output: recordOf(staff, wireSpelling),
  affects: ['staff'],
})

/** What is done to several people at once; each is answered for (G-11). */
const actOnStaff = <const X extends Fields>(
  route: Call['route'],
  title: string,
  input: X,
  affects: readonly string[] = ['staff'],
) =>
  call({
    route,
    title,
    needs: menu.staff.permissions.edit,
    input: shape({ ids: staffIdsField, ...input }),
    output: bulkResult,
    affects,
  })

export const moveStaff = actOnStaff(
  'POST NinternalStaff/UpdateDepartment',
  '调整员工部门',
  { departmentId: ref('部门', 'department', { required: true, wire: ['Departmentid', 'DepartmentID'] }) },
  ['staff', 'department'],
)

/** They leave: no picker offers them any more, no department is led by them. Their records stay. */
export const resignStaff = call({
  route: 'PUT NinternalStaff/PutLeave',
  title: '员工离职',
  needs: menu.staff.permissions.edit,
  input: shape({
    ids: staffIdsField,
    leaveDate: day('离职日期', { required: true }),
    reason: reasonField,
  }),
  output: bulkResult,
  affects: ['staff', 'department'],
})

const tags = { ...list('标签', { required: true, max: 20, wire: ['Tags', 'TagName'] }), target: 'staffTag' }

export const tagStaff = actOnStaff('POST NinternalStaff/AddTag', '为员工添加标签', { tags })
export const untagStaff = actOnStaff('DELETE NinternalStaff/DeleteTag', '移除员工标签', { tags })

export const importStaff = crudImport(staffs, {
  needs: menu.staff.permissions.import,
  unique: ['name', 'mobile', 'staffNo'],
  affects: ['staff', 'department'],
})

export const exportStaff = crudExport(staffs, { needs: menu.staff.permissions.export })
