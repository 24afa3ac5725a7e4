import { crudScreens } from '#kit/contract/crud-screens.ts'
import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('staff', {
  department: { label: '部门' },
  staff: { label: '员工', buttons: { import: '导入', export: '导出', fingerprint: '采集指纹' } },
})

const personnel = '/internal/personnel'

export const staffScreens = crudScreens(menu.staff, {
  path: `${personnel}/addresslist`,
  title: '通讯录',
  noun: '员工',
  section: 'internal',
  group: '人事',
  add: 'add',
  edit: 'edit',
  detail: 'detail',
})

export const paths = {
  /** The same people as cards, for everybody: colleagues with the right see more. */
  cards: `${personnel}/addresslist/cards`,
} as const

export const staffTagScreens = crudScreens(menu.staff, {
  path: `${personnel}/stafftags`,
  title: '员工标签',
  noun: '标签',
  section: 'internal',
  group: '人事',
})

export const manifest = defineModule({
  name: 'staff',
  label: '部门与员工',
  menus: menu,
  screens: [
    { path: '/internal', title: '内部管理', needs: undefined, redirectTo: personnel },
    { path: personnel, title: '人事管理', needs: undefined, redirectTo: staffScreens.paths.list },
    ...staffScreens.screens,
    {
      path: paths.cards,
      title: '员工名片',
      needs: undefined,
      section: 'internal',
      group: '人事',
      allProjects: true,
    },
    ...staffTagScreens.screens,
  ],
})
