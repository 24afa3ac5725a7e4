import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('landscaping', {
  plant: { label: '植被', buttons: { export: '导出' } },
  area: { label: '绿化区域', buttons: { export: '导出' } },
  template: { label: '绿化模板' },
  plan: { label: '绿化计划', buttons: { execute: '执行', arrange: '停用与指派', export: '导出' } },
})

const home = '/greenmanagement'

/** List, form and detail of one entity are beside each other, as the specification has them. */
const pathsUnder = <const P extends string>(path: P) => ({
  home: path,
  list: `${path}/list`,
  add: `${path}/add`,
  edit: `${path}/edit`,
  detail: `${path}/detail`,
})

export const paths = {
  home,
  plants: pathsUnder(`${home}/greenvegetation`),
  areas: pathsUnder(`${home}/greenarea`),
  templates: pathsUnder(`${home}/greentemplate`),
  plans: `${home}/greenplan`,
  planForm: `${home}/greenplan/subform`,
  planDetail: `${home}/greenplan/detail`,
  /** What came of the items of tasks. */
  records: `${home}/greenrecord`,
  tasks: `${home}/greentask`,
  task: `${home}/greentask/detail`,
  /** The care of an area on the phone; outside the shell. */
  phone: `${home}/care`,
} as const

type EntityPaths = ReturnType<typeof pathsUnder>

const screensOf = (
  at: EntityPaths,
  { permissions }: (typeof menu)['template'],
  title: string,
  noun: string,
  addsToProject = false,
) => [
  { path: at.home, title: `${noun}管理`, needs: permissions.view, redirectTo: at.list },
  {
    path: at.list,
    title,
    needs: permissions.view,
    section: 'site' as const,
    group: '绿化管理',
    allProjects: true,
  },
  {
    path: at.add,
    title: `新增${noun}`,
    needs: permissions.add,
    ...(addsToProject ? {} : { allProjects: true }),
  },
  { path: at.edit, title: `编辑${noun}`, needs: permissions.edit, allProjects: true },
  { path: at.detail, title: `${noun}详情`, needs: permissions.view, allProjects: true },
]

const planRights = menu.plan.permissions
const group = { section: 'site', group: '绿化管理', allProjects: true } as const

export const manifest = defineModule({
  name: 'landscaping',
  label: '绿化',
  menus: menu,
  screens: [
    { path: paths.home, title: '绿化管理', needs: menu.area.permissions.view, redirectTo: paths.areas.list },
    ...screensOf(paths.areas, menu.area, '绿化区域', '绿化区域', true),
    ...screensOf(paths.plants, menu.plant, '植被', '植被'),
    ...screensOf(paths.templates, menu.template, '绿化模板', '绿化模板'),
    { path: paths.plans, title: '绿化计划', needs: planRights.view, ...group },
    { path: paths.tasks, title: '绿化任务', needs: planRights.view, ...group },
    { path: paths.records, title: '绿化任务记录', needs: planRights.view, ...group },
    { path: paths.planForm, title: '绿化计划表单', needs: planRights.edit },
    { path: paths.planDetail, title: '绿化计划详情', needs: planRights.view, allProjects: true },
    { path: paths.task, title: '绿化任务详情', needs: planRights.view, allProjects: true },
    { path: paths.phone, title: '现场绿化养护', needs: planRights.execute, standalone: true, offline: true },
  ],
})
