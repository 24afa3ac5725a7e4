import type { Routes } from '#kit/web/routes.ts'

const base = '/finance/feebasesetting'
export const routes: Routes = {
  [`${base}/invoicewaiting`]: () => import('./waiting.tsx'),
  [`${base}/invoiceList`]: () => import('./list.tsx'),
  [`${base}/invoiceList/invoiceDetail`]: () => import('./detail.tsx'),
  [`${base}/invoiceListrecord`]: () => import('./entries.tsx'),
  [`${base}/invoicesetting`]: () => import('./setting.tsx'),
}
