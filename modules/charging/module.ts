import { menus, defineModule, publicScreen } from '#kit/contract/module.ts'

export const menu = menus('charging', {
  hub: {
    label: '充电桩',
    buttons: { import: '导入', export: '导出', label: '打印二维码', key: '重置密钥', command: '远程控制' },
  },
  standard: { label: '充电收费标准' },
  order: { label: '充电订单', buttons: { stop: '停止充电', export: '导出' } },
  exception: { label: '充电异常', buttons: { handle: '处理', export: '导出' } },
})

const management = '/chargemanagement'
const hubs = '/intelligence/specialEquipment/Chargingpilemanagement'

export const paths = {
  home: management,
  orders: `${management}/recordofcharging`,
  orderDetail: `${management}/recordofcharging/details`,
  standards: `${management}/costsetting`,
  exceptions: `${management}/abnormalreporting`,
  exceptionDetail: `${management}/abnormalreporting/RecordOfChargingError`,
  hubs,
  hubDetail: `${hubs}/lookChargingPile`,
  /** The page of a port, by the QR code on the pile (`?t=`); outside the shell. */
  port: '/charge/port',
  /** The page of one order, for who has paid it (`?t=`); outside the shell. */
  progress: '/charge/order',
} as const

const inGroup = { section: 'device', group: '充电', allProjects: true } as const
const { hub, standard, order, exception } = menu

export const manifest = defineModule({
  name: 'charging',
  label: '充电',
  menus: menu,
  screens: [
    { path: paths.home, title: '充电管理', needs: order.permissions.view, redirectTo: paths.orders },
    {
      path: paths.hubs,
      title: '充电桩管理',
      needs: hub.permissions.view,
      keywords: ['充电端口', '充电桩二维码'],
      ...inGroup,
    },
    { path: paths.hubDetail, title: '查看充电桩', needs: hub.permissions.view, allProjects: true },
    {
      path: paths.orders,
      title: '充电记录',
      needs: order.permissions.view,
      keywords: ['充电订单'],
      ...inGroup,
    },
    { path: paths.orderDetail, title: '充电记录详情', needs: order.permissions.view, allProjects: true },
    {
      path: paths.standards,
      title: '费用设置',
      needs: standard.permissions.view,
      keywords: ['充电收费标准', '分时电价'],
      ...inGroup,
    },
    {
      path: paths.exceptions,
      title: '异常上报',
      needs: exception.permissions.view,
      keywords: ['充电异常'],
      ...inGroup,
    },
    {
      path: paths.exceptionDetail,
      title: '充电异常记录',
      needs: exception.permissions.view,
      allProjects: true,
    },
    { path: paths.port, title: '扫码充电', ...publicScreen },
    { path: paths.progress, title: '充电进度', ...publicScreen },
  ],
})
