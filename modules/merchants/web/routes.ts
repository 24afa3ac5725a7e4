import type { Routes } from '#kit/web/routes.ts'

const loadDetail = () => import('./merchant-detail.tsx')

export const routes: Routes = {
  '/customer/merchantlist': () => import('./merchant-list.tsx'),
  '/customer/merchantlist/addmerchant': () =>
    import('./merchant-form.tsx').then(m => ({ default: m.AddMerchantPage })),
  '/customer/merchantlist/editmerchant': () =>
    import('./merchant-form.tsx').then(m => ({ default: m.EditMerchantPage })),
  '/customer/merchantlist/lookmerchant': loadDetail,
  '/customer/merchantlist/merchantdetail': loadDetail,
  '/customer/merchantlist/merchantdetails': loadDetail,
}
