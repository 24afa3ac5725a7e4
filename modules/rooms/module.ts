import { menus, defineModule } from '#kit/contract/module.ts'

/** Rooms and shops are one record in two lists, so one menu grants both. */
export const menu = menus('rooms', {
  room: {
    label: '房间与商铺',
    buttons: {
      batch: '批量生成',
      import: '导入',
      export: '导出',
      state: '房态变更',
      area: '面积变更',
      overrideDelivery: '强制交付',
    },
  },
})

export const manifest = defineModule({
  name: 'rooms',
  label: '房间与商铺',
  menus: menu,
  screens: [
    {
      path: '/service/data/roommange',
      title: '房间管理',
      needs: menu.room.permissions.view,
      section: 'people',
      group: '基础数据',
      allProjects: true,
    },
    {
      path: '/service/data/roommange/addrooms',
      title: '新增房间',
      needs: menu.room.permissions.add,
      allProjects: true,
    },
    {
      path: '/service/data/roommange/roomsDetail',
      title: '编辑房间',
      needs: menu.room.permissions.edit,
      allProjects: true,
    },
    {
      path: '/service/data/roommange/roomsDetailSee',
      title: '房间详情',
      needs: menu.room.permissions.view,
      allProjects: true,
    },
    {
      path: '/service/data/roommange/exportrooms',
      title: '导出房间',
      needs: menu.room.permissions.export,
      allProjects: true,
    },
    {
      path: '/service/data/roommangeshop',
      title: '商铺管理',
      needs: menu.room.permissions.view,
      section: 'people',
      group: '基础数据',
      allProjects: true,
    },
    {
      path: '/service/data/roommangeshop/shopsDetailSee',
      title: '商铺详情',
      needs: menu.room.permissions.view,
      allProjects: true,
    },
    {
      path: '/service/data/roommangeshop/addshops',
      title: '新增商铺',
      needs: menu.room.permissions.add,
      allProjects: true,
    },
    {
      path: '/service/data/roommangeshop/editshops',
      title: '编辑商铺',
      needs: menu.room.permissions.edit,
      allProjects: true,
    },
    {
      path: '/service/data/roommangeshop/exportshop',
      title: '导出商铺',
      needs: menu.room.permissions.export,
      allProjects: true,
    },
    {
      path: '/service/data/roomboard',
      title: '房态图',
      needs: menu.room.permissions.view,
      section: 'people',
      group: '基础数据',
      collapsedPanel: true,
    },
  ],
})
