import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('room-inspection', {
  standard: { label: '验房标准', buttons: { export: '导出' } },
  item: { label: '查验项', buttons: { import: '导入', export: '导出' } },
  sheet: { label: '验房单', buttons: { inspect: '查验', export: '导出' } },
})

const home = '/quality/serviceManage/checkroom'

export const paths = {
  home,
  /** Rooms that have passed. */
  passed: `${home}/Already`,
  sheets: `${home}/Sheet`,
  standards: `${home}/Standand`,
  detail: `${home}/Sheet/detail`,
  print: `${home}/Sheet/print`,
  /** The inspector's page on the phone; outside the shell. */
  phone: `${home}/inspect`,
} as const

const group = { section: 'service', group: '验房管理', allProjects: true } as const
const sheetRight = menu.sheet.permissions.view

export const manifest = defineModule({
  name: 'room-inspection',
  label: '验房',
  menus: menu,
  screens: [
    { path: paths.home, title: '验房管理', needs: sheetRight, redirectTo: paths.sheets },
    { path: paths.sheets, title: '验房单', needs: sheetRight, ...group },
    { path: paths.passed, title: '已验房', needs: sheetRight, ...group },
    { path: paths.standards, title: '验房标准', needs: menu.standard.permissions.view, ...group },
    { path: paths.detail, title: '验房单详情', needs: sheetRight, allProjects: true },
    { path: paths.print, title: '验房记录表', needs: sheetRight, standalone: true },
    { path: paths.phone, title: '现场验房', needs: menu.sheet.permissions.inspect, standalone: true },
  ],
})
