import { crudScreens } from '#kit/contract/crud-screens.ts'
import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('deposits', {
  deposit: {
    label: '押金',
    sensitive: true,
    buttons: { receive: '收取', deduct: '扣款', refund: '退还', convert: '转收入或预存', export: '导出' },
  },
})

export const depositScreens = crudScreens(menu.deposit, {
  path: '/finance/chargemanage/deposits',
  title: '押金管理',
  noun: '押金',
  section: 'fee',
  group: '押金',
})

export const manifest = defineModule({
  name: 'deposits',
  label: '押金',
  menus: menu,
  screens: depositScreens.screens,
})
