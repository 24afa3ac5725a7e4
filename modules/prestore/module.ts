import { menus, defineModule } from '#kit/contract/module.ts'

/** The addresses of the module's screens. */
export const paths = {
  prestore: '/finance/reservemanagement',
  accounts: '/finance/reservemanagement/depositaccount',
  entries: '/finance/reservemanagement/preservedrecords',
  offsets: '/finance/reservemanagement/offsetrecord',
  transfers: '/finance/reservemanagement/transfers',
  summary: '/finance/reservemanagement/summary',
  setting: '/finance/reservemanagement/prestoresetting',
} as const

export const menu = menus('prestore', {
  account: {
    label: '预存账户',
    buttons: {
      topUp: '充值',
      refund: '退款',
      transfer: '转账',
      audit: '审核转账',
      deduct: '冲抵',
      freeze: '冻结',
      export: '导出',
    },
  },
  setting: { label: '预存设置' },
})

export const manifest = defineModule({
  name: 'prestore',
  label: '预存',
  menus: menu,
  screens: [
    {
      path: paths.prestore,
      title: '预存管理',
      needs: menu.account.permissions.view,
      redirectTo: paths.accounts,
    },
    {
      path: paths.accounts,
      title: '预存账户',
      needs: menu.account.permissions.view,
      section: 'fee',
      group: '预存',
      allProjects: true,
    },
    {
      path: paths.entries,
      title: '预存记录',
      needs: menu.account.permissions.view,
      section: 'fee',
      group: '预存',
      allProjects: true,
    },
    {
      path: paths.offsets,
      title: '冲抵记录',
      needs: menu.account.permissions.view,
      section: 'fee',
      group: '预存',
      allProjects: true,
    },
    {
      path: paths.transfers,
      title: '预存转账',
      needs: menu.account.permissions.view,
      section: 'fee',
      group: '预存',
      allProjects: true,
    },
    {
      path: paths.summary,
      title: '预存汇总',
      needs: menu.account.permissions.view,
      redirectTo: '/finance/reportCenter/financialManagement/summaryofreserves',
    },
    {
      path: paths.setting,
      title: '预存设置',
      needs: menu.setting.permissions.view,
      section: 'fee',
      group: '预存',
    },
  ],
})
