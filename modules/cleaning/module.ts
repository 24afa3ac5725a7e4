import { crudScreens } from '#kit/contract/crud-screens.ts'
import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('cleaning', {
  location: { label: '保洁点位', buttons: { import: '导入', export: '导出', label: '打印二维码' } },
  template: { label: '保洁模板' },
  plan: { label: '保洁计划', buttons: { execute: '执行', arrange: '停用与指派', export: '导出' } },
})

const home = '/cleanmanagement'

export const templateScreens = crudScreens(menu.template, {
  path: `${home}/cleantemplate`,
  title: '保洁模板',
  noun: '保洁模板',
  section: 'site',
  group: '保洁管理',
  add: 'add',
  edit: 'edit',
})

export const paths = {
  home,
  locations: `${home}/cleanpoint`,
  plans: `${home}/cleanplan`,
  planForm: `${home}/cleanplan/subform`,
  planDetail: `${home}/cleanplan/detail`,
  /** What came of the items of tasks. */
  records: `${home}/cleanrecord`,
  tasks: `${home}/cleantask`,
  task: `${home}/cleantask/detail`,
  /** The inspection on the phone; outside the shell. */
  phone: `${home}/inspect`,
} as const

const planRights = menu.plan.permissions
const pointRight = menu.location.permissions.view

const group = { section: 'site', group: '保洁管理', allProjects: true } as const

export const manifest = defineModule({
  name: 'cleaning',
  label: '保洁',
  menus: menu,
  screens: [
    { path: paths.home, title: '保洁管理', needs: pointRight, redirectTo: paths.locations },
    {
      path: paths.locations,
      title: '保洁点位',
      needs: pointRight,
      section: 'site',
      group: '保洁管理',
      allProjects: true,
    },
    ...templateScreens.screens,
    { path: paths.plans, title: '保洁计划', needs: planRights.view, ...group },
    { path: paths.tasks, title: '保洁任务', needs: planRights.view, ...group },
    { path: paths.records, title: '保洁任务记录', needs: planRights.view, ...group },
    { path: paths.planForm, title: '保洁计划表单', needs: planRights.edit },
    { path: paths.planDetail, title: '保洁计划详情', needs: planRights.view, allProjects: true },
    { path: paths.task, title: '保洁任务详情', needs: planRights.view, allProjects: true },
    { path: paths.phone, title: '现场保洁检查', needs: planRights.execute, standalone: true, offline: true },
  ],
})
