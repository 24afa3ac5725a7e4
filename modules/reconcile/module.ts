import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('reconcile', {
  reconcile: {
    label: '渠道对账',
    sensitive: true,
    buttons: { pull: '获取渠道账单', import: '导入账单', handle: '处理差异', export: '导出' },
  },
})

export const manifest = defineModule({
  name: 'reconcile',
  label: '渠道对账',
  menus: menu,
  screens: [
    {
      path: '/finance/chargemanage/reconcile',
      title: '渠道对账',
      needs: menu.reconcile.permissions.view,
      section: 'fee',
      group: '对账',
      allProjects: true,
    },
    {
      path: '/finance/chargemanage/reconcile/items',
      title: '对账差异',
      needs: menu.reconcile.permissions.view,
      section: 'fee',
      group: '对账',
      allProjects: true,
    },
    {
      path: '/finance/chargemanage/reconcile/day/:id',
      title: '对账详情',
      needs: menu.reconcile.permissions.view,
      allProjects: true,
    },
  ],
})
