import { menus, defineModule } from '#kit/contract/module.ts'

/** The addresses of the module's screens. */
export const paths = {
  suggestions: '/quality/serviceManage/feedbacklist',
  holidays: '/internal/attendance/holiday',
  notifications: '/setting/sysNotice/systemmessage',
  message: '/setting/sysNotice/systemmessage/sytemdetail',
  noticeSetting: '/setting/sysNotice/systemmessage/noticesetlist',
  announcements: '/setting/sysNotice/announcement',
} as const

export const menu = menus('system', {
  suggest: { label: '意见反馈' },
  notice: { label: '系统公告' },
  holiday: { label: '节假日', buttons: { import: '导入' } },
})

/**
 * What every screen uses and no trade owns: tasks, files, enumerations, preferences, messages. Only what
 * concerns others is granted.
 */
export const manifest = defineModule({
  name: 'system',
  label: '系统',
  menus: menu,
  screens: [
    {
      path: paths.suggestions,
      title: '意见反馈',
      needs: menu.suggest.permissions.view,
      section: 'service',
      group: '服务管理',
      allProjects: true,
    },
    {
      path: paths.holidays,
      title: '节假日设置',
      needs: menu.holiday.permissions.view,
      section: 'internal',
      group: '排班',
      allProjects: true,
    },
    {
      path: paths.notifications,
      title: '系统消息',
      needs: undefined,
      section: 'setting',
      group: '系统通知',
      allProjects: true,
    },
    {
      path: paths.message,
      title: '消息详情',
      needs: undefined,
      allProjects: true,
    },
    {
      path: paths.noticeSetting,
      title: '通知设置',
      needs: undefined,
      allProjects: true,
    },
    {
      path: paths.announcements,
      title: '系统公告',
      needs: menu.notice.permissions.view,
      section: 'setting',
      group: '系统通知',
      allProjects: true,
    },
  ],
})
