import { call, everyone } from '#kit/contract/call.ts'
import { flag, lines, list, nestedLines, text, type Fields } from '#kit/contract/field.ts'
import { noData, listOfRows } from '#kit/contract/shape.ts'

/** A button of a menu and whether it may be pressed. */
export const buttonFields = {
  code: text('编码', { required: true, wire: 'Code' }),
  name: text('名称', { required: true, wire: 'Name' }),
  allow: flag('允许', { required: true, wire: 'Allow' }),
}

export interface MenuNode {
  readonly menuCode: string
  readonly menuName: string
  readonly parentCode?: string
  readonly sensitive?: boolean
  readonly allowView: boolean
  readonly allowAdd: boolean
  readonly allowEdit: boolean
  readonly allowDel: boolean
  readonly buttonCodes?: readonly string[]
  readonly buttons?: readonly { readonly code: string; readonly name: string; readonly allow: boolean }[]
  readonly children?: readonly MenuNode[]
}

/** Modules, and below each its menus with the four flags ([S]) and the buttons of their own (PERM-2). */
export const menuFields = {
  menuCode: text('菜单', { required: true }),
  menuName: text('名称', { required: true }),
  parentCode: text('上级'),
  sensitive: flag('涉及资金或权限', { wire: 'Grave', help: '授予它的角色默认要求二次验证' }),
  allowView: flag('查看', { required: true, wire: 'Allowview' }),
  allowAdd: flag('新增', { required: true, wire: 'Allowadd' }),
  allowEdit: flag('编辑', { required: true, wire: 'Allowedit' }),
  allowDel: flag('删除', { required: true, wire: 'Allowdel' }),
  buttonCodes: list('按钮权限'),
  buttons: lines('按钮', buttonFields),
  children: nestedLines<MenuNode>('下级', (): Fields => menuFields),
}

/** What the caller may do; menus without any permission are left out. */
export const getMyMenus = call({
  route: 'GET Permission/GetByOperator',
  title: '当前账号的菜单权限',
  needs: everyone,
  duringSetup: true,
  input: noData,
  output: listOfRows(menuFields),
})
