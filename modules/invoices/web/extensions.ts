import type { Extensions } from '#kit/web/workbench.ts'
import { registerRecordAction } from '#modules/payments/web/public.actions.ts'
import { menu } from '../module.ts'
import { invoicingPath } from './paths.ts'

// Also for the cashier: the finished receipt offers it.
registerRecordAction({
  label: '开票',
  needs: menu.invoice.permissions.open,
  isApplicable: record =>
    (record.recordType === 'payment' ||
      record.recordType === 'deduction' ||
      record.recordType === 'prestore' ||
      (record.recordType === 'deposit' && record.incomeAmount > record.invoicedAmount)) &&
    record.state !== 'voided' &&
    record.state !== 'refunded' &&
    record.tenderedAmount > 0,
  pathOf: r => invoicingPath([r.id]),
})

export const extensions: Extensions = {}
