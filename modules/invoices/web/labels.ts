import { labelOf } from '#kit/contract/field.ts'
import { invoiceKind } from '../contract/choices.ts'
import type { InvoiceRecord } from '../contract/record.ts'
import { kindOf } from '../domain/invoice.ts'

export const kindLabel = (r: Pick<InvoiceRecord, 'invoiceType' | 'medium' | 'isRed'>): string =>
  `${r.isRed ? '红字' : ''}${labelOf(invoiceKind, kindOf(r))}`

export const invoiceLabel = (r: Pick<InvoiceRecord, 'invoiceNo' | 'serialNo'>): string =>
  r.invoiceNo ?? r.serialNo
