import { send } from '#kit/web/send.ts'
import { later } from '#kit/web/later.tsx'
import { waits, worth } from '#kit/web/waits.ts'
import type { Provides } from '#kit/web/workbench.ts'
import { printSamples } from '#modules/accounts/web/public.ts'
import type { recordType } from '../contract/choices.ts'
import { listHandovers } from '../contract/close.ts'
import { receipts } from '../contract/receipt.ts'
import { listRecords } from '../contract/record.ts'
import { listRefunds } from '../contract/refund.ts'
import { menu } from '../module.ts'

/** The newest record that prints so, as the preview of the templates shows it. */
const newest = (kind: keyof typeof recordType.rows) => async (project: string | undefined) => {
  const { rows } = await send(
    listRecords,
    { recordType: [kind], ...(project ? { projectCode: project } : {}), page: 1, size: 1 } as never,
    { quiet: true, project: 0 },
  )
  const r = rows[0]
  if (!r) return undefined
  const [[one], { contentOf }] = await Promise.all([
    send(receipts, { ids: [String(r.id)] }, { quiet: true, project: 0 }),
    import('./receipt-content.ts'),
  ])
  return one && contentOf(one, r.payTime.slice(0, 16), 1)
}

const kinds = { receipt: 'payment', prestore: 'prestore', deposit: 'deposit', refund: 'refund' } as const

for (const [kind, type] of Object.entries(kinds)) {
  printSamples.lend({ kind: kind as keyof typeof kinds, newest: newest(type) })
}

printSamples.lend({
  kind: 'handover',
  newest: async project => {
    const { rows } = await send(
      listHandovers,
      { ...(project ? { projectCode: project } : {}), page: 1, size: 1 } as never,
      { quiet: true, project: 0 },
    )
    const h = rows[0]
    return h && (await import('./handover-sheet.tsx')).handoverContent(h)
  },
})

const refunds = '/finance/chargemanage/backpaidbills'

export const provides: Provides = {
  queues: [
    waits({
      key: 'payments.refundFailed',
      title: '退款失败待处理',
      tone: 'bad',
      needs: menu.refund.may.audit,
      list: listRefunds,
      filter: { state: ['failed'] },
      path: refunds,
      view: 'failed',
      verb: '处理',
      since: r => r.createTime,
      detail: worth(),
    }),
    waits({
      key: 'payments.refunds',
      title: '退款待审核',
      tone: 'todo',
      needs: menu.refund.may.audit,
      list: listRefunds,
      filter: { state: ['pending'] },
      path: refunds,
      view: 'pending',
      verb: '审核',
      since: r => r.createTime,
      detail: worth(),
    }),
    waits({
      key: 'payments.handovers',
      title: '交账待确认',
      tone: 'todo',
      needs: menu.handover.may.confirm,
      list: listHandovers,
      filter: { state: ['pending'] },
      path: '/finance/chargemanage/handover',
      view: 'pending',
      verb: '确认',
      since: h => h.endTime,
      detail: worth('应交现金', 'cashAmount'),
    }),
  ],
  blocks: [
    {
      key: 'payments.shift',
      title: '本班收款',
      needs: menu.cashier.may.view,
      order: 20,
      Draw: later(() => import('./shift.tsx').then(m => m.Shift)),
    },
  ],
}
