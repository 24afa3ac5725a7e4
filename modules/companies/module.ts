import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('companies', {
  company: { label: '企业管理', buttons: { import: '导入', export: '导出', moveOut: '迁出' } },
  worker: { label: '企业员工', buttons: { admin: '设置管理员', audit: '审核' } },
})

export const manifest = defineModule({
  name: 'companies',
  label: '企业',
  menus: menu,
  screens: [
    {
      path: '/customer/companyManage',
      title: '企业管理',
      needs: menu.company.permissions.view,
      section: 'people',
      group: '客户管理',
      allProjects: true,
    },
    { path: '/customer/companyManage/add', title: '新增企业', needs: menu.company.permissions.add },
    {
      path: '/customer/companyManage/edit',
      title: '编辑企业',
      needs: menu.company.permissions.edit,
      allProjects: true,
    },
    {
      path: '/customer/companyManage/view',
      title: '查看企业',
      needs: menu.company.permissions.view,
      allProjects: true,
    },
    {
      path: '/customer/companyManage/viewExport',
      title: '导出企业',
      needs: menu.company.permissions.export,
      allProjects: true,
    },
    {
      path: '/customer/companyManage/moveOut',
      title: '企业迁出',
      needs: menu.company.permissions.moveOut,
      allProjects: true,
    },
    {
      path: '/customer/companyManage/workers',
      title: '企业员工',
      needs: menu.worker.permissions.view,
      section: 'people',
      group: '客户管理',
      allProjects: true,
    },
    { path: '/join', title: '加入企业', needs: undefined, standalone: true },
  ],
})
