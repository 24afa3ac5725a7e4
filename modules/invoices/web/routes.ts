import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/finance/feebasesetting/invoicewaiting': () => import('./waiting-payments.tsx'),
  '/finance/feebasesetting/invoiceList': () => import('./list.tsx'),
  '/finance/feebasesetting/invoiceList/invoiceDetail': () => import('./detail.tsx'),
  '/finance/feebasesetting/invoiceListrecord': () => import('./entries.tsx'),
  '/finance/feebasesetting/invoicesetting': () => import('./settings.tsx'),
}
