import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  flag,
  int,
  lines,
  list,
  ref,
  text,
  through,
  type Fields,
  type ValueOf,
} from '#kit/contract/field.ts'
import {
  byIdsWhy,
  draftOf,
  nothing,
  oneOf,
  rowsOf,
  search,
  shape,
  pageOf,
  type Shape,
} from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { staffState } from './words.ts'

/**
 * A node of the company's tree. The specification spells its name and its children two ways; both are
 * written.
 */
export const department = entity(
  'department',
  '部门',
  { table: 'department', reach: 'company', title: 'name', order: ['sort', 'name'] },
  {
    name: text('部门名称', {
      required: true,
      max: 40,
      wire: ['Departmentname', 'DepartMentName'],
      sought: true,
    }),
    parentId: ref('上级部门', 'department', { wire: 'ParentID', help: '留空为最上级' }),
    parentName: through('上级部门', 'parentId', 'name', { wire: 'ParentName' }),
    leaderId: ref('负责人', 'staff', { wire: 'LeaderID', notIn: ['filter'] }),
    leaderName: through('负责人', 'leaderId', 'name', { wire: 'LeaderName' }),
    sort: int('排序', { min: 0, max: 999999, initial: 0, notIn: ['filter'] }),
    remark: text('备注', { max: 200, notIn: ['table', 'filter'] }),
  },
)

export type Department = Row<typeof department>

/** A leaf: somebody of the department. */
const leaf = {
  staffId: int('员工', { required: true, wire: ['StaffId', 'StaffID'] }),
  staffName: text('姓名', { required: true, wire: 'StaffName' }),
  position: text('岗位'),
  headUrl: text('头像', { wire: 'HeadUrl' }),
  state: choice('状态', staffState, { required: true }),
  managerId: int('登录账号', { wire: 'ManagerID' }),
  search: text('拼音', { wire: 'Pinyin' }),
}

export type StaffLeaf = ValueOf<typeof leaf>

interface Node {
  readonly id: number
  readonly name: string
  readonly parentId?: number
  readonly sort?: number
  readonly count: number
  readonly staffs: readonly StaffLeaf[]
  readonly children: readonly Node[]
}

export type DepartmentNode = Node

/** Eight levels deep at most, as deep as the wire carries. */
const node: Fields = {
  id: int('编号', { required: true, wire: ['ID', 'Id'] }),
  name: department.fields.name,
  parentId: int('上级', { wire: 'ParentID' }),
  sort: int('排序'),
  /** People of the department and of all under it. */
  count: int('人数', { required: true, wire: 'StaffCount' }),
  staffs: lines('员工', leaf, { required: true, wire: 'Staffs' }),
  children: lines('下级', (): Fields => node, { required: true, wire: ['Children', 'Child'] }),
}

const tree = { ...rowsOf(node), entity: 'department' } as Shape<readonly Node[]>

const ask = shape({
  keyword: text('关键字', { max: 40, wire: 'KeyWord' }),
  withLeft: flag('含离职', { wire: 'WithLeft' }),
})

/** Departments as a tree; people are leaves only in the second. */
export const departmentTree = call({
  at: 'GET NinternalDepartment/GetNodeList',
  names: ['NinternalDepartment/getDepartmentNodeList'],
  title: '部门树',
  needs: everyone,
  input: ask,
  output: tree,
})

export const staffTree = call({
  at: 'GET oa/v1/Department/GetStaffNodeList',
  names: ['Department/GetStaffNodeList'],
  title: '部门员工树',
  needs: everyone,
  input: ask,
  output: tree,
})

export const listDepartments = call({
  at: 'GET NinternalDepartment/Getdatas',
  names: ['NinternalDepartment/Get'],
  title: '查询部门',
  needs: everyone,
  input: search(department, ['name', 'parentId'], { ids: list('编号', { max: 2000, wire: 'Ids' }) }),
  output: pageOf(department),
})

export const addDepartment = call({
  at: 'POST NinternalDepartment/post',
  title: '新增部门',
  needs: menu.department.may.add,
  input: draftOf(department),
  output: oneOf(department),
  affects: ['department'],
})

export const editDepartment = call({
  at: 'PUT NinternalDepartment/put',
  title: '编辑部门',
  needs: menu.department.may.edit,
  input: draftOf(department),
  output: oneOf(department),
  affects: ['department', 'staff'],
})

export const deleteDepartments = call({
  at: 'DELETE NinternalDepartment/Delete',
  title: '删除部门',
  needs: menu.department.may.del,
  input: byIdsWhy,
  output: nothing,
  affects: ['department'],
})
