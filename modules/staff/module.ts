import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('staff', {
  department: { label: '部门' },
  staff: { label: '员工', buttons: { import: '导入', export: '导出' } },
})

export const manifest = defineModule({
  name: 'staff',
  label: '部门与员工',
  menus: menu,
  screens: [
    { path: '/internal', title: '内部管理', needs: undefined, redirectTo: '/internal/personnel' },
    {
      path: '/internal/personnel',
      title: '人事管理',
      needs: undefined,
      redirectTo: '/internal/personnel/addresslist',
    },
    {
      path: '/internal/personnel/addresslist',
      title: '通讯录',
      needs: menu.staff.permissions.view,
      section: 'internal',
      group: '人事',
      allProjects: true,
    },
    {
      path: '/internal/personnel/addresslist/add',
      title: '新增员工',
      needs: menu.staff.permissions.add,
      allProjects: true,
    },
    {
      path: '/internal/personnel/addresslist/edit',
      title: '编辑员工',
      needs: menu.staff.permissions.edit,
      allProjects: true,
    },
    {
      path: '/internal/personnel/addresslist/detail',
      title: '员工详情',
      needs: menu.staff.permissions.view,
      allProjects: true,
    },
    {
      path: '/internal/personnel/stafftags',
      title: '员工标签',
      needs: menu.staff.permissions.view,
      section: 'internal',
      group: '人事',
      allProjects: true,
    },
  ],
})
