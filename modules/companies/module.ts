import { menus, nameplate } from '#kit/contract/module.ts'

export const menu = menus('companies', {
  company: { label: '企业管理', buttons: { import: '导入', export: '导出', moveOut: '迁出' } },
  worker: { label: '企业员工', buttons: { admin: '设置管理员', audit: '审核' } },
})

export const plate = nameplate({ name: 'companies', label: '企业', menus: menu, screens: [] })
