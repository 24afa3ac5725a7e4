import type { Routes } from '#kit/web/routes.ts'

const detail = () => import('./detail.tsx')

export const routes: Routes = {
  '/customer/merchantlist': () => import('./list.tsx'),
  '/customer/merchantlist/addmerchant': () =>
    import('./form.tsx').then(m => ({ default: m.AddMerchantPage })),
  '/customer/merchantlist/editmerchant': () =>
    import('./form.tsx').then(m => ({ default: m.EditMerchantPage })),
  '/customer/merchantlist/lookmerchant': detail,
  '/customer/merchantlist/merchantdetail': detail,
  '/customer/merchantlist/merchantdetails': detail,
}
