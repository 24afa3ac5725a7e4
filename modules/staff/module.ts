import { menus, nameplate } from '#kit/contract/module.ts'

export const menu = menus('staff', {
  department: { label: '部门' },
  staff: { label: '员工', buttons: { import: '导入', export: '导出' } },
})

export const plate = nameplate({
  name: 'staff',
  label: '部门与员工',
  menus: menu,
  screens: [
    { path: '/internal', title: '内部管理', needs: undefined, to: '/internal/personnel' },
    {
      path: '/internal/personnel',
      title: '人事管理',
      needs: undefined,
      to: '/internal/personnel/addresslist',
    },
    {
      path: '/internal/personnel/addresslist',
      title: '通讯录',
      needs: menu.staff.may.view,
      domain: 'internal',
      group: '人事',
      across: true,
    },
    {
      path: '/internal/personnel/addresslist/add',
      title: '新增员工',
      needs: menu.staff.may.add,
      across: true,
    },
    {
      path: '/internal/personnel/addresslist/edit',
      title: '编辑员工',
      needs: menu.staff.may.edit,
      across: true,
    },
    {
      path: '/internal/personnel/addresslist/detail',
      title: '员工详情',
      needs: menu.staff.may.view,
      across: true,
    },
    {
      path: '/internal/personnel/stafftags',
      title: '员工标签',
      needs: menu.staff.may.view,
      domain: 'internal',
      group: '人事',
      across: true,
    },
  ],
})
