import { entity, type Row } from '#kit/contract/entity.ts'
import { flag, int, list, text } from '#kit/contract/field.ts'

/** A role is a set of rights by their keys (`rooms.room.edit`); the modules declare them, so a new module appears by itself. */
export const role = entity('role', '角色', { table: 'role', reach: 'company', key: 'roleName', title: 'roleName', order: ['-builtIn', 'roleName'] }, {
  roleName: text('角色名', { required: true, max: 40, sought: true }),
  roleDesc: text('说明', { max: 200, sought: true }),
  builtIn: flag('内置', { required: true, initial: false, wire: 'IsSystem', fixed: true, notIn: ['form'] }),
  everything: flag('全部权限', { required: true, initial: false, wire: 'Everything', fixed: true, notIn: ['form'], help: '包括以后新增的功能' }),
  permissions: list('权限', { max: 5000, wire: 'Permissions', notIn: ['table', 'filter', 'sheet'] }),
  userCount: int('人数', { derived: true, notIn: ['form', 'filter'] }),
})
export type Role = Row<typeof role>
