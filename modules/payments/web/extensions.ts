import { keysOfRecord } from '#kit/domain/records.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { Extensions } from '#kit/web/workbench.ts'
import { printPreviewSources } from '#modules/accounts/web/public.actions.ts'
import { registerPrepaidPayment } from '#modules/bills/web/public.actions.ts'
import { menu } from '../module.ts'
import { paths } from './paths.ts'

const recordTypeByDocType = {
  receipt: 'payment',
  prestore: 'prestore',
  deposit: 'deposit',
  refund: 'refund',
} as const

for (const kind of keysOfRecord(recordTypeByDocType)) {
  printPreviewSources.provide({
    kind,
    needs: [menu.record.permissions.view, menu.record.permissions.print],
    newest: async project =>
      (await import('./print-sources.ts')).findNewestRecord(recordTypeByDocType[kind], project),
  })
}

printPreviewSources.provide({
  kind: 'handover',
  needs: [menu.handover.permissions.view],
  newest: async project => (await import('./print-sources.ts')).findNewestHandover(project),
})

registerPrepaidPayment({
  needs: menu.cashier.permissions.pay,
  pathOf: orderNo => `${paths.cashier}?order=${orderNo}`,
})

export const extensions: Extensions = {
  finders: [
    {
      group: 'paper',
      needs: menu.record.permissions.view,
      prepare: () => import('./finder.ts'),
      search: async (keyword, signal) => (await import('./finder.ts')).findRecordHits(keyword, signal),
    },
  ],
  blocks: [
    {
      key: 'payments.shift',
      title: '本班收款',
      needs: menu.cashier.permissions.pay,
      order: 20,
      Draw: lazyComponent(() => import('./shift.tsx').then(m => m.ShiftSummary)),
    },
  ],
}
