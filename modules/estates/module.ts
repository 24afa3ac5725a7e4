import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('estates', {
  estate: { label: '项目管理', buttons: { set: '参数设置' } },
  building: { label: '楼宇管理', buttons: { import: '导入', export: '导出' } },
  area: { label: '公共区域管理', buttons: { export: '导出' } },
})

export const manifest = defineModule({
  name: 'estates',
  label: '项目与楼宇',
  menus: menu,
  screens: [
    { path: '/service', title: '服务首页', needs: undefined, redirectTo: '/service/data' },
    { path: '/service/data', title: '基础数据', needs: undefined, redirectTo: '/service/data/statelist' },
    {
      path: '/service/data/statelist',
      title: '项目管理',
      needs: menu.estate.permissions.view,
      section: 'people',
      group: '基础数据',
      allProjects: true,
    },
    {
      path: '/service/data/statelist/addstate',
      title: '新增项目',
      needs: menu.estate.permissions.add,
      allProjects: true,
    },
    {
      path: '/service/data/statelist/editstate',
      title: '编辑项目',
      needs: menu.estate.permissions.edit,
      allProjects: true,
    },
    {
      path: '/service/data/buildlist',
      title: '楼宇管理',
      needs: menu.building.permissions.view,
      section: 'people',
      group: '基础数据',
      allProjects: true,
    },
    {
      path: '/service/data/buildlist/addbuilds',
      title: '新增楼宇',
      needs: menu.building.permissions.add,
      allProjects: true,
    },
    {
      path: '/service/data/buildlist/editbuilds',
      title: '编辑楼宇',
      needs: menu.building.permissions.edit,
      allProjects: true,
    },
    {
      path: '/service/data/PublicAreaManage',
      title: '公共区域管理',
      needs: menu.area.permissions.view,
      section: 'people',
      group: '基础数据',
      allProjects: true,
    },
    {
      path: '/service/data/PublicAreaManage/PublicAreaDetail',
      title: '公共区域详情',
      needs: menu.area.permissions.view,
      allProjects: true,
    },
  ],
})
