import { createListQueue } from '#kit/web/list-queue.ts'
import type { Extensions } from '#kit/web/workbench.ts'
import { registerRecordAction } from '#modules/payments/web/public.actions.ts'
import { listInvoices } from '../contract/record.ts'
import { menu } from '../module.ts'
import { invoicingPath, invoicePaths } from './paths.ts'

// Also for the cashier: the finished receipt offers it.
registerRecordAction({
  label: '开票',
  needs: menu.invoice.permissions.open,
  isApplicable: r =>
    (r.recordType === 'payment' ||
      r.recordType === 'deduction' ||
      r.recordType === 'prestore' ||
      (r.recordType === 'deposit' && r.incomeAmount > r.invoicedAmount)) &&
    r.state !== 'voided' &&
    r.state !== 'refunded' &&
    r.tenderedAmount > 0,
  pathOf: r => invoicingPath([r.id]),
})

/** What needs somebody: refused by the platform, or to be taken back in red. */
export const extensions: Extensions = {
  queues: [
    createListQueue({
      key: 'invoices.failed',
      title: '开票失败待处理',
      tone: 'bad',
      needs: menu.invoice.permissions.open,
      list: listInvoices,
      filter: { state: ['failed'] },
      path: invoicePaths.list,
      view: 'failed',
      actionLabel: '去处理',
      waitingSince: r => r.createTime,
    }),
    createListQueue({
      key: 'invoices.redDue',
      title: '发票待红冲',
      tone: 'todo',
      needs: menu.invoice.permissions.red,
      list: listInvoices,
      filter: { state: ['redDue'] },
      path: invoicePaths.list,
      view: 'redDue',
      actionLabel: '去红冲',
    }),
  ],
}
