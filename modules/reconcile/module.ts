import { menus, defineModule } from '#kit/contract/module.ts'

/** The addresses of the module's screens. */
export const paths = {
  channelBills: '/finance/chargemanage/reconcile',
  reconcileItems: '/finance/chargemanage/reconcile/items',
  channelBillDay: '/finance/chargemanage/reconcile/day/:id',
} as const

/** The address of a day's reconciliation. */
export const reconcileDayPath = (id: number): string => paths.channelBillDay.replace(':id', String(id))

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
      path: paths.channelBills,
      title: '渠道对账',
      needs: menu.reconcile.permissions.view,
      section: 'fee',
      group: '对账',
      allProjects: true,
    },
    {
      path: paths.reconcileItems,
      title: '对账差异',
      needs: menu.reconcile.permissions.view,
      section: 'fee',
      group: '对账',
      allProjects: true,
    },
    {
      path: paths.channelBillDay,
      title: '对账详情',
      needs: menu.reconcile.permissions.view,
      allProjects: true,
    },
  ],
})
