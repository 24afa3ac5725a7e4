import { crudScreens } from '#kit/contract/crud-screens.ts'
import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('cleaning', {
  location: { label: '保洁点位', buttons: { import: '导入', export: '导出', label: '打印二维码' } },
  template: { label: '保洁模板' },
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
} as const

const pointRight = menu.location.permissions.view

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
  ],
})
