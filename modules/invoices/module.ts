import { menus, defineModule } from '#kit/contract/module.ts'

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
      path: '/finance/feebasesetting',
      title: '收费基础设置',
      needs: menu.invoice.permissions.view,
      redirectTo: '/finance/feebasesetting/invoiceList',
    },
    {
      path: '/finance/feebasesetting/invoicewaiting',
      title: '待开票',
      needs: menu.invoice.permissions.view,
      section: 'fee',
      group: '发票',
      allProjects: true,
    },
    {
      path: '/finance/feebasesetting/invoiceList',
      title: '发票管理',
      needs: menu.invoice.permissions.view,
      section: 'fee',
      group: '发票',
      allProjects: true,
    },
    {
      path: '/finance/feebasesetting/invoiceList/invoiceDetail',
      title: '发票详情',
      needs: menu.invoice.permissions.view,
      allProjects: true,
    },
    {
      path: '/finance/feebasesetting/invoiceListrecord',
      title: '开票记录',
      needs: menu.invoice.permissions.view,
      section: 'fee',
      group: '发票',
      allProjects: true,
    },
    {
      path: '/finance/feebasesetting/invoicesetting',
      title: '发票设置',
      needs: menu.setting.permissions.view,
      section: 'fee',
      group: '发票',
      allProjects: true,
    },
  ],
})
