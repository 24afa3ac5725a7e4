import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { flag, int, list, text } from '#kit/contract/field.ts'
import {
  blob,
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
import { menu } from '../module.ts'
import { menuFields } from './permission.ts'

/**
 * A role is a set of rights by their keys (`rooms.room.edit`); the modules declare them, so a new module
 * appears by itself.
 */
export const role = entity(
  'role',
  '角色',
  { table: 'role', reach: 'company', key: 'roleName', title: 'roleName', order: ['-builtIn', 'roleName'] },
  {
    roleName: text('角色名', { required: true, max: 40, sought: true }),
    roleDesc: text('说明', { max: 200, sought: true }),
    builtIn: flag('内置', { required: true, initial: false, wire: 'IsSystem', fixed: true, notIn: ['form'] }),
    everything: flag('全部权限', {
      required: true,
      initial: false,
      wire: 'Everything',
      fixed: true,
      notIn: ['form'],
      help: '包括以后新增的功能',
    }),
    needTotp: flag('要求二次验证', {
      required: true,
      initial: false,
      wire: 'NeedTotp',
      help: '拥有此角色的人登录时必须绑定动态验证码；涉及资金或权限的角色建议开启',
    }),
    permissions: list('权限', { max: 5000, wire: 'Permissions', notIn: ['table', 'filter', 'sheet'] }),
    userCount: int('人数', { derived: true, notIn: ['form', 'filter'] }),
  },
)

export type Role = Row<typeof role>

export const listRoles = call({
  at: 'GET Role/Get',
  names: ['Role/GetPagedList'],
  title: '查询角色',
  needs: menu.role.may.view,
  input: search(role, ['roleName']),
  output: pageOf(role),
})

export const oneRole = call({
  at: 'GET Role/GetOne',
  title: '查看角色',
  needs: menu.role.may.view,
  input: byId,
  output: oneOf(role),
})

/**
 * Every menu with what the roles together allow; without roles nothing is allowed: the form a new role is
 * ticked in.
 */
export const roleTree = call({
  at: 'GET Role/GetMenuTree',
  title: '角色的菜单权限',
  needs: menu.role.may.view,
  input: shape({ ids: list('角色', { max: 50, wire: ['Ids', 'ID'] }) }),
  output: rowsOf(menuFields),
})

export const addRole = call({
  at: 'POST Role/Post',
  title: '新增角色',
  needs: menu.role.may.add,
  input: draftOf(role, ['builtIn', 'everything']),
  output: oneOf(role),
  affects: ['role'],
})

export const editRole = call({
  at: 'PUT Role/Put',
  title: '编辑角色',
  needs: menu.role.may.edit,
  input: draftOf(role, ['builtIn', 'everything']),
  output: oneOf(role),
  affects: ['role', 'manager'],
})

export const deleteRoles = call({
  at: 'DELETE Role/Delete',
  title: '删除角色',
  needs: menu.role.may.del,
  input: byIdsWhy,
  output: nothing,
  affects: ['role'],
})

/** Who may do what: a sheet of accounts against menus. */
export const rightsReport = call({
  at: 'GET Role/ExportReport',
  title: '导出权限报表',
  needs: menu.role.may.export,
  input: nothing,
  output: blob,
})

/** Roles by name, for pickers. */
export const pickRoles = call({
  at: 'GET Role/GetList',
  title: '选择角色',
  needs: everyone,
  input: nothing,
  output: rowsOf({
    id: role.fields.id,
    roleName: role.fields.roleName,
    roleDesc: role.fields.roleDesc,
    everything: role.fields.everything,
  }),
})
