import { menus, nameplate } from '#kit/contract/module.ts'

export const menu = menus('staff', {
  department: { label: '部门' },
  staff: { label: '员工', buttons: { import: '导入', export: '导出' } },
})

export const plate = nameplate({ name: 'staff', label: '部门与员工', menus: menu, screens: [] })
