import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.generate]: () => import('./generate.tsx'),
  [paths.runs]: () => import('./runs.tsx'),
  [paths.reprice]: () => import('./reprice.tsx'),
  [paths.pools]: () => import('./pools.tsx'),
  [paths.bills]: () => import('./list.tsx').then(m => ({ default: m.BillsPage })),
  [paths.unpaid]: () => import('./list.tsx').then(m => ({ default: m.UnpaidPage })),
  [paths.debtors]: () => import('./debtors.tsx'),
  [paths.notices]: () => import('./notices.tsx'),
  [paths.gaps]: () => import('./gaps.tsx'),
  [paths.followUps]: () => import('./follow-ups.tsx'),
  [paths.redundant]: () => import('./redundant.tsx'),
  [paths.printPage]: () => import('./print-page.tsx'),
}
