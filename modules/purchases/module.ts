import { crudScreens } from '#kit/contract/crud-screens.ts'
import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('purchases', {
  request: { label: '采购申请' },
  purchase: { label: '采购记录', sensitive: true, buttons: { decide: '审批', export: '导出' } },
  order: { label: '采购订单', sensitive: true, buttons: { export: '导出' } },
  receipt: { label: '收货记录', sensitive: true, buttons: { reverse: '冲销', export: '导出' } },
  supplier: { label: '供应商', buttons: { export: '导出' } },
  setting: { label: '采购设置', sensitive: true },
})

const home = '/internal/purchase'

export const supplierScreens = crudScreens(menu.supplier, {
  path: '/internal/AssetsManage/suppliers/list',
  title: '供应商',
  noun: '供应商',
  section: 'internal',
  group: '采购',
})

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
  settings: `${home}/procureSetting`,
  /** Own requests on the telephone; outside the shell. */
  phone: `${home}/phone`,
} as const

const { request, purchase, order, receipt, setting } = menu

const group = { section: 'internal', group: '采购', allProjects: true } as const

export const manifest = defineModule({
  name: 'purchases',
  label: '采购',
  menus: menu,
  screens: [
    { path: paths.home, title: '采购管理', needs: purchase.permissions.view, redirectTo: paths.records },
    { path: paths.own, title: '我的采购', needs: request.permissions.view, ...group },
    { path: paths.records, title: '采购记录', needs: purchase.permissions.view, ...group },
    { path: paths.orders, title: '采购订单', needs: order.permissions.view, ...group },
    { path: paths.receipts, title: '收货记录', needs: receipt.permissions.view, ...group },
    ...supplierScreens.screens,
    { path: paths.settings, title: '采购设置', needs: setting.permissions.view, ...group },
    { path: paths.form, title: '采购申请', needs: request.permissions.add, allProjects: true },
    { path: paths.detail, title: '采购详情', needs: undefined, allProjects: true },
    { path: paths.print, title: '采购申请单', needs: undefined, standalone: true },
    { path: paths.orderPrint, title: '采购订单打印', needs: order.permissions.view, standalone: true },
    { path: paths.phone, title: '手机采购', needs: request.permissions.view, standalone: true },
  ],
})
