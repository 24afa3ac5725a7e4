import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('planned-work', {
  standard: { label: '任务标准' },
  overview: { label: '任务日历与统计', buttons: { export: '导出' } },
  plan: { label: '任务计划', buttons: { execute: '执行', arrange: '停用与指派', export: '导出' } },
})

export const paths = {
  home: '/task_standard',
  plans: '/task_standard/taskplan',
  planForm: '/task_standard/taskplan/subform',
  planDetail: '/task_standard/taskplan/detail',
  /** The tasks of plans, as a list. */
  tasks: '/task_standard/taskplan/point',
  task: '/task_standard/taskplan/task',
  /** What came of the items of tasks. */
  records: '/task_standard/taskplan/record',
  /** The tasks of every kind by day, person and place, and their rates with the lists behind them. */
  calendar: '/task_standard/calendar',
  figures: '/task_standard/figures',
  allTasks: '/task_standard/figures/tasks',
  allRecords: '/task_standard/figures/records',
  standards: '/task_standard/taskstd',
  /** The own tasks on the phone; outside the shell. */
  phone: '/task_standard/own',
} as const

const group = { section: 'site', group: '计划任务', allProjects: true } as const
const planRight = menu.plan.permissions.view
const overviewRight = menu.overview.permissions.view

export const manifest = defineModule({
  name: 'planned-work',
  label: '计划任务',
  menus: menu,
  screens: [
    { path: paths.home, title: '计划任务', needs: planRight, redirectTo: paths.plans },
    { path: paths.plans, title: '任务计划', needs: planRight, ...group },
    { path: paths.calendar, title: '任务日历', needs: overviewRight, ...group },
    { path: paths.figures, title: '任务统计', needs: overviewRight, ...group },
    { path: paths.allTasks, title: '全部任务', needs: overviewRight, allProjects: true },
    { path: paths.allRecords, title: '全部任务记录', needs: overviewRight, allProjects: true },
    { path: paths.tasks, title: '任务', needs: planRight, ...group },
    { path: paths.records, title: '任务记录', needs: planRight, ...group },
    { path: paths.standards, title: '任务标准', needs: menu.standard.permissions.view, ...group },
    { path: paths.planForm, title: '任务计划表单', needs: menu.plan.permissions.edit },
    { path: paths.planDetail, title: '任务计划详情', needs: planRight, allProjects: true },
    {
      path: paths.phone,
      title: '我的任务',
      needs: menu.plan.permissions.execute,
      standalone: true,
      offline: true,
    },
    { path: paths.task, title: '任务详情', needs: planRight, allProjects: true },
  ],
})
