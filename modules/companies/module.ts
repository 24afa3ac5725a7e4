import { menus, nameplate } from '#kit/contract/module.ts'

export const menu = menus('companies', {
  company: { label: '企业管理', buttons: { import: '导入', export: '导出', moveOut: '迁出' } },
  worker: { label: '企业员工', buttons: { admin: '设置管理员', audit: '审核' } },
})

export const plate = nameplate({
  name: 'companies',
  label: '企业',
  menus: menu,
  screens: [
    {
      path: '/customer/companyManage',
      title: '企业管理',
      needs: menu.company.may.view,
      domain: 'people',
      group: '客户管理',
      across: true,
    },
    { path: '/customer/companyManage/add', title: '新增企业', needs: menu.company.may.add },
    { path: '/customer/companyManage/edit', title: '编辑企业', needs: menu.company.may.edit, across: true },
    { path: '/customer/companyManage/view', title: '查看企业', needs: menu.company.may.view, across: true },
    {
      path: '/customer/companyManage/viewExport',
      title: '导出企业',
      needs: menu.company.may.export,
      across: true,
    },
    {
      path: '/customer/companyManage/moveOut',
      title: '企业迁出',
      needs: menu.company.may.moveOut,
      across: true,
    },
    {
      path: '/customer/companyManage/workers',
      title: '企业员工',
      needs: menu.worker.may.view,
      domain: 'people',
      group: '客户管理',
      across: true,
    },
    { path: '/join', title: '加入企业', needs: undefined, bare: true },
  ],
})
