import type { Extensions } from '#kit/web/workbench.ts'
import { registerRecordAction } from '#modules/payments/web/public.actions.ts'
import { menu } from '../module.ts'
import { invoicingPath } from './paths.ts'

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

export const extensions: Extensions = {}
