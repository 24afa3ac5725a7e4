import { later } from '#kit/web/later.tsx'
import type { Provides } from '#kit/web/workbench.ts'
import { tillActs } from '#modules/payments/web/public.ts'
import { menu } from '../module.ts'

tillActs.lend({ key: 'prestore', label: '预存充值', keys: 'F9', may: menu.account.may.topUp, fits: d => d.sourceType === 'room' || d.payerId !== undefined, Draw: later(() => import('./till.tsx').then(m => m.TillTopUp)) })
export const provides: Provides = {}
