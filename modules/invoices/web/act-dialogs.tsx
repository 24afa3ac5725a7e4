import { useMemo } from 'react'
import { tellDone } from '#kit/web/acts.ts'
import { yuan } from '#kit/web/figure.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { editInvoice, issueInvoices } from '../contract/open.ts'
import type { InvoiceRecord } from '../contract/record.ts'
import { kindOf, madeOf, type Kind } from '../domain/invoice.ts'
import { kindControl, titleAsks, titleRules } from './title-asks.tsx'
import { callIt } from './words.ts'

interface Props {
  readonly of: InvoiceRecord
  readonly onClose: () => void
}

const all: readonly Kind[] = ['eNormal', 'eSpecial', 'paper', 'paperSpecial']

/** Title and kind of one that has not been issued. */
export function EditInvoiceDialog({ of: r, onClose }: Props) {
  const go = useSend(editInvoice, { quiet: true })
  const kinds = useMemo(
    () => all.filter(k => r.channel === 'manual' || madeOf(k).medium === 'electronic'),
    [r.channel],
  )
  const groups = useMemo(
    () => [
      {
        keys: [
          { key: 'kind', control: kindControl(kinds), wide: false },
          ...titleAsks([]),
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
      of={editInvoice.input}
      title={`编辑发票 ${callIt(r)}`}
      groups={groups as never}
      initial={initial as never}
      as="drawer"
      rules={titleRules as never}
      save={v => go.mutateAsync({ ...v, id: r.id, version: r.version })}
      onClose={onClose}
      onDone={a => {
        tellDone(a, '已保存')
        onClose()
      }}
    />
  )
}

const numbers = ['invoiceNo', 'invoiceCode', { key: 'issueTime', help: '不填为现在' }]

export const given = (v: object): Record<string, string> | undefined =>
  (v as { invoiceNo?: string }).invoiceNo?.trim() ? undefined : { invoiceNo: '请填写发票号' }

/** By hand: the number of the invoice that was written elsewhere. */
export function NumberDialog({ of: r, onClose }: Props) {
  const go = useSend(issueInvoices, { quiet: true })
  const initial = useMemo(() => ({ ids: [String(r.id)] }), [r.id])
  return (
    <EditDialog
      of={issueInvoices.input}
      title={`登记${r.isRed ? '红字' : ''}发票（${r.buyerName} ${yuan(r.totalAmount, true)}）`}
      groups={[{ keys: numbers }]}
      initial={initial}
      words="登记"
      as="dialog"
      rules={given as never}
      save={v => go.mutateAsync({ ...v, ids: initial.ids })}
      onClose={onClose}
      onDone={a => {
        tellDone(a, '已登记')
        onClose()
      }}
    />
  )
}
