import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('purchases', {
  request: { label: '采购申请' },
  purchase: { label: '采购记录', sensitive: true, buttons: { decide: '审批', export: '导出' } },
  order: { label: '采购订单', sensitive: true, buttons: { export: '导出' } },
  receipt: { label: '收货记录', buttons: { reverse: '冲销', export: '导出' } },
  supplier: { label: '供应商', buttons: { export: '导出' } },
  setting: { label: '采购设置', sensitive: true },
})

const home = '/internal/purchase'

export const paths = {
  home,
  own: `${home}/own`,
  records: `${home}/purchaserecord`,
  detail: `${home}/purchaserecord/detail`,
  form: `${home}/purchaserecord/form`,
  print: `${home}/purchaserecord/print`,
  orders: `${home}/order`,
  orderPrint: `${home}/order/print`,
  receipts: `${home}/receipt`,
  suppliers: '/internal/AssetsManage/suppliers/list',
  settings: `${home}/procureSetting`,
  /** Own requests on the phone; outside the shell. */
  phone: `${home}/phone`,
} as const

const group = { section: 'internal', group: '采购', allProjects: true } as const

export const manifest = defineModule({
  name: 'purchases',
  label: '采购',
  menus: menu,
  screens: [
    { path: paths.home, title: '采购管理', needs: menu.purchase.permissions.view, redirectTo: paths.records },
    { path: paths.own, title: '我的采购', needs: menu.request.permissions.view, ...group },
    { path: paths.records, title: '采购记录', needs: menu.purchase.permissions.view, ...group },
    { path: paths.orders, title: '采购订单', needs: menu.order.permissions.view, ...group },
    { path: paths.receipts, title: '收货记录', needs: menu.receipt.permissions.view, ...group },
    { path: paths.suppliers, title: '供应商', needs: menu.supplier.permissions.view, ...group },
    { path: paths.settings, title: '采购设置', needs: menu.setting.permissions.view, ...group },
    { path: paths.form, title: '采购申请', needs: menu.request.permissions.add, allProjects: true },
    { path: paths.detail, title: '采购详情', needs: undefined, allProjects: true },
    { path: paths.print, title: '采购申请单', needs: undefined, standalone: true },
    { path: paths.orderPrint, title: '打印采购订单', needs: menu.order.permissions.view, standalone: true },
    { path: paths.phone, title: '手机采购', needs: menu.request.permissions.view, standalone: true },
  ],
})
