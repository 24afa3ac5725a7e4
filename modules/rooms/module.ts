import { menus, defineModule } from '#kit/contract/module.ts'

/** The addresses of the module's screens. */
export const paths = {
  rooms: '/service/data/roommange',
  addRoom: '/service/data/roommange/addrooms',
  editRoom: '/service/data/roommange/roomsDetail',
  room: '/service/data/roommange/roomsDetailSee',
  exportRooms: '/service/data/roommange/exportrooms',
  shops: '/service/data/roommangeshop',
  shop: '/service/data/roommangeshop/shopsDetailSee',
  addShop: '/service/data/roommangeshop/addshops',
  editShop: '/service/data/roommangeshop/editshops',
  exportShops: '/service/data/roommangeshop/exportshop',
  board: '/service/data/roomboard',
} as const

export const roomPath = (id: number): string => `${paths.room}?id=${id}`

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
      path: paths.rooms,
      title: '房间管理',
      needs: menu.room.permissions.view,
      section: 'people',
      group: '基础数据',
      allProjects: true,
    },
    {
      path: paths.addRoom,
      title: '新增房间',
      needs: menu.room.permissions.add,
      allProjects: true,
    },
    {
      path: paths.editRoom,
      title: '编辑房间',
      needs: menu.room.permissions.edit,
      allProjects: true,
    },
    {
      path: paths.room,
      title: '房间详情',
      needs: menu.room.permissions.view,
      allProjects: true,
    },
    {
      path: paths.exportRooms,
      title: '导出房间',
      needs: menu.room.permissions.export,
      allProjects: true,
    },
    {
      path: paths.shops,
      title: '商铺管理',
      needs: menu.room.permissions.view,
      section: 'people',
      group: '基础数据',
      allProjects: true,
    },
    {
      path: paths.shop,
      title: '商铺详情',
      needs: menu.room.permissions.view,
      allProjects: true,
    },
    {
      path: paths.addShop,
      title: '新增商铺',
      needs: menu.room.permissions.add,
      allProjects: true,
    },
    {
      path: paths.editShop,
      title: '编辑商铺',
      needs: menu.room.permissions.edit,
      allProjects: true,
    },
    {
      path: paths.exportShops,
      title: '导出商铺',
      needs: menu.room.permissions.export,
      allProjects: true,
    },
    {
      path: paths.board,
      title: '房态图',
      needs: menu.room.permissions.view,
      section: 'people',
      group: '基础数据',
      collapsedPanel: true,
    },
  ],
})
