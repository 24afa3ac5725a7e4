import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { flag, int, list, text } from '#kit/contract/field.ts'
import {
  fileResponse,
  byId,
  byIdsWithReason,
  draftOf,
  noData,
  recordOf,
  pageOf,
  listOfRows,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { menuFields } from './permission.ts'

/**
 * A role is a set of permission keys (`rooms.room.edit`). The modules declare the permissions, so those of a
 * new module appear without a change here.
 */
export const role = entity(
  'role',
  '角色',
  { table: 'role', tenancy: 'company', key: 'roleName', title: 'roleName', order: ['-builtIn', 'roleName'] },
  {
    roleName: text('角色名', { required: true, max: 40, searchable: true }),
    roleDesc: text('说明', { max: 200, searchable: true }),
    builtIn: flag('内置', {
      required: true,
      initial: false,
      wire: 'IsSystem',
      immutable: true,
      hiddenIn: ['form'],
    }),
    everything: flag('全部权限', {
      required: true,
      initial: false,
      wire: 'Everything',
      immutable: true,
      hiddenIn: ['form'],
      help: '包括以后新增的功能',
    }),
    needTotp: flag('要求二次验证', {
      required: true,
      initial: false,
      wire: 'NeedTotp',
      help: '拥有此角色的人登录时必须绑定动态验证码；涉及资金或权限的角色建议开启',
    }),
    permissions: list('权限', { max: 5000, wire: 'Permissions', hiddenIn: ['table', 'filter', 'sheet'] }),
    userCount: int('人数', { derived: true, hiddenIn: ['form', 'filter'] }),
  },
)

export type Role = Row<typeof role>

export const listRoles = call({
  route: 'GET Role/Get',
  aliases: ['Role/GetPagedList'],
  title: '查询角色',
  needs: menu.role.permissions.view,
  input: search(role, ['roleName']),
  output: pageOf(role),
})

export const getRole = call({
  route: 'GET Role/GetOne',
  title: '查看角色',
  needs: menu.role.permissions.view,
  input: byId,
  output: recordOf(role),
})

/**
 * Every menu with what the roles allow together; without roles nothing is allowed, which is the empty form of
 * a new role.
 */
export const getRoleMenuTree = call({
  route: 'GET Role/GetMenuTree',
  title: '角色的菜单权限',
  needs: menu.role.permissions.view,
  input: shape({ ids: list('角色', { max: 50, wire: ['Ids', 'ID'] }) }),
  output: listOfRows(menuFields),
})

export const addRole = call({
  route: 'POST Role/Post',
  title: '新增角色',
  needs: menu.role.permissions.add,
  input: draftOf(role, ['builtIn', 'everything']),
  output: recordOf(role),
  affects: ['role'],
})

export const editRole = call({
  route: 'PUT Role/Put',
  title: '编辑角色',
  needs: menu.role.permissions.edit,
  input: draftOf(role, ['builtIn', 'everything']),
  output: recordOf(role),
  affects: ['role', 'manager'],
})

export const deleteRoles = call({
  route: 'DELETE Role/Delete',
  title: '删除角色',
  needs: menu.role.permissions.del,
  input: byIdsWithReason,
  output: noData,
  affects: ['role'],
})

/**
 * What a new role may begin as: the roles of jobs that the company does not have, and its own roles, each
 * with its permissions.
 */
export const listRoleTemplates = call({
  route: 'GET Role/GetTemplates',
  title: '角色模板',
  needs: menu.role.permissions.add,
  input: noData,
  output: listOfRows({
    name: role.fields.roleName,
    isPreset: flag('岗位模板', { required: true }),
    permissions: list('权限', { required: true }),
  }),
})

/** Adds the roles of jobs that the company does not have, by name; may be repeated. */
export const addJobRoles = call({
  route: 'POST Role/PostJobRoles',
  title: '添加岗位角色',
  needs: menu.role.permissions.add,
  input: noData,
  output: shape({ names: list('新增的角色', { required: true }) }),
  affects: ['role'],
})

/** Who may do what: a sheet of accounts against menus. */
export const exportPermissionReport = call({
  route: 'GET Role/ExportReport',
  title: '导出权限报表',
  needs: menu.role.permissions.export,
  input: noData,
  output: fileResponse,
})

/** Roles by name, for pickers. */
export const listRoleOptions = call({
  route: 'GET Role/GetList',
  title: '选择角色',
  needs: everyone,
  input: noData,
  output: listOfRows({
    id: role.fields.id,
    roleName: role.fields.roleName,
    roleDesc: role.fields.roleDesc,
    everything: role.fields.everything,
  }),
})
