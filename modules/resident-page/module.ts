import { menus, defineModule, publicScreen } from '#kit/contract/module.ts'

export const menu = menus('resident-page', {
  page: { label: '住户页', buttons: { link: '住户链接', print: '打印二维码' } },
})

export const paths = {
  /** The page of a resident on a phone (`?t=`), or where one signs in by the code of a building (`?e=`). */
  home: '/home',
  /** Where the codes of a project and its buildings are printed. */
  codes: '/customer/residentpage',
} as const

export const manifest = defineModule({
  name: 'resident-page',
  label: '住户页',
  menus: menu,
  screens: [
    {
      path: paths.codes,
      title: '住户页二维码',
      needs: menu.page.permissions.view,
      keywords: ['住户页', '业主端', '住户链接'],
      section: 'people',
      group: '人员资料',
    },
    { path: paths.home, title: '住户服务', ...publicScreen },
  ],
})
