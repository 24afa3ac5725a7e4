import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('planned-work', {
  standard: { label: '任务标准' },
  plan: { label: '任务计划', buttons: { execute: '执行', arrange: '停用与重派', export: '导出' } },
})

export const paths = {
  home: '/task_standard',
  plans: '/task_standard/taskplan',
  planForm: '/task_standard/taskplan/subform',
  planDetail: '/task_standard/taskplan/detail',
  /** The tasks of plans, as a list. */
  tasks: '/task_standard/taskplan/point',
  calendar: '/task_standard/calendar',
  standards: '/task_standard/taskstd',
} as const

export const manifest = defineModule({
  name: 'planned-work',
  label: '计划任务',
  menus: menu,
  screens: [],
})
