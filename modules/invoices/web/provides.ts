import { listLink } from '#kit/web/list/query.ts'
import { send } from '#kit/web/send.ts'
import type { Provides } from '#kit/web/workbench.ts'
import { declareRecordAct } from '#modules/payments/web/public.acts.ts'
import { listInvoices } from '../contract/record.ts'
import { menu } from '../module.ts'
import { openFor, places } from './places.ts'

// Also at the till: the finished receipt offers it.
declareRecordAct({ label: '开票', may: menu.invoice.may.open, suits: r => (r.recordType === 'payment' || r.recordType === 'deduction' || r.recordType === 'prestore' || (r.recordType === 'deposit' && r.incomeAmount > r.invoicedAmount)) && r.state !== 'voided' && r.state !== 'refunded' && r.receivedAmount > 0, to: r => openFor([r.id]) })
const waiting = async (state: 'failed' | 'redDue', signal: AbortSignal): Promise<number> => (await send(listInvoices, { state: [state], page: 1, size: 1 }, { quiet: true, signal })).total
/** What needs somebody: refused by the platform, or to be taken back in red. */
export const provides: Provides = {
  queues: [
    { key: 'invoices.failed', needs: menu.invoice.may.open, entities: ['invoiceRecord'], load: async signal => { const n = await waiting('failed', signal); return n ? [{ key: 'invoices.failed', title: '开票失败待处理', tone: 'bad', count: n, verb: '去处理', path: listLink(places.list, listInvoices, { state: ['failed'] }, { view: 'failed' }) }] : [] } },
    { key: 'invoices.redDue', needs: menu.invoice.may.red, entities: ['invoiceRecord'], load: async signal => { const n = await waiting('redDue', signal); return n ? [{ key: 'invoices.redDue', title: '发票待红冲', tone: 'todo', count: n, verb: '去红冲', path: listLink(places.list, listInvoices, { state: ['redDue'] }, { view: 'redDue' }) }] : [] } },
  ],
}
