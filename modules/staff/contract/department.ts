import { call, everyone } from '#kit/contract/call.ts'
import { crud, idsFilter } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  flag,
  idOf,
  int,
  lines,
  ref,
  text,
  lookup,
  type Fields,
  type Id,
  type ValueOf,
} from '#kit/contract/field.ts'
import { listOfRows, shape, type Shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { largePageSize } from './staff.ts'
import { staffState } from './labels.ts'

/**
 * A node of the company's tree. The specification spells its name and its children two ways; both are
 * written.
 */
export const department = entity(
  'department',
  '部门',
  { table: 'department', tenancy: 'company', title: 'name', order: ['sort', 'name'] },
  {
    name: text('部门名称', {
      required: true,
      max: 40,
      wire: ['Departmentname', 'DepartMentName'],
      searchable: true,
    }),
    parentId: ref('上级部门', 'department', { wire: 'ParentID', help: '不填为最上级' }),
    parentName: lookup('上级部门', 'parentId', 'name', { wire: 'ParentName' }),
    leaderId: ref('负责人', 'staff', { wire: 'LeaderID', hiddenIn: ['filter'] }),
    leaderName: lookup('负责人', 'leaderId', 'name', { wire: 'LeaderName' }),
    sort: int('排序', { min: 0, max: 999999, initial: 0, hiddenIn: ['filter'] }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
  },
)

export type Department = Row<typeof department>

/** A leaf: somebody of the department. */
const staffLeafFields = {
  staffId: idOf('员工', { required: true, wire: ['StaffId', 'StaffID'] }),
  staffName: text('姓名', { required: true, wire: 'StaffName' }),
  position: text('岗位'),
  headUrl: text('头像', { wire: 'HeadUrl' }),
  state: choice('状态', staffState, { required: true }),
  managerId: idOf('登录账号', { wire: 'ManagerID' }),
  search: text('拼音', { wire: 'Pinyin' }),
}

export type StaffLeaf = ValueOf<typeof staffLeafFields>

export interface DepartmentNode {
  readonly id: Id
  readonly name: string
  readonly parentId?: Id
  readonly sort?: number
  readonly count: number
  readonly staffs: readonly StaffLeaf[]
  readonly children: readonly DepartmentNode[]
}

/** Eight levels deep at most, as deep as the wire carries. */
const treeNodeFields: Fields = {
  id: idOf('编号', { required: true, wire: ['ID', 'Id'] }),
  name: department.fields.name,
  parentId: idOf('上级', { wire: 'ParentID' }),
  sort: int('排序'),
  /** People of the department and of all under it. */
  count: int('人数', { required: true, wire: 'StaffCount' }),
  staffs: lines('员工', staffLeafFields, { required: true, wire: 'Staffs' }),
  children: lines('下级', (): Fields => treeNodeFields, { required: true, wire: ['Children', 'Child'] }),
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- refers to itself
const treeOutput = { ...listOfRows(treeNodeFields), entity: 'department' } as Shape<readonly DepartmentNode[]>

const treeInput = shape({
  keyword: text('关键字', { max: 40, wire: 'KeyWord' }),
  withLeft: flag('含离职', { wire: 'WithLeft' }),
})

/** Departments as a tree; people are leaves only in the second. */
export const getDepartmentTree = call({
  route: 'GET NinternalDepartment/GetNodeList',
  aliases: ['NinternalDepartment/getDepartmentNodeList'],
  title: '部门树',
  needs: everyone,
  input: treeInput,
  output: treeOutput,
})

export const getStaffTree = call({
  route: 'GET oa/v1/Department/GetStaffNodeList',
  title: '部门员工树',
  needs: everyone,
  input: treeInput,
  output: treeOutput,
})

export const departments = crud(department, {
  path: 'NinternalDepartment',
  permissions: menu.department.permissions,
  operations: ['list', 'add', 'edit', 'delete'],
  filters: ['name', 'parentId'],
  search: { ids: idsFilter, size: largePageSize },
  list: {
    route: 'GET NinternalDepartment/Getdatas',
    aliases: ['NinternalDepartment/Get'],
    needs: everyone,
  },
  add: { route: 'POST NinternalDepartment/post' },
  edit: { route: 'PUT NinternalDepartment/put', affects: ['staff'] },
})
