import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('deposits', {
  deposit: {
    label: '押金',
    sensitive: true,
    buttons: { receive: '收取', deduct: '扣款', refund: '退还', convert: '转收入或预存', export: '导出' },
  },
})

export const manifest = defineModule({
  name: 'deposits',
  label: '押金',
  menus: menu,
  screens: [
    {
      path: '/finance/chargemanage/deposits',
      title: '押金管理',
      needs: menu.deposit.permissions.view,
      section: 'fee',
      group: '收款',
      allProjects: true,
    },
  ],
})
