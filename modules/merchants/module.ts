import { menus, nameplate } from '#kit/contract/module.ts'

export const menu = menus('merchants', {
  merchant: { label: '商家管理', buttons: { import: '导入', export: '导出' } },
  staff: { label: '商家员工' },
})

export const plate = nameplate({ name: 'merchants', label: '商家', menus: menu, screens: [] })
