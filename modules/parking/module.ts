import { crudScreens } from '#kit/contract/crud-screens.ts'
import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('parking', {
  park: { label: '停车场管理' },
  place: { label: '车位管理', buttons: { import: '导入', export: '导出', state: '车位状态变更' } },
})

export const parkScreens = crudScreens(menu.park, {
  path: '/service/data/parklots',
  title: '停车场管理',
  noun: '停车场',
  section: 'people',
  group: '车场与车位',
  add: 'addparklots',
  detail: 'parklotsDetail',
})

const placeList = '/service/data/parklots/carportlist'

export const placeScreens = crudScreens(menu.place, {
  path: placeList,
  title: '车位管理',
  noun: '车位',
  section: 'people',
  group: '车场与车位',
  add: 'addcarport',
  detail: 'carportDetail',
})

export const placeExportPath = `${placeList}/exportcarport`

export const manifest = defineModule({
  name: 'parking',
  label: '停车',
  menus: menu,
  screens: [
    ...parkScreens.screens,
    ...placeScreens.screens,
    { path: placeExportPath, title: '导出车位', needs: menu.place.permissions.export, allProjects: true },
  ],
})
