import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/setting/permission/personcenter/userRenew': () => import('./renew.tsx'),
  '/setting/permission/personbilllist': () => import('./bills.tsx'),
  '/setting/product/Product': () => import('./product-list.tsx'),
  '/setting/product/Productdetail': () => import('./product-detail.tsx'),
  '/setting/ValueAddCenter/ValueAddCenter': () => import('./value-list.tsx'),
  '/setting/ValueAddCenter/call-seating-manage': () => import('./seats.tsx'),
  '/setting/ValueAddCenter/ValueAddCenterDetail': () => import('./value-detail.tsx'),
  '/setting/ValueAddCenter/ValueAddCenterPay': () => import('./value-pay.tsx'),
}
