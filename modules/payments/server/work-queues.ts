import { runReadCall } from '#kit/server/handler.ts'
import { listQueue } from '#kit/server/list-queue.ts'
import type { WorkQueue } from '#kit/server/work-queue.ts'
import { listHandovers, previewHandover } from '../contract/day-close.ts'
import { listRefunds } from '../contract/refund.ts'
import { menu, paths } from '../module.ts'

const refundsPath = paths.refunds
const handoversPath = paths.handover

/** What the caller has taken in the chosen project and not handed over yet. */
const ownHandover: WorkQueue = {
  key: 'payments.ownHandover',
  needs: menu.cashier.permissions.pay,
  entities: ['cashierHandover', 'payRecord'],
  load: async context => {
    const { projectCode } = context.scope
    if (!projectCode) return undefined
    const preview = await runReadCall(previewHandover, { projectCode }, context)
    return preview.count === 0
      ? undefined
      : {
          title: '收款未交账',
          tone: 'open',
          count: preview.count,
          actionLabel: '交账',
          path: handoversPath,
          ...(preview.beginTime === undefined ? {} : { since: preview.beginTime }),
          sum: { label: '应交现金', amount: preview.cashAmount },
        }
  },
}

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
    since: 'createTime',
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
    since: 'createTime',
    sum: { label: '合计', key: 'amount' },
  }),
  listQueue({
    key: 'payments.handovers',
    title: '交账待确认',
    tone: 'todo',
    needs: menu.handover.permissions.confirm,
    list: listHandovers,
    filter: { state: ['pending'] },
    path: handoversPath,
    view: 'pending',
    actionLabel: '确认',
    since: 'endTime',
    sum: { label: '应交现金', key: 'cashAmount' },
  }),
  ownHandover,
]
