import { menus, nameplate } from '#kit/contract/module.ts'

export const menu = menus('meters', {
  meter: { label: '仪表', buttons: { import: '导入', export: '导出', replace: '换表', standard: '设置收费标准', label: '打印二维码' } },
  plan: { label: '抄表计划' },
  reading: { label: '抄表', buttons: { import: '导入', export: '导出', confirm: '确认异常', clear: '清除月份', phone: '移动抄表' } },
})

export const plate = nameplate({ name: 'meters', label: '仪表与抄表', menus: menu, screens: [] })
