import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('parking-booth', {
  booth: { label: '岗亭收费', sensitive: true, buttons: { open: '远程开闸' } },
  shift: {
    label: '停车交接班',
    sensitive: true,
    buttons: { duty: '当班与交班', confirm: '接班确认', export: '导出' },
  },
  flow: { label: '停车统计', buttons: { export: '导出' } },
})

const parking = '/parking'

export const paths = {
  booth: `${parking}/booth`,
  shifts: `${parking}/carshiftlist`,
  shiftDetail: `${parking}/carshiftlist/detail`,
  flow: `${parking}/statistics`,
} as const

const inGroup = { section: 'site', group: '停车运营' } as const

export const manifest = defineModule({
  name: 'parking-booth',
  label: '停车岗亭',
  menus: menu,
  screens: [
    {
      path: paths.booth,
      title: '岗亭收费',
      needs: menu.booth.permissions.view,
      keywords: ['车道', '远程开闸', '收停车费', '放行'],
      collapsedPanel: true,
      ...inGroup,
    },
    {
      path: paths.shifts,
      title: '停车交接班',
      needs: menu.shift.permissions.view,
      keywords: ['交班', '接班', '岗亭现金'],
      allProjects: true,
      ...inGroup,
    },
    {
      path: paths.shiftDetail,
      title: '交接班详情',
      needs: menu.shift.permissions.view,
      allProjects: true,
    },
    {
      path: paths.flow,
      title: '停车统计',
      needs: menu.flow.permissions.view,
      keywords: ['车流量', '周转次数', '停车收入'],
      allProjects: true,
      ...inGroup,
    },
  ],
})
