import { waits } from '#kit/web/waits.ts'
import type { Provides } from '#kit/web/workbench.ts'
import { declareRecordAct } from '#modules/payments/web/public.acts.ts'
import { listInvoices } from '../contract/record.ts'
import { menu } from '../module.ts'
import { openFor, places } from './places.ts'

// Also at the till: the finished receipt offers it.
declareRecordAct({
  label: '开票',
  may: menu.invoice.may.open,
  suits: r =>
    (r.recordType === 'payment' ||
      r.recordType === 'deduction' ||
      r.recordType === 'prestore' ||
      (r.recordType === 'deposit' && r.incomeAmount > r.invoicedAmount)) &&
    r.state !== 'voided' &&
    r.state !== 'refunded' &&
    r.receivedAmount > 0,
  to: r => openFor([r.id]),
})

/** What needs somebody: refused by the platform, or to be taken back in red. */
export const provides: Provides = {
  queues: [
    waits({
      key: 'invoices.failed',
      title: '开票失败待处理',
      tone: 'bad',
      needs: menu.invoice.may.open,
      list: listInvoices,
      filter: { state: ['failed'] },
      path: places.list,
      view: 'failed',
      verb: '去处理',
      since: r => r.createTime,
    }),
    waits({
      key: 'invoices.redDue',
      title: '发票待红冲',
      tone: 'todo',
      needs: menu.invoice.may.red,
      list: listInvoices,
      filter: { state: ['redDue'] },
      path: places.list,
      view: 'redDue',
      verb: '去红冲',
    }),
  ],
}
