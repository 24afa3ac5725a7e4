import { menus, defineModule, publicScreen } from '#kit/contract/module.ts'

export const menu = menus('work-orders', {
  order: {
    label: '工单',
    buttons: {
      audit: '审核',
      dispatch: '派单',
      handle: '接单处理',
      check: '验收',
      close: '关闭',
      supervise: '督办',
      follow: '跟进催办',
      export: '导出',
    },
  },
  charge: {
    label: '工单费用',
    sensitive: true,
    buttons: { cost: '修改费用', pay: '发起收款', waive: '减免', refund: '退款', export: '导出' },
  },
  material: { label: '工单物料', buttons: { export: '导出' } },
  evaluation: { label: '工单评价', buttons: { visit: '回访' } },
  type: { label: '工单类型' },
  person: { label: '接单人配置' },
  setting: { label: '工单设置' },
  notify: { label: '工单通知人' },
  statistics: { label: '工单统计' },
})

/** Where the screens of the module stand; a screen joins the manifest once it is built. */
export const paths = {
  quality: '/quality',
  home: '/quality/indexController',
  management: '/quality/workOrderManagement',
  setting: '/quality/workOrderManagement/setting',
  record: '/quality/workOrderManagement/record',
  check: '/quality/workOrderManagement/check',
  dispatch: '/quality/workOrderManagement/dispatch',
  register: '/quality/workOrderManagement/register',
  finance: '/quality/workOrderManagement/finance',
  material: '/quality/workOrderManagement/material',
  own: '/quality/workOrderManagement/mine',
  serviceManage: '/quality/serviceManage',
  customerService: '/quality/serviceManage/customerservice',
  addOrder: '/quality/serviceManage/customerservice/addorder',
  detail: '/repairdetail',
  /** The resident's page, by the token of a place or of an order (`?t=`); outside the shell. */
  resident: '/repair',
} as const

const { permissions } = menu.order
const inOrders = { section: 'service', group: '工单', allProjects: true } as const

const { view: viewStatistics } = menu.statistics.permissions
const inQuality = { section: 'service', group: '品质', allProjects: true } as const

export const manifest = defineModule({
  name: 'work-orders',
  label: '工单',
  menus: menu,
  screens: [
    { path: paths.management, title: '工单管理', needs: permissions.view, redirectTo: paths.record },
    { path: paths.record, title: '工单记录', needs: permissions.view, ...inOrders },
    { path: paths.dispatch, title: '工单派发', needs: permissions.dispatch, ...inOrders },
    { path: paths.register, title: '工单登记', needs: permissions.add, ...inOrders },
    { path: paths.check, title: '工单审核', needs: permissions.audit, ...inOrders },
    { path: paths.finance, title: '工单财务', needs: menu.charge.permissions.view, ...inOrders },
    { path: paths.material, title: '工单物料', needs: menu.material.permissions.view, ...inOrders },
    { path: paths.quality, title: '品质管理', needs: viewStatistics, redirectTo: paths.home },
    { path: paths.home, title: '品质首页', needs: viewStatistics, ...inQuality },
    { path: paths.setting, title: '工单设置', needs: menu.type.permissions.view, ...inQuality },
    {
      path: paths.serviceManage,
      title: '服务管理',
      needs: permissions.view,
      redirectTo: paths.customerService,
    },
    {
      path: paths.customerService,
      title: '客户服务',
      needs: permissions.view,
      section: 'service',
      group: '服务管理',
      allProjects: true,
    },
    {
      path: paths.addOrder,
      title: '新增工单',
      needs: permissions.add,
      section: 'service',
      allProjects: true,
    },
    { path: paths.detail, title: '报修详情', needs: permissions.view, section: 'service', allProjects: true },
    {
      path: paths.own,
      title: '我的工单',
      needs: menu.order.permissions.handle,
      section: 'service',
      group: '工单',
      standalone: true,
      offline: true,
    },
    { path: paths.resident, title: '报事', ...publicScreen },
  ],
})
