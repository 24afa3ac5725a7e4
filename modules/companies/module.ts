import { crudScreens } from '#kit/contract/crud-screens.ts'
import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('companies', {
  company: { label: '企业管理', buttons: { import: '导入', export: '导出', moveOut: '迁出' } },
  worker: { label: '企业员工', buttons: { admin: '设置管理员', audit: '审核' } },
})

const list = '/customer/companyManage'

export const companyScreens = crudScreens(menu.company, {
  path: list,
  title: '企业管理',
  noun: '企业',
  section: 'people',
  group: '客户管理',
  add: 'add',
  edit: 'edit',
  detail: 'view',
  detailTitle: '查看企业',
  addsToProject: true,
})

export const paths = {
  ...companyScreens.paths,
  export: `${list}/viewExport`,
  moveOut: `${list}/moveOut`,
  workers: `${list}/workers`,
  join: '/join',
} as const

export const manifest = defineModule({
  name: 'companies',
  label: '企业',
  menus: menu,
  screens: [
    ...companyScreens.screens,
    { path: paths.export, title: '导出企业', needs: menu.company.permissions.export, allProjects: true },
    { path: paths.moveOut, title: '企业迁出', needs: menu.company.permissions.moveOut, allProjects: true },
    {
      path: paths.workers,
      title: '企业员工',
      needs: menu.worker.permissions.view,
      section: 'people',
      group: '客户管理',
      allProjects: true,
    },
    { path: paths.join, title: '加入企业', needs: undefined, standalone: true },
  ],
})
