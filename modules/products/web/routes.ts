import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/setting/permission/personcenter/userRenew': () => import('./renewal.tsx'),
  '/setting/permission/personbilllist': () => import('./orders.tsx'),
  '/setting/product/Product': () => import('./product-center.tsx'),
  '/setting/product/Productdetail': () => import('./product-detail.tsx'),
  '/setting/ValueAddCenter/ValueAddCenter': () => import('./value-services.tsx'),
  '/setting/ValueAddCenter/call-seating-manage': () => import('./call-seats.tsx'),
  '/setting/ValueAddCenter/ValueAddCenterDetail': () => import('./value-service-detail.tsx'),
  '/setting/ValueAddCenter/ValueAddCenterPay': () => import('./value-service-order.tsx'),
}
