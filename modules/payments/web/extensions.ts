import { keysOfRecord } from '#kit/domain/records.ts'
import { send } from '#kit/web/send.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { createListQueue, queueSumText } from '#kit/web/list-queue.ts'
import type { Extensions } from '#kit/web/workbench.ts'
import { printPreviewSources } from '#modules/accounts/web/public.ts'
import { registerPrepaidPayment } from '#modules/bills/web/public.actions.ts'
import type { recordType } from '../contract/choices.ts'
import { listHandovers } from '../contract/day-close.ts'
import { getReceipts } from '../contract/receipt.ts'
import { listRecords } from '../contract/record.ts'
import { listRefunds } from '../contract/refund.ts'
import { menu } from '../module.ts'
import { paths } from './paths.ts'

/** The newest record that prints so, as the preview of the templates shows it. */
const findNewestRecord = (kind: keyof typeof recordType.rows) => async (project: string | undefined) => {
  const { rows } = await send(
    listRecords,
    { recordType: [kind], ...(project ? { projectCode: project } : {}), page: 1, size: 1 },
    { quiet: true, project: 0 },
  )
  const r = rows[0]
  if (!r) return undefined
  const [[one], { buildReceiptContent: contentOf }] = await Promise.all([
    send(getReceipts, { ids: [String(r.id)] }, { quiet: true, project: 0 }),
    import('./receipt-content.ts'),
  ])
  return one && contentOf(one, r.payTime.slice(0, 16), 1)
}

const recordTypeByDocType = {
  receipt: 'payment',
  prestore: 'prestore',
  deposit: 'deposit',
  refund: 'refund',
} as const

for (const kind of keysOfRecord(recordTypeByDocType)) {
  printPreviewSources.provide({
    kind,
    newest: findNewestRecord(recordTypeByDocType[kind]),
  })
}

printPreviewSources.provide({
  kind: 'handover',
  newest: async project => {
    const { rows } = await send(
      listHandovers,
      { ...(project ? { projectCode: project } : {}), page: 1, size: 1 },
      { quiet: true, project: 0 },
    )
    const h = rows[0]
    return h && (await import('./handover-sheet.tsx')).buildHandoverContent(h)
  },
})

registerPrepaidPayment({
  needs: menu.cashier.permissions.pay,
  pathOf: orderNo => `${paths.cashier}?order=${orderNo}`,
})

const refundsPath = '/finance/chargemanage/backpaidbills'

export const extensions: Extensions = {
  queues: [
    createListQueue({
      key: 'payments.refundFailed',
      title: '退款失败待处理',
      tone: 'bad',
      needs: menu.refund.permissions.audit,
      list: listRefunds,
      filter: { state: ['failed'] },
      path: refundsPath,
      view: 'failed',
      actionLabel: '处理',
      waitingSince: r => r.createTime,
      detail: queueSumText(),
    }),
    createListQueue({
      key: 'payments.refunds',
      title: '退款待审核',
      tone: 'todo',
      needs: menu.refund.permissions.audit,
      list: listRefunds,
      filter: { state: ['pending'] },
      path: refundsPath,
      view: 'pending',
      actionLabel: '审核',
      waitingSince: r => r.createTime,
      detail: queueSumText(),
    }),
    createListQueue({
      key: 'payments.handovers',
      title: '交账待确认',
      tone: 'todo',
      needs: menu.handover.permissions.confirm,
      list: listHandovers,
      filter: { state: ['pending'] },
      path: '/finance/chargemanage/handover',
      view: 'pending',
      actionLabel: '确认',
      waitingSince: h => h.endTime,
      detail: queueSumText('应交现金', 'cashAmount'),
    }),
  ],
  blocks: [
    {
      key: 'payments.shift',
      title: '本班收款',
      needs: menu.cashier.permissions.view,
      order: 20,
      Draw: lazyComponent(() => import('./shift.tsx').then(m => m.Shift)),
    },
  ],
}
