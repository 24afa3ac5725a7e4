import { listQueue } from '#kit/server/list-queue.ts'
import { listHandovers } from '../contract/day-close.ts'
import { listRefunds } from '../contract/refund.ts'
import { menu } from '../module.ts'

const refundsPath = '/finance/chargemanage/backpaidbills'

export const workQueues = [
  listQueue({
    key: 'payments.refundFailed',
    title: '退款失败待处理',
    tone: 'bad',
    needs: menu.refund.permissions.audit,
    list: listRefunds,
    filter: { state: ['failed'] },
    path: refundsPath,
    view: 'failed',
    actionLabel: '处理',
    since: refund => refund.createTime,
    sum: { label: '合计', key: 'amount' },
  }),
  listQueue({
    key: 'payments.refunds',
    title: '退款待审核',
    tone: 'todo',
    needs: menu.refund.permissions.audit,
    list: listRefunds,
    filter: { state: ['pending'] },
    path: refundsPath,
    view: 'pending',
    actionLabel: '审核',
    since: refund => refund.createTime,
    sum: { label: '合计', key: 'amount' },
  }),
  listQueue({
    key: 'payments.handovers',
    title: '交账待确认',
    tone: 'todo',
    needs: menu.handover.permissions.confirm,
    list: listHandovers,
    filter: { state: ['pending'] },
    path: '/finance/chargemanage/handover',
    view: 'pending',
    actionLabel: '确认',
    since: handover => handover.endTime,
    sum: { label: '应交现金', key: 'cashAmount' },
  }),
]
