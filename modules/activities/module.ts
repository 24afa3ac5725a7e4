import { menus, defineModule, publicScreen } from '#kit/contract/module.ts'

export const menu = menus('activities', {
  activity: {
    label: '活动管理',
    buttons: {
      publish: '发布与取消',
      pin: '置顶',
      sign: '登记与取消报名',
      checkIn: '签到',
      export: '导出与打印报名',
    },
  },
})

const list = '/notice/activityManagement'

export const paths = {
  activities: list,
  add: `${list}/addActive`,
  edit: `${list}/editActive`,
  detail: `${list}/lookActive`,
  /** On a phone at the place (`?id=`). */
  checkIn: '/notice/activitycheckin',
  /** Pages of residents (`?t=`); outside the shell. */
  homeActivities: '/home/activities',
  homeActivity: '/home/activity',
} as const

const { activity } = menu

export const manifest = defineModule({
  name: 'activities',
  label: '社区活动',
  menus: menu,
  screens: [
    {
      path: paths.activities,
      title: '活动管理',
      needs: activity.permissions.view,
      keywords: ['社区活动', '活动报名', '活动签到'],
      section: 'people',
      group: '信息公告',
      allProjects: true,
    },
    { path: paths.add, title: '新增活动', needs: activity.permissions.add },
    { path: paths.edit, title: '编辑活动', needs: activity.permissions.edit, allProjects: true },
    { path: paths.detail, title: '查看活动', needs: activity.permissions.view, allProjects: true },
    { path: paths.checkIn, title: '活动签到', needs: activity.permissions.checkIn, standalone: true },
    { path: paths.homeActivities, title: '社区活动', ...publicScreen },
    { path: paths.homeActivity, title: '活动详情', ...publicScreen },
  ],
})
