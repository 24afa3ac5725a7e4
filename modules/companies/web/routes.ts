import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/customer/companyManage': () => import('./list.tsx'),
  '/customer/companyManage/add': () => import('./form.tsx').then(m => ({ default: m.AddCompanyPage })),
  '/customer/companyManage/edit': () => import('./form.tsx').then(m => ({ default: m.EditCompanyPage })),
  '/customer/companyManage/view': () => import('./detail.tsx'),
  '/customer/companyManage/viewExport': () =>
    import('./export.tsx').then(m => ({ default: m.ExportCompaniesPage })),
  '/customer/companyManage/moveOut': () => import('./move-out.tsx'),
  '/customer/companyManage/workers': () => import('./workers.tsx').then(m => ({ default: m.WorkersPage })),
  '/join': () => import('./join.tsx'),
}
