import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('access', {
  doorway: { label: '门禁管理', buttons: { device: '绑定设备', reach: '查看通行权限' } },
  group: { label: '门组' },
  publicTime: { label: '常开时段' },
  vip: { label: 'VIP 门' },
  sync: { label: '凭证下发', buttons: { resend: '重新下发' } },
})

const visitors = '/doorvisitors'
const system = '/menjinSystem'

export const paths = {
  home: visitors,
  doorways: `${visitors}/doorway`,
  devices: `${visitors}/Menjin`,
  system,
  /** Groups, free times and doors of single people. */
  setup: `${system}/doorwayset`,
} as const

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
    { path: paths.system, title: '门禁系统', needs: group.permissions.view, redirectTo: paths.setup },
    {
      path: paths.setup,
      title: '门禁设置',
      needs: group.permissions.view,
      keywords: ['门组', '常开时段', 'VIP 门'],
      ...inGroup,
    },
  ],
})
