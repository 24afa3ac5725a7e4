import { menus, nameplate } from '#kit/contract/module.ts'

export const menu = menus('invoices', {
  invoice: { label: '发票', grave: true, buttons: { open: '开票', red: '红冲', cancel: '作废', export: '导出' } },
  setting: { label: '发票设置', grave: true },
})

export const plate = nameplate({ name: 'invoices', label: '发票', menus: menu, screens: [] })
