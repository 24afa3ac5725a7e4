import { menus, nameplate } from '#kit/contract/module.ts'

export const menu = menus('fees', {
  item: { label: '收费项目' },
  formula: { label: '收费公式' },
  standard: { label: '收费标准', grave: true, buttons: { price: '调价', copy: '复制到项目' } },
  relation: { label: '收费关联', buttons: { batch: '批量绑定', stop: '停收与恢复', import: '导入', export: '导出' } },
  pool: { label: '公摊' },
})

export const plate = nameplate({ name: 'fees', label: '收费定义', menus: menu, screens: [] })
