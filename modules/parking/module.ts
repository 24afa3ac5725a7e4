import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('parking', {
  park: { label: '停车场管理' },
  place: { label: '车位管理', buttons: { import: '导入', export: '导出', state: '车位状态变更' } },
})

export const manifest = defineModule({
  name: 'parking',
  label: '停车',
  menus: menu,
  screens: [
    {
      path: '/service/data/parklots',
      title: '停车场管理',
      needs: menu.park.permissions.view,
      section: 'people',
      group: '车场与车位',
      allProjects: true,
    },
    {
      path: '/service/data/parklots/addparklots',
      title: '新增停车场',
      needs: menu.park.permissions.add,
      allProjects: true,
    },
    {
      path: '/service/data/parklots/parklotsDetail',
      title: '停车场详情',
      needs: menu.park.permissions.view,
      allProjects: true,
    },
    {
      path: '/service/data/parklots/carportlist',
      title: '车位管理',
      needs: menu.place.permissions.view,
      section: 'people',
      group: '车场与车位',
      allProjects: true,
    },
    {
      path: '/service/data/parklots/carportlist/addcarport',
      title: '新增车位',
      needs: menu.place.permissions.add,
      allProjects: true,
    },
    {
      path: '/service/data/parklots/carportlist/carportDetail',
      title: '车位详情',
      needs: menu.place.permissions.view,
      allProjects: true,
    },
    {
      path: '/service/data/parklots/carportlist/exportcarport',
      title: '导出车位',
      needs: menu.place.permissions.export,
      allProjects: true,
    },
  ],
})
