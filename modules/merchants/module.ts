import { crudScreens } from '#kit/contract/crud-screens.ts'
import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('merchants', {
  merchant: { label: '商户管理', buttons: { import: '导入', export: '导出' } },
  staff: { label: '商户员工' },
  account: { label: '商户登录账号' },
})

export const merchantScreens = crudScreens(menu.merchant, {
  path: '/customer/merchantlist',
  title: '商户管理',
  noun: '商户',
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
  detail: '/customer/merchantlist/lookmerchant',
  details: '/customer/merchantlist/merchantdetails',
}

export const manifest = defineModule({
  name: 'merchants',
  label: '商户',
  menus: menu,
  screens: [
    ...merchantScreens.screens,
    { path: merchantDetailPaths.detail, title: '查看商户', needs: view, allProjects: true },
    { path: merchantDetailPaths.details, title: '商户详细资料', needs: view, allProjects: true },
  ],
})
