import { crudScreens } from '#kit/contract/crud-screens.ts'
import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('parking', {
  park: { label: '停车场管理' },
  place: { label: '车位管理', buttons: { import: '导入', export: '导出', state: '车位状态变更' } },
  car: {
    label: '车辆管理',
    buttons: {
      audit: '审核',
      black: '黑名单',
      state: '停用、恢复与注销',
      validity: '调整有效期',
      import: '导入',
      export: '导出',
    },
  },
  carGroup: { label: '车辆分组' },
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

export const carScreens = crudScreens(menu.car, {
  path: '/parking/carslist',
  title: '车辆管理',
  noun: '车辆',
  section: 'people',
  group: '车场与车位',
  detail: 'cardetail',
})

export const carGroupScreens = crudScreens(menu.carGroup, {
  path: '/parking/carsgrouplist',
  title: '车辆分组',
  noun: '车辆分组',
  section: 'people',
  group: '车场与车位',
  add: 'add',
  edit: 'edit',
  detail: 'detail',
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
    {
      path: '/parking',
      title: '车辆管理',
      needs: menu.car.permissions.view,
      redirectTo: carScreens.paths.list,
    },
    ...carScreens.screens,
    ...carGroupScreens.screens,
  ],
})
