import { menus, defineModule } from '#kit/contract/module.ts'

/** The addresses of the module's screens. */
export const paths = {
  baseSettings: '/finance/feebasesetting',
  waiting: '/finance/feebasesetting/invoicewaiting',
  list: '/finance/feebasesetting/invoiceList',
  detail: '/finance/feebasesetting/invoiceList/invoiceDetail',
  entries: '/finance/feebasesetting/invoiceListrecord',
  setting: '/finance/feebasesetting/invoicesetting',
} as const

export const menu = menus('invoices', {
  invoice: {
    label: '发票',
    sensitive: true,
    buttons: { open: '开票', red: '红冲', cancel: '作废', export: '导出' },
  },
  setting: { label: '发票设置', sensitive: true },
})

export const manifest = defineModule({
  name: 'invoices',
  label: '发票',
  menus: menu,
  screens: [
    {
      path: paths.baseSettings,
      title: '收费基础设置',
      needs: menu.invoice.permissions.view,
      redirectTo: paths.list,
    },
    {
      path: paths.waiting,
      title: '待开票',
      needs: menu.invoice.permissions.view,
      section: 'fee',
      group: '发票',
      allProjects: true,
    },
    {
      path: paths.list,
      title: '发票管理',
      needs: menu.invoice.permissions.view,
      section: 'fee',
      group: '发票',
      allProjects: true,
    },
    {
      path: paths.detail,
      title: '发票详情',
      needs: menu.invoice.permissions.view,
      allProjects: true,
    },
    {
      path: paths.entries,
      title: '开票记录',
      needs: menu.invoice.permissions.view,
      section: 'fee',
      group: '发票',
      allProjects: true,
    },
    {
      path: paths.setting,
      title: '发票设置',
      needs: menu.setting.permissions.view,
      section: 'fee',
      group: '发票',
      allProjects: true,
    },
  ],
})
