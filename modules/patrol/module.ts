import { crudScreens } from '#kit/contract/crud-screens.ts'
import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('patrol', {
  plan: { label: '巡更计划', buttons: { state: '启用与停用' } },
  task: {
    label: '巡更任务',
    buttons: { walk: '现场巡更', disable: '停用任务', reassign: '重新指派', export: '导出' },
  },
  point: {
    label: '巡更点位',
    buttons: { import: '导入', export: '导出', label: '打印二维码', renew: '更换二维码' },
  },
  device: { label: '巡更设备' },
  road: { label: '巡更路线' },
  template: { label: '巡更模板' },
})

const home = '/watchlist'

export const paths = {
  home,
  tasks: `${home}/tasks`,
  plans: `${home}/watchplan`,
  planForm: `${home}/watchplan/form`,
  planDetail: `${home}/watchplan/plandetail`,
  /** One round with its points. */
  task: `${home}/tasks/detail`,
  /** What was signed at the points. */
  logs: `${home}/watchplan/planlogs`,
  rates: `${home}/rates`,
  report: `${home}/rates/print`,
  officers: `${home}/selectionOfficer`,
  points: `${home}/watchpoint`,
  importPoints: `${home}/importPoint`,
  areas: `${home}/watcharea`,
  /** The drawing of an area, with its points on it. */
  drawing: `${home}/watcharea/drawing`,
  devices: `${home}/watchdevice`,
  roads: `${home}/watchroad`,
  addRoad: `${home}/watchroad/addroad`,
  editRoad: `${home}/watchroad/road_subform`,
  /** The page of the person who walks, on the phone; outside the shell. */
  walk: `${home}/walk`,
} as const

export const templateScreens = crudScreens(menu.template, {
  path: `${home}/keepWatchTemplate`,
  title: '巡更模板',
  noun: '巡更模板',
  section: 'site',
  group: '巡更设置',
  add: 'addKeepWatchTemplate',
  edit: 'editKeepWatchTemplate',
})

const work = { section: 'site', group: '巡更', allProjects: true } as const
const setup = { section: 'site', group: '巡更设置', allProjects: true } as const
const { plan, task, point, device, road } = menu

export const manifest = defineModule({
  name: 'patrol',
  label: '巡更',
  menus: menu,
  screens: [
    { path: paths.home, title: '巡更管理', needs: task.permissions.view, redirectTo: paths.tasks },
    { path: paths.tasks, title: '巡更任务', needs: task.permissions.view, ...work },
    { path: paths.task, title: '巡更任务详情', needs: task.permissions.view, allProjects: true },
    { path: paths.plans, title: '巡更计划', needs: plan.permissions.view, ...work },
    { path: paths.planForm, title: '编辑巡更计划', needs: plan.permissions.edit, allProjects: true },
    { path: paths.planDetail, title: '巡更计划详情', needs: plan.permissions.view, allProjects: true },
    { path: paths.logs, title: '巡更记录', needs: task.permissions.view, ...work },
    { path: paths.rates, title: '到位统计', needs: task.permissions.view, ...work },
    { path: paths.report, title: '巡更月报', needs: task.permissions.view, standalone: true },
    { path: paths.officers, title: '巡更人员', needs: plan.permissions.view, ...work },
    {
      path: paths.walk,
      title: '现场巡更',
      needs: task.permissions.walk,
      section: 'site',
      group: '巡更',
      standalone: true,
      offline: true,
    },
    { path: paths.roads, title: '巡更路线', needs: road.permissions.view, ...setup },
    { path: paths.addRoad, title: '新增巡更路线', needs: road.permissions.add },
    { path: paths.editRoad, title: '编辑巡更路线', needs: road.permissions.edit, allProjects: true },
    { path: paths.points, title: '巡更点位', needs: point.permissions.view, ...setup },
    { path: paths.importPoints, title: '导入巡更点', needs: point.permissions.import },
    {
      path: paths.drawing,
      title: '布置巡更点位',
      needs: point.permissions.edit,
      allProjects: true,
    },
    { path: paths.areas, title: '巡更区域', needs: point.permissions.view, ...setup },
    ...templateScreens.screens,
    { path: paths.devices, title: '巡更设备', needs: device.permissions.view, ...setup },
  ],
})
