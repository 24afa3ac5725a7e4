import { crudScreens } from '#kit/contract/crud-screens.ts'
import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('estates', {
  estate: { label: '项目管理', buttons: { set: '参数设置' } },
  building: { label: '楼栋管理', buttons: { import: '导入', export: '导出' } },
  area: { label: '公共区域管理', buttons: { export: '导出' } },
})

const inPanel = { section: 'people', group: '基础数据' } as const

export const estateScreens = crudScreens(menu.estate, {
  ...inPanel,
  path: '/service/data/statelist',
  title: '项目管理',
  noun: '项目',
  add: 'addstate',
  edit: 'editstate',
})

export const buildingScreens = crudScreens(menu.building, {
  ...inPanel,
  path: '/service/data/buildlist',
  title: '楼栋管理',
  noun: '楼栋',
  add: 'addbuilds',
  edit: 'editbuilds',
})

export const publicAreaScreens = crudScreens(menu.area, {
  ...inPanel,
  path: '/service/data/PublicAreaManage',
  title: '公共区域管理',
  noun: '公共区域',
  detail: 'PublicAreaDetail',
})

export const manifest = defineModule({
  name: 'estates',
  label: '项目与楼栋',
  menus: menu,
  screens: [
    { path: '/service', title: '服务首页', needs: undefined, redirectTo: '/service/data' },
    { path: '/service/data', title: '基础数据', needs: undefined, redirectTo: estateScreens.paths.list },
    ...estateScreens.screens,
    ...buildingScreens.screens,
    ...publicAreaScreens.screens,
  ],
})
