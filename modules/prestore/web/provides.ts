import { later } from '#kit/web/later.tsx'
import { waits, worth } from '#kit/web/waits.ts'
import type { Provides } from '#kit/web/workbench.ts'
import { tillActs } from '#modules/payments/web/public.ts'
import { listTransfers } from '../contract/transfer.ts'
import { menu } from '../module.ts'

tillActs.lend({
  key: 'prestore',
  label: '预存充值',
  keys: 'F9',
  may: menu.account.may.topUp,
  fits: d => d.sourceType === 'room' || d.payerId !== undefined,
  Draw: later(() => import('./till.tsx').then(m => m.TillTopUp)),
})

export const provides: Provides = {
  queues: [
    waits({
      key: 'prestore.transfers',
      title: '预存转账待审核',
      tone: 'todo',
      needs: menu.account.may.audit,
      list: listTransfers,
      filter: { state: ['pending'] },
      path: '/finance/reservemanagement/transfers',
      view: 'pending',
      verb: '审核',
      since: r => r.createTime,
      detail: worth(),
    }),
  ],
}
