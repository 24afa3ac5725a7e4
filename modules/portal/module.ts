import { crudScreens } from '#kit/contract/crud-screens.ts'
import { menus, defineModule } from '#kit/contract/module.ts'

const sheets = { import: '导入', export: '导出' } as const

export const menu = menus('portal', {
  notice: { label: '内部公告', buttons: { publish: '发布与撤回', export: '导出接收情况' } },
  website: { label: '常用网站', buttons: sheets },
  service: { label: '内部服务', buttons: sheets },
  project: { label: '项目介绍', buttons: sheets },
  imageText: { label: '图文', buttons: sheets },
})

const home = '/internal/portal'

const inMenu = { section: 'internal', group: '内部门户' } as const

export const noticeScreens = crudScreens(menu.notice, {
  path: `${home}/notices`,
  title: '内部公告',
  noun: '公告',
  ...inMenu,
})
export const websiteScreens = crudScreens(menu.website, {
  path: `${home}/websites`,
  title: '常用网站',
  noun: '网站',
  ...inMenu,
})
export const serviceScreens = crudScreens(menu.service, {
  path: `${home}/services`,
  title: '内部服务',
  noun: '服务',
  ...inMenu,
})
export const projectScreens = crudScreens(menu.project, {
  path: `${home}/projects`,
  title: '项目介绍',
  noun: '项目',
  ...inMenu,
})
export const imageTextScreens = crudScreens(menu.imageText, {
  path: `${home}/imagetexts`,
  title: '图文',
  noun: '图文',
  ...inMenu,
})

export const paths = {
  home,
  /** One notice, to be read; `?id=`. */
  notice: `${home}/notice`,
  /** One image text, to be read; `?id=`. */
  imageText: `${home}/imagetext`,
} as const

export const manifest = defineModule({
  name: 'portal',
  label: '内部门户',
  menus: menu,
  screens: [
    { path: paths.home, title: '门户首页', needs: undefined, allProjects: true, ...inMenu },
    { path: paths.notice, title: '查看公告', needs: undefined, allProjects: true },
    { path: paths.imageText, title: '查看图文', needs: undefined, allProjects: true },
    ...noticeScreens.screens,
    ...websiteScreens.screens,
    ...serviceScreens.screens,
    ...projectScreens.screens,
    ...imageTextScreens.screens,
  ],
})
