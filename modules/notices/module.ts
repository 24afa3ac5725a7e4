import { crudScreens } from '#kit/contract/crud-screens.ts'
import { menus, defineModule, publicScreen } from '#kit/contract/module.ts'

export const menu = menus('notices', {
  notice: {
    label: '公告管理',
    buttons: { publish: '发布、撤回与提醒', template: '公告模板', export: '导出阅读情况' },
  },
  direct: { label: '住户通知', buttons: { publish: '发布与撤回' } },
  screen: { label: '信息屏', buttons: { link: '信息屏链接' } },
  advertisement: { label: '广告管理', buttons: { state: '启用停用' } },
  matter: { label: '事项管理', buttons: { publish: '发布与停用' } },
})

const home = '/notice'

const inGroup = { section: 'people', group: '信息公告', allProjects: true } as const

export const noticeScreens = crudScreens(menu.notice, {
  path: `${home}/publicadmin`,
  title: '公告管理',
  noun: '公告',
  section: 'people',
  group: '信息公告',
  add: 'addinpublic',
  detail: 'noticedetail',
})

export const advertisementScreens = crudScreens(menu.advertisement, {
  path: `${home}/advertisement`,
  title: '广告管理',
  noun: '广告',
  section: 'people',
  group: '信息公告',
  edit: 'editad',
  detail: 'addetail',
})

export const matterScreens = crudScreens(menu.matter, {
  path: `${home}/mattermanage`,
  title: '事项管理',
  noun: '事项',
  section: 'people',
  group: '信息公告',
})

export const paths = {
  home,
  company: `${home}/company`,
  direct: `${home}/usernotice`,
  /** A screen in a lobby (`?t=`), full-screen; outside the shell. */
  screen: `${home}/screen`,
  /** Pages of residents (`?t=`); outside the shell. */
  residentNotices: '/home/notices',
  residentNotice: '/home/notice',
  residentMatters: '/home/matters',
} as const

export const manifest = defineModule({
  name: 'notices',
  label: '信息公告',
  menus: menu,
  screens: [
    { path: paths.home, title: '信息公告', needs: undefined, redirectTo: noticeScreens.paths.list },
    { path: paths.company, title: '公司公告', needs: undefined, redirectTo: noticeScreens.paths.list },
    ...noticeScreens.screens,
    {
      path: paths.direct,
      title: '住户通知',
      needs: menu.direct.permissions.view,
      keywords: ['员工通知'],
      ...inGroup,
    },
    ...advertisementScreens.screens,
    ...matterScreens.screens,
    { path: paths.screen, title: '信息屏', needs: undefined, standalone: true, offline: true },
    { path: paths.residentNotices, title: '公告', ...publicScreen },
    { path: paths.residentNotice, title: '公告', ...publicScreen },
    { path: paths.residentMatters, title: '办事指南', ...publicScreen },
  ],
})
