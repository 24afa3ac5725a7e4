import { useMemo } from 'react'
import { toastResult } from '#kit/web/record-actions.ts'
import { displayYuan } from '#kit/web/numbers.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { editInvoice, issueInvoices } from '../contract/invoicing.ts'
import type { InvoiceRecord } from '../contract/record.ts'
import { kindOf, typeAndMediumOf, type InvoiceKind } from '../domain/invoice.ts'
import { kindControl, titleFormFields, findTitleFaults } from './title-form.tsx'
import { invoiceLabel } from './labels.ts'

interface DialogProps {
  readonly of: InvoiceRecord
  readonly onClose: () => void
}

const allKinds: readonly InvoiceKind[] = ['eNormal', 'eSpecial', 'paper', 'paperSpecial']

/** Title and kind of one that has not been issued. */
export function EditInvoiceDialog({ of: r, onClose }: DialogProps) {
  const go = useSend(editInvoice, { quiet: true })
  const kinds = useMemo(
    () => allKinds.filter(k => r.channel === 'manual' || typeAndMediumOf(k).medium === 'electronic'),
    [r.channel],
  )
  const groups = useMemo(
    () => [
      {
        keys: [
          { key: 'kind', control: kindControl(kinds), wide: false },
          ...titleFormFields([]),
          { key: 'remark', wide: true },
        ],
      },
    ],
    [kinds],
  )
  // A mobile that is shown masked is left out: what is not said stays.
  const initial = useMemo(
    () => ({
      id: r.id,
      version: r.version,
      kind: kindOf(r),
      ...r.title,
      ...(r.title.mobile?.includes('*') ? { mobile: undefined } : {}),
      remark: r.remark,
    }),
    [r],
  )
  return (
    <EditDialog
      shape={editInvoice.input}
      title={`编辑发票 ${invoiceLabel(r)}`}
      groups={groups}
      initial={initial}
      presentation="drawer"
      rules={findTitleFaults}
      save={v => go.mutateAsync({ ...v, id: r.id, version: r.version })}
      onClose={onClose}
      onDone={a => {
        toastResult(a, '已保存')
        onClose()
      }}
    />
  )
}

const numberFields = ['invoiceNo', 'invoiceCode', { key: 'issueTime', help: '不填为现在' }]

export const findNumberFaults = (v: object): Record<string, string> | undefined =>
  (v as { invoiceNo?: string }).invoiceNo?.trim() ? undefined : { invoiceNo: '请填写发票号' }

/** By hand: the number of the invoice that was written elsewhere. */
export function NumberDialog({ of: r, onClose }: DialogProps) {
  const go = useSend(issueInvoices, { quiet: true })
  const initial = useMemo(() => ({ ids: [String(r.id)] }), [r.id])
  return (
    <EditDialog
      shape={issueInvoices.input}
      title={`登记${r.isRed ? '红字' : ''}发票（${r.buyerName} ${displayYuan(r.totalAmount, true)}）`}
      groups={[{ keys: numberFields }]}
      initial={initial}
      submitLabel="登记"
      presentation="dialog"
      rules={findNumberFaults}
      save={v => go.mutateAsync({ ...v, ids: initial.ids })}
      onClose={onClose}
      onDone={a => {
        toastResult(a, '已登记')
        onClose()
      }}
    />
  )
}
