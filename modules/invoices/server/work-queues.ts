import { listQueue } from '#kit/server/list-queue.ts'
import { listInvoices } from '../contract/record.ts'
import { menu, paths } from '../module.ts'

const path = paths.list

/** What needs somebody: refused by the platform, or to be taken back in red. */
export const workQueues = [
  listQueue({
    key: 'invoices.failed',
    title: '开票失败待处理',
    tone: 'bad',
    needs: menu.invoice.permissions.open,
    list: listInvoices,
    filter: { state: ['failed'] },
    path,
    view: 'failed',
    actionLabel: '处理',
    since: 'createTime',
  }),
  listQueue({
    key: 'invoices.redDue',
    title: '发票待红冲',
    tone: 'todo',
    needs: menu.invoice.permissions.red,
    list: listInvoices,
    filter: { state: ['redDue'] },
    path,
    view: 'redDue',
    actionLabel: '红冲',
  }),
]
