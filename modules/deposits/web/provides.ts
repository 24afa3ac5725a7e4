import { later } from '#kit/web/later.tsx'
import type { Provides } from '#kit/web/workbench.ts'
import { tillActs } from '#modules/payments/web/public.ts'
import { menu } from '../module.ts'

tillActs.lend({
  key: 'deposit',
  label: '押金',
  keys: 'F10',
  may: menu.deposit.may.view,
  fits: d => d.sourceType === 'room',
  Draw: later(() => import('./till.tsx').then(m => m.TillDeposits)),
})

export const provides: Provides = {}
