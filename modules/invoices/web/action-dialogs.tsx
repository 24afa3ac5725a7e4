import { useMemo } from 'react'
import { toastResult } from '#kit/web/record-actions.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { editInvoice, issueInvoices } from '../contract/invoicing.ts'
import type { InvoiceRecord } from '../contract/record.ts'
import { kindOf, typeAndMediumOf, type InvoiceKind } from '../domain/invoice.ts'
import { kindControl, titleFormFields, findTitleFaults } from './title-form.tsx'
import { invoiceLabel } from './labels.ts'

interface DialogProps {
  readonly invoice: InvoiceRecord
  readonly onClose: () => void
}

const allKinds: readonly InvoiceKind[] = ['eNormal', 'eSpecial', 'paper', 'paperSpecial']

/** Title and kind of an invoice that is not issued. */
export function EditInvoiceDialog({ invoice, onClose }: DialogProps) {
  const edit = useSend(editInvoice, { quiet: true })
  const kinds = useMemo(
    () =>
      allKinds.filter(kind => invoice.channel === 'manual' || typeAndMediumOf(kind).medium === 'electronic'),
    [invoice.channel],
  )
  const groups = useMemo(
    () => [
      {
        keys: [{ key: 'kind', control: kindControl(kinds), wide: false }, ...titleFormFields([]), 'remark'],
      },
    ],
    [kinds],
  )
  const initial = useMemo(
    () => ({
      id: invoice.id,
      version: invoice.version,
      kind: kindOf(invoice),
      ...invoice.title,
      remark: invoice.remark,
    }),
    [invoice],
  )
  return (
    <EditDialog
      shape={editInvoice.input}
      draftKey={draftKeyOf(editInvoice, invoice.id)}
      title={`编辑发票 ${invoiceLabel(invoice)}`}
      groups={groups}
      initial={initial}
      presentation="drawer"
      rules={findTitleFaults}
      save={values => edit.mutateAsync({ ...values, id: invoice.id, version: invoice.version })}
      onClose={onClose}
      onDone={answer => {
        toastResult(answer, '已保存')
        onClose()
      }}
    />
  )
}

const numberFields = ['invoiceNo', 'invoiceCode', { key: 'issueTime', help: '不填为现在' }]

export const findNumberFaults = (values: {
  readonly invoiceNo?: string
}): Record<string, string> | undefined =>
  values.invoiceNo?.trim() ? undefined : { invoiceNo: '请填写发票号' }

/** 手工登记: the number of an invoice that was issued elsewhere. */
export function NumberDialog({ invoice, onClose }: DialogProps) {
  const issue = useSend(issueInvoices, { quiet: true })
  const initial = useMemo(() => ({ ids: [String(invoice.id)] }), [invoice.id])
  return (
    <EditDialog
      shape={issueInvoices.input}
      draftKey={draftKeyOf(issueInvoices, initial.ids)}
      title={`登记${invoice.isRed ? '红字' : ''}发票（${invoice.buyerName} ${displayYuanWithSymbol(invoice.totalAmount)}）`}
      groups={[{ keys: numberFields }]}
      initial={initial}
      submitLabel="登记"
      presentation="dialog"
      rules={findNumberFaults}
      save={values => issue.mutateAsync({ ...values, ids: initial.ids })}
      onClose={onClose}
      onDone={answer => {
        toastResult(answer, '已登记')
        onClose()
      }}
    />
  )
}
