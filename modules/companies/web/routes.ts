import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/customer/companyManage': () => import('./company-list.tsx'),
  '/customer/companyManage/add': () =>
    import('./company-form.tsx').then(m => ({ default: m.AddCompanyPage })),
  '/customer/companyManage/edit': () =>
    import('./company-form.tsx').then(m => ({ default: m.EditCompanyPage })),
  '/customer/companyManage/view': () => import('./company-detail.tsx'),
  '/customer/companyManage/viewExport': () =>
    import('./company-export.tsx').then(m => ({ default: m.ExportCompaniesPage })),
  '/customer/companyManage/moveOut': () => import('./move-out.tsx'),
  '/customer/companyManage/workers': () =>
    import('./company-workers.tsx').then(m => ({ default: m.WorkersPage })),
  '/join': () => import('./join.tsx'),
}
