import { crudScreens } from '#kit/contract/crud-screens.ts'
import { menus, defineModule, publicScreen } from '#kit/contract/module.ts'

export const menu = menus('access', {
  doorway: {
    label: '门禁管理',
    buttons: {
      device: '绑定设备',
      param: '设备参数',
      reach: '查看通行权限',
      open: '远程开门',
    },
  },
  group: { label: '门组' },
  publicTime: { label: '常开时段' },
  vip: { label: 'VIP 门' },
  passage: { label: '通行记录', buttons: { exportRecords: '导出通行记录', alarm: '处理门禁报警' } },
  intercom: { label: '可视对讲' },
  passCode: { label: '通行码', buttons: { link: '通行链接' } },
  sync: { label: '凭证下发', buttons: { resend: '重新下发' } },
})

const visitors = '/doorvisitors'
const system = '/menjinSystem'
const equipment = '/intelligence/specialEquipment'

export const paths = {
  home: visitors,
  doorways: `${visitors}/doorway`,
  devices: `${visitors}/Menjin`,
  passages: `${visitors}/accessrecord`,
  alarms: `${visitors}/dooralarm`,
  system,
  /** Groups, free times and doors of single people. */
  setup: `${system}/doorwayset`,
  /** The same devices beside the other special equipment, and what each is set to. */
  equipment: `${equipment}/menjindev`,
  parameters: `${equipment}/menjindev/menjinSet`,
  /** What one person opens with a telephone, by the link of a home or a job (`?t=`); outside the shell. */
  own: '/pass/own',
  /** The same for one of the staff, signed in. */
  ownStaff: '/pass/staff',
} as const

const special = '/intelligence/specialEquipment'

export const intercomScreens = crudScreens(menu.intercom, {
  path: `${special}/visibleintertalk`,
  title: '可视对讲',
  noun: '可视对讲设备',
  section: 'device',
  group: '门禁',
  add: 'AddEquipment',
  edit: 'EditEquipment',
  detail: 'LookEquipment',
  detailTitle: '查看可视对讲设备',
  addsToProject: true,
})

/** How one passes a door. */
export const processPath = '/accessprocess'

/** Locks among the devices of doors. */
export const locksPath = `${special}/lockmanagement`

const inGroup = { section: 'site', group: '门禁', allProjects: true } as const
const { doorway, group } = menu

export const manifest = defineModule({
  name: 'access',
  label: '门禁',
  menus: menu,
  screens: [
    { path: paths.home, title: '门禁访客', needs: doorway.permissions.view, redirectTo: paths.doorways },
    { path: paths.doorways, title: '门禁管理', needs: doorway.permissions.view, ...inGroup },
    { path: paths.devices, title: '门禁设备', needs: doorway.permissions.view, ...inGroup },
    {
      path: paths.passages,
      title: '通行记录',
      needs: menu.passage.permissions.view,
      keywords: ['开门记录', '实时通行', '通行统计'],
      ...inGroup,
    },
    { path: paths.alarms, title: '门禁报警', needs: menu.passage.permissions.view, ...inGroup },
    { path: paths.system, title: '门禁系统', needs: group.permissions.view, redirectTo: paths.setup },
    {
      path: paths.setup,
      title: '门禁设置',
      needs: group.permissions.view,
      keywords: ['门组', '常开时段', 'VIP 门', '通行码'],
      ...inGroup,
    },
    {
      path: paths.equipment,
      title: '门禁设备',
      needs: doorway.permissions.view,
      section: 'device',
      allProjects: true,
    },
    { path: paths.parameters, title: '门禁设备设置', needs: doorway.permissions.param, allProjects: true },
    { path: processPath, title: '通行流程', needs: doorway.permissions.reach, ...inGroup },
    { path: paths.own, title: '手机开门', ...publicScreen },
    { path: paths.ownStaff, title: '我的通行', needs: undefined, standalone: true },
    ...intercomScreens.screens,
    {
      path: locksPath,
      title: '门锁管理',
      needs: doorway.permissions.view,
      section: 'device',
      group: '门禁',
      allProjects: true,
    },
  ],
})
