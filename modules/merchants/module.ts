import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('merchants', {
  merchant: { label: '商家管理', buttons: { import: '导入', export: '导出' } },
  staff: { label: '商家员工' },
})

export const manifest = defineModule({
  name: 'merchants',
  label: '商家',
  menus: menu,
  screens: [
    {
      path: '/customer/merchantlist',
      title: '商家管理',
      needs: menu.merchant.permissions.view,
      section: 'people',
      group: '客户管理',
      allProjects: true,
    },
    { path: '/customer/merchantlist/addmerchant', title: '新增商家', needs: menu.merchant.permissions.add },
    {
      path: '/customer/merchantlist/editmerchant',
      title: '编辑商家',
      needs: menu.merchant.permissions.edit,
      allProjects: true,
    },
    {
      path: '/customer/merchantlist/lookmerchant',
      title: '查看商家',
      needs: menu.merchant.permissions.view,
      allProjects: true,
    },
    {
      path: '/customer/merchantlist/merchantdetail',
      title: '商家详情',
      needs: menu.merchant.permissions.view,
      allProjects: true,
    },
    {
      path: '/customer/merchantlist/merchantdetails',
      title: '商家详细资料',
      needs: menu.merchant.permissions.view,
      allProjects: true,
    },
  ],
})
