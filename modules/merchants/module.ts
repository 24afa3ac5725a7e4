import { crudScreens } from '#kit/contract/crud-screens.ts'
import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('merchants', {
  merchant: { label: '商家管理', buttons: { import: '导入', export: '导出' } },
  staff: { label: '商家员工' },
})

export const merchantScreens = crudScreens(menu.merchant, {
  path: '/customer/merchantlist',
  title: '商家管理',
  noun: '商家',
  section: 'people',
  group: '客户管理',
  add: 'addmerchant',
  edit: 'editmerchant',
  detail: 'merchantdetail',
  addsToProject: true,
})

const { view } = menu.merchant.permissions

/** The specification names the detail three times. */
export const merchantDetailPaths = {
  look: '/customer/merchantlist/lookmerchant',
  details: '/customer/merchantlist/merchantdetails',
}

export const manifest = defineModule({
  name: 'merchants',
  label: '商家',
  menus: menu,
  screens: [
    ...merchantScreens.screens,
    { path: merchantDetailPaths.look, title: '查看商家', needs: view, allProjects: true },
    { path: merchantDetailPaths.details, title: '商家详细资料', needs: view, allProjects: true },
  ],
})
